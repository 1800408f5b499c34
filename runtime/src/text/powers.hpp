// Powers of ten with 128 significant bits, and the logarithms that go with them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace castforge::text {

__extension__ typedef unsigned __int128 u128;

/// 10^e = (hi:lo + t) * 2^(floor_log2_pow10(e) - 127) with 0 <= t < 1; t is 0 exactly when power_is_exact(e).
struct Power {
  std::uint64_t hi;
  std::uint64_t lo;
};

// 10^-345 and 10^325 leave the range of every format that is exact in float64 whatever 64-bit integer they
// scale.
inline constexpr int kMinPower = -345;
inline constexpr int kMaxPower = 325;

using Powers = std::array<Power, kMaxPower - kMinPower + 1>;
extern const Powers kPowers;

inline const Power& power_of_ten(int exponent) { return kPowers[static_cast<std::size_t>(exponent - kMinPower)]; }

constexpr bool power_is_exact(int exponent) { return exponent >= 0 && exponent <= 55; }  // 5^55 < 2^128 < 5^56

// The multipliers are the logarithms scaled and truncated; powers.cpp checks floor_log2_pow10 against the
// table at compile time, the unit tests check the other two against big integers.
constexpr int floor_log2_pow10(int e) { return (e * 217706) >> 16; }                           // log2(10) * 2^16
constexpr int floor_log10_pow2(int q) { return (q * 1262611) >> 22; }                          // log10(2) * 2^22
constexpr int floor_log10_three_quarters_pow2(int q) { return (q * 1262611 - 524031) >> 22; }  // + log10(3/4) * 2^22

inline constexpr std::uint64_t kTenTo19 = 10000000000000000000ull;

}  // namespace castforge::text
