#include "cli/formats/code_layout.hpp"

#include <cstdint>
#include <cstring>

namespace castforge::cli {

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

}  // namespace

int bits_in_file(CodeLayout layout, int bits) { return layout.words ? storage_unit(bits) : bits; }

void pack_codes(const void* src, void* dst, std::size_t count, int bits, Packing packing) {
  const int word = storage_unit(bits);
  ElementPacker packer(dst, bits, packing);
  for (std::size_t i = 0; i < count; ++i) packer.put(load_element(src, i, word));
  packer.finish();
}

void unpack_codes(const void* src, void* dst, std::size_t count, int bits, Packing packing) {
  const int word = storage_unit(bits);
  for (std::size_t i = 0; i < count; ++i) store_element(dst, i, load_element(src, i, bits, packing), word);
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
