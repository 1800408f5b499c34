// Large results go past the caches: a store that misses would first read the line it is about to overwrite.
#pragma once

#include <castforge/kernel.hpp>
#include <cstddef>
#include <string_view>

namespace castforge {

/// A kernel's function with what the memory around it needs to know; widths are storage bits.
struct Conversion {
  Kernel::Function function;
  std::string_view isa;
  std::size_t src_bits, dst_bits;
};

/// Bytes read and written from which a conversion streams its result: what one core has of the last-level cache, or
/// CASTFORGE_STREAM_BYTES from the environment (read once; a number of bytes).
std::size_t streaming_threshold() noexcept;

/// Converts in parts that fit the first-level cache and moves each part to `dst` with streaming stores, where the
/// instruction set has wide ones. Same bytes as one call of the function. Buffers must not overlap.
void run_streaming(const Conversion& conversion, const void* src, void* dst, std::size_t count) noexcept;

/// Converts whichever way suits the size: directly, or streaming where `whole_bytes` (source and result of the whole
/// conversion this is a part of) reach the threshold and the buffers are not the same.
inline void run_for_size(const Conversion& conversion, const void* src, void* dst, std::size_t count,
                         std::size_t whole_bytes) noexcept {
  if (whole_bytes >= streaming_threshold() && src != dst) run_streaming(conversion, src, dst, count);
  else conversion.function(src, dst, count);
}

}  // namespace castforge
