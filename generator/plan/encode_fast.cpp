// Encoders for instruction sets with fused multiply-add or float16 conversion: results are floats.
#include <algorithm>
#include <optional>

#include "ir/analysis.hpp"
#include "ir/ranges.hpp"
#include "plan/real.hpp"
#include "semantics/results.hpp"
#include "semantics/value.hpp"
#include "spec/canonical.hpp"
#include "spec/hex.hpp"

namespace castforge::plan {
namespace {

using spec::Meaning;
using spec::Type;

/// float32 bits of what a magnitude code would mean if every exponent were an ordinary one.
std::uint64_t extended_value(const Type& type, std::uint64_t code) {
  const std::uint64_t field = code >> type.mantissa_bits;
  const std::uint64_t fraction = code & low_bits(type.mantissa_bits);
  return (field + static_cast<std::uint64_t>(kFloat32.bias - type.exponent_bias)) << kFloat32.mantissa_bits |
         fraction << (kFloat32.mantissa_bits - type.mantissa_bits);
}

/// Infinities, and numbers beyond the range, become infinities, NaN the canonical one, all with their signs.
bool keeps_special_values(const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  for (const bool negative : {false, true}) {
    if (negative && !meaning.src->is_signed) continue;
    const std::uint64_t infinity = dst.infinity_code() | (negative ? dst.sign_mask() : 0);
    if (meaning.src->infinity && semantics::infinity_result(meaning, negative) != infinity) return false;
    if (spec::reach(meaning).overflow && semantics::overflow_result(meaning, negative) != infinity) return false;
    if (meaning.src->has_nan() && semantics::nan_result(meaning, negative) != dst.canonical_nan(negative)) return false;
  }
  return true;
}

/// The bits of a number; for NaN those with the given fraction and the sign of the source.
Value canonical_nan(Builder& b, const Real& real, std::uint64_t fraction) {
  const Value bits = source_bits(real);
  if (!real.may_be_nan) return bits;
  return canonical_nan(b, real, bits, kFloat32.infinity() | fraction,
                       "255 << 23 and the fraction of the canonical NaN");
}

/// The number that stands for a NaN whose result is the zero of the opposite sign: all bits of the NaN flipped, which
/// is too small to be anything but zero.
Real nan_as_opposite_zero(Builder& b, const Real& real) {
  Real number = real;
  const Value nan = sar(infinity_of(b, kFloat32) - real.mag, 31).named("nan", "all ones for a NaN");
  number.whole = (source_bits(real) ^ nan).named("number", "a NaN: a number below 2^-126 with the opposite sign");
  number.mag = (number.whole & b.constant("kMagnitude", low_bits(31), "2^31 - 1")).named("magnitude");
  number.sign = number.whole ^ number.mag;
  number.may_be_nan = false;
  number.may_be_negative = true;
  return number;
}

}  // namespace

Value source_bits(const Real& real) { return real.whole ? real.whole : real.mag | real.sign; }

std::uint16_t carry_of(const Meaning& meaning) {
  return meaning.round == nullptr ? kTowardZeroTable : meaning.round->carry;
}

Value differing_codes(Builder& b, Value down, Value up) {
  down = down.named("down");
  up = up.named("up");
  return ((down ^ up) & b.literal(1, down.bits()))
      .named("inexact", "1 where the two differ: their codes follow each other");
}

Value nearest_float(Value integer, bool is_signed) {
  if (integer.bits() == 64) return unary(is_signed ? Op::float64_of_int64 : Op::float64_of_uint64, integer);
  return unary(is_signed ? Op::float32_of_int32 : Op::float32_of_uint32, integer);
}

Value nearest_single(Value integer, bool is_signed) {
  if (integer.bits() == 64) return unary(is_signed ? Op::float32_of_int64 : Op::float32_of_uint64, integer);
  return nearest_float(integer, is_signed);
}

Value float_of_uint(Value integer) { return unary(integer.bits() == 64 ? Op::float64_of : Op::float32_of, integer); }

namespace {

/// What the steps of encode_by_multiply_add() agree on.
struct MultiplyAdd {
  int drop;                      // fraction bits that float32 has more
  std::uint64_t over, inf, nan;  // magnitude codes of what is no number; that of NaN: `over`, where it is put in later
  bool in_bytes;                 // the code is put together in bytes
  bool nan_is_minus_zero;        // the code of minus zero is the NaN
  bool to_opposite_zero;         // NaN gives the zero of the opposite sign
  bool nan_apart = false;        // NaN gives no magnitude with the sign of the source; until the end it overflows
  bool sign_free = false;        // no result has a sign
  bool sign_follows = false;     // the sign is that of the rounded number: NaN gives what positive overflow gives
};

/// Exponent of a quarter of the smallest subnormal number: half of the tie between it and zero.
int tiny_exponent(const Type& dst) { return dst.min_exponent() - dst.mantissa_bits - 2; }

bool fills_byte(const Type& dst) { return dst.storage_bits <= 8 && dst.value_bits == dst.storage_bits; }

bool gives_opposite_zero(const Real& real, const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  return real.may_be_nan && dst.is_signed && semantics::nan_result(meaning, false) == dst.sign_mask() &&
         semantics::nan_result(meaning, true) == 0 && tiny_exponent(dst) >= kFloat32.min_exponent();
}

/// -(normal + drop) << m, modulo 2^(code bits + 1): cancels what the exponent of rounded_sum()'s sum adds to the code.
std::uint64_t code_correction(const Type& dst) {
  const int m = dst.mantissa_bits, drop = kFloat32.mantissa_bits - m;
  const int normal = dst.min_exponent() + kFloat32.bias;  // biased exponent of the smallest normal
  return (0 - (static_cast<std::uint64_t>(normal + drop) << m)) & low_bits(m + dst.exponent_bits + 1);
}

/// Nothing where results are not the magnitude of a number, with its sign, or what stands above the largest one.
std::optional<MultiplyAdd> multiply_add_for(const Real& real, const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  const int m = dst.mantissa_bits;
  const bool has_range = dst.exponent_bits <= 6 && m >= 1 && m <= 12 && dst.min_exponent() + kFloat32.bias > 1;
  if (!has_range || !dst.subnormals || dst.storage_high || (!dst.is_signed && real.may_be_negative)) return {};
  // The fraction of the sum, at most twice the ulps of a binade beside the correction, must not reach the bits that
  // are added to the code with its exponent.
  if ((code_correction(dst) + (2ull << m)) >> (kFloat32.mantissa_bits - m) != 0) return {};
  const std::uint64_t sign = dst.sign_mask(), largest = dst.max_finite_code();
  if (largest >> m == 0) return {};  // the largest number is subnormal: extended_value() is of those above
  const std::uint64_t nan = semantics::nan_result(meaning, false), minus_nan = semantics::nan_result(meaning, true);
  MultiplyAdd form{.drop = kFloat32.mantissa_bits - m,
                   .over = semantics::overflow_result(meaning, false),
                   .inf = semantics::infinity_result(meaning, false),
                   .nan = nan,
                   .in_bytes = fills_byte(dst),
                   .nan_is_minus_zero = dst.is_signed && !dst.has_negative_zero(),
                   .to_opposite_zero = gives_opposite_zero(real, meaning)};
  const bool signs_apart = semantics::overflow_result(meaning, true) == (form.over | sign) &&
                           semantics::infinity_result(meaning, true) == (form.inf | sign);
  form.nan_apart = real.may_be_nan && !form.to_opposite_zero && minus_nan != (nan | sign);
  if (form.nan_apart && (nan != minus_nan || form.nan_is_minus_zero)) return {};
  if (form.nan_apart || form.to_opposite_zero) form.nan = form.over;
  if (!signs_apart || form.over > largest + 1 || form.over < largest) return {};
  if (real.may_be_nan && form.nan < form.over) return {};
  const bool inf_as_nan = real.may_be_nan && form.inf == form.nan;
  if (real.may_be_infinite && form.inf != form.over && !inf_as_nan) return {};
  form.sign_free = !dst.is_signed || !(real.may_be_negative || form.to_opposite_zero);
  form.sign_follows = !form.sign_free && form.in_bytes && form.nan_apart && nan == form.over &&
                      (!real.may_be_infinite || form.inf == form.over);
  // Bytes have no place where NaN could be put in later.
  form.in_bytes = form.in_bytes && (!form.nan_apart || form.sign_follows || (form.sign_free && nan == form.over));
  return form;
}

/// What extended_value() gives, in words.
std::string code_as_number(const Type& dst, std::uint64_t code) {
  return "code " + spec::hex(code, dst.storage_bits).substr(2) +
         (code <= dst.max_finite_code() ? " as float32" : " as float32, if it were a number");
}

/// The magnitude, or the number with its sign, with what is above the range brought to its end, and NaN to its code.
Value bounded_number(Builder& b, const Real& real, const Meaning& meaning, const MultiplyAdd& form) {
  const Type& dst = *meaning.dst;
  Value mag = form.sign_follows ? source_bits(real) : real.mag;
  const bool infinity_as_nan = real.may_be_infinite && form.inf != form.over;
  if (infinity_as_nan) {
    mag = select(equal(mag, infinity_of(b, kFloat32)),
                 b.constant("kNaNWork", kFloat32.infinity() + 1, "kInf + 1: any NaN"), mag)
              .named("finite_or_nan", "infinity has the result of a NaN");
  }
  const Value top =
      b.constant("kTop", extended_value(dst, form.over), code_as_number(dst, form.over) + ": larger numbers become it");
  const std::uint64_t float_sign = 1ull << kFloat32.sign_bit();
  const auto not_below = [&](Value number) {
    return min(number, b.constant("kBottom", float_sign | extended_value(dst, form.over),
                                  code_as_number(dst, form.over) + ", with the sign"))
        .named("bounded", kNegativeOrder);
  };
  if (form.sign_follows) {
    return not_below(binary(Op::min_nan2, mag, top).named("number", "NaN, of either sign, has the same result"));
  }
  if (form.to_opposite_zero) {
    const int tiny = tiny_exponent(dst);
    const Value negative = (source_bits(real) | b.constant("kSign", float_sign, "2^31")).named("negative", "-|x|");
    const Value least = b.constant("kTiny", float_sign | kFloat32.power_of_two(tiny),
                                   "bits of -" + power_formula(tiny) + ", which rounds to zero");
    return not_below(binary(Op::min_nan2, negative, least).named("number", "a NaN is as good as zero"));
  }
  if (real.may_be_nan && form.nan != form.over) {
    const Value nan = b.constant("kNaNNumber", extended_value(dst, form.nan), code_as_number(dst, form.nan));
    return b.node(Op::limit_magnitude, {infinity_as_nan ? mag : source_bits(real), top, nan}).named("bounded");
  }
  if (!spec::reach(meaning).overflow && !real.may_be_infinite && !real.may_be_nan) return mag;
  return min(mag, top).named("bounded", real.may_be_nan ? "NaN, above every number, has the same result" : "");
}

/// The one rounding. The code, without its sign, is what lies from bit `drop` on, added to what lies below.
Value rounded_sum(Builder& b, const Type& dst, const MultiplyAdd& form, Value bounded) {
  const int m = dst.mantissa_bits, drop = form.drop;
  const int normal = dst.min_exponent() + kFloat32.bias;  // biased exponent of the smallest normal
  const std::uint64_t sign = form.to_opposite_zero ? 1ull << kFloat32.sign_bit() : 0;
  const auto min_normal = [&] {
    return b.constant("kMinNormal", sign | kFloat32.power_of_two(dst.min_exponent()),
                      std::string("bits of ") + (form.to_opposite_zero ? "-" : "") + power_formula(dst.min_exponent()));
  };
  const auto exponent = [&] {
    return b.constant("kExponent", sign | kFloat32.infinity(),
                      form.to_opposite_zero ? "511 << 23: the sign too" : "255 << 23");
  };
  // Integers are normal there, or zero, whose product is zero: they need no least binade.
  const std::vector<ir::Interval> numbers = ir::ranges(b.program())[static_cast<std::size_t>(bounded.id)].intervals();
  const bool no_less = std::ranges::all_of(numbers, [&](ir::Interval one) {
    return one.most == 0 || one.least >= kFloat32.power_of_two(dst.min_exponent());
  });
  const bool unbounded = no_less && !form.to_opposite_zero && !form.sign_follows;
  const std::string binade_note = unbounded
                                      ? "power of two at or below |x|; 0 for 0"
                                      : std::string("power of two at or below |x|, not below the smallest normal") +
                                            (form.sign_follows || form.to_opposite_zero ? ", with the sign" : "");
  Value binade;
  if (form.sign_follows) binade = binary(Op::binade, bounded, min_normal());
  else if (unbounded) binade = bounded & exponent();
  else binade = max(bounded & exponent(), min_normal());
  binade = binade.named("binade", binade_note);
  // The ulp of binade * 2^drop is that of the destination, so the addition rounds there. The exponent of the sum, that
  // of the binade plus drop, would add (normal + drop) << m to the code; `correction` ulps, binade * 2^-m each, take
  // that off.
  const std::uint64_t correction = code_correction(dst);
  const double factor =
      static_cast<double>((1ull << kFloat32.mantissa_bits) + correction) / static_cast<double>(1ull << m);
  const Value scale = b.constant("kScale", __builtin_bit_cast(std::uint32_t, static_cast<float>(factor)),
                                 "bits of 2^" + std::to_string(drop) + " + " + std::to_string(correction) + " * 2^-" +
                                     std::to_string(m) + "; " + std::to_string(correction) + " = -(" +
                                     std::to_string(normal + drop) + " << " + std::to_string(m) + ") modulo 2^" +
                                     std::to_string(m + dst.exponent_bits + 1) + ", " + std::to_string(normal + drop) +
                                     " the exponent field of the sum for " + power_formula(dst.min_exponent()));
  const Op sum = ir::may_be_subnormal(b.program(), bounded.id) ? Op::multiply_add : Op::fused_multiply_add;
  return b.node(sum, {binade, scale, bounded}).named("rounded", "to the result's nearest ulp, ties to even");
}

/// An integer has no negative zero, and none but zero vanishes.
bool zero_has_no_sign(const Meaning& meaning) {
  return meaning.src->kind == spec::Kind::integer && meaning.dst->min_exponent() - meaning.dst->mantissa_bits <= 0;
}

Value code_in_bytes(Builder& b, const Real& real, const Meaning& meaning, const MultiplyAdd& form, Value rounded) {
  const Type& dst = *meaning.dst;
  Value code = fold(rounded, form.drop).named("code", "exponent over fraction, in the low bits");
  // That of NaN may be the code of the sign.
  const int code_bits = form.nan_is_minus_zero || !dst.is_signed ? dst.value_bits : dst.value_bits - 1;
  if (code_bits < 7)
    code =
        (code & b.constant("kCodeBits", low_bits(code_bits), power_formula(code_bits) + " - 1", 8)).named("code_bits");
  if (form.sign_free) return code;
  // Signs of the source itself are packed once, those of the number, in wider lanes, twice.
  const bool short_source = meaning.src->storage_bits == 16 && meaning.src->value_bits == 16;
  Value signed_by = form.sign_follows ? rounded : short_source ? b.element() : source_bits(real);
  if (form.to_opposite_zero) {
    const Value carry = b.constant("kNaNCarry", low_bits(31) - kFloat32.infinity(), "2^31 - 1 less infinity");
    signed_by = (source_bits(real) + carry).named("carried", "reaches the sign of a NaN alone, which flips");
  }
  const Value top = sign8(signed_by, dst.value_bits - 1);
  if (!form.nan_is_minus_zero || zero_has_no_sign(meaning)) return code | top;
  const Value carry =
      b.constant("kCarry", dst.sign_mask() - 1,
                 power_formula(dst.value_bits - 1) + " - 1: the sum has the bit of the sign unless the code is 0", 8);
  return code | (top & (code + carry)).named("sign", "none for zero: there is no negative one");
}

Value code_in_lanes(Builder& b, const Real& real, const Meaning& meaning, const MultiplyAdd& form, Value rounded) {
  const Type& dst = *meaning.dst;
  const int magnitude_bits = dst.magnitude_bits();
  const Value code = (rounded + (rounded >> form.drop)).named("code", "in the low bits");
  if (form.nan_is_minus_zero) {
    const Value unsigned_code =
        (code & b.constant("kCodeBits", low_bits(dst.value_bits), power_formula(dst.value_bits) + " - 1"))
            .named("unsigned_code");
    if (form.sign_free) return unsigned_code;
    const Value with_sign = unsigned_code | (real.sign >> (31 - magnitude_bits));
    if (zero_has_no_sign(meaning)) return with_sign;
    return select(equal(unsigned_code, b.literal(0)), b.literal(0), with_sign);
  }
  const Value mask = b.constant("kCodeBits", low_bits(magnitude_bits), power_formula(magnitude_bits) + " - 1");
  const Value result = form.sign_free ? code & mask : merge(mask, code, source_bits(real) >> (31 - magnitude_bits));
  if (!form.nan_apart) return result;
  const Value nan = b.constant("kNaN", semantics::nan_result(meaning, false), "result of a NaN of either sign");
  return select(greater(real.mag, infinity_of(b, kFloat32)), nan, result.named("number_code"));
}

}  // namespace

Value encode_by_multiply_add(Builder& b, const Real& real, const Meaning& meaning) {
  if (!fills_byte(*meaning.dst) && gives_opposite_zero(real, meaning))
    return encode_by_multiply_add(b, nan_as_opposite_zero(b, real), meaning);
  const std::optional<MultiplyAdd> form = multiply_add_for(real, meaning);
  if (!form) return {};
  const Value rounded = rounded_sum(b, *meaning.dst, *form, bounded_number(b, real, meaning, *form));
  return (form->in_bytes ? code_in_bytes : code_in_lanes)(b, real, meaning, *form, rounded);
}

namespace {

constexpr std::uint64_t kFirstNaN = kFloat32.infinity() | 1;
constexpr const char* kFirstNaNNote = "NaN: the first one, of which the quiet bit will be left";

/// The float32 that a conversion to float16 rounds in another mode than to nearest with ties to even. What overflows is
/// an infinity, as a conversion toward zero makes the largest number of others; a NaN is the canonical one. `away`: to
/// nearest, ties away from zero.
Value number_for_float16(Builder& b, const Real& real, const Meaning& meaning, bool away) {
  const auto above = [&](Value bits) {
    return (bits | b.literal(1)).named("above", "a number halfway lies beyond it; others stay on their side");
  };
  const bool overflows = spec::reach(meaning).overflow;
  if (!overflows && !(away && real.may_be_infinite)) {
    const Value bits = away ? above(source_bits(real)) : source_bits(real);
    return real.may_be_nan ? limit_nan(b, bits, kFirstNaN).named("canonical", kFirstNaNNote) : bits;
  }
  const Value below = b.constant("kBelowOverflow", kFloat32.power_of_two(kFloat16.bias + 1) - 1,
                                 "bits of the largest float32 below 2^16");
  Value mag =
      select(greater(real.mag, below), max(real.mag, infinity_of(b, kFloat32)), away ? above(real.mag) : real.mag)
          .named("bounded", real.may_be_nan ? "infinity from 2^16 on; a NaN stays" : "infinity from 2^16 on");
  if (real.may_be_nan)
    mag = min(mag, b.constant("kFirstNaN", kFirstNaN, "(255 << 23) + 1")).named("canonical", kFirstNaNNote);
  return mag | real.sign;
}

Value rounded_to_float16(Builder& b, const Real& real, const Meaning& meaning) {
  const std::uint16_t carry = carry_of(meaning);
  const Value number = number_for_float16(b, real, meaning, carry == kNearestAwayTable);
  if (carry == kNearestAwayTable) return unary(Op::float16_of_float32, number);
  if (carry == kTowardZeroTable) return unary(Op::float16_of_float32_rtz, number);
  if (carry == kFloorTable) return unary(Op::float16_of_float32_rtn, number);
  if (carry == kCeilTable) return unary(Op::float16_of_float32_rtp, number);
  if (carry != kOddTable) return {};
  // One statement each: the order in which a compiler evaluates arguments would be that of the program.
  const Value up = unary(Op::float16_of_float32_rtp, number), down = unary(Op::float16_of_float32_rtn, number);
  const Value inexact = differing_codes(b, down, up);
  return unary(Op::float16_of_float32_rtz, number) | inexact;
}

}  // namespace

Value encode_float16(Builder& b, const Real& real, const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  if (!keeps_special_values(meaning)) return {};
  if (meaning.round != nullptr && !rounds_to_nearest_even(meaning)) {
    const bool first_nan = !real.may_be_nan || dst.canonical_nan(false) == (kFloat16.infinity() | kFloat16.quiet());
    return first_nan ? rounded_to_float16(b, real, meaning) : Value{};
  }
  // The conversion keeps the leading payload bits; the canonical NaN of float32 becomes that of the destination.
  const std::uint64_t quiet = dst.canonical_nan(false) & low_bits(dst.mantissa_bits);
  const std::uint64_t fraction = quiet << (kFloat32.mantissa_bits - dst.mantissa_bits);
  if (real.may_be_nan && !real.quiet_nan &&
      fraction == kFloat32.quiet()) {  // which the conversion sets, and drops the last bit
    return unary(Op::float16_of_float32, limit_nan(b, source_bits(real), kFirstNaN).named("canonical", kFirstNaNNote));
  }
  return unary(Op::float16_of_float32, canonical_nan(b, real, fraction));
}

Value encode_single(Builder& b, const Real& real, const Meaning& meaning) {
  // Rounded already; what is left is the spelling of NaN.
  const Type& dst = *meaning.dst;
  if (!keeps_special_values(meaning)) return {};
  return canonical_nan(b, real, dst.canonical_nan(false) & low_bits(dst.mantissa_bits));
}

Value encode_double(Builder& b, const Real& real, const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  if (!keeps_special_values(meaning)) return {};
  const std::uint64_t fraction = dst.canonical_nan(false) & low_bits(dst.mantissa_bits);
  const int added = kFloat64.mantissa_bits - kFloat32.mantissa_bits;
  if ((fraction & low_bits(added)) != 0) return {};
  return unary(Op::float64_of_float32, canonical_nan(b, real, fraction >> added));
}

}  // namespace castforge::plan
