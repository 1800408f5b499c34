// What operations mean for one element: the functions that rows of operations.def call for values.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "ir/layout.hpp"
#include "ir/operations.hpp"

namespace castforge::ir::values {

// Biased exponent, in float32, of the smallest normal number of float16.
inline constexpr auto kLeastFloat16 = static_cast<std::uint64_t>(kFloat32.bias + kFloat16.min_exponent());

inline std::uint64_t width(int bits) { return static_cast<std::uint64_t>(bits); }

inline std::int64_t as_signed(std::uint64_t lane, int bits) {
  const int unused = 64 - bits;
  return static_cast<std::int64_t>(lane << unused) >> unused;
}

inline float as_float(std::uint64_t lane) { return std::bit_cast<float>(static_cast<std::uint32_t>(lane)); }
inline double as_double(std::uint64_t lane) { return std::bit_cast<double>(lane); }
inline std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

enum Rounding { kTruncated, kNearest, kAway, kFloor, kCeil, kOdd };

/// A number below 2^63 as an integer.
inline std::uint64_t whole(double x, Rounding mode) {
  const auto integer = [](double value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); };
  const double floor = std::floor(x);
  switch (mode) {
    case kTruncated: return integer(x);
    case kNearest: return integer(std::nearbyint(x));
    case kAway: return integer(std::round(x));
    case kFloor: return integer(floor);
    case kCeil: return integer(std::ceil(x));
    case kOdd: return floor == x ? integer(floor) : integer(floor) | 1;  // one of the two beside x
  }
  return 0;
}

inline std::uint64_t whole_or_top(double x, int bits, Rounding mode) {
  return std::fabs(x) < std::ldexp(1.0, bits - 1) ? whole(x, mode) : 1ull << (bits - 1);
}

/// Rounded to odd.
inline std::uint64_t odd_float32(bool negative, std::uint64_t magnitude) {
  const int dropped = std::max(0, static_cast<int>(std::bit_width(magnitude)) - 24);
  const bool inexact = (magnitude & low_bits(dropped)) != 0;
  const auto kept = static_cast<float>((magnitude >> dropped) | (inexact ? 1 : 0));
  return bits_of(std::ldexp(negative ? -kept : kept, dropped));
}

/// Toward zero, down or up.
inline std::uint64_t directed_float32(std::int64_t integer, Rounding mode) {
  const bool negative = integer < 0;
  const std::uint64_t magnitude =
      negative ? 0 - static_cast<std::uint64_t>(integer) : static_cast<std::uint64_t>(integer);
  const int dropped = std::max(0, static_cast<int>(std::bit_width(magnitude)) - 24);
  const bool inexact = (magnitude & low_bits(dropped)) != 0;
  const bool grows = inexact && mode == (negative ? kFloor : kCeil);
  const auto kept = static_cast<float>((magnitude >> dropped) + (grows ? 1 : 0));  // at most 2^24
  return bits_of(std::ldexp(negative ? -kept : kept, dropped));
}

inline bool is_within_int32(std::uint64_t a) { return as_float(a) >= -2147483648.0f && as_float(a) < 2147483648.0f; }

inline bool wraps(double x) { return std::isfinite(x) && (x == 0 || std::fabs(x) >= 0.25); }

inline std::uint64_t wrapped(double x, Rounding mode) {
  const double integer = mode == kNearest ? std::nearbyint(x) : std::trunc(x);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::fmod(integer, 4294967296.0)));  // exact, signed as x
}

/// The integer part modulo 2^64; 0 for what is no number.
inline std::uint64_t modular(double x) {
  if (!std::isfinite(x)) return 0;
  const auto magnitude = static_cast<std::uint64_t>(std::fmod(std::trunc(std::fabs(x)), 0x1p64));  // exact
  return x < 0 ? 0 - magnitude : magnitude;
}

inline bool multiply_add_holds(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const auto exponent = [](std::uint64_t x) {  // biased
    return static_cast<int>((x & kFloat32.infinity()) >> kFloat32.mantissa_bits);
  };
  const auto is_normal = [](int biased) { return biased > 0 && biased <= 2 * kFloat32.bias; };
  const bool is_power = (a & kFloat32.fraction()) == 0 && is_normal(exponent(a));
  const bool product_is_normal = is_normal(exponent(a) + exponent(b) - kFloat32.bias);
  return is_power && product_is_normal && is_normal(exponent(b)) && !std::isnan(as_float(c));
}

inline bool is_subnormal(std::uint64_t a) {
  const std::uint64_t mag = a & kFloat32.magnitude();
  return mag != 0 && mag < kFloat32.hidden();
}

inline bool fused_multiply_add_holds(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const std::uint64_t one = kFloat32.power_of_two(0);  // in place of a zero, which any product may have
  return multiply_add_holds(a == 0 ? one : a, b, c) && !is_subnormal(c);
}

inline bool is_normal_power(std::uint64_t a) {
  return (a & (kFloat32.sign() | kFloat32.fraction())) == 0 && a != 0 && a < kFloat32.infinity();
}

/// The bits of a NaN's fraction that fit, the first of them set.
inline std::uint64_t quiet_nan(const Layout& to, const Layout& from, std::uint64_t fraction) {
  const int longer = to.mantissa_bits - from.mantissa_bits;
  return to.infinity() | to.quiet() | (longer < 0 ? fraction >> -longer : fraction << longer);
}

