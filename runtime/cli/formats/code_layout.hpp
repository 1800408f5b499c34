// How element codes lie in a file, where that differs from how kernels want them.
#pragma once

#include <cstddef>

namespace castforge::cli {

enum class CodeLayout {
  packed,      // as kernels read them: little-endian; 2- and 4-bit codes packed, the first in the low bits, 1-bit codes
               // from the high bit on
  byte_each,   // codes below 8 bits one per byte, in its low bits (the convention of ml_dtypes arrays)
  big_endian,  // 16 bits and more, most significant byte first
};

/// Bits that one element of `bits` bits takes in a file of that layout.
int bits_in_file(CodeLayout layout, int bits);

/// Packs `count` codes, one per byte at `src`, to `bits` (1, 2 or 4) each. Upper bits of the source bytes are
/// ignored; unused bits of the last byte become zero. `dst` may be `src`.
void pack_codes(const void* src, void* dst, std::size_t count, int bits);

/// The inverse; the upper bits of the bytes written are zero. Buffers must not overlap.
void unpack_codes(const void* src, void* dst, std::size_t count, int bits);

/// Reverses the bytes of every element of `bytes_each` bytes, in place.
void swap_bytes(void* codes, std::size_t count, std::size_t bytes_each);

}  // namespace castforge::cli
