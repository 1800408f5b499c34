// Elements in memory: which bits of a buffer element i is. The one place that knows; kernels, files, texts, sequences
// and benchmarks ask it.
//
// Elements of 8, 16, 32 and 64 bits are words, least significant byte first. Elements of any other width b are a dense
// bit stream: element i is bits i*b to i*b + b-1, and bit k of the stream is bit k % 8 of byte k / 8. With
// Packing::high_first the elements that share a byte begin at its other end; only widths that divide 8 can have it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace castforge {

// Inlined wherever they are used, so that units compiled for different instruction sets never share a copy.
#define CASTFORGE_ALWAYS_INLINE [[gnu::always_inline]] inline

static_assert(std::endian::native == std::endian::little, "words are read from memory as they are");

/// At which end of a byte the first of the elements that share it is.
enum class Packing : std::uint8_t { low_first, high_first };

inline constexpr int kLargestStorageBits = 64;

/// Is an element of so many bits a word of its own?
CASTFORGE_ALWAYS_INLINE constexpr bool is_natural_width(int bits) noexcept {
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/// Bits of the smallest word that holds an element: 8, 16, 32 or 64.
CASTFORGE_ALWAYS_INLINE constexpr int storage_unit(int bits) noexcept {
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}

/// Only elements that never cross into the next byte can be counted from its high end.
CASTFORGE_ALWAYS_INLINE constexpr bool packing_is_possible(int bits, Packing packing) noexcept {
  return packing == Packing::low_first || (bits < 8 && 8 % bits == 0);
}

/// Bytes that `count` elements fill: ceil(count * bits / 8). Eight elements are `bits` bytes, whatever the width.
CASTFORGE_ALWAYS_INLINE constexpr std::size_t bytes_of_elements(std::size_t count, int bits) noexcept {
  const auto width = static_cast<std::size_t>(bits);
  return count / 8 * width + (count % 8 * width + 7) / 8;
}

/// Do kernels that read or write elements of that width move several at a time on vector instruction sets? They take
/// those of other widths one by one.
CASTFORGE_ALWAYS_INLINE constexpr bool has_vector_loop(int bits) noexcept {
  return is_natural_width(bits) || bits < 8 || bits == 10 || bits == 12;
}

namespace detail {

template <class Word>
CASTFORGE_ALWAYS_INLINE std::uint64_t word_at(const void* buffer, std::size_t index) noexcept {
  Word word;
  std::memcpy(&word, static_cast<const unsigned char*>(buffer) + index * sizeof word, sizeof word);
  return word;
}
template <class Word>
CASTFORGE_ALWAYS_INLINE void put_word(void* buffer, std::size_t index, std::uint64_t code) noexcept {
  const auto word = static_cast<Word>(code);
  std::memcpy(static_cast<unsigned char*>(buffer) + index * sizeof word, &word, sizeof word);
}

/// The byte in which an element of a dense stream begins, and the lowest of its bits there.
struct Place {
  std::size_t byte;
  unsigned bit;
};
CASTFORGE_ALWAYS_INLINE constexpr Place place_of(std::size_t index, int bits, Packing packing) noexcept {
  const auto width = static_cast<unsigned>(bits);
  const unsigned at = static_cast<unsigned>(index % 8) * width;
  const unsigned bit = packing == Packing::low_first ? at % 8 : 8 - width - at % 8;
  return {index / 8 * width + at / 8, bit};
}

}  // namespace detail

/// The lowest bit of element `index` among the first `group` bits of a dense stream, as one number: part of a byte, or
/// whole bytes, the first of them in the low bits.
CASTFORGE_ALWAYS_INLINE constexpr unsigned bit_in_group(std::size_t index, int bits, int group,
                                                        Packing packing) noexcept {
  const detail::Place place = detail::place_of(index, bits, packing);
  const int below = packing == Packing::high_first && group < 8 ? 8 - group : 0;
  return static_cast<unsigned>(place.byte) * 8 + place.bit - static_cast<unsigned>(below);
}

/// All ones in the lowest `count` bits, 0 <= count; in all from 64 on.
CASTFORGE_ALWAYS_INLINE constexpr std::uint64_t low_bits(int count) noexcept {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Element `index` of a buffer, zeros above it. Reads only bytes that hold some of it.
CASTFORGE_ALWAYS_INLINE std::uint64_t load_element(const void* buffer, std::size_t index, int bits,
                                                   Packing packing = Packing::low_first) noexcept {
  switch (bits) {
    case 8: return detail::word_at<std::uint8_t>(buffer, index);
    case 16: return detail::word_at<std::uint16_t>(buffer, index);
    case 32: return detail::word_at<std::uint32_t>(buffer, index);
    case 64: return detail::word_at<std::uint64_t>(buffer, index);
    default: break;
  }
  const detail::Place place = detail::place_of(index, bits, packing);
  const unsigned char* byte = static_cast<const unsigned char*>(buffer) + place.byte;
  std::uint64_t word = static_cast<std::uint64_t>(*byte >> place.bit);
  for (unsigned have = 8 - place.bit; have < static_cast<unsigned>(bits); have += 8) {
    word |= static_cast<std::uint64_t>(*++byte) << have;
  }
  return word & low_bits(bits);
}

/// Overwrites element `index` with the low bits of `code`; the bits beside it stay as they are.
CASTFORGE_ALWAYS_INLINE void store_element(void* buffer, std::size_t index, std::uint64_t code, int bits,
                                           Packing packing = Packing::low_first) noexcept {
  switch (bits) {
    case 8: return detail::put_word<std::uint8_t>(buffer, index, code);
    case 16: return detail::put_word<std::uint16_t>(buffer, index, code);
    case 32: return detail::put_word<std::uint32_t>(buffer, index, code);
    case 64: return detail::put_word<std::uint64_t>(buffer, index, code);
    default: break;
  }
  const detail::Place place = detail::place_of(index, bits, packing);
  unsigned char* byte = static_cast<unsigned char*>(buffer) + place.byte;
  unsigned at = place.bit;
  for (auto left = static_cast<unsigned>(bits); left != 0; at = 0, ++byte) {
    const unsigned here = left < 8 - at ? left : 8 - at;
    const unsigned mask = ((1U << here) - 1) << at;
    *byte = static_cast<unsigned char>((*byte & ~mask) | (static_cast<unsigned>(code) << at & mask));
    code >>= here;
    left -= here;
  }
}

/// Writes elements one after the other from the beginning of a buffer on. A byte is written as soon as it is full.
class ElementPacker {
 public:
  CASTFORGE_ALWAYS_INLINE ElementPacker(void* buffer, int bits, Packing packing = Packing::low_first) noexcept
      : next_(static_cast<unsigned char*>(buffer)), bits_(bits), packing_(packing) {}

  /// The next element: the low bits of `code`.
  CASTFORGE_ALWAYS_INLINE void put(std::uint64_t code) noexcept {
    if (is_natural_width(bits_)) {
      store_element(next_, 0, code, bits_);
      next_ += bits_ / 8;
      return;
    }
    code &= low_bits(bits_);
    const auto width = static_cast<unsigned>(bits_);
    // At most seven bits wait for the rest of their byte.
    std::uint64_t above = 0;
    if (packing_ == Packing::high_first) {
      waiting_ |= code << (8 - width - used_);
    } else {
      waiting_ |= code << used_;
      if (bits_ > 57 && used_ != 0) above = code >> (64 - used_);
    }
    for (used_ += width; used_ >= 8; used_ -= 8) {
      *next_++ = static_cast<unsigned char>(waiting_);
      waiting_ = waiting_ >> 8 | above << 56;
      above >>= 8;
    }
  }

  /// Writes a last, partly used byte; its unused bits are zero.
  CASTFORGE_ALWAYS_INLINE void finish() noexcept {
    if (used_ != 0) *next_ = static_cast<unsigned char>(waiting_);
  }

 private:
  unsigned char* next_;
  int bits_;
  Packing packing_;
  std::uint64_t waiting_ = 0;
  unsigned used_ = 0;
};

#undef CASTFORGE_ALWAYS_INLINE

}  // namespace castforge
