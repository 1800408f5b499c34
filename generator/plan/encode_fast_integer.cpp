// Encoders for instruction sets with float to integer conversion: results are integers.
#include <span>
#include <utility>

#include "plan/real.hpp"
#include "semantics/value.hpp"
#include "spec/canonical.hpp"

namespace castforge::plan {

using spec::Meaning;
using spec::Type;

bool wraps_whole_elements(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  return meaning.overflow == spec::Overflow::wrap && !spec::clamp_range(meaning) && dst.kind == spec::Kind::integer &&
         dst.value_bits == dst.storage_bits && !(src.has_nan() && meaning.nan != spec::NanResult::zero) &&
         !(src.infinity && meaning.inf != spec::InfResult::zero);
}

Value number_or_zero(Builder& b, const Real& real) {
  const Value number = source_bits(real);
  if (!real.may_be_nan) return number;
  return select(greater(real.mag, infinity_of(b, kFloat32)), b.literal(0), number).named("number", "NaN gives 0");
}

Value int_of_float(Value number, std::uint16_t carry) {
  constexpr std::pair<std::uint16_t, Op> single[] = {
      {kTowardZeroTable, Op::int32_of_float32_rtz},  {kNearestEvenTable, Op::int32_of_float32_rne},
      {kNearestAwayTable, Op::int32_of_float32_rna}, {kFloorTable, Op::int32_of_float32_rtn},
      {kCeilTable, Op::int32_of_float32_rtp},        {kOddTable, Op::int32_of_float32_rto}};
  constexpr std::pair<std::uint16_t, Op> wide[] = {{kTowardZeroTable, Op::int64_of_float64_rtz},
                                                   {kNearestEvenTable, Op::int64_of_float64_rne}};
  const std::span<const std::pair<std::uint16_t, Op>> singles = single, wides = wide;
  const auto operations = number.bits() == 64 ? wides : singles;
  for (const auto& [table, operation] : operations) {
    if (table == carry) return unary(operation, number);
  }
  return {};
}

Value encode_truncated_integer(Builder& b, const Real& real, const Meaning& meaning) {
  const bool long_result = meaning.dst->value_bits > 32;
  if (b.lane_bits() == 32)
    return unary(long_result ? Op::truncate_float32_to_int64 : Op::truncate_float32_to_int32, source_bits(real));
  return unary(long_result ? Op::truncate_float64_to_int64 : Op::truncate_float64_to_int32, source_bits(real));
}

Value encode_wrapped_integer(Builder& b, const Real& real, const Meaning& meaning) {
  const Value infinity = infinity_of(b, real.layout);
  const Value tiny = b.constant("kTiny", real.layout.power_of_two(-2),
                                "bits of 2^-2; below it the conversion could meet subnormals, which cost time");
  const Value number =
      select(mask_and(greater(infinity, real.mag), greater(real.mag, tiny)), source_bits(real), b.literal(0))
          .named("number", "NaN, infinities and tiny numbers give zero");
  const bool nearest = rounds_to_nearest_even(meaning);
  if (b.lane_bits() == 64)
    return unary(nearest ? Op::int32_of_float64_wrap_rne : Op::int32_of_float64_wrap_rtz, number);
  return unary(nearest ? Op::int32_of_float32_wrap_rne : Op::int32_of_float32_wrap_rtz, number);
}

Value encode_small_integer(Builder& b, const Real& real, const Meaning& meaning) {
  const Type& src = *meaning.src;
  const Type& dst = *meaning.dst;
  const std::uint16_t carry = carry_of(meaning);
  // From 2^31 (2^63) on every number is a multiple of its last significand bit, 2^(31 - mantissa bits) or more, so that
  // many low bits are zero; sources that end below have no such numbers.
  const int limit = b.lane_bits() - 1;
  const bool source_ends_early = semantics::max_exponent(src) < limit;
  const int zero_bits = limit - src.mantissa_bits;
  if (!source_ends_early && dst.value_bits > zero_bits) return {};
  if (dst.value_bits <= limit) {  // what the conversion gives for all that is no integer of the lane ends in zeros too
    const std::string top = power_formula(limit), multiples = power_formula(zero_bits);
    return int_of_float(source_bits(real), carry)
        .named("integer", source_ends_early ? "NaN and infinities give " + top + ", which ends in zeros"
                                            : "NaN, infinities and all from " + top + " on, multiples of " + multiples +
                                                  ", give " + top + ": their low bits are 0, too");
  }
  const Value in_range = greater(b.constant("kLimit", kFloat32.power_of_two(31), "bits of 2^31"), real.mag);
  const Value number =
      select(in_range, source_bits(real), b.literal(0)).named("number", "NaN and infinities give zero bits");
  return int_of_float(number, carry);
}

Value encode_integer_in_parts(Builder& b, const Real& real, const Meaning& meaning) {
  const int m = meaning.src->mantissa_bits, shift = 31 - m;
  // From 2^31 on every number is a multiple of 2^shift; from 2^(31 + shift) on, of 2^(31 + shift - m).
  if (b.lane_bits() != 32 || meaning.dst->value_bits > 31 + shift - m) return {};
  const std::uint16_t carry = carry_of(meaning);
  const Value bits = source_bits(real);
  const Value low = int_of_float(bits, carry).named("low", "the integer; 2^31 where 32 bits do not hold it");
  const Value scale = b.constant("kScale", static_cast<std::uint64_t>(shift) << kFloat32.mantissa_bits,
                                 std::to_string(shift) + " << 23: times " + power_formula(-shift));
  const Value multiples = int_of_float(bits - scale, carry)
                              .named("units", "in units of " + power_formula(shift) + "; 2^31 for NaN and all from " +
                                                  power_formula(31 + shift) + " on");
  const Value high = (multiples << shift)
                         .named("high", "the low bits of integers from 2^31 on; 0 for NaN and from " +
                                            power_formula(31 + shift) + " on");
  const Value beyond = equal(low, b.constant("kIndefinite", 1ull << 31,
                                             "2^31: what the conversion gives where 32 bits do not hold the number"));
  if (meaning.dst->value_bits <= 31) return low | select(beyond, high, b.literal(0));
  return select(beyond, high, low);
}

Value encode_extended_integer(Builder& b, const Real& real, const Meaning& meaning) {
  const Value result = encode_small_integer(b, real, meaning);
  return result ? widen_signed(result, 64) : Value{};
}

Value encode_indefinite_integer(Builder&, const Real& real, const Meaning& meaning) {
  return int_of_float(source_bits(real), carry_of(meaning));
}

Value encode_saturated_integer(Builder& b, const Real& real, const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  const bool wraps_later = meaning.saturate_first == spec::IntegerRange{true, 32};
  if (meaning.saturate_first && !wraps_later) return {};
  const bool overflows = spec::reach(meaning).overflow || (real.may_be_negative && !dst.is_signed);
  if (overflows && !wraps_later && meaning.overflow != spec::Overflow::saturate) return {};
  if (real.may_be_nan && meaning.nan != spec::NanResult::zero) return {};
  const bool as_overflow =
      meaning.inf == spec::InfResult::as_overflow && (wraps_later || meaning.overflow == spec::Overflow::saturate);
  const bool to_ends = meaning.inf == spec::InfResult::max && !wraps_later;
  if (real.may_be_infinite && !as_overflow && !to_ends) return {};
  const int width = wraps_later ? 32 : dst.value_bits;
  if (width > 32 || (width == 32 && !wraps_later && !dst.is_signed)) return {};

  const Value number = number_or_zero(b, real);
  const std::string power = power_formula(width - 1);
  if (width == 32) {
    // 2^31 - 1 is no float32: what reaches 2^31 gets it at the end.
    const Value top = b.constant("kTop", kFloat32.power_of_two(31) - 1, "bits of the largest float32 below 2^31");
    const Value bottom = b.constant("kBottom", 1ull << 31 | kFloat32.power_of_two(31), "bits of -2^31");
    const Value bounded = min(min_signed(number, top), bottom).named("bounded", kNegativeOrder);
    const Value whole = int_of_float(bounded, carry_of(meaning));
    if (!whole) return {};
    const Value positive = real.may_be_negative ? max_signed(number, b.literal(0)) : number;
    return select(greater(positive, top), b.constant("kMax", 0x7FFFFFFF, "2^31 - 1"),
                  whole.named("whole", "rounded once"));
  }
  const auto bits_of = [](double limit) {
    return std::uint64_t{__builtin_bit_cast(std::uint32_t, static_cast<float>(limit))};
  };
  const double span =
      static_cast<double>(1ull << (dst.is_signed ? width - 1 : width));  // at most 2^16: exact, and so is one less
  const Value top = b.constant("kTop", bits_of(span - 1), "bits of the largest " + dst.name);
  Value bounded = min_signed(number, top);
  if (!dst.is_signed && real.may_be_negative) bounded = max_signed(bounded, b.literal(0));
  if (dst.is_signed) bounded = min(bounded, b.constant("kBottom", bits_of(-span), "bits of the least " + dst.name));
  return int_of_float(bounded.named("bounded", dst.is_signed ? kNegativeOrder : "negative numbers give 0"),
                      carry_of(meaning));
}

Value encode_saturated_by_double(Builder& b, const Real& real, const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  const bool saturates = meaning.overflow == spec::Overflow::saturate && !meaning.saturate_first;
  const bool to_ends = meaning.inf == spec::InfResult::as_overflow || meaning.inf == spec::InfResult::max;
  if (!saturates || (real.may_be_infinite && !to_ends)) return {};
  if (real.may_be_nan && meaning.nan != spec::NanResult::zero) return {};
  const Value number = number_or_zero(b, real);
  const Value wide = unary(Op::float64_of_float32, number).named("wide", "the number as float64, exact");
  b.work_in(64);
  const Value whole = int_of_float(wide, carry_of(meaning));
  if (!whole) return {};
  const int bits = dst.value_bits - 1;
  const Value below = b.constant("kBelowEnd", kFloat64.power_of_two(bits) - 1,
                                 "bits of the largest float64 below " + power_formula(bits));
  return select(greater(wide, below), b.constant("kMax", dst.largest_code(), power_formula(bits) + " - 1"),
                whole.named("whole", "rounded once; beyond the range the least integer"));
}

}  // namespace castforge::plan
