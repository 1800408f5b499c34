// Sequences start + i * step, filled by code of one instruction set (loops/ramp.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace castforge::tables {

enum class KernelId : std::uint16_t;

/// A stretch of a sequence: elements first, first + 1, ... `start` and `step` are codes of the element: two's
/// complement, or IEEE 754 bits.
struct Ramp {
  std::uint64_t start, step, first;
};

/// Writes `count` elements to dst, which needs no alignment. No allocation, no lock, no error.
using RampFn = void (*)(const Ramp& ramp, void* dst, std::size_t count) noexcept;

/// From this index on a float32 ramp computes element by element: below, an index is the sum of two float32.
inline constexpr std::uint64_t kSplitIndices = std::uint64_t{1} << 40;

/// A ramp of float32 or float64 whose elements a kernel converts in registers, by its printed map(). For start and step
/// that are finite; of float32 no index reaches kSplitIndices.
struct KernelRamp {
  KernelId kernel;
  RampFn rounded;  // as IsaRamps::rounded, then converted
  RampFn fused;    // as IsaRamps::fused, then converted; null where the instruction set has no fused instruction
};

/// Ramps of one instruction set.
struct IsaRamps {
  /// Elements of 8, 16, 32 and 64 bits: (start + i * step) modulo 2^bits.
  RampFn integer[4];
  /// float32 and float64: i, i * step and the sum are each rounded to nearest even. NaN is the canonical one.
  RampFn rounded[2];
  /// float32 and float64: i is rounded, then start + i * step once.
  RampFn fused[2];
};

}  // namespace castforge::tables
