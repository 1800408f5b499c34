// Large results go past the caches: a store that misses would first read the line it is about to overwrite.
#pragma once

#include <castforge/kernel.hpp>
#include <cstddef>

namespace castforge {

/// Bytes read and written from which a conversion streams its result: twice what one core has of the last-level cache, or
/// CASTFORGE_STREAM_BYTES from the environment (read once; a number of bytes).
std::size_t streaming_threshold() noexcept;

/// Runs `function` over the buffers in parts whose result fits the first-level cache and moves each part to `dst` with
/// streaming stores. Same bytes as one call of `function`. Buffers must not overlap; widths are storage bits.
void run_streaming(Kernel::Function function, const void* src, std::size_t src_bits, void* dst, std::size_t dst_bits,
                   std::size_t count) noexcept;

/// Runs `function` whichever way suits the size: directly, or streaming where `whole_bytes` (source and result of the
/// whole conversion this is a part of) reach the threshold and the buffers are not the same.
inline void run_for_size(Kernel::Function function, const void* src, std::size_t src_bits, void* dst, std::size_t dst_bits,
                         std::size_t count, std::size_t whole_bytes) noexcept {
  if (whole_bytes >= streaming_threshold() && src != dst) run_streaming(function, src, src_bits, dst, dst_bits, count);
  else function(src, dst, count);
}

}  // namespace castforge
