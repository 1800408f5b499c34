// The exact results of all source codes, in runs of codes whose results follow from one evaluation.
#pragma once

#include <castforge/interface.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace castforge::cli {

/// `count` consecutive source codes from `first` on; the i-th has the result (result + i * step) mod 2^value_bits of
/// the destination.
struct ExactRun {
  std::uint64_t first = 0, count = 0;
  std::uint64_t result = 0, step = 0;  // step is a two's complement number of 64 bits
};

/// Calls `use` with runs that cover all 2^value_bits source codes in ascending order. Returns a source code for which
/// the rule states no result, where it comes to one; what comes after it is left out.
///
/// Why a run has the results it says: a conversion looks at the sign of a number, at its magnitude in ulps of the
/// destination there, at the first dropped bit, and at whether anything is left behind that. Source codes are taken
/// in pieces of one sign and one leading bit, in which the ulp does not change. Then
///  - codes that drop bits are classed by (ulps, first dropped bit, anything behind): exact_cast is asked once per
///    class, for any carry table;
///  - codes that drop none are multiples of the ulp: results within the range are as far apart as the numbers, and
///    exact_cast is asked at both ends;
///  - numbers beyond the range on one side, NaNs of one sign: all have the result of one, and exact_cast is asked at
///    both ends.
/// Throws std::logic_error where the answers at the ends contradict this.
std::optional<std::uint64_t> for_each_exact_run(const Format& src, const Format& dst, const Rule& rule,
                                                const std::function<void(const ExactRun&)>& use);

}  // namespace castforge::cli
