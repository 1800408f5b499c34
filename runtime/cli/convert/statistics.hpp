// What a cast did to the numbers of a tensor.
#pragma once

#include <castforge/castforge.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace castforge::cli {

struct CastStatistics {
  double largest = 0;             // magnitude of a finite number before the cast (amax)
  std::uint64_t nan = 0;          // NaNs before the cast
  std::uint64_t infinite = 0;     // infinities before the cast
  std::uint64_t saturated = 0;    // finite numbers that round to none in the range and became another finite one
  std::uint64_t nonfinite = 0;    // finite numbers that became an infinity or NaN
  std::uint64_t underflowed = 0;  // numbers other than zero that became zero, other than by wrapping
  std::uint64_t inexact = 0;      // numbers that round into the range and became other ones
  double largest_error = 0;       // of these, in units in the last place of the result's type

  void add(const CastStatistics& other);
  /// Finite numbers that the result's type has none for, whatever became of them.
  std::uint64_t out_of_range() const { return saturated + nonfinite; }
  /// {"amax": 1.5, "nan": 0, ...}
  std::string json() const;
};

/// Compares elements before and after a cast. Whether a number is inexact is decided exactly; amax and the largest
/// error are float64. Of integers that are the same float64 as the end of the range, only those that wrap to the other
/// sign count as out of it.
class CastComparison {
 public:
  /// `rule`: of the cast; its rounding decides which numbers are out of range.
  CastComparison(Type before, Type after, const Rule& rule);
  explicit CastComparison(const Kernel& kernel) : CastComparison(kernel.src(), kernel.dst(), kernel.rule()) {}

  /// Statistics of `count` elements, laid out as for Kernel::run. Thread-safe.
  CastStatistics compare(const void* before, const void* after, std::size_t count) const;

 private:
  /// The numbers of a type by code: from a table up to 16 bits.
  class Decoder {
   public:
    explicit Decoder(Type type);
    double operator()(const void* elements, std::size_t index) const;
    /// What the number is more than that float64; 0 but for integers above 2^53.
    double rest(const void* elements, std::size_t index) const;
    const TypeInfo& type() const { return type_; }

   private:
    TypeInfo type_;
    bool has_rest_;
    std::vector<double> table_;
  };
  double ulp_at(double magnitude) const;

  Decoder before_, after_;
  double lowest_ = 0, highest_ = 0;  // that round into the range of the result's type
  bool wide_ = false;                // both are integers above 2^53
  int smallest_exponent_ = 0, mantissa_bits_ = 0;
};

}  // namespace castforge::cli
