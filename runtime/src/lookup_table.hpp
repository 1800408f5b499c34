// Conversions by tables that are known at run time only, by code of one instruction set (simd/lookup.cpp).
#pragma once

#include <castforge/loadable.hpp>
#include <cstddef>
#include <cstdint>

namespace castforge::tables {

/// The results of one block of source positions: `above` from `threshold` on, `below` before it. Storage words of the
/// destination.
struct NarrowBlock {  // of sources of 32 bits
  std::uint32_t threshold;
  std::uint16_t below, above;
};
struct WideBlock {
  std::uint64_t threshold;
  std::uint16_t below, above;
  std::uint32_t unused;
};

/// A source word's code is `(word >> shift) & mask`. What it leads to: a storage word of the destination for each code,
/// or blocks. Vectors read up to kSpareBytes behind the last entry.
struct Lookup {
  const void* entries;
  std::uint64_t mask;
  int shift;
  loadable::Blocks blocks;
};
inline constexpr std::size_t kSpareBytes = 4;

/// Converts `count` words. No alignment, no allocation, no error.
using LookupFn = void (*)(const Lookup& lookup, const void* src, void* dst, std::size_t count) noexcept;

struct IsaLookups {
  LookupFn whole[4][4];  // sources and results in words of 8, 16, 32, 64 bits
  LookupFn steps[2][2];  // floating sources in words of 32, 64 bits, NarrowBlock and WideBlock; results of 8, 16
  LookupFn integer_steps[2][2];  // integer sources, always WideBlock
};

}  // namespace castforge::tables
