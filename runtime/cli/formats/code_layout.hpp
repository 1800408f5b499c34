// How element codes lie in a file, where that differs from how kernels want them.
#pragma once

#include <castforge/elements.hpp>
#include <cstddef>

namespace castforge::cli {

/// By default as kernels read them (castforge/elements.hpp).
struct CodeLayout {
  bool words = false;  // each in the low bits of the smallest word that holds it (the convention of ml_dtypes arrays)
  bool big_endian = false;  // most significant byte of a word first
};

/// Bits that one element of `bits` bits takes in a file of that layout.
int bits_in_file(CodeLayout layout, int bits);

/// Packs `count` codes, one per word at `src`, to `bits` each, which is no width of a word. Upper bits of the words are
/// ignored; unused bits of the last byte become zero. `dst` may be `src`.
void pack_codes(const void* src, void* dst, std::size_t count, int bits, Packing packing);

/// The inverse; the upper bits of the words written are zero. Buffers must not overlap.
void unpack_codes(const void* src, void* dst, std::size_t count, int bits, Packing packing);

/// Reverses the bytes of every element of `bytes_each` bytes, in place.
void swap_bytes(void* codes, std::size_t count, std::size_t bytes_each);

}  // namespace castforge::cli
