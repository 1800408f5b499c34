// What follows from a format's parameters.
#pragma once

#include <castforge/elements.hpp>
#include <castforge/format.hpp>
#include <cstdint>

namespace castforge::exact {

constexpr std::uint64_t sign_mask(const Format& format) {
  return format.is_signed ? std::uint64_t{1} << (format.value_bits - 1) : 0;
}

/// Code 0 of a type without subnormals and fraction is a power of two.
constexpr bool has_zero(const Format& format) { return format.subnormals || format.mantissa_bits > 0; }

/// Without subnormals, the code of the lowest power of two is zero's: up to the smallest number, one ulp above that
/// power, there is nothing.
constexpr bool has_gap(const Format& format) { return !format.subnormals && format.mantissa_bits > 0; }

constexpr bool has_negative_zero(const Format& format) {
  return format.is_signed && has_zero(format) && format.nan != NanCodes::negative_zero;
}

/// The sign goes on where the type has one; minus zero becomes plus zero where it does not exist.
constexpr std::uint64_t signed_code(const Format& format, std::uint64_t magnitude, bool negative) {
  if (!negative || (magnitude == 0 && !has_negative_zero(format))) return magnitude;
  return magnitude | sign_mask(format);
}

/// Exponent of the smallest normal numbers.
constexpr int min_exponent(const Format& format) { return (format.subnormals ? 1 : 0) - format.exponent_bias; }

/// float64 and float32, for what is defined by way of them: encodings only, no types of the table.
inline constexpr Format kFloat64 = {.kind = TypeKind::floating,
                                    .nan = NanCodes::ieee,
                                    .storage_bits = 64,
                                    .value_bits = 64,
                                    .exponent_bits = 11,
                                    .mantissa_bits = 52,
                                    .exponent_bias = 1023,
                                    .is_signed = true,
                                    .subnormals = true,
                                    .infinity = true,
                                    .canonical_nan = 0x7FF8000000000000,
                                    .max_finite = 0x7FEFFFFFFFFFFFFF,
                                    .infinity_code = 0x7FF0000000000000};
inline constexpr Format kFloat32 = {.kind = TypeKind::floating,
                                    .nan = NanCodes::ieee,
                                    .storage_bits = 32,
                                    .value_bits = 32,
                                    .exponent_bits = 8,
                                    .mantissa_bits = 23,
                                    .exponent_bias = 127,
                                    .is_signed = true,
                                    .subnormals = true,
                                    .infinity = true,
                                    .canonical_nan = 0x7FC00000,
                                    .max_finite = 0x7F7FFFFF,
                                    .infinity_code = 0x7F800000};

}  // namespace castforge::exact
