// Decimal digits, eight at a time in one 64-bit word, first digit in the lowest byte.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "src/text/powers.hpp"

namespace castforge::text {

inline constexpr std::uint64_t kAsciiZeros = 0x0101010101010101ull * '0';

inline std::uint64_t load_text(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

inline void store_text(char* p, std::uint64_t word) { std::memcpy(p, &word, sizeof word); }

inline void store_text(char* p, u128 word) {
  store_text(p, static_cast<std::uint64_t>(word));
  store_text(p + 8, static_cast<std::uint64_t>(word >> 64));
}

/// Digit values of a number below 10^8, leading zeros included.
inline std::uint64_t eight_digits(std::uint32_t number) {
  // Each step splits every lane in two: quotient stays low (earlier in the text), remainder goes up. The
  // multipliers are reciprocals rounded up, exact for operands of the lane's size.
  const std::uint64_t high4 = number / 10000;
  std::uint64_t lanes = high4 | static_cast<std::uint64_t>(number - high4 * 10000) << 32;
  const std::uint64_t high2 = (lanes * 10486) >> 20 & 0x0000007F0000007Full;  // / 100 below 10^4
  lanes = high2 | (lanes - high2 * 100) << 16;
  const std::uint64_t high1 = (lanes * 103) >> 10 & 0x000F000F000F000Full;  // / 10 below 100
  return high1 | (lanes - high1 * 10) << 8;
}

/// The reverse: the number that eight digit values spell.
inline std::uint64_t number_of_eight(std::uint64_t digits) {
  constexpr std::uint64_t kPairs = 0x000000FF000000FFull;
  digits = digits * 10 + (digits >> 8);  // pairs in the even bytes
  const std::uint64_t first = (digits & kPairs) * (100 + (1000000ull << 32));
  const std::uint64_t second = (digits >> 16 & kPairs) * (1 + (10000ull << 32));
  return (first + second) >> 32;
}

/// Marks, in the top bit of its byte, the first byte of `values` (text xor "0000...") that is no digit value;
/// bytes after it may be marked wrongly. Zero when all eight are digits.
inline std::uint64_t first_non_digit(std::uint64_t values) {
  return ((values + 0x7676767676767676ull) | values) & 0x8080808080808080ull;
}

inline constexpr std::array<std::uint64_t, 20> kSmallPowers = [] {
  std::array<std::uint64_t, 20> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

}  // namespace castforge::text
