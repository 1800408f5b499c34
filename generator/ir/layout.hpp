// Binary floating-point formats as IEEE 754 lays them out in a lane: sign bit on top, then exponent, then fraction.
#pragma once

#include <castforge/elements.hpp>
#include <cstdint>

namespace castforge::ir {

struct Layout {
  const char* name;
  int exponent_bits, mantissa_bits, bias;

  constexpr int sign_bit() const { return exponent_bits + mantissa_bits; }
  constexpr int bits() const { return sign_bit() + 1; }
  constexpr int min_exponent() const { return 1 - bias; }

  // Masks of the fields, and of all but the sign.
  constexpr std::uint64_t sign() const { return 1ull << sign_bit(); }
  constexpr std::uint64_t magnitude() const { return sign() - 1; }
  constexpr std::uint64_t fraction() const { return low_bits(mantissa_bits); }
  /// Infinity: the exponent's field of ones, no fraction. Above it are only the magnitudes of NaN.
  constexpr std::uint64_t infinity() const { return low_bits(exponent_bits) << mantissa_bits; }
  /// The first bit of the fraction, which quiet NaNs have set.
  constexpr std::uint64_t quiet() const { return 1ull << (mantissa_bits - 1); }
  /// The bit above the fraction: that of significands which normal numbers leave out, and the smallest normal number.
  constexpr std::uint64_t hidden() const { return 1ull << mantissa_bits; }
  /// 2^exponent, a normal number.
  constexpr std::uint64_t power_of_two(int exponent) const {
    return static_cast<std::uint64_t>(exponent + bias) << mantissa_bits;
  }
};

inline constexpr Layout kFloat16{"float16", 5, 10, 15};
inline constexpr Layout kBfloat16{"bfloat16", 8, 7, 127};
inline constexpr Layout kFloat32{"float32", 8, 23, 127};
inline constexpr Layout kFloat64{"float64", 11, 52, 1023};

/// The one that IEEE 754 gives a lane of 16, 32 or 64 bits.
constexpr const Layout& float_of(int bits) { return bits == 16 ? kFloat16 : bits == 32 ? kFloat32 : kFloat64; }

}  // namespace castforge::ir
