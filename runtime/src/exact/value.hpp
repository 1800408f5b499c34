// Exact values: what a code means.
#pragma once

#include <bit>
#include <cstdint>

#include "src/exact/format.hpp"

namespace castforge::exact {

/// NaN, infinity, or (-1)^negative * significand * 2^exponent.
struct Value {
  enum class Class : std::uint8_t { finite, infinity, nan };
  Class cls = Class::finite;
  bool negative = false;  // also of zero, infinity and NaN
  /// The magnitude is larger than that by less than 2^exponent. Only for destinations whose ulp is larger than
  /// 2^exponent wherever the value may lie.
  bool inexact = false;
  int exponent = 0;
  std::uint64_t significand = 0;

  /// The exponent of the leading bit of a finite number that is not zero.
  constexpr int leading() const { return static_cast<int>(std::bit_width(significand)) - 1 + exponent; }
  constexpr bool is_zero() const { return cls == Class::finite && significand == 0 && !inexact; }
};

/// Requires a floating type and a code within value_bits.
constexpr Value decode_floating(const Format& format, std::uint64_t code) {
  Value value;
  value.negative = (code & sign_mask(format)) != 0;
  const std::uint64_t magnitude = code & ~sign_mask(format);
  if (magnitude > format.max_finite) {
    // Above the finite codes there are at most one infinity and NaNs.
    const bool infinite = format.infinity && magnitude == format.infinity_code;
    value.cls = infinite ? Value::Class::infinity : Value::Class::nan;
    return value;
  }
  if (magnitude == 0 && has_zero(format)) {
    if (value.negative && format.nan == NanCodes::negative_zero) value.cls = Value::Class::nan;
    return value;
  }
  const int field = static_cast<int>(magnitude >> format.mantissa_bits);
  const std::uint64_t fraction = magnitude & low_bits(format.mantissa_bits);
  const bool subnormal = field == 0 && format.subnormals;
  value.significand = subnormal ? fraction : fraction | std::uint64_t{1} << format.mantissa_bits;
  value.exponent = (subnormal ? 1 : field) - format.exponent_bias - format.mantissa_bits;
  return value;
}

/// Requires an integer type and a code within value_bits.
constexpr Value decode_integer(const Format& format, std::uint64_t code) {
  Value value;
  value.negative = (code & sign_mask(format)) != 0;
  value.significand = value.negative ? (~code + 1) & low_bits(format.value_bits) : code;
  return value;
}

/// Requires a number: no string. Any boolean but 0 is 1.
constexpr Value decode(const Format& format, std::uint64_t code) {
  if (format.kind == TypeKind::floating) return decode_floating(format, code);
  if (format.kind == TypeKind::integer) return decode_integer(format, code);
  Value truth;
  truth.significand = code != 0;
  return truth;
}

}  // namespace castforge::exact
