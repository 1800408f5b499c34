// What moves bytes and converts nothing: the measures beside a conversion.
#pragma once

#include <cstddef>

namespace castforge::cli {

/// Converts or copies `count` elements.
using Routine = void (*)(const void* src, void* dst, std::size_t count) noexcept;

/// std::memcpy of `bytes` bytes.
void copy_by_memcpy(const void* src, void* dst, std::size_t bytes) noexcept;

/// A loop of vector loads and stores, of the widest vectors of this machine, that copies `bytes` bytes.
Routine vector_copy_loop() noexcept;

/// A loop of the same vectors that loads what a conversion from elements of `src_bits` to elements of `dst_bits` bits
/// loads and stores as much as it stores, and nothing else: what a kernel that computes nothing could reach. Both are 1
/// to 64. `bytes` are those of the narrower side. What it stores means nothing.
Routine vector_move_loop(std::size_t src_bits, std::size_t dst_bits) noexcept;

}  // namespace castforge::cli
