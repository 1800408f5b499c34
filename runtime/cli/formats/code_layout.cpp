#include "cli/formats/code_layout.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace castforge::cli {

// Codes pass between files and kernels as they are, and files are little-endian.
static_assert(std::endian::native == std::endian::little);

namespace {

template <class Word>
void swap_all(void* codes, std::size_t count) {
  auto* bytes = static_cast<unsigned char*>(codes);
  for (std::size_t i = 0; i < count; ++i, bytes += sizeof(Word)) {
    Word word;
    std::memcpy(&word, bytes, sizeof word);
    Word swapped = 0;
    for (std::size_t k = 0; k < sizeof word; ++k) {
      swapped = static_cast<Word>(swapped << 8 | (word >> (8 * k) & 0xFF));
    }
    std::memcpy(bytes, &swapped, sizeof swapped);
  }
}

/// How far element `index` of those that share a byte is shifted up.
unsigned packed_shift(int bits, std::size_t index) {
  return bits == 1 ? 7 - static_cast<unsigned>(index) : static_cast<unsigned>(index) * static_cast<unsigned>(bits);
}

}  // namespace

int bits_in_file(CodeLayout layout, int bits) { return layout == CodeLayout::byte_each ? std::max(bits, 8) : bits; }

void pack_codes(const void* src, void* dst, std::size_t count, int bits) {
  const auto* from = static_cast<const std::uint8_t*>(src);
  auto* to = static_cast<std::uint8_t*>(dst);
  const std::size_t per_byte = 8 / static_cast<std::size_t>(bits);
  const unsigned mask = (1U << bits) - 1;
  for (std::size_t i = 0; i < count; i += per_byte) {
    unsigned byte = 0;
    const std::size_t here = std::min(per_byte, count - i);
    for (std::size_t k = 0; k < here; ++k) {
      byte |= (from[i + k] & mask) << packed_shift(bits, k);
    }
    to[i / per_byte] = static_cast<std::uint8_t>(byte);
  }
}

void unpack_codes(const void* src, void* dst, std::size_t count, int bits) {
  const auto* from = static_cast<const std::uint8_t*>(src);
  auto* to = static_cast<std::uint8_t*>(dst);
  const std::size_t per_byte = 8 / static_cast<std::size_t>(bits);
  const unsigned mask = (1U << bits) - 1;
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = static_cast<std::uint8_t>(from[i / per_byte] >> packed_shift(bits, i % per_byte) & mask);
  }
}

void swap_bytes(void* codes, std::size_t count, std::size_t bytes_each) {
  switch (bytes_each) {
    case 2: return swap_all<std::uint16_t>(codes, count);
    case 4: return swap_all<std::uint32_t>(codes, count);
    case 8: return swap_all<std::uint64_t>(codes, count);
    default: return;
  }
}

}  // namespace castforge::cli
