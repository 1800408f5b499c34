// Elements in memory, by another way than the library's. Elements of 8, 16, 32 and 64 bits are words; others follow
// each other without a gap, bit by bit from the low end of each byte, or as parts of a byte from its high end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "oracle/format.hpp"

namespace castforge::exhaustive {

struct Layout {
  int bits;
  bool high_first;

  Layout(int width) : bits(width), high_first(false) {}
  Layout(const oracle::Format& format) : bits(format.storage), high_first(format.high_first) {}
  bool fills_bytes() const { return bits % 8 == 0 && (bits & (bits - 1)) == 0; }
  /// Where bit b of element i is, counted through the bytes from their low ends.
  std::size_t bit(std::size_t i, int b) const {
    const std::size_t first = i * static_cast<std::size_t>(bits);
    const std::size_t begin = high_first ? first / 8 * 8 + (8 - static_cast<std::size_t>(bits) - first % 8) : first;
    return begin + static_cast<std::size_t>(b);
  }
};

inline std::size_t bytes_for(std::size_t count, int bits) { return (count * static_cast<std::size_t>(bits) + 7) / 8; }

inline std::uint64_t element(const std::uint8_t* data, Layout layout, std::size_t i) {
  std::uint64_t code = 0;
  if (layout.fills_bytes()) {
    const std::size_t size = static_cast<std::size_t>(layout.bits) / 8;
    for (std::size_t b = 0; b < size; ++b) code |= std::uint64_t{data[i * size + b]} << (8 * b);
    return code;
  }
  for (int b = 0; b < layout.bits; ++b) {
    const std::size_t at = layout.bit(i, b);
    code |= std::uint64_t{data[at / 8] >> at % 8 & 1u} << b;
  }
  return code;
}

/// The codes laid out as a kernel reads or writes them; unused bits of the last byte are zero.
inline std::vector<std::uint8_t> pack(std::span<const std::uint64_t> codes, Layout layout) {
  std::vector<std::uint8_t> data(bytes_for(codes.size(), layout.bits));
  if (layout.fills_bytes()) {
    const std::size_t size = static_cast<std::size_t>(layout.bits) / 8;
    for (std::size_t i = 0; i < data.size(); ++i)
      data[i] = static_cast<std::uint8_t>(codes[i / size] >> (8 * (i % size)));
    return data;
  }
  for (std::size_t i = 0; i < codes.size(); ++i) {
    for (int b = 0; b < layout.bits; ++b) {
      const std::size_t at = layout.bit(i, b);
      data[at / 8] = static_cast<std::uint8_t>(data[at / 8] | (codes[i] >> b & 1) << at % 8);
    }
  }
  return data;
}

/// A small reproducible generator (xorshift64*), the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 0x1234567890ABCDEFu) {}
  std::uint64_t operator()() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1Du;
  }
  std::uint64_t below(std::uint64_t n) { return operator()() % n; }

 private:
  std::uint64_t state_;
};

}  // namespace castforge::exhaustive
