#include <stdexcept>

#include "plan/real.hpp"
#include "semantics/value.hpp"

namespace castforge::plan {
namespace {

std::string biased_exponent(const Layout& layout, int exponent) {
  return difference_formula(layout.bias, -exponent) + ": biased exponent of " + power_formula(exponent);
}

/// The magnitude rounded to an integer, for working exponents up to kInteger (no bits above the significand). `of`
/// goes behind the names of constants that another rounding of the same program has too.
Value rounded_magnitude(Builder& b, const Real& real, Value exp, const spec::Rounding* mode,
                        const std::string& of = {}) {
  const Layout& layout = real.layout;
  const int m = layout.mantissa_bits;
  const int deepest = m + 2;
  const Value fraction = real.mag & b.constant("kFraction", low_bits(m), power_formula(m) + " - 1");
  const Value hidden =
      moves_small_values(mode) ? min(exp, b.literal(1)) << m : b.constant("kHidden", 1ull << m, power_formula(m));
  // One extra bit below, so that every shift drops at least one.
  const Value sig = ((fraction | hidden) << 1).named("sig");
  const Value at_integer = b.count("kExpInteger", static_cast<std::uint64_t>(layout.bias + m),
                                   std::to_string(layout.bias) + " + " + std::to_string(m) +
                                       ": biased exponent from which every value is an integer");
  const Value lowest = b.count("kExpZero" + of, static_cast<std::uint64_t>(layout.bias + m - deepest),
                               "kExpInteger - " + std::to_string(deepest) + ": from here down less than one half");
  const Value shift = (b.count("kShiftBase" + of, static_cast<std::uint64_t>(layout.bias + m + 1), "kExpInteger + 1") -
                       max(min(exp, at_integer), lowest))
                          .named("shift", "1 for integers, more for fractions");
  RoundingSite site{sig, shift, 0, {}, false, real.may_be_negative ? real.sign : Value{}, layout.sign_bit()};
  return round_significand(b, site, mode).named("whole", "magnitude in whole units");
}

/// A byte, negated where the source is negative.
Value with_sign_of_source(Builder& b, const Real& real, Value byte) {
  const Value turn =
      (sign8(real.whole, 7) | b.literal(1)).named("turn", "the sign of the source, and never 0, as negate_where needs");
  return binary(Op::negate_where, byte, turn);
}

}  // namespace

Value encode_integer(Builder& b, const Real& real, const spec::Meaning& meaning) {
  const spec::Type& dst = *meaning.dst;
  const Layout& layout = real.layout;
  const int lane = b.lane_bits();
  const int m = layout.mantissa_bits;
  const int integer_exponent = layout.bias + m;
  const int top_exponent = (1 << layout.exponent_bits) - 1;
  const Value infinity_bits = infinity_of(b, layout);
  const std::optional<spec::IntegerRange> clamp = spec::clamp_range(meaning);
  const bool wraps = !clamp;
  const bool indefinite = meaning.overflow == spec::Overflow::indefinite;

  Value mag = real.mag;
  const bool is_signed = clamp ? clamp->is_signed : dst.is_signed;
  const int width = clamp ? clamp->bits : dst.value_bits;
  const std::string power = bits_of_power(layout, width, lane);
  if (!wraps) {
    // Clamp the real number first to a power of two beyond the range (or the largest number below 2^64).
    const bool fits = layout.bias + width <= integer_exponent;
    if (fits) {
      mag = min(
          mag,
          b.constant("kBeyond", layout.power_of_two(width),
                     power + ": the first power of two beyond the range for either sign; larger magnitudes become it"));
      mag = mag.named("bounded");
    }
  }
  Real bounded = real;
  bounded.mag = mag;
  const Value exp = (mag >> m).named("exp");
  Value whole = rounded_magnitude(b, bounded, exp, meaning.round);

  const bool may_be_large = wraps || layout.bias + width > integer_exponent;
  if (may_be_large) {
    const Value at_integer = b.count("kExpInteger", static_cast<std::uint64_t>(integer_exponent), "");
    const Value up = (max(exp, at_integer) - at_integer).named("up", "zero bits below a large integer");
    whole = shl(whole, up).named("scaled", "2^" + std::to_string(lane) + " and its multiples vanish");
    if (wraps && top_exponent - integer_exponent < lane && (real.may_be_nan || real.may_be_infinite)) {
      throw std::runtime_error("a lane too wide for infinities to vanish by themselves");
    }
  }
  const std::uint64_t largest = is_signed ? low_bits(width - 1) : low_bits(width);
  const Value negative = real.may_be_negative ? negative_mask(b, real.sign, layout.sign_bit()) : Value{};
  if (may_be_large && !wraps) {
    const Value beyond =
        b.constant("kBeyond", layout.power_of_two(width), power + ": beyond the range for either sign");
    const Value all = b.constant("kAll", low_bits(lane), "every bit: more than any limit");
    whole = select(greater(beyond, mag), whole, all).named("huge");
  }
  Value limit =
      b.constant("kMax", largest, is_signed ? power_formula(width - 1) + " - 1" : power_formula(width) + " - 1");
  Value code = whole;
  if (wraps) {
    if (real.may_be_negative) code = negated_where(whole, negative);
  } else if (is_signed && real.may_be_negative) {
    limit = limit + (real.sign >> layout.sign_bit());
    const Value clamped = min(whole, limit).named("clamped", "one more on the negative side");
    code = negated_where(clamped, negative);
  } else if (real.may_be_negative) {
    code = min(whole, limit) &
           ((real.sign >> layout.sign_bit()) - b.literal(1)).named("positive", "zero where the value is negative");
  } else {
    code = min(whole, limit);
  }
  if (indefinite) {
    Value most = limit;
    if (!is_signed && real.may_be_negative)  // no negative number is in range but one that rounds to zero
      most = limit & ((real.sign >> layout.sign_bit()) - b.literal(1));
    code = select(equal(min(whole, most), whole), code,
                  b.constant("kIndefinite", indefinite_integer(dst), "result of every number out of range"))
               .named("in_range");
  }
  // Shifted out of the lane, infinities and NaN are zero already; clamped, infinities are at the ends of the range.
  if (real.may_be_infinite && !wraps && meaning.inf == spec::InfResult::zero) {
    code = select(equal(real.mag, infinity_bits), b.literal(0), code);
  }
  // The end of the destination's own range on the side of the source's sign.
  const std::uint64_t last = dst.largest_code(), first = least_integer(dst);
  const auto end = [&] {
    const Value top = b.constant("kLast", last, "largest " + dst.name);
    if (!real.may_be_negative) return top;
    return (top ^ (b.constant("kEnds", last ^ first, "largest ^ smallest " + dst.name) & negative))
        .named("end", "of the range, by sign");
  };
  const bool clamped_to_range = clamp == spec::range_of(dst) && !indefinite;
  if (real.may_be_infinite && !clamped_to_range && meaning.inf == spec::InfResult::max) {
    code = select(equal(real.mag, infinity_bits), end(), code);
  }
  if (real.may_be_nan && !(wraps && meaning.nan == spec::NanResult::zero)) {
    Value nan = b.literal(0);
    if (meaning.nan == spec::NanResult::max) nan = b.constant("kNaN", last, "result of a NaN");
    if (meaning.nan == spec::NanResult::min) nan = b.constant("kNaN", first, "result of a NaN");
    if (meaning.nan == spec::NanResult::max_signed) nan = end();
    code = select(greater(real.mag, infinity_bits), nan, code);
  }
  return to_storage(b, dst, code);
}

Value encode_shifted_integer(Builder& b, const Real& real, const spec::Meaning& meaning) {
  const Layout& layout = real.layout;
  const spec::Type& dst = *meaning.dst;
  const int m = layout.mantissa_bits, lane = b.lane_bits();
  const bool nearest = rounds_to_nearest_even(meaning);
  const int below = lane - dst.value_bits;    // bits of the fraction, below those of the result on top of the lane
  const int first = layout.bias + m - below;  // exponent of what is not moved: rounded away, and what is smaller too
  const int beyond = (1 << layout.exponent_bits) - 1 - first;  // by how much NaN and infinities are moved
  if (below < (nearest ? m + 1 : m) || first < 1 || beyond < lane || storage_unit(dst.storage_bits) != 8) return {};
  const Value significand = ((real.mag & b.constant("kFraction", low_bits(m), power_formula(m) + " - 1")) |
                             b.constant("kHidden", 1ull << m, power_formula(m)))
                                .named("sig");
  const Value least = b.count("kExpFirst", static_cast<std::uint64_t>(first),
                              biased_exponent(layout, first - layout.bias) + ": what is smaller gives 0");
  const Value count =
      ((real.mag >> m) - least)
          .named("count", std::to_string(lane) + " or more, where the shift gives 0, below " +
                              power_formula(first - layout.bias) + ", from " +
                              power_formula(first + lane - layout.bias) + " on, and for NaN and infinities");
  Value fixed = shl(significand, count)
                    .named("fixed", std::to_string(dst.value_bits) + " low bits of the integer above " +
                                        std::to_string(below) + " of the fraction");
  if (nearest) {
    const Value below_half_ulp =
        b.constant("kAlmostHalf", low_bits(below - 1), power_formula(below - 1) + " - 1: less than half a unit");
    fixed = (fixed + below_half_ulp + ((fixed >> below) & b.literal(1))).named("nearest", "ties to even");
  }
  Value code = b.node(Op::narrow, {fixed >> below}, 0, 8).named("whole", "magnitude in whole units");
  b.work_in(8);
  if (real.may_be_negative) code = with_sign_of_source(b, real, code);
  return to_storage(b, dst, code);
}

Value encode_integer_part(Builder& b, const Real& real, const spec::Meaning& meaning) {
  const Layout& layout = real.layout;
  const spec::Type& dst = *meaning.dst;
  const int m = layout.mantissa_bits, lane = b.lane_bits(), word = storage_unit(dst.storage_bits);
  const int top = layout.bias + lane - 1;  // exponent of what stays where it is, the leading bit on top of the lane
  if (word > lane || layout.sign_bit() != lane - 1 || top != (1 << layout.exponent_bits) - 2) return {};
  const Value significand =
      ((real.mag << (lane - 1 - m)) | b.constant("kHidden", 1ull << (lane - 1), power_formula(lane - 1)))
          .named("sig", "the leading bit on top; that of a subnormal is shifted out again");
  const Value largest = b.count("kExpLargest", static_cast<std::uint64_t>(top),
                                biased_exponent(layout, lane - 1) + ": its bits are in place");
  const Value count =
      (largest - (real.mag >> m)).named("count", "the width or more where |x| < 1, NaN or infinite: the shift gives 0");
  Value code = shr(significand, count).named("whole", "the magnitude toward zero");
  if (word < lane) {
    code = truncate(code, word);
    b.work_in(word);
    return to_storage(b, dst, with_sign_of_source(b, real, code));
  }
  return to_storage(b, dst, negated_where(code, negative_ones(real.whole)));
}

namespace {

/// The magnitude of the integral value, in the layout worked in. NaN and infinities stay.
Value integral_magnitude(Builder& b, const Real& real, const spec::Rounding* mode, const std::string& of = {}) {
  const Layout& layout = real.layout;
  const int m = layout.mantissa_bits;
  const Value exp = (real.mag >> m).named("exp");
  const Value whole = rounded_magnitude(b, real, exp, mode, of);
  const Value rounded =
      float_of_uint(min(whole, b.constant("kExact", 1ull << (m + 1), power_formula(m + 1)))).named("rounded");
  const Value at_integer = b.count("kExpInteger", static_cast<std::uint64_t>(layout.bias + m), "");
  return select(greater(at_integer, exp), rounded, real.mag).named("integral", "large values are integers already");
}

}  // namespace

Value encode_integral(Builder& b, const Real& real, const spec::Meaning& meaning) {
  const Layout& layout = real.layout;
  const int m = layout.mantissa_bits;
  Value mag = integral_magnitude(b, real, meaning.round);
  const Value infinity_bits = infinity_of(b, layout);
  mag = select(greater(real.mag, infinity_bits),
               b.constant("kNaN", layout.infinity() | 1ull << (m - 1), "result of a NaN: the canonical one"), mag);
  return mag | real.sign;
}

Value encode_converted_integral(Builder& b, const Real& real, const spec::Meaning& meaning) {
  const Value limit = b.constant("kIntegral", real.layout.power_of_two(real.layout.mantissa_bits),
                                 "bits of 2^23: from there on all numbers are integers");
  const Value has_fraction = greater(limit, real.mag).named("has_fraction", "or may have: below 2^23");
  const Value bits = source_bits(real);
  const Value whole = int_of_float(select(has_fraction, bits, b.literal(0)), carry_of(meaning));
  if (!whole) return {};
  const Value integral = (unary(Op::float32_of_int, whole.named("whole", "rounded once")) | real.sign)
                             .named("integral", "exact; a zero has the sign of the source");
  const std::uint64_t nan = meaning.dst->canonical_nan(false);
  return select(has_fraction, integral,
                canonical_nan(b, real, bits, nan, "255 << 23 and the fraction of the canonical NaN"));
}

Value encode_as_integral(Builder& b, const Real& real, const spec::Meaning& meaning) {
  Real integral = real;
  integral.mag = integral_magnitude(b, real, meaning.round, "OfWhole");
  integral.whole = {};
  integral.quiet_nan = false;
  spec::Meaning of_integers = meaning;
  // Integral values are numbers of the format, but for one: where the largest number is no integer, the one above it.
  spec::Type with_one_more = *meaning.src;
  if (semantics::decode(with_one_more, with_one_more.max_finite_code()).exponent < 0) {
    with_one_more.exponent_bits += 1;
    with_one_more.value_bits += 1;
    of_integers.src = &with_one_more;
  }
  of_integers.same_type = spec::SameType::converted;
  of_integers.inf = spec::InfResult::infinity;
  of_integers.nan = spec::NanResult::nan;
  return encode_floating(b, integral, of_integers);
}

}  // namespace castforge::plan
