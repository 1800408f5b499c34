// Between which numbers the values of a program lie, for any source: intervals of bit patterns, derived from the
// operations alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/program.hpp"

namespace castforge::ir {

/// Numbers from `least` to `most`, both included.
struct Interval {
  std::uint64_t least, most;
};

/// A superset of the values of a node. Four intervals, of unsigned integers: zero and the other magnitudes, each with
/// the top bit clear and set. So it can tell that a float is zero or normal, never subnormal.
class Range {
 public:
  explicit Range(int bits) : bits_(bits) {}

  int bits() const { return bits_; }
  void add(std::uint64_t least, std::uint64_t most);
  void add(const Range& other);
  /// Values with other bits than these ones are left out.
  void keep_ones(std::uint64_t ones);
  /// What of it lies in the interval; of `magnitudes`, the values without their top bit.
  Range within(Interval interval, bool magnitudes) const;

  std::vector<Interval> intervals() const;
  std::uint64_t least() const;
  /// The least value without its top bit.
  std::uint64_t least_magnitude() const;
  /// As a float32 or float64; never one where lanes have other widths.
  bool may_be_subnormal() const;

 private:
  int bits_;
  std::array<std::optional<Interval>, 4> parts_;  // +0, above; top bit alone, above
};

/// Of every node.
std::vector<Range> ranges(const Program& program);

}  // namespace castforge::ir
