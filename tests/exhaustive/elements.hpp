// Elements of 1, 2, 4, 8, 16, 32 or 64 bits in memory; packed ones start in the low bits of a byte, single bits in its
// high bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace castforge::exhaustive {

inline std::size_t bytes_for(std::size_t count, int bits) { return (count * static_cast<std::size_t>(bits) + 7) / 8; }

/// Where element i of packed ones begins in its byte.
inline std::size_t place(int bits, std::size_t i) {
  return bits == 1 ? 7 - i % 8 : i * static_cast<std::size_t>(bits) % 8;
}

inline std::uint64_t element(const std::uint8_t* data, int bits, std::size_t i) {
  if (bits < 8) {
    const std::size_t per_byte = 8 / static_cast<std::size_t>(bits);
    return (data[i / per_byte] >> place(bits, i)) & ((1u << bits) - 1);
  }
  std::uint64_t code = 0;
  const std::size_t size = static_cast<std::size_t>(bits) / 8;
  for (std::size_t b = 0; b < size; ++b) code |= std::uint64_t{data[i * size + b]} << (8 * b);
  return code;
}

/// The codes laid out as a kernel reads or writes them; unused bits of the last byte are zero.
inline std::vector<std::uint8_t> pack(std::span<const std::uint64_t> codes, int bits) {
  std::vector<std::uint8_t> data(bytes_for(codes.size(), bits));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::size_t bit = i * static_cast<std::size_t>(bits);
    if (bits < 8) {
      data[bit / 8] = static_cast<std::uint8_t>(data[bit / 8] | (codes[i] << place(bits, i)));
    } else {
      for (int b = 0; b < bits / 8; ++b)
        data[bit / 8 + static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(codes[i] >> (8 * b));
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
