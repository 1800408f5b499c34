// What numbers a tensor holds, and what a cast would do to them.
#pragma once

#include "cli/convert/statistics.hpp"
#include "cli/formats/tensor.hpp"
#include "cli/io/progress.hpp"

#include <castforge/interface.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace castforge::cli {

/// How many numbers have which binary exponent, floor(log2 |x|).
class ExponentCounts {
 public:
  static constexpr int kLeast = -2048, kMost = 2047;  // beyond those of every type

  void count(int exponent) {
    if (counts_.empty()) counts_.resize(kMost - kLeast + 1);
    ++counts_[static_cast<std::size_t>(exponent - kLeast)];
  }
  void add(const ExponentCounts& other);
  std::uint64_t of(int exponent) const {
    return counts_.empty() ? 0 : counts_[static_cast<std::size_t>(exponent - kLeast)];
  }

  struct Range {
    int least, most;
  };
  /// From the least to the greatest exponent that some number has; nothing where there are no numbers but zero.
  std::optional<Range> range() const;

 private:
  std::vector<std::uint64_t> counts_;  // empty where there are no numbers, as in many a tensor
};

struct TensorScan {
  std::uint64_t elements = 0, zeros = 0, nan = 0, infinite = 0;
  double largest = 0;   // magnitude of a finite number (amax)
  double smallest = 0;  // magnitude of a number other than zero; 0 where there is none
  ExponentCounts exponents;
  CastStatistics cast;  // where a kernel was given

  void add(const TensorScan& other);
};

/// A cast to try on elements of a type. One for many tensors: its tables take as long as many a tensor.
struct TriedCast {
  explicit TriedCast(const Kernel& by) : kernel(by), comparison(kernel) {}

  Kernel kernel;
  CastComparison comparison;
};

/// Reads all elements of `source` once, in chunks of about a megabyte per thread. `cast`: the one to try, or null.
TensorScan scan(ElementReader& source, Type type, const TriedCast* cast, std::optional<std::uint64_t> count,
                unsigned threads, Progress& progress);

}  // namespace castforge::cli
