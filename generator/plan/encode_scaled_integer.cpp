// Floats of the range of float32 to 64-bit integers, for instruction sets that have conversions to 32 bits only: a
// number of 2^24 or more is an integer of 24 bits, which one conversion gives, times a power of two.
#include "plan/real.hpp"
#include "spec/model.hpp"

namespace castforge::plan {
namespace {

using spec::Meaning;

/// Results end at both ends of the range, also those of infinities; NaN gives zero.
bool saturates(const Real& real, const Meaning& meaning) {
  return meaning.overflow == spec::Overflow::saturate && !meaning.saturate_first && meaning.dst->is_signed &&
         !(real.may_be_nan && meaning.nan != spec::NanResult::zero) &&
         !(real.may_be_infinite && meaning.inf != spec::InfResult::as_overflow && meaning.inf != spec::InfResult::max);
}

}  // namespace

Value encode_scaled_integer(Builder& b, const Real& real, const Meaning& meaning) {
  const bool wrap = wraps_whole_elements(meaning);
  if (!wrap && !saturates(real, meaning)) return {};
  Value number = wrap ? source_bits(real) : number_or_zero(b, real);
  Value too_large;
  if (!wrap) {
    const std::uint64_t end = kFloat32.power_of_two(63);
    number = min_signed(number, b.constant("kEnd", end, "bits of 2^63"));
    number = min(number, b.constant("kMinusEnd", 1ull << 31 | end, "bits of -2^63")).named("bounded", kNegativeOrder);
    too_large = (binary(Op::greater_signed_ones, number,
                        b.constant("kLast", end - 1, "bits of the largest float32 below 2^63")) >>
                 31)
                    .named("too_large", "1 where it is 2^63");
  }
  const Value exponent = number & b.constant("kExponent", kFloat32.infinity(), "255 << 23");
  const Value least = b.constant("kUlpIsOne", kFloat32.power_of_two(kFloat32.mantissa_bits),
                                 "bits of 2^23, the first number whose ulp is 1");
  const Value scale = (exponent - min(exponent, least))
                          .named("scale", "how many binades it lies above 2^23, in the exponent field; 0 below");
  const Value significand =
      int_of_float((number - scale).named("scaled", "below 2^24 in magnitude"), carry_of(meaning));
  if (!significand) return {};
  const Value count = scale >> kFloat32.mantissa_bits;
  const Value result = shl(
      widen_signed(significand.named("integer", "rounded where it has a fraction"), 64),
      widen(count.named("count",
                        wrap ? "more than 63, so that the result is 0, from 2^87 on and for NaN and infinities" : ""),
            64));
  if (wrap) return result;
  return result.named("shifted", "2^63 has the bits of -2^63") - widen(too_large, 64);
}

}  // namespace castforge::plan
