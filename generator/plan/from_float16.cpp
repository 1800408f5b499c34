// float16 sources without a conversion of float16, which SSE4.2 lacks: NaN, infinity and the sign are handled in lanes
// of 16 bits, of which a vector has twice as many; only positive numbers are decoded.
#include <cstdint>

#include "plan/lowerings.hpp"
#include "plan/real.hpp"
#include "semantics/results.hpp"
#include "spec/canonical.hpp"

namespace castforge::plan {
namespace {

using spec::Meaning;
using spec::Type;

/// The code of a positive float16 in lanes of 16 bits as a float32, exact; infinity and NaN as numbers from 2^16 on.
Value decode_positive(Builder& b, Value code) {
  b.work_in(32);
  const std::uint64_t rebias = static_cast<std::uint64_t>(kFloat32.bias - kFloat16.bias) << kFloat32.mantissa_bits;
  const int lift = kFloat32.mantissa_bits - kFloat16.mantissa_bits;
  const Value normal = ((widen(code, 32) << lift) + b.constant("kRebias", rebias, "(127 - 15) << 23"))
                           .named("normal", "the same number as float32, but 2^-15 + x / 2 for a subnormal x");
  const Value twice = b.constant("kTwo", kFloat32.power_of_two(1), "bits of 2.0");
  const Value least =
      b.constant("kMinusLeastNormal", 1ull << 31 | kFloat32.power_of_two(kFloat16.min_exponent()), "bits of -2^-14");
  const Value subnormal = b.node(Op::fused_multiply_add, {twice, normal, least})
                              .named("subnormal", "2 * normal - 2^-14: a subnormal number itself; of others more");
  return min(normal, subnormal).named("finite", "0 for zero");
}

}  // namespace

Value power_of_two_of_float16(Builder& b, const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  const std::uint64_t zero = semantics::zero_result(meaning), nan = semantics::nan_result(meaning, false);
  const std::uint64_t infinite = semantics::infinity_result(meaning, false);
  // Code 0 where float32 has the subnormals, so that zero comes out as 0; negative numbers go where zero goes.
  if (dst.mantissa_bits != 0 || dst.is_signed || dst.min_exponent() != -kFloat32.bias ||
      spec::reach(meaning).overflow || meaning.negative == spec::NegativeResult::abs ||
      semantics::negative_result(meaning) != zero || meaning.negative_inf != spec::NegativeInf::as_negative ||
      semantics::nan_result(meaning, true) != nan)
    return {};

  b.work_in(16);
  const Value bits = b.input(), infinity = infinity_of(b, kFloat16);
  const Value positive = max_signed(bits, b.literal(0)).named("positive", "negative numbers count as zero");
  const Value small = min(positive, infinity).named("small", "NaN counts as infinity");

  const Value finite = decode_positive(b, small);
  const Value kept =
      round_significand(b, RoundingSite{finite, {}, kFloat32.mantissa_bits, {}, false, {}, 0}, meaning.round)
          .named("kept");

  b.work_in(16);
  Value code = b.node(Op::narrow, {kept}, 0, 16);
  const Value largest = b.constant("kLargestNumber", kFloat16.infinity() - 1, "kInf - 1");
  const bool alike = infinite == nan;  // infinity and NaN
  if (alike) {
    code = select(greater(positive, largest), b.constant("kInfOrNaN", nan, "result of infinity and NaN"), code);
  } else {
    code = select(equal(positive, infinity), b.constant("kInfResult", infinite, "result of infinity"), code);
  }
  if (zero != 0) code = select(equal(positive, b.literal(0)), b.constant("kZeroResult", zero, "result of zero"), code);
  if (!(alike && zero == nan)) {  // negative NaNs went with the negative numbers
    const Value magnitude = bits & b.constant("kMagnitude", src.magnitude_mask(), "2^15 - 1");
    code = select(greater(magnitude, infinity), b.constant("kNaN", nan, "result of a NaN"), code);
  }
  return at_storage(dst, code);
}

Value bfloat16_of_float16(Builder& b, const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  const std::uint64_t infinite = semantics::infinity_result(meaning, false),
                      nan = semantics::nan_result(meaning, false);
  // Infinity is above every number, NaN infinity with more bits set, and the sign is kept.
  const auto with_sign = [&](std::uint64_t code) { return code | dst.sign_mask(); };
  if (infinite != dst.infinity_code() || (nan & infinite) != infinite || nan >= dst.sign_mask() ||
      semantics::infinity_result(meaning, true) != with_sign(infinite) ||
      semantics::nan_result(meaning, true) != with_sign(nan))
    return {};

  b.work_in(16);
  const Value bits = b.input();
  const Value mag = (bits & b.constant("kMagnitude", meaning.src->magnitude_mask(), "2^15 - 1")).named("mag");
  const Value finite = decode_positive(b, mag);
  const Value rounded = unary(Op::round_high_half, finite).named("rounded", "nearest, ties to even");

  b.work_in(16);
  const auto where_above = [&](Value limit, Value of_those) {
    return binary(Op::greater_signed_ones, mag, limit) & of_those;
  };
  const Value no_number = where_above(b.constant("kLargestNumber", kFloat16.infinity() - 1, "kInf - 1"),
                                      b.constant("kInfResult", infinite, "infinity, above every result"));
  const Value no_infinity = where_above(
      infinity_of(b, kFloat16), b.constant("kNaNBits", nan ^ infinite, "the bits that NaN has and infinity has not"));
  const Value code = (max_signed(rounded, no_number) | no_infinity).named("code");
  return code | (bits ^ mag).named("sign");
}

}  // namespace castforge::plan
