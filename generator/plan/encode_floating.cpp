#include <optional>

#include "plan/planner.hpp"
#include "plan/real.hpp"
#include "semantics/results.hpp"
#include "spec/canonical.hpp"

namespace castforge::plan {
namespace {

using spec::Meaning;
using spec::Type;

/// Does rounding move any magnitude up? Toward zero none; to odd a bit is set in place.
bool may_carry(const Meaning& meaning) {
  return meaning.round != nullptr && meaning.round->carry != kTowardZeroTable && meaning.round->carry != kOddTable;
}

/// A special result: what it is for either sign, and whether "magnitude code, then OR the sign" says it.
struct Special {
  std::uint64_t positive, negative;
  bool by_sign_or(const Type& dst) const { return negative == (positive | dst.sign_mask()); }
  /// Whether two magnitude codes, then OR the sign, say it.
  bool before_sign(const Type& dst) const {
    return positive == magnitude(dst, positive) && negative == (magnitude(dst, negative) | dst.sign_mask());
  }
  /// `code` without its sign; the NaN of formats without a negative zero is the sign bit alone.
  static std::uint64_t magnitude(const Type& dst, std::uint64_t code) {
    return code == dst.sign_mask() ? code : code & dst.magnitude_mask();
  }
};

/// The special result for the sign of each lane.
Value by_sign(Builder& b, const Real& real, const Special& special, const std::string& name,
              const std::string& formula) {
  const Value positive = b.constant(name, special.positive, formula);
  if (special.positive == special.negative || !real.may_be_negative) return positive;
  const Value difference =
      b.constant(name + "Flip", special.positive ^ special.negative, "what the sign changes in it");
  return positive ^ (difference & negative_mask(b, real.sign, real.layout.sign_bit()));
}

/// Binary exponent of the smallest positive value.
int least_exponent(const Type& type) {
  if (type.kind != spec::Kind::floating) return 0;
  return type.min_exponent() - (type.subnormals ? type.mantissa_bits : 0);
}

/// `code` with everything above the largest finite code replaced by `over`.
Value limit_code(Builder& b, Value code, Value max_code, std::uint64_t largest, std::uint64_t over) {
  if (over == largest) return min(code, max_code).named("limited", "saturate");
  if (over == largest + 1)
    return min(code, b.constant("kOverflow", over, "the largest finite code + 1: result of overflow"))
        .named("limited", "overflow");
  return select(greater(code, max_code), b.constant("kOverflow", over, "result of overflow"), code)
      .named("limited", "overflow");
}

/// Destinations with the exponent range of the working layout lose fraction bits, if any, and nothing else: number and
/// sign are rounded together, infinity by itself. No value: this is not such a case.
Value encode_shortened(Builder& b, const Real& real, const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  const Layout& layout = real.layout;
  const int drop = layout.mantissa_bits - dst.mantissa_bits;
  if (!is_shortened(dst, layout) || !real.whole || dst.storage_high || layout.bits() != b.lane_bits()) return {};
  for (const bool negative : {false, true}) {
    if (negative && !real.may_be_negative) break;
    const std::uint64_t sign = negative ? dst.sign_mask() : 0;
    if (spec::reach(meaning).overflow && semantics::overflow_result(meaning, negative) != (dst.infinity_code() | sign))
      return {};
    if (real.may_be_infinite && semantics::infinity_result(meaning, negative) != (dst.infinity_code() | sign))
      return {};
    if (real.may_be_nan && semantics::nan_result(meaning, negative) != (semantics::nan_result(meaning, false) | sign))
      return {};
  }
  const Value sign = real.may_be_negative ? real.sign : Value{};
  Value whole = real.whole;
  const bool nearest = rounds_to_nearest_even(meaning);
  const bool rounds_together =
      nearest && drop == 16 && b.lane_bits() == 32 && dst.storage_bits == 16;  // by one operation
  if (real.may_be_nan) {  // its dropped bits are zero: no rounding changes it
    const std::uint64_t nan = semantics::nan_result(meaning, false) << drop;
    const std::string formula = drop == 0 ? "canonical NaN" : "canonical NaN << " + std::to_string(drop);
    whole = canonical_nan(b, real, whole, nan, formula);
  }
  if (drop == 0) return whole;
  if (rounds_together) {
    return unary(Op::round_high_half, whole);
  }
  return round_significand(b, RoundingSite{whole, {}, drop, {}, false, sign, layout.sign_bit()}, meaning.round)
      .named("code", may_carry(meaning) ? "the carry may run into the exponent; the sign stays in front"
                                        : "the sign stays in front");
}

/// `code`; below the destination's smallest number there is only zero, and numbers are rounded to one of these two.
Value round_in_gap(Builder& b, const Real& real, const Meaning& meaning, Value sign, Value code) {
  const Type& dst = *meaning.dst;
  const Layout& layout = real.layout;
  const int drop = layout.mantissa_bits - dst.mantissa_bits;
  const std::uint64_t smallest = layout.power_of_two(dst.min_exponent()) | 1ull << drop;
  const Value lowest = b.constant("kSmallest", smallest, "bits of the smallest number, code 1");
  const Value tie = b.constant("kHalfSmallest", smallest - (1ull << layout.mantissa_bits), "bits of half of it");
  // Code 1 or 0, by first dropped bit and sticky bit below an even code.
  const auto moved = [&](int dropped) {
    const auto up = [&](bool negative) {
      const bool carries =
          meaning.round != nullptr && meaning.round->carries(negative, false, (dropped & 2) != 0, (dropped & 1) != 0);
      return std::uint64_t{carries};
    };
    const Value positive = b.literal(up(false));
    return !sign || up(false) == up(true) ? positive
                                          : positive ^ (negative_mask(b, sign, layout.sign_bit()) & b.literal(1));
  };
  Value low = select(equal(real.mag, b.literal(0)), b.literal(0), moved(1));
  low = select(equal(real.mag, tie), moved(2), low);
  low = select(greater(real.mag, tie), moved(3), low).named("low", "below the smallest number: that, or zero");
  return select(greater(lowest, real.mag), low, code)
      .named("code", "as if exponents had no upper end, and below the smallest number");
}

/// The code of the destination as if its exponents had no upper end, without sign. `sign`: what rounding sees of it.
Value unbounded_code(Builder& b, const Real& real, const Meaning& meaning, Value sign) {
  const Type& dst = *meaning.dst;
  const Layout& layout = real.layout;
  const int drop = layout.mantissa_bits - dst.mantissa_bits;
  const int normal = dst.min_exponent() + layout.bias;  // biased working exponent of the smallest normal binade
  if (drop < 0 || normal < (dst.has_gap() ? 2 : 1)) throw NoLayout(dst, NoLayout::Because::small);
  if (normal == 1 && drop == 0) return real.mag;
  if (normal == 1) {
    RoundingSite site{real.mag, {}, drop, {}, false, sign, layout.sign_bit()};
    return round_significand(b, site, meaning.round)
        .named("code", may_carry(meaning) ? "the carry may run into the exponent" : "");
  }
  // Where no source is below the smallest normal result, as no integer is, the exponent gets another bias and that is
  // all. Not without fraction bits, where ties go by the lowest bit of the exponent, which the bias may flip; a gap
  // counts exponents from another binade.
  if (least_exponent(*meaning.src) >= dst.min_exponent() && dst.mantissa_bits != 0 && !dst.has_gap()) {
    RoundingSite site{real.mag, {}, drop, {}, false, sign, layout.sign_bit()};
    const Value rounded = drop == 0 ? real.mag : round_significand(b, site, meaning.round);
    const Value change = b.constant(
        "kBiasChange", static_cast<std::uint64_t>(normal - 1) << dst.mantissa_bits,
        "(" + difference_formula(layout.bias, 1 - dst.min_exponent()) + ") << " + std::to_string(dst.mantissa_bits));
    return (max(rounded, change) - change).named("code", "as if exponents had no upper end; zero stays");
  }
  const int guard = drop == 0 ? 1 : 0;           // at least one bit is dropped by every shift
  const int deepest = layout.mantissa_bits + 2;  // everything below the first dropped bit
  const Value exp = (real.mag >> layout.mantissa_bits).named("exp");
  const Value fraction =
      real.mag & b.constant("kFraction", low_bits(layout.mantissa_bits), power_formula(layout.mantissa_bits) + " - 1");
  const bool all_subnormals_vanish = normal - 1 + drop >= deepest;
  const bool exact_zero_matters = moves_small_values(meaning.round) || !all_subnormals_vanish;
  const Value hidden = exact_zero_matters
                           ? min(exp, b.literal(1)) << layout.mantissa_bits
                           : b.constant("kHidden", 1ull << layout.mantissa_bits, power_formula(layout.mantissa_bits));
  const Value sig = ((fraction | hidden) << guard).named("sig");
  const Value at_normal = b.count("kExpNormal", static_cast<std::uint64_t>(normal),
                                  difference_formula(layout.bias, -dst.min_exponent()) + ": biased exponent of " +
                                      power_formula(dst.min_exponent()));
  Value bounded = min(exp, at_normal);
  const int lowest = normal - (deepest - drop);
  if (lowest > 0)
    bounded = max(bounded, b.count("kExpZero", static_cast<std::uint64_t>(lowest),
                                   "kExpNormal - " + std::to_string(deepest - drop) +
                                       ": from here down less than half of the smallest result"));
  else if (!all_subnormals_vanish) bounded = max(bounded, b.literal(1));
  const Value shift = (b.count("kShiftBase", static_cast<std::uint64_t>(normal + drop + guard),
                               "kExpNormal + " + std::to_string(drop + guard)) -
                       bounded)
                          .named("shift", std::to_string(drop + guard) + " for normal results, more below");
  const Value field = ((max(exp, at_normal) - at_normal) << dst.mantissa_bits)
                          .named("field", "exponent above " + power_formula(dst.min_exponent()));
  RoundingSite site{sig, shift, 0, field, dst.mantissa_bits == 0, sign, layout.sign_bit()};
  const Value code = round_significand(b, site, meaning.round)
                         .named("code", "as if exponents had no upper end; the carry is part of it");
  if (!dst.has_gap()) return code;
  const Value hidden_code =
      b.constant("kHiddenCode", 1ull << dst.mantissa_bits, "the lowest binade is that of exponent field 0");
  return round_in_gap(b, real, meaning, sign, code - hidden_code);
}

/// The last number that is rounded to code 0 in the lowest binade of powers of two, which is the upper half of the
/// subnormals of a layout with m fraction bits: numbers above have code 1. Nothing where a mode goes up and down again.
std::optional<std::uint64_t> last_of_lowest(int m, std::uint16_t carry) {
  const bool below = spec::carries(carry, false, false, false, true),
             at_tie = spec::carries(carry, false, false, true, false),
             above = spec::carries(carry, false, false, true, true);
  if ((below && !at_tie) || (at_tie && !above)) return {};
  const std::uint64_t exact = 1ull << (m - 1), tie = exact + exact / 2;
  return below ? exact : at_tie ? tie - 1 : above ? tie : 2 * exact - 1;
}

/// Results of what is no number in range, and which of them are given where.
struct Specials {
  Special over, infinite, nan;
  bool clamps = false;          // numbers beyond the range get the result of overflow,
  bool late_overflow = false;   // ... after the sign, as theirs is not that of the source
  bool early_infinity = false;  // infinity gets its own, before the sign
  bool late_infinity = false;   // ... or after it
  bool early_nan = false, late_nan = false;
};

Specials specials_of(const Real& real, const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  const Layout& layout = real.layout;
  Specials all{{semantics::overflow_result(meaning, false), semantics::overflow_result(meaning, true)},
               {semantics::infinity_result(meaning, false), semantics::infinity_result(meaning, true)},
               {semantics::nan_result(meaning, false), semantics::nan_result(meaning, true)}};
  const auto of_magnitude = [&](const Special& special) { return !dst.is_signed || special.by_sign_or(dst); };
  all.early_nan = real.may_be_nan && of_magnitude(all.nan);
  all.late_nan = real.may_be_nan && !all.early_nan;
  // The infinity of the source rounds to the infinity of the destination by itself when both sit right above the
  // largest finite number of the same exponent range.
  const bool infinity_by_itself =
      dst.min_exponent() + layout.bias == 1 && dst.exponent_bits == layout.exponent_bits && dst.infinity &&
      dst.infinity_code() == layout.infinity() >> (layout.mantissa_bits - dst.mantissa_bits) &&
      all.infinite.positive == dst.infinity_code() && of_magnitude(all.infinite);
  if (infinity_by_itself && all.over.positive == dst.infinity_code() && of_magnitude(all.over)) return all;
  const bool same = all.over.positive == all.infinite.positive && all.over.negative == all.infinite.negative;
  all.clamps = spec::reach(meaning).overflow || (real.may_be_infinite && same);
  all.late_overflow = all.clamps && !of_magnitude(all.over) && !all.over.before_sign(dst);
  const bool own_infinity = real.may_be_infinite && !(all.clamps && same);
  all.early_infinity = own_infinity && of_magnitude(all.infinite);
  all.late_infinity = own_infinity && !all.early_infinity;
  return all;
}

/// `code` with the result of overflow above the largest number, but for the sign.
Value with_overflow(Builder& b, const Real& real, const Type& dst, const Special& over, Value code, Value max_code) {
  if (!dst.is_signed || over.by_sign_or(dst))  // FNUZ: the NaN 80 is the code above 7F
    return limit_code(b, code, max_code, dst.max_finite_code(), over.positive);
  const Special limits{Special::magnitude(dst, over.positive), Special::magnitude(dst, over.negative)};
  const Value limit = by_sign(b, real, limits, "kOverflow", "result of positive overflow");
  return select(greater(code, max_code), limit, code).named("limited", "overflow");
}

/// All bits of the magnitude of a negative number, none of another.
Value negative_magnitude(Builder& b, const Real& real, Value magnitude) {
  return magnitude & negative_mask(b, real.sign, real.layout.sign_bit());
}

/// `code` with NaN for minus infinity, where that is no negative number like others.
Value without_negative_infinity(Builder& b, const Real& real, const Meaning& meaning, Value code) {
  if (meaning.negative_inf == spec::NegativeInf::as_negative) return code;
  const Value largest = b.constant("kLargestNumber", real.layout.infinity() - 1, "kInf - 1");
  const Value nan = b.constant("kNoNumber", meaning.dst->canonical_nan(false), "NaN: result of minus infinity");
  return select(greater(negative_magnitude(b, real, real.mag), largest), nan, code);
}

/// `code` behind the sign of the source; zero has none where there is no minus zero.
Value with_sign(Builder& b, const Real& real, const Type& dst, Value code) {
  const int down = real.layout.sign_bit() - (dst.value_bits - 1);
  if (!dst.has_negative_zero()) code = code.named("code_mag", "the result of the magnitude");
  const Value result = code | (down >= 0 ? real.sign >> down : real.sign << -down);
  if (dst.has_negative_zero()) return result;
  return select(equal(code, b.literal(0)), b.literal(0),
                result.named("signed_code", "sign to bit " + std::to_string(dst.value_bits - 1)));
}

}  // namespace

Value encode_floating(Builder& b, const Real& real, const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  if (!dst.has_zero()) return encode_power_of_two(b, real, meaning);
  if (const Value shortened = encode_shortened(b, real, meaning)) return shortened;
  // Unsigned destinations round magnitudes: a negative value is folded to its magnitude, or has a result of its own.
  // Where negative is only what does not round to zero, that is rounded as the number it is.
  const bool own_negative = !dst.is_signed && real.may_be_negative && meaning.negative != spec::NegativeResult::abs;
  const bool tests_rounded = own_negative && meaning.negative_test == spec::NegativeTest::rounded &&
                             semantics::negative_result(meaning) != 0 && spec::reach(meaning).vanishing;
  const Value sign = real.may_be_negative && (dst.is_signed || tests_rounded) ? real.sign : Value{};
  const Value rounded = unbounded_code(b, real, meaning, sign);

  const Specials special = specials_of(real, meaning);
  const Value infinity_bits = infinity_of(b, real.layout);
  const Value max_code = b.constant("kMaxFinite", dst.max_finite_code(), "largest finite code of " + dst.name);
  const auto is_nan = [&] { return greater(real.mag, infinity_bits); };
  Value code = rounded;
  if (special.clamps && !special.late_overflow) code = with_overflow(b, real, dst, special.over, code, max_code);
  if (special.early_infinity)
    code = select(equal(real.mag, infinity_bits),
                  b.constant("kInfResult", special.infinite.positive, "result of an infinite source"), code);
  if (own_negative) {
    const Value below = b.constant("kNegative", semantics::negative_result(meaning), "result of a negative value");
    const Value negative = negative_magnitude(b, real, tests_rounded ? rounded : real.mag);
    code = select(greater(negative, b.literal(0)), below, code).named("not_negative");
  }
  code = without_negative_infinity(b, real, meaning, code);
  if (special.early_nan) code = select(is_nan(), b.constant("kNaN", special.nan.positive, "result of a NaN"), code);

  if (dst.is_signed && real.may_be_negative) code = with_sign(b, real, dst, code);
  if (special.late_overflow)
    code = select(greater(rounded, max_code),
                  by_sign(b, real, special.over, "kOverflow", "result of positive overflow"), code);
  if (special.late_infinity)
    code = select(equal(real.mag, infinity_bits),
                  by_sign(b, real, special.infinite, "kInfResult", "result of plus infinity"), code);
  if (special.late_nan)
    code =
        select(is_nan(),
               by_sign(b, real, special.nan, "kNaN",
                       special.nan.positive == special.nan.negative ? "result of a NaN" : "result of a positive NaN"),
               code);
  return at_storage(dst, code);
}

Value encode_power_of_two(Builder& b, const Real& real, const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  const Layout& layout = real.layout;
  const int lowest = dst.min_exponent() + layout.bias;  // biased working exponent of code 0; 0: inside the subnormals
  const int m = layout.mantissa_bits;
  if (lowest < 0) throw NoLayout(dst, NoLayout::Because::small);

  const std::uint64_t smallest = lowest == 0 ? 1ull << (m - 1) : static_cast<std::uint64_t>(lowest) << m;
  const std::uint64_t infinite = semantics::infinity_result(meaning, false);
  const std::uint64_t under = semantics::below_result(meaning);
  const std::uint64_t zero = semantics::zero_result(meaning);
  const std::uint64_t negative = semantics::negative_result(meaning);
  const std::uint64_t nan = semantics::nan_result(meaning, false);
  // Where no number overflows, the end of the range is free for infinity, which is beyond it in the layout.
  const bool overflows = spec::reach(meaning).overflow;
  const std::uint64_t beyond = (layout.infinity() - (lowest == 0 ? 0 : smallest)) >> m;
  const std::uint64_t over = !overflows && real.may_be_infinite && beyond > dst.max_finite_code()
                                 ? infinite
                                 : semantics::overflow_result(meaning, false);
  const bool goes_below = least_exponent(*meaning.src) < dst.min_exponent();
  const bool own_negative = real.may_be_negative && meaning.negative != spec::NegativeResult::abs;
  const bool one_low = zero == 0 && (!goes_below || under == 0) && (!own_negative || negative == 0);
  const bool one_special = (!goes_below || under == zero) && (!own_negative || negative == zero) &&
                           (!overflows || over == zero) && (!real.may_be_infinite || infinite == zero) &&
                           (!real.may_be_nan || nan == zero);
  const Value lower = b.constant("kSmallest", smallest, bits_of_power(layout, dst.min_exponent(), b.lane_bits()));
  const Value infinity_bits = infinity_of(b, layout);
  const Value whole = own_negative ? (real.whole ? real.whole : real.mag | real.sign) : real.mag;

  // 1. The code as if exponents had no upper end, right from the smallest value on; where code 0 is the result of all
  // that lies below, that is moved to where code 0 comes out.
  const std::optional<std::uint64_t> last = last_of_lowest(m, carry_of(meaning));
  const bool subnormal = lowest == 0 && least_exponent(*meaning.src) < layout.min_exponent() && last != low_bits(m);
  const bool compares = subnormal && last;
  Value number = compares ? whole : real.mag;
  const Value floor = lowest == 0 ? b.literal(0) : lower;
  if (one_low && own_negative && !compares)
    number = max_signed(whole, floor).named("number", "negative numbers count as the lowest");
  else if (one_low && lowest != 0) number = max(whole, floor).named("number", "not below the smallest value");
  Value aligned = number;
  if (lowest != 0) {
    aligned = (number - b.constant("kExpZero", smallest, "exponent of code 0, in place"))
                  .named("aligned", "exponent above that of code 0, and fraction");
  } else if (subnormal && !compares) {
    // In the lowest binade, subnormal in the working layout, the leading bit is part of the fraction: one doubling
    // drops it.
    const Value hidden = b.constant("kHidden", 1ull << m, power_formula(m));
    aligned = min(number, max(number + number, hidden) - hidden)
                  .named("aligned", "in the lowest binade the fraction without its leading bit");
  }
  // Negative values have a result of their own, chosen below: the rounding sees none.
  Value code = round_significand(b, RoundingSite{aligned, {}, m, {}, false, {}, 0}, meaning.round).named("code");
  if (compares) {
    const Value above = greater(number, b.constant("kLast", *last, "the last number whose result is code 0"));
    code = select(above, code, b.literal(0)).named("code", "right in the lowest binade too");
  }

  // 2. Everything that is no number of the destination's range.
  const Value max_code = b.constant("kMaxFinite", dst.max_finite_code(), "code of the largest value");
  if (one_special && !one_low) {
    const bool over_by_itself = layout.exponent_bits == dst.exponent_bits && over == dst.max_finite_code() + 1;
    if (overflows && !over_by_itself) code = limit_code(b, code, max_code, dst.max_finite_code(), over);
    // Unsigned, zero and negative numbers are far above: one comparison for both ends.
    const Value above =
        (whole - lower).named("above", "what is below the smallest value, zero or negative wraps around");
    const bool infinity_inside = !real.may_be_infinite || overflows || beyond == infinite;
    const Value range = infinity_inside ? b.constant("kRange", layout.infinity() - smallest,
                                                     "infinity less the smallest number, as bits")
                                        : b.constant("kRange", layout.infinity() - smallest - 1,
                                                     "infinity less the smallest number less 1, as bits");
    const Value inside = equal(min(above, range), above);
    return at_storage(dst, select(inside, code, b.constant("kSpecial", zero, "result of everything else")));
  }
  // It does not come out as overflow does: another result, or no limit that it reaches.
  const bool own_infinity = real.may_be_infinite && (infinite != over || beyond <= dst.max_finite_code());
  if (overflows || real.may_be_infinite) {
    code = limit_code(b, code, max_code, dst.max_finite_code(), over);
    if (own_infinity) {
      code = select(equal(real.mag, infinity_bits), b.constant("kInfResult", infinite, "result of an infinite source"),
                    code);
    }
  }
  if (!one_low) {
    code = select(greater(lower, real.mag), b.constant("kUnderflow", under, "below the smallest value"), code);
    if (zero != under)
      code = select(equal(real.mag, b.literal(0)), b.constant("kZeroResult", zero, "result of zero"), code);
  }
  // Moved to code 0, negative values are done, but for an infinity that was just given its own result.
  if (own_negative && (!one_low || own_infinity)) {
    const Value is_negative = greater(negative_magnitude(b, real, real.mag), b.literal(0));
    code = select(is_negative, b.constant("kNegative", negative, "result of a negative value"), code);
  }
  code = without_negative_infinity(b, real, meaning, code);
  if (real.may_be_nan) {
    code = select(greater(real.mag, infinity_bits), b.constant("kNaN", nan, "result of a NaN"), code);
  }
  return at_storage(dst, code);
}

}  // namespace castforge::plan
