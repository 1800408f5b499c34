// Sequences start + i * step, filled by code of one instruction set (loops/ramp.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace castforge::tables {

/// A stretch of a sequence: elements first, first + 1, ... `start` and `step` are codes of the element: two's
/// complement, or IEEE 754 bits.
struct Ramp {
  std::uint64_t start, step, first;
};

/// Writes `count` elements to dst, which needs no alignment. No allocation, no lock, no error.
using RampFn = void (*)(const Ramp& ramp, void* dst, std::size_t count) noexcept;

/// Ramps with the conversion of their elements to a narrower type built in: IEEE 754's, to nearest, ties to even. For
/// start and step whose magnitude is below 2^64, start not -0, step 2^-100 or more in magnitude, indices that are exact
/// in the elements' type.
struct NarrowRamp {
  std::uint8_t ramp_bits;                     // of the elements before their conversion: float32 or float64; 0: no ramp
  std::uint8_t exponent_bits, mantissa_bits;  // of the type that is written
  RampFn rounded;                             // as IsaRamps::rounded, then converted
  RampFn exact;                               // the same where indices, products and sums are exact
  RampFn single;  // the same where they are exact in float32; start and step are float32 codes
};

/// Ramps of one instruction set.
struct IsaRamps {
  /// Elements of 8, 16, 32 and 64 bits: (start + i * step) modulo 2^bits.
  RampFn integer[4];
  /// float32 and float64: i, i * step and the sum are each rounded to nearest even. NaN is the canonical one.
  RampFn rounded[2];
  /// float32 and float64: i is rounded, then start + i * step once.
  RampFn fused[2];
  NarrowRamp narrow[5];
};

}  // namespace castforge::tables
