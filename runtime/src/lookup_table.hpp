// Conversions by tables that are known at run time only, by code of one instruction set (loops/lookup.cpp).
#pragma once

#include <castforge/loadable.hpp>
#include <cstddef>
#include <cstdint>

namespace castforge::tables {

/// The results of one block of source positions, storage words of the destination: the low 16 bits of `results` before
/// `threshold`, the high ones from it on.
struct NarrowBlock {  // of floating sources in words of 32 bits; at most 2^31 positions, so that thresholds are below
  std::uint32_t threshold, results;
};
struct WideBlock {
  std::uint64_t threshold;
  std::uint32_t results, unused;
};

/// The same of 8-bit results in 32 bits, for thresholds that leave room: half the memory, one gather instead of two.
/// The low byte is the result before the threshold, the next one that from it on. The upper half is the threshold:
/// its top 15 bits, and in bit 16 whether it lies one position behind these, as where ties go down.
struct CompactBlock {
  std::uint32_t word;

  static constexpr std::uint32_t kDropped = (std::uint32_t{1} << 17) - 1;  // what is not stored of a threshold
  static constexpr std::uint32_t kMore = std::uint32_t{1} << 16;
};

/// A source word's code is `(word >> shift) & mask`. What it leads to: a storage word of the destination for each code,
/// or blocks.
struct Lookup {
  const void* entries;
  std::uint64_t mask;
  int shift;
  loadable::Blocks blocks;
  bool compact;  // the blocks are CompactBlock
};

/// Converts `count` words. No alignment, no allocation, no error.
using LookupFn = void (*)(const Lookup& lookup, const void* src, void* dst, std::size_t count) noexcept;

struct IsaLookups {
  LookupFn whole[4][4];    // sources and results in words of 8, 16, 32, 64 bits
  LookupFn steps[2][2];    // floating sources in words of 32, 64 bits, NarrowBlock and WideBlock; results of 8, 16
  LookupFn compact_steps;  // floating sources in words of 32 bits, CompactBlock
  LookupFn integer_steps[2][2];  // integer sources, always WideBlock
};

}  // namespace castforge::tables
