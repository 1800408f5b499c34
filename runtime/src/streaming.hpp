// What large conversions do about the caches: sources are read in an order and prefetched as the processor likes best,
// and results that no cache can hold go past all of them, as a store that misses would first read the line it is about
// to overwrite.
#pragma once

#include <castforge/kernel.hpp>
#include <cstddef>
#include <string_view>

namespace castforge {

/// A kernel's function, or its row where it is data, with what the memory around it needs to know; widths are
/// storage bits.
struct Conversion {
  Kernel::Function function;
  std::string_view isa;
  std::size_t src_bits, dst_bits;
  const tables::Kernel* row = nullptr;

  void operator()(const void* src, void* dst, std::size_t count, std::size_t ahead) const noexcept;
};

/// How a source is read that lies beyond the second-level cache.
struct Reading {
  std::size_t streams;  // places of the array at which parts are converted in turns
  std::size_t ahead;    // how many bytes ahead of its use the source is prefetched; 0: not at all
};

/// The best ways of a processor, as measured (.docs/measured-choices.md, "Large conversions").
struct Readings {
  Reading in_memory, in_cache;
};
/// Of a maker's family of processors, as CPUID numbers them.
Readings readings_of(std::string_view vendor, unsigned family) noexcept;
/// Of this one.
const Readings& readings() noexcept;

/// Bytes read and written from which a conversion streams its result: what one core has of the last-level cache, or
/// CASTFORGE_STREAM_BYTES from the environment (read once; a number of bytes).
std::size_t streaming_threshold() noexcept;

/// Converts in parts that fit the first-level cache and moves each part to `dst` with streaming stores, where the
/// instruction set has wide ones. Same bytes as one call of the function. Buffers must not overlap.
void run_streaming(const Conversion& conversion, const void* src, void* dst, std::size_t count,
                   const Reading& reading) noexcept;

/// Converts through the caches. Same bytes as one call of the function.
void run_cached(const Conversion& conversion, const void* src, void* dst, std::size_t count,
                const Reading& reading) noexcept;

/// Converts whichever way suits the size: streaming where `whole_bytes` (source and result of the whole conversion this
/// is a part of) reach the threshold and the buffers are not the same; otherwise through the caches, in
/// the processor's way if they exceed the second level.
void run_for_size(const Conversion& conversion, const void* src, void* dst, std::size_t count,
                  std::size_t whole_bytes) noexcept;

}  // namespace castforge
