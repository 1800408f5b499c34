// One rounding: a magnitude truncated to whole ulps, and whether it moves up.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "src/exact/value.hpp"

namespace castforge::exact {

__extension__ using u128 = unsigned __int128;

/// More ulps than any range has; their low 64 bits are zero, as those of every such number are.
inline constexpr u128 kBeyond = static_cast<u128>(1) << 127;

/// A magnitude in whole ulps of a grid, and what was dropped.
struct Truncated {
  u128 ulps = 0;
  bool first_dropped = false;
  bool sticky = false;  // any dropped bit after the first

  constexpr bool is_exact() const { return !first_dropped && !sticky; }
};

/// The magnitude of a finite value on the grid of which an ulp is 2^ulp.
constexpr Truncated truncate(const Value& value, int ulp) {
  Truncated result;
  result.sticky = value.inexact;
  const int dropped = ulp - value.exponent;
  if (value.significand == 0) return result;
  if (dropped <= 0) {
    const bool fits = static_cast<int>(std::bit_width(value.significand)) - dropped <= 127;
    result.ulps = fits ? static_cast<u128>(value.significand) << -dropped : kBeyond;
  } else if (dropped > 64) {  // less than half an ulp
    result.sticky = true;
  } else {
    result.ulps = dropped == 64 ? 0 : value.significand >> dropped;
    result.first_dropped = ((value.significand >> (dropped - 1)) & 1) != 0;
    result.sticky = result.sticky || (value.significand & low_bits(dropped - 1)) != 0;
  }
  return result;
}

/// Entry (sign, last kept bit, first dropped bit, sticky) of a carry table: does the magnitude move up one ulp?
constexpr bool carries(std::uint16_t table, bool negative, bool last_kept, bool first_dropped, bool sticky) {
  const int entry = negative << 3 | last_kept << 2 | first_dropped << 1 | static_cast<int>(sticky);
  return ((table >> entry) & 1) != 0;
}

/// Round to nearest, ties to even, as a carry table, whatever the specs call the mode: up where the first dropped bit
/// is set, and a later one (more than half) or the last kept bit (half of an odd one).
inline constexpr std::uint16_t kNearestEven = [] {
  unsigned table = 0;
  for (unsigned entry = 0; entry < 16; ++entry) {
    const bool last_kept = (entry & 4) != 0, first_dropped = (entry & 2) != 0, sticky = (entry & 1) != 0;
    table |= static_cast<unsigned>(first_dropped && (sticky || last_kept)) << entry;
  }
  return static_cast<std::uint16_t>(table);
}();

/// The order of two finite magnitudes, neither of them zero: below 0, 0 or above 0.
constexpr int compare_magnitudes(const Value& a, const Value& b) {
  const int left = std::bit_width(a.significand) + a.exponent, right = std::bit_width(b.significand) + b.exponent;
  if (left != right) return left < right ? -1 : 1;
  const std::uint64_t x = a.significand << std::countl_zero(a.significand);
  const std::uint64_t y = b.significand << std::countl_zero(b.significand);
  if (x != y) return x < y ? -1 : 1;
  return static_cast<int>(a.inexact) - static_cast<int>(b.inexact);
}

/// The magnitude on the wide grid between zero and the smallest number of a format with a gap; nothing from that
/// number on. A value that is inexact has to be known to more bits than the format's.
constexpr std::optional<Truncated> truncate_in_gap(const Format& format, const Value& value) {
  Value bound;
  bound.significand = (std::uint64_t{1} << format.mantissa_bits) + 1;
  bound.exponent = -format.exponent_bias - format.mantissa_bits;
  if (value.significand == 0) return Truncated{0, false, value.inexact};
  if (compare_magnitudes(value, bound) >= 0) return std::nullopt;
  --bound.exponent;
  const int side = compare_magnitudes(value, bound);
  return Truncated{0, side >= 0, side != 0};
}

/// The binade of exponent field 1.
constexpr int field_one_binade(const Format& format) { return 1 - format.exponent_bias; }

/// Magnitude code of so many ulps of 2^(binade - mantissa_bits), rounded; may lie beyond the finite ones. Code order
/// is value order, so that moving up is plus one, from a binade to the next as well. `ulps` has mantissa_bits + 1
/// bits, fewer in the smallest binade only.
constexpr std::uint64_t rounded_code(int field_one, int mantissa_bits, int binade, std::uint64_t ulps,
                                     std::uint16_t table, bool negative, bool first_dropped, bool sticky) {
  // The leading bit of a normal number is one binade's worth of codes: field f has f - 1 more.
  const std::uint64_t code = ulps + (static_cast<std::uint64_t>(binade - field_one) << mantissa_bits);
  return code + static_cast<std::uint64_t>(carries(table, negative, (code & 1) != 0, first_dropped, sticky));
}

}  // namespace castforge::exact
