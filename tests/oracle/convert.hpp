// One conversion under one rule, by search in the destination's ordered list of values.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "oracle/value.hpp"

namespace castforge::oracle {

/// Further modes, given as carry tables, have the numbers after the last one: add_rounding.
enum class Round { nearest_even, nearest_away, toward_zero, down, up, odd };

/// Makes a rounding mode known by its carry table. Bit 8 * negative + 4 * last kept bit + 2 * first dropped bit + any
/// later bit says whether the magnitude moves up. Not thread-safe.
Round add_rounding(const std::string& name, std::uint16_t carry);
/// A mode by its name in rounding specs ("floor" is `down`). Nothing where there is none.
std::optional<Round> find_rounding(std::string_view name);
/// The carry table of a mode.
std::uint16_t carry_of(Round round);

/// What a value gives that is out of range once it is rounded.
enum class Overflow {
  infinity,  // NaN where the type has no infinity, the largest finite value where it has neither
  max,       // largest finite value, sign kept
  nan,
  ieee,        // max where the mode rounds toward zero for that sign, else infinity
  wrap,        // integers: modulo 2^bits
  saturate,    // integers: nearest end of the range
  indefinite,  // integers: a code of its own, the least integer where there is a sign, the largest elsewhere
};

enum class Infinite { infinity, max, nan, zero, as_overflow };
enum class NotANumber {
  nan,
  zero,
  max_positive,        // largest finite value, whatever the sign of the NaN
  max_signed,          // largest finite value with the sign of the NaN; integers: that end of the range
  min,                 // integers: lower end of the range; floats: smallest value above zero
  zero_opposite_sign,  // +NaN gives -0, -NaN gives +0
};
/// Values below the smallest one of a format that has no zero: zeros and negative values too.
enum class BelowRange { smallest, nan };
/// Values into an unsigned format that has a zero that are negative once they are rounded, or before.
enum class Negative { clamp, nan, magnitude };
enum class SameType {
  copy,
  copy_clamped,  // copy, infinities become the largest finite value
  integral,      // round to an integral value of the same format
  bits,          // the bit pattern as it is, from another type too
  converted,     // as from another type
};

/// All integers of that many bits; none without bits.
struct Integers {
  int bits = 0;
  bool is_signed = false;

  friend auto operator<=>(const Integers&, const Integers&) = default;
};

struct Rule {
  Round round = Round::nearest_even;
  Overflow overflow = Overflow::infinity;
  Infinite infinite = Infinite::infinity;
  NotANumber not_a_number = NotANumber::nan;
  BelowRange below = BelowRange::smallest;
  Negative negative = Negative::clamp;
  SameType same = SameType::copy;
  bool plus_zero = false;           // every result that is zero is +0
  bool minus_infinity_nan = false;  // into unsigned formats minus infinity is NaN, whatever `negative` says
  bool negative_unrounded = false;  // into unsigned formats what rounds to zero is negative too
  Integers saturate_first = {};     // to integers: what rounded values are clamped to before `overflow` counts

  friend auto operator<=>(const Rule&, const Rule&) = default;
};

/// The destination code of one source code. Boolean destinations follow no rule: zero is false, all else
/// true.
std::uint64_t convert(const Codec& src, const Codec& dst, const Rule& rule, std::uint64_t code);

/// The destination code of an exact value (used where the source is not a code: decimal strings, sums).
std::uint64_t encode(const Value& v, const Codec& dst, const Rule& rule);

/// `rule` with every property that cannot matter for this pair set to its default.
Rule normalised(const Format& src, const Format& dst, Rule rule);

}  // namespace castforge::oracle
