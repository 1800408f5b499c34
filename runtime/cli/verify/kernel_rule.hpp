// What a kernel must compute, read from its name.
//
// Names of kernels follow a grammar and state everything that decides a result:
//   SRC_to_DST__ROUND[_OVERFLOW][_infRESULT][_nanRESULT][_negRESULT][_zeroRESULT][_lowRESULT]
//   TYPE_to_TYPE__ROUND_integral
#pragma once

#include <castforge/castforge.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace castforge::cli {

enum class Rounding : std::uint8_t { exact, nearest_even, nearest_away, toward_zero, up, down, odd };

/// What becomes of a value out of range, of an infinity, of a NaN, ...
enum class Outcome : std::uint8_t {
  natural,        // infinity; without one NaN; without one the largest number. Of a NaN: likewise from NaN on
  largest,        // of the value's sign
  nan,            // without one the largest number
  by_rounding,    // overflow: largest or infinity, as IEEE 754-2019 section 7.4 has it
  wrap,           // integers: modulo 2^bits
  clamp_32_wrap,  // integers: clamped to the range of int32, then modulo 2^bits
  as_overflow,    // infinities
  zero,           // of an infinity: with its sign
  positive_largest,  // of a NaN
  smallest,          // the smallest positive code; integers: the least number
  opposite_zero,     // of a NaN: zero with the other sign
  magnitude,         // negative values: as if positive
};

struct KernelRule {
  Rounding rounding = Rounding::exact;
  bool integral = false;  // same type: round to an integral value
  Outcome overflow = Outcome::natural;
  Outcome infinity = Outcome::natural;
  Outcome nan = Outcome::nan;
  Outcome negative = Outcome::smallest;   // floating types without sign
  Outcome zero = Outcome::smallest;       // floating types without zero
  Outcome underflow = Outcome::smallest;  // floating types without zero: below the smallest value
};

/// The rule that a kernel's name states; nothing where it has words that are not in the grammar, such as
/// roundings of a user's own.
std::optional<KernelRule> rule_of(const Kernel& kernel);
std::optional<KernelRule> rule_of(std::string_view kernel_name, const TypeInfo& src, const TypeInfo& dst);

}  // namespace castforge::cli
