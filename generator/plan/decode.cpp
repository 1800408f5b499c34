#include <algorithm>

#include "plan/planner.hpp"
#include "plan/real.hpp"
#include "semantics/value.hpp"
#include "spec/canonical.hpp"

namespace castforge::plan {
namespace {

/// Every value of `type` is zero, infinite, NaN or a *normal* number of `layout`, or shares its subnormal grid.
bool embeds(const spec::Type& type, const Layout& layout) {
  if (type.mantissa_bits > layout.mantissa_bits) return false;
  if (semantics::max_exponent(type) > layout.bias) return false;
  return type.min_exponent() == layout.min_exponent() ||
         type.min_exponent() - type.mantissa_bits >= layout.min_exponent();
}

}  // namespace

bool is_shortened(const spec::Type& type, const Layout& layout) {
  return type.kind == spec::Kind::floating && type.exponent_bits == layout.exponent_bits &&
         type.exponent_bias == layout.bias && type.nan == spec::NanCodes::ieee && type.infinity && type.is_signed &&
         type.subnormals && type.mantissa_bits <= layout.mantissa_bits;
}

std::string bits_of_power(const Layout& layout, int exponent, int width) {
  const Layout& usual = float_of(width);
  const bool is_usual =
      layout.bits() == width && layout.exponent_bits == usual.exponent_bits && layout.bias == usual.bias;
  return (is_usual ? "" : layout.name + std::string(" ")) + "bits of " + power_formula(exponent);
}

bool is_layout(const spec::Type& type, const Layout& layout) {
  return is_shortened(type, layout) && type.mantissa_bits == layout.mantissa_bits &&
         type.value_bits == type.storage_bits;
}

bool is_shortened_float32(const spec::Type& type) {
  return is_shortened(type, kFloat32) && type.value_bits == type.storage_bits;
}

Value infinity_of(Builder& b, const Layout& layout) {
  return b.constant("kInf", layout.infinity(),
                    std::to_string((1 << layout.exponent_bits) - 1) + " << " + std::to_string(layout.mantissa_bits));
}

Layout working_layout(const spec::Type& src, const spec::Type& dst) {
  if (src.kind == spec::Kind::floating && !embeds(src, kFloat32)) return kFloat64;
  if (dst.kind == spec::Kind::floating) {
    // A destination without a zero starts one binade lower than its exponent bias suggests; its encoder copes.
    // One with a gap below its smallest number is compared with half of that, too.
    const int min_exponent = dst.min_exponent() + (dst.has_zero() ? 0 : 1) - (dst.has_gap() ? 1 : 0);
    if (dst.mantissa_bits > kFloat32.mantissa_bits || semantics::max_exponent(dst) > kFloat32.bias ||
        min_exponent < kFloat32.min_exponent()) {
      return kFloat64;
    }
  }
  return kFloat32;
}

Value limit_nan(Builder& b, Value bits, std::uint64_t nan) {
  const Value negative = min(bits, b.constant("kNegativeNaNLimit", 1ull << 31 | nan,
                                              "2^31 + kNaNLimit: above it, unsigned, are only negative NaNs"));
  return min_signed(negative, b.constant("kNaNLimit", nan,
                                         (nan == kFloat32.infinity() + 1 ? "(255 << 23) + 1, the first NaN"
                                                                         : "bits of the canonical NaN") +
                                             std::string(": above it, signed, are only positive NaNs")));
}

Value canonical_nan(Builder& b, const Real& real, Value bits, std::uint64_t nan, const std::string& formula) {
  const bool nothing_between =
      real.quiet_nan && nan == (kFloat32.infinity() | kFloat32.quiet());  // infinity and the first quiet NaN
  const Value result =
      nothing_between ? limit_nan(b, bits, nan) : nan_becomes(bits, b.constant("kNaNBits", nan, formula));
  return result.named("canonical", "NaN: the canonical one, with its sign");
}

Real decode_floating(Builder& b, const spec::Type& src, const Layout& layout, bool hardware) {
  if (!embeds(src, layout)) throw NoLayout(src, NoLayout::Because::small);
  Real real;
  real.layout = layout;
  real.may_be_negative = src.is_signed;
  real.may_be_nan = src.has_nan();
  real.may_be_infinite = src.infinity;

  const std::uint64_t sign_mask = 1ull << layout.sign_bit();
  const auto split = [&](Value bits) {
    real.mag = (bits & b.constant("kMagnitude", sign_mask - 1, power_formula(layout.sign_bit()) + " - 1")).named("mag");
    real.sign = (bits ^ real.mag).named("sign");
    real.whole = bits;
    return real;
  };
  if (hardware) {
    real.quiet_nan = true;
    return split(unary(Op::float32_of_float16, b.element()).named("wide", "the same number as float32"));
  }
  if (is_shortened(src, layout)) {  // only missing fraction bits on the right
    const int lift = layout.mantissa_bits - src.mantissa_bits;
    if (src.storage_high && src.storage_bits == layout.sign_bit() + 1) {
      const Value bits = b.input();  // stored in place already; bits below the code are not part of it
      return split(lift == 0 ? bits
                             : bits & b.constant("kCode", (sign_mask << 1) - (1ull << lift), "the bits of one code"));
    }
    const Value code = code_of_storage(b, src);
    return split(lift == 0 ? code : (code << lift).named("wide", std::string("the same number as ") + layout.name));
  }

  const Value code = code_of_storage(b, src);
  const int lift = layout.mantissa_bits - src.mantissa_bits;
  const int src_sign_bit = src.value_bits - 1;
  Value small = code;
  if (src.is_signed) {
    small = (code & b.constant("kSmallMagnitude", src.magnitude_mask(), power_formula(src_sign_bit) + " - 1"))
                .named("small", "magnitude code of the source");
    real.sign = (code ^ small) << (layout.sign_bit() - src_sign_bit);
    real.sign = real.sign.named("sign");
  } else {
    small = code;
    real.sign = b.literal(0);
  }
  const int rebias = layout.bias - src.exponent_bias;
  Value mag = ((small << lift) + b.constant("kRebias", static_cast<std::uint64_t>(rebias) << layout.mantissa_bits,
                                            "(" + difference_formula(layout.bias, src.exponent_bias) + ") << " +
                                                std::to_string(layout.mantissa_bits)))
                  .named("normal", "same exponent, bias of the working layout");
  if (src.subnormals && src.mantissa_bits > 0 && src.min_exponent() != layout.min_exponent()) {
    // small * 2^(min exponent - mantissa bits): exact as an integer conversion, then a smaller exponent.
    const int ulp = src.min_exponent() - src.mantissa_bits;  // exponent of that of subnormals
    const Value integer = float_of_uint(
        min(small, b.constant("kHiddenSmall", 1ull << src.mantissa_bits, power_formula(src.mantissa_bits))));
    const Value tiny = (integer - b.constant("kUlpScale", static_cast<std::uint64_t>(-ulp) << layout.mantissa_bits,
                                             std::to_string(-ulp) + " << " + std::to_string(layout.mantissa_bits) +
                                                 ": times " + power_formula(ulp)))
                           .named("tiny", "subnormal: fraction times " + power_formula(ulp));
    mag =
        select(greater(b.constant("kHiddenSmall", 1ull << src.mantissa_bits, power_formula(src.mantissa_bits)), small),
               tiny, mag);
    mag = select(equal(small, b.literal(0)), b.literal(0), mag).named("finite");
  } else if (src.has_gap() || (src.has_zero() && src.min_exponent() != layout.min_exponent())) {
    mag = select(equal(small, b.literal(0)), b.literal(0), mag).named("finite");
  }
  const Value infinity = infinity_of(b, layout);
  const Value nan = b.constant("kNaNWork", layout.infinity() + 1, "kInf + 1: any NaN");
  const bool nan_on_top = src.nan == spec::NanCodes::ieee || src.nan == spec::NanCodes::top;
  if (nan_on_top) {
    mag = select(
        greater(small, b.constant("kBelowNaN", src.first_nan_code() - 1,
                                  src.infinity ? "infinity: only NaN is above" : "the code below the first NaN")),
        nan, mag);
  }
  if (src.infinity)
    mag = select(equal(small, b.constant("kInfSmall", src.infinity_code(), "infinity of the source")), infinity, mag);
  if (src.nan == spec::NanCodes::negative_zero) {
    mag = select(equal(code, b.constant("kNaNSmall", src.sign_mask(), "NaN of the source: sign set, magnitude zero")),
                 nan, mag);
  }
  real.mag = mag.named("mag", std::string("magnitude as ") + layout.name);
  return real;
}

Value decode_value(Builder& b, const spec::Type& src) {
  if (src.value_bits == src.storage_bits) return src.is_signed ? b.signed_input() : b.input();
  const Value bits = b.input();  // those around the code do not count
  const int lane = bits.bits(), above = lane - (src.storage_high ? src.storage_bits : src.value_bits);
  const Value top = bits << above;
  const int below = lane - src.value_bits;
  return (src.is_signed ? sar(top, below) : top >> below).named("value");
}

int odd_room(const Layout& layout) {
  // Integers of 32 (64) bits just above 2^24 (2^53) lose up to 8 (11) low bits, and float32 (float64) keeps that many
  // fewer of them below the leading one; the last one kept is sticky, and one more lies below the destination's last.
  return layout.mantissa_bits == kFloat32.mantissa_bits ? 32 - 8 - 8 - 2 : kMostRounded;
}

Real decode_integer(Builder& b, const spec::Type& src, const Layout& layout) {
  Real real;
  real.layout = layout;
  real.may_be_negative = src.is_signed;
  real.may_be_nan = real.may_be_infinite = false;
  const Value value = decode_value(b, src);
  Value integer = value;
  real.sign = b.literal(0);
  if (src.is_signed) {
    const Value negative = negative_ones(value);
    integer = negated_where(value, negative).named("integer", "absolute value");
    real.sign =
        (negative & b.constant("kSign", 1ull << layout.sign_bit(), power_formula(layout.sign_bit()))).named("sign");
  }
  const int exact_bits = layout.mantissa_bits + 1;
  if (src.magnitude_bits() <= exact_bits) {
    real.mag = float_of_uint(integer).named("mag", std::string("exact as ") + layout.name);
    return real;
  }
  // Round to odd: above 2^exact_bits drop `excess` bits and remember them in the last kept one.
  const int excess = src.value_bits - exact_bits;
  const Value limit =
      b.constant("kExact", 1ull << exact_bits, power_formula(exact_bits) + ": integers below are exact");
  const Value dropped = integer & b.constant("kExcess", low_bits(excess), power_formula(excess) + " - 1");
  const Value odd = ((integer >> excess) | min(dropped, b.literal(1))).named("odd", "dropped bits make it odd");
  const Value large =
      (float_of_uint(odd) + b.constant("kLift", static_cast<std::uint64_t>(excess) << layout.mantissa_bits,
                                       std::to_string(excess) + " << " + std::to_string(layout.mantissa_bits) +
                                           ": times " + power_formula(excess)))
          .named("large");
  const Value exact = float_of_uint(min(integer, limit));
  // |integer| < 2^63 or the unsigned top bit: compare without the sign by its high part.
  const Value high = integer >> exact_bits;
  real.mag =
      select(equal(high, b.literal(0)), exact, large).named("mag", std::string(layout.name) + ", rounded to odd");
  return real;
}

namespace {

/// Is an integer below 2^exact_bits; with a sign, from -2^(exact_bits - 1) to 2^(exact_bits - 1) - 1? There an addition
/// makes the first of these the least number, so that one comparison in two's complement is enough.
Value is_exact(Builder& b, Value integer, bool is_signed, int exact_bits) {
  if (!is_signed) return equal(integer >> exact_bits, b.literal(0));
  const int top = integer.bits() - 1;
  const std::string least = power_formula(top), first = power_formula(exact_bits - 1);
  const Value start = b.constant("kStart", (1ull << top) + (1ull << (exact_bits - 1)),
                                 least + " + " + first + ": makes -" + first + " the least number");
  const Value end = b.constant("kEnd", (1ull << top) + (1ull << exact_bits),
                               least + " + 2 * " + first + ": sums of integers from -" + first + " to below " + first +
                                   " are less; these are exact");
  return greater(end, integer + start);
}

}  // namespace

Value decode_double(Builder& b, const spec::Type& src) {
  if (src.storage_bits == 32)
    return src.is_signed ? unary(Op::float64_of_int32, b.element()) : float_of_uint(b.input());
  const int exact_bits = kFloat64.mantissa_bits + 1, excess = 64 - exact_bits;
  const Value integer = b.element();
  const Value dropped = b.constant("kDropped", low_bits(excess), power_formula(excess) + " - 1");
  const Value others = b.constant("kOthers", ~low_bits(excess), "all bits above them");
  const Value odd = (integer | ((integer & dropped) + dropped)) & others;
  const Value exact = select(is_exact(b, integer, src.is_signed, exact_bits), integer, odd)
                          .named("exact_or_odd", "rounded to odd where it has too many bits");
  return nearest_float(exact, src.is_signed).named("number", "exact");
}

bool has_quick_integer(const spec::Type& src, const spec::Type& dst) {
  if (src.value_bits != src.storage_bits || dst.kind != spec::Kind::floating) return false;
  // Twice the range of the destination below 2^24: beyond is overflow, however it rounds.
  return src.magnitude_bits() <= 24 || semantics::max_exponent(dst) + 1 < 24;
}

namespace {

/// An integer whose low `dropped_bits`, if any is set, become a one above them, where it has more than `exact_bits`
/// bits: rounded to odd, and exact as a float with one bit more than it has above those dropped.
Value rounded_to_odd(Builder& b, Value v, bool is_signed, int exact_bits, int dropped_bits) {
  const Value dropped = b.constant("kDroppedBits", low_bits(dropped_bits), power_formula(dropped_bits) + " - 1");
  const Value kept = b.constant("kKeptBits", ~low_bits(dropped_bits), "the other bits");
  const Value odd = ((v | ((v & dropped) + dropped)) & kept)
                        .named("odd_integer", "low bits that are lost make the last kept one odd");
  return select(is_exact(b, v, is_signed, exact_bits), v, odd)
      .named("exact_or_odd", "the integer itself where it is known to be exact");
}

}  // namespace

bool has_odd_integer(const spec::Type& src, const spec::Type& dst, int lane_bits) {
  if (src.kind != spec::Kind::integer || src.storage_bits != lane_bits || src.value_bits != lane_bits ||
      dst.kind != spec::Kind::floating)
    return false;
  // Beyond 2^23 (32 bits) or 2^52 (64 bits) at least 15 or 24 leading bits are kept, the last of them sticky.
  return dst.mantissa_bits <= (lane_bits == 32 ? 15 - 2 : 24 - 2) &&
         working_layout(src, dst).mantissa_bits == kFloat32.mantissa_bits;
}

namespace {

/// float64 bits with everything below the bit after the first one that `dst` drops gathered in that bit: no later
/// rounding to `dst` can tell, and float32 holds what is left.
Value single_rounded_to_odd(Builder& b, Value number, const spec::Type& dst, bool sticky) {
  const bool integer = dst.kind == spec::Kind::integer;
  const int gathered = kFloat64.mantissa_bits - (integer ? kFloat32.mantissa_bits : dst.mantissa_bits + 2);
  const std::string at = "bit " + std::to_string(gathered);
  const std::string why =
      integer ? "float32 has " + std::to_string(kFloat32.mantissa_bits) + " fraction bits; " + at + " is the last"
              : std::to_string(dst.mantissa_bits) +
                    (dst.mantissa_bits == 1 ? " bit of the fraction is kept, bit "
                                            : " bits of the fraction are kept, bit ") +
                    std::to_string(gathered + 1) + " is the first dropped, " + at + " gathers all below";
  const Value dropped = b.constant("kDropped", low_bits(gathered), power_formula(gathered) + " - 1: " + why);
  if (sticky) {
    const Value carried = (number + dropped).named("carried", at + " differs when any below it is set");
    const Value bit = carried & b.constant("kSticky", 1ull << gathered, power_formula(gathered));
    return unary(Op::float32_of_float64_rtz,
                 (number | bit).named("odd", at + " is set also when any below it is; those need not be kept"));
  }
  const Value carried = ((number & dropped) + dropped).named("carried", at + " is set when any below it is");
  const Value kept = b.constant("kKept", ~low_bits(gathered), "the other bits");
  return unary(Op::float32_of_float64,
               ((number | carried) & kept).named("odd", "rounded to odd: no later rounding is misled"));
}

}  // namespace

Real real_of_single(Builder& b, const spec::Type& src, Value single) {
  Real real;
  real.layout = kFloat32;
  real.may_be_negative = src.is_signed;
  real.may_be_nan = real.may_be_infinite = real.quiet_nan = src.kind == spec::Kind::floating;
  real.whole = single;
  real.mag = src.is_signed ? (single & b.constant("kMagnitude", 0x7FFFFFFF, "2^31 - 1", 32)).named("mag") : single;
  real.sign = src.is_signed ? single ^ real.mag : b.literal(0, 32);
  return real;
}

Real decode_rounded(Builder& b, const spec::Meaning& meaning) {
  const Value single = unary(Op::float32_of_float64, b.element()).named("single", "nearest, ties to even; NaN quieted");
  b.work_in(32);
  return real_of_single(b, *meaning.src, single);
}

Real decode_odd_single(Builder& b, const spec::Meaning& meaning) {
  const Value single = single_rounded_to_odd(b, b.element(), *meaning.dst, false).named("single");
  b.work_in(32);
  return real_of_single(b, *meaning.src, single);
}

bool may_be_clamped(const spec::Type& dst) {
  return dst.has_zero() && !dst.has_gap() && semantics::max_exponent(dst) + 1 < 24 && dst.mantissa_bits <= 12 &&
         dst.min_exponent() - dst.mantissa_bits - 2 >= kFloat32.min_exponent();
}

bool may_round_to_odd(const spec::Meaning& meaning) {
  const spec::Type &src = *meaning.src, &dst = *meaning.dst;
  if (dst.has_gap()) return false;
  if (may_be_clamped(dst)) return is_layout(src, kFloat64);
  if (src.kind == spec::Kind::integer) return has_odd_integer(src, dst, 64);
  // As wide as float32 at most, whose subnormals lose bits once more: these must lie below half the smallest result,
  // which to nearest makes zero of them.
  return is_layout(src, kFloat64) && rounds_to_nearest_even(meaning) && dst.has_zero() && dst.subnormals &&
         dst.min_exponent() >= kFloat32.min_exponent() && dst.mantissa_bits <= 10 &&
         working_layout(dst, dst).mantissa_bits == kFloat32.mantissa_bits;
}

namespace {

Real real_rounded_to_odd(Builder& b, const spec::Meaning& meaning, bool sticky) {
  const spec::Type& src = *meaning.src;
  Value wide = b.element();
  if (sticky && src.kind == spec::Kind::integer) {
    const Op odd = src.is_signed ? Op::float32_of_int64_rto : Op::float32_of_uint64_rto;
    const Value single = unary(odd, wide).named("single", "rounded to odd: no later rounding is misled");
    b.work_in(32);
    return real_of_single(b, src, single);
  }
  if (src.kind == spec::Kind::integer) {
    wide = nearest_float(rounded_to_odd(b, wide, src.is_signed, 52 + 1, 64 - 53), src.is_signed)
               .named("wide", "exact as float64");
  }
  const Value single = single_rounded_to_odd(b, wide, *meaning.dst, sticky).named("single");
  b.work_in(32);
  return real_of_single(b, src, single);
}

}  // namespace

Real decode_rounded_to_odd(Builder& b, const spec::Meaning& meaning) { return real_rounded_to_odd(b, meaning, false); }
Real decode_sticky(Builder& b, const spec::Meaning& meaning) { return real_rounded_to_odd(b, meaning, true); }

Real decode_clamped(Builder& b, const spec::Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  const Value value = b.element();
  const Value most = b.constant("kMost", 1ull << 24, "2^24: above the range of the destination, and exact as float32");
  const Value limited = src.is_signed ? max_signed(min_signed(value, most).named("limited"),
                                                   b.constant("kLeast", 0 - (1ull << 24), "-2^24"))
                                      : min(value, most);
  b.work_in(32);
  const Value integer = truncate(limited, 32);
  return real_of_single(b, src, unary(Op::float32_of_int, integer).named("number", "the integer as float32, exact"));
}

Real decode_nearest(Builder& b, const spec::Meaning& meaning) {
  const Value number =
      nearest_single(b.element(), meaning.src->is_signed)
          .named("number", "exact up to 2^24; larger ones become at least that, out of the range of the destination");
  b.work_in(32);
  return real_of_single(b, *meaning.src, number);
}

Real decode_single(Builder& b, const spec::Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  if (src.kind == spec::Kind::floating) return decode_floating(b, src, kFloat32, is_layout(src, kFloat16));
  if (!has_quick_integer(src, *meaning.dst)) {
    const Value odd = rounded_to_odd(b, b.input(), src.is_signed, 23 + 1, 32 - 24);
    return real_of_single(b, src,
                          nearest_float(odd, src.is_signed).named("number", "the integer as float32, rounded to odd"));
  }
  Value integer = src.is_signed ? b.signed_input() : b.input();
  if (src.magnitude_bits() > 24) {
    const Value limit = b.constant("kLimit", 1ull << 24, "2^24: above the range of the destination, and exact");
    integer = src.is_signed
                  ? max_signed(min_signed(integer, limit), b.constant("kMinusLimit", 0 - (1ull << 24), "-2^24"))
                  : min(integer, limit);
    integer = integer.named("clamped");
  }
  return real_of_single(b, src, unary(Op::float32_of_int, integer).named("number", "the integer as float32, exact"));
}

Real decode_own(Builder& b, const spec::Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  return decode_floating(b, src, {src.name.c_str(), src.exponent_bits, src.mantissa_bits, src.exponent_bias});
}

bool shares_grid(const spec::Meaning& meaning, const Layout& layout) {
  const spec::Type& dst = *meaning.dst;
  return dst.mantissa_bits == layout.mantissa_bits && dst.exponent_bias == layout.bias &&
         !spec::reach(meaning).overflow;
}

IntegerForm integer_form(const spec::Meaning& meaning) {
  const spec::Type &src = *meaning.src, &dst = *meaning.dst;
  const int src_word = storage_unit(src.storage_bits), dst_word = storage_unit(dst.storage_bits);
  IntegerForm form{working_layout(src, dst), std::max({32, src_word, dst_word}), true};
  if (meaning.saturate_first && meaning.saturate_first->bits > 32) form.lane = 64;
  if (src.kind == spec::Kind::integer) {
    if (src_word > 32) form.layout = kFloat64;
    const auto has_room = [&] {
      return src.magnitude_bits() <= form.layout.mantissa_bits + 1 || dst.mantissa_bits <= odd_room(form.layout);
    };
    if (!has_room() && !shares_grid(meaning, form.layout)) form.layout = kFloat64;
    form.has_room = has_room();
  }
  // Lanes of 64 bits work in float64, but for float32 and its shortened forms, which need no decoding.
  if (form.lane == 64 && !is_shortened_float32(src)) form.layout = kFloat64;
  if (form.layout.mantissa_bits == kFloat64.mantissa_bits) form.lane = 64;
  return form;
}

Real decode_by_integers(Builder& b, const spec::Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  const Layout layout = integer_form(meaning).layout;
  return src.kind == spec::Kind::integer ? decode_integer(b, src, layout) : decode_floating(b, src, layout);
}

}  // namespace castforge::plan
