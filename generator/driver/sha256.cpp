#include "driver/sha256.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>

namespace castforge::driver {
namespace {

using Words = std::array<std::uint32_t, 64>;
__extension__ using u128 = unsigned __int128;

/// The first `count` primes' `root`-th roots: 32 bits of each fractional part (FIPS 180-4 sections 4.2.2 and 5.3.3).
Words root_fractions(int count, int root) {
  Words words{};
  int found = 0;
  for (std::uint64_t candidate = 2; found < count; ++candidate) {
    bool prime = true;
    for (std::uint64_t d = 2; d * d <= candidate; ++d) prime = prime && candidate % d != 0;
    if (!prime) continue;
    // Largest r with r^root <= candidate * 2^(32 * root), found bit by bit on exact integers.
    u128 low = 0;
    for (int bit = 37; bit >= 0; --bit) {
      const u128 r = low | static_cast<u128>(1) << bit;
      // r < 2^37, so r^2 < 2^74 fits; the cube is compared as r^2 <= (candidate << 96) / r.
      const bool fits =
          root == 2 ? r * r <= static_cast<u128>(candidate) << 64 : r * r <= (static_cast<u128>(candidate) << 96) / r;
      if (fits) low = r;
    }
    words[static_cast<std::size_t>(found++)] = static_cast<std::uint32_t>(low);
  }
  return words;
}

void compress(std::array<std::uint32_t, 8>& state, const std::uint8_t* block, const Words& k) {
  Words w{};
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = static_cast<std::uint32_t>(block[4 * i]) << 24 | static_cast<std::uint32_t>(block[4 * i + 1]) << 16 |
           static_cast<std::uint32_t>(block[4 * i + 2]) << 8 | block[4 * i + 3];
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t t1 =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i];
    const std::uint32_t t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> add{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += add[i];
}

}  // namespace

std::string sha256(std::string_view text) {
  static const Words k = root_fractions(64, 3);
  static const Words initial = root_fractions(8, 2);
  std::array<std::uint32_t, 8> state{};
  for (std::size_t i = 0; i < 8; ++i) state[i] = initial[i];

  std::string padded(text);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  const std::uint64_t bits = static_cast<std::uint64_t>(text.size()) * 8;
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift);
  for (std::size_t at = 0; at < padded.size(); at += 64) {
    compress(state, reinterpret_cast<const std::uint8_t*>(padded.data()) + at, k);
  }
  std::string out;
  for (const std::uint32_t word : state) {
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", word);
    out += digits;
  }
  return out;
}

}  // namespace castforge::driver
