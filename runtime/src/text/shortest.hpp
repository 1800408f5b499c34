// The shortest decimal that rounds to a given binary value.
#pragma once

#include <cstdint>

#include "src/text/powers.hpp"

namespace castforge::text {

/// choice == 1 ? one : zero, where a branch would often be mispredicted.
template <class Word>
constexpr Word select(std::uint64_t choice, Word one, Word zero) {
  const Word mask = Word{0} - static_cast<Word>(choice);
  return (one & mask) | (zero & ~mask);
}

/// digits * 10^exponent; the last digits may be zeros.
struct ShortDecimal {
  std::uint64_t digits;
  int exponent;
};

/// What to prefer when a decimal with one digit fewer after the point and one with as many digits both exist
/// (0.01 and 0.008 for 2^-7 on a grid of step 2^-7).
enum class Prefer : std::uint8_t { fewest_digits, fewest_fraction_digits };

namespace detail {

// The scaled values are compared as integers whose lowest bit is sticky ("round to odd"). A power is rounded
// up, so the product is too large by less than `scaled`; a true fraction is nonzero only when it is larger
// than that. Checked with continued fractions for every exponent: the smallest nonzero fractions are 2^-65.4
// (128-bit powers, significands up to 2^53, scaled < 2^60) and 2^-31.7 (64-bit powers, significands up to
// 2^24, scaled < 2^31), and no fraction comes so close to one that the error would carry.
struct Wide {
  u128 power;
  static Wide of(int exponent) {
    const Power& p = power_of_ten(exponent);
    return {((static_cast<u128>(p.hi) << 64) | p.lo) + (power_is_exact(exponent) ? 0 : 1)};
  }
  std::uint64_t scale(std::uint64_t scaled) const {
    const u128 low = static_cast<u128>(static_cast<std::uint64_t>(power)) * scaled;
    const u128 high = static_cast<u128>(static_cast<std::uint64_t>(power >> 64)) * scaled + (low >> 64);
    const bool sticky = static_cast<std::uint64_t>(high) != 0 || (static_cast<std::uint64_t>(low) >> 60) != 0;
    return static_cast<std::uint64_t>(high >> 64) | static_cast<std::uint64_t>(sticky);
  }
};

struct Narrow {
  std::uint64_t power;
  static Narrow of(int exponent) {
    const Power& p = power_of_ten(exponent);
    return {p.hi + (p.lo != 0 ? 1 : 0)};
  }
  std::uint64_t scale(std::uint64_t scaled) const {
    const u128 product = static_cast<u128>(power) * scaled;
    const bool sticky = (static_cast<std::uint64_t>(product) >> 31) != 0;
    return static_cast<std::uint64_t>(product >> 64) | static_cast<std::uint64_t>(sticky);
  }
};

}  // namespace detail

/// The decimal inside the rounding interval of significand * 2^exponent (ties go to even significands) with
/// the fewest digits, then the closest, then the one with an even last digit: the search of R. Giulietti's
/// "The Schubfach way to render doubles". 10^k is the largest power of ten not above the interval's width, so
/// the interval holds at most one multiple of 10^(k+1) and at least one of 10^k. Requires 0 < significand.
/// Scaler Narrow: significand <= 2^24 and -149 <= exponent <= 126; Wide: significand <= 2^53 and -1074 <=
/// exponent <= 1022, the value below 2^1024.
template <class Scaler, Prefer kPrefer>
inline ShortDecimal shortest(std::uint64_t significand, int exponent, bool lower_gap_is_half) {
  const int k = lower_gap_is_half ? floor_log10_three_quarters_pow2(exponent) : floor_log10_pow2(exponent);
  const int shift = exponent + floor_log2_pow10(-k) + 1;
  const Scaler power = Scaler::of(-k);
  // In quarters of 10^k.
  const std::uint64_t quarters = 4 * significand;
  const std::uint64_t value = power.scale(quarters << shift);
  const std::uint64_t exclusive = significand & 1;
  const std::uint64_t lower = power.scale((quarters - (lower_gap_is_half ? 1 : 2)) << shift) + exclusive;
  const std::uint64_t upper = power.scale((quarters + 2) << shift) - exclusive;

  // Which candidate it is is close to random: compute all and select without branches.
  const std::uint64_t s = value / 4;
  const std::uint64_t s_below = lower <= 4 * s;
  const std::uint64_t s_above = 4 * s + 4 <= upper;
  const std::uint64_t middle = 4 * s + 2;
  const std::uint64_t closer_above = static_cast<std::uint64_t>(value > middle) | ((value == middle) & s & 1);
  const std::uint64_t near_one = s_below ^ s_above;
  const std::uint64_t near = s + ((near_one & s_above) | (~near_one & closer_above));

  const std::uint64_t tens = s / 10;
  const std::uint64_t tens_below = lower <= 40 * tens;  // false for tens == 0: the lower end is positive
  const std::uint64_t tens_above = 40 * tens + 40 <= upper;
  const std::uint64_t admitted = kPrefer == Prefer::fewest_fraction_digits ? 1 : s >= 10;
  const std::uint64_t shorter = (tens_below ^ tens_above) & admitted;
  return {select(shorter, tens + tens_above, near), k + static_cast<int>(shorter)};
}

}  // namespace castforge::text
