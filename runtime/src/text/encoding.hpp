// What a code of a tables::Type means: derived facts and exact decoding.
#pragma once

#include <cstdint>

#include "src/tables.hpp"

namespace castforge::text {

constexpr std::uint64_t low_bits(int count) { return count >= 64 ? ~0ull : (1ull << count) - 1; }

constexpr std::uint64_t sign_mask(const tables::Type& type) {
  return type.is_signed ? 1ull << (type.value_bits - 1) : 0;
}

constexpr bool has_zero(const tables::Type& type) { return type.subnormals || type.mantissa_bits > 0; }

constexpr bool has_negative_zero(const tables::Type& type) {
  return type.is_signed && has_zero(type) && type.nan != tables::NanCodes::negative_zero;
}

/// The sign goes on where the type has one; minus zero becomes plus zero where it does not exist.
constexpr std::uint64_t signed_code(const tables::Type& type, std::uint64_t magnitude, bool negative) {
  if (!negative || (magnitude == 0 && !has_negative_zero(type))) return magnitude;
  return magnitude | sign_mask(type);
}

/// Exponent of the binade whose codes start the normal grid.
constexpr int min_exponent(const tables::Type& type) {
  return (type.subnormals ? 1 : 0) - type.exponent_bias;
}

/// One floating-point element: NaN, infinity, or (-1)^negative * significand * 2^exponent.
struct Decoded {
  enum class Class : std::uint8_t { finite, infinity, nan };
  Class cls = Class::finite;
  bool negative = false;
  bool lower_gap_is_half = false;  // the value below is in a finer binade
  int exponent = 0;
  std::uint64_t significand = 0;
};

/// Requires a floating type and a code within value_bits.
inline Decoded decode_floating(const tables::Type& type, std::uint64_t code) {
  Decoded value;
  value.negative = (code & sign_mask(type)) != 0;
  const std::uint64_t magnitude = code & ~sign_mask(type);
  if (magnitude > type.max_finite) {
    // Above the finite codes there are at most one infinity and NaNs.
    const bool infinite = type.infinity && magnitude == type.infinity_code;
    value.cls = infinite ? Decoded::Class::infinity : Decoded::Class::nan;
    return value;
  }
  if (magnitude == 0 && has_zero(type)) {
    if (value.negative && type.nan == tables::NanCodes::negative_zero) value.cls = Decoded::Class::nan;
    return value;
  }
  const int field = static_cast<int>(magnitude >> type.mantissa_bits);
  const std::uint64_t fraction = magnitude & low_bits(type.mantissa_bits);
  const bool subnormal = field == 0 && type.subnormals;
  value.significand = subnormal ? fraction : fraction | (1ull << type.mantissa_bits);
  value.exponent = (subnormal ? 1 : field) - type.exponent_bias - type.mantissa_bits;
  value.lower_gap_is_half = fraction == 0 && field > (type.subnormals ? 1 : 0);
  return value;
}

/// Magnitude of an integer code; `negative` tells its sign.
constexpr std::uint64_t integer_magnitude(const tables::Type& type, std::uint64_t code, bool& negative) {
  negative = (code & sign_mask(type)) != 0;
  return negative ? (~code + 1) & low_bits(type.value_bits) : code;
}

}  // namespace castforge::text