inline std::uint64_t float32_of_float16(std::uint64_t code) {
  const std::uint64_t sign = (code & kFloat16.sign()) << 16;
  const std::uint64_t mag = code & kFloat16.magnitude(), fraction = code & kFloat16.fraction();
  if (mag > kFloat16.infinity()) return sign | quiet_nan(kFloat32, kFloat16, fraction);
  if (mag == kFloat16.infinity()) return sign | kFloat32.infinity();
  const int biased = static_cast<int>(mag >> kFloat16.mantissa_bits);
  const int ulp = std::max(biased, 1) - kFloat16.bias - kFloat16.mantissa_bits;  // its exponent
  return sign | bits_of(std::ldexp(static_cast<float>(biased == 0 ? fraction : fraction | kFloat16.hidden()), ulp));
}

inline std::uint64_t float16_of_float32(std::uint64_t bits) {
  const std::uint64_t sign = (bits & kFloat32.sign()) >> 16;
  const std::uint64_t mag = bits & kFloat32.magnitude(), fraction = bits & kFloat32.fraction();
  // From halfway between the largest number, (2^11 - 1) * 2^5, and 2^16.
  const std::uint64_t over = bits_of(static_cast<float>(0x7FF << 4 | 1 << 15));
  if (mag > kFloat32.infinity()) return sign | quiet_nan(kFloat16, kFloat32, fraction);
  if (mag >= over) return sign | kFloat16.infinity();
  const std::uint64_t biased = mag >> kFloat32.mantissa_bits;
  const std::uint64_t exponent = std::max<std::uint64_t>(biased, kLeastFloat16);
  const std::uint64_t significand = biased == 0 ? fraction : fraction | kFloat32.hidden();
  const int dropped = kFloat32.mantissa_bits - kFloat16.mantissa_bits;
  const std::uint64_t below = exponent - std::max<std::uint64_t>(biased, 1);  // the smallest normal result
  const std::uint64_t shift = std::min(width(dropped) + below, width(kFloat32.mantissa_bits + 2));  // from there on 0
  const std::uint64_t odd = (significand >> shift) & 1;
  const std::uint64_t kept = (significand + ((1ull << (shift - 1)) - 1) + odd) >> shift;
  return sign | (kept + ((exponent - kLeastFloat16) << kFloat16.mantissa_bits));
}

inline std::uint64_t truncated_float16_of_float32(std::uint64_t bits) {
  const std::uint64_t mag = bits & kFloat32.magnitude();
  std::uint64_t float16 = float16_of_float32(mag);
  if (mag <= kFloat32.infinity() && float32_of_float16(float16) > mag) --float16;
  return (bits & kFloat32.sign()) >> 16 | float16;
}

/// Up, or down: of a number with the sign of that direction, the one of the next larger magnitude where inexact.
inline std::uint64_t directed_float16_of_float32(std::uint64_t bits, bool up) {
  const std::uint64_t truncated = truncated_float16_of_float32(bits);
  const bool grows = ((bits & kFloat32.sign()) == 0) == up && (bits & kFloat32.magnitude()) < kFloat32.infinity();
  return grows && float32_of_float16(truncated) != bits ? truncated + 1 : truncated;
}

inline std::uint64_t float64_of_float32(std::uint64_t bits) {
  const std::uint64_t sign = (bits & kFloat32.sign()) << 32;
  const std::uint64_t mag = bits & kFloat32.magnitude();
  if (mag < kFloat32.infinity()) return sign | bits_of(static_cast<double>(as_float(mag)));
  if (mag == kFloat32.infinity()) return sign | kFloat64.infinity();
  return sign | quiet_nan(kFloat64, kFloat32, bits & kFloat32.fraction());
}

inline std::uint64_t float32_of_float64(std::uint64_t bits) {
  const std::uint64_t sign = (bits & kFloat64.sign()) >> 32;
  const std::uint64_t mag = bits & kFloat64.magnitude();
  if (mag > kFloat64.infinity()) return sign | quiet_nan(kFloat32, kFloat64, bits & kFloat64.fraction());
  return sign | bits_of(static_cast<float>(as_double(mag)));
}

inline std::uint64_t truncated_float32_of_float64(std::uint64_t bits) {
  const std::uint64_t mag = bits & kFloat64.magnitude();
  std::uint64_t single = float32_of_float64(mag);
  if (mag <= kFloat64.infinity() && float64_of_float32(single) > mag) --single;
  return (bits & kFloat64.sign()) >> 32 | single;
}

inline void join_bytes(const Call& x) {
  for (std::size_t i = 0; i < x.count; ++i) {
    std::uint64_t value = 0;
    for (std::size_t j = 0; j < x.args.size(); ++j) value |= x.args[j][i] << (8 * j);
    x.out[i] = value;
  }
}

/// The ulp of b is normal; sum and difference of b and a have the same one: they lie in the binade of b, or end it.
inline bool half_ulps_hold(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kLeast = kFloat32.power_of_two(1 - kFloat32.bias + kFloat32.mantissa_bits + 1);
  const bool is_grid = (b & kFloat32.fraction()) == kFloat32.quiet();
  return is_grid && b >= kLeast && b < kFloat32.infinity() && a <= b - kFloat32.quiet() - kFloat32.hidden();
}

inline std::uint64_t odd_half_ulps(std::uint64_t a, std::uint64_t b) {
  const int ulp = static_cast<int>(b >> kFloat32.mantissa_bits) - kFloat32.bias - kFloat32.mantissa_bits;
  return whole(std::min(std::ldexp(static_cast<double>(as_float(a)), 1 - ulp), 0x1p32), kOdd);
}

/// Both as numbers and as codes, as none of them is negative.
inline std::uint64_t limited_magnitude(std::uint64_t number, std::uint64_t most, std::uint64_t nan) {
  const std::uint64_t magnitude = number & low_bits(kFloat32.sign_bit());
  return magnitude > kFloat32.infinity() ? nan : std::min(magnitude, most);
}

}  // namespace castforge::ir::values
