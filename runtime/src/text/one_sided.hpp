// The shortest decimal on one side of a binary value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "src/text/big_integer.hpp"

namespace castforge::text {

/// d.ddd * 10^exponent: eighteen digits are enough for significands of 53 bits.
struct LongDecimal {
  char digits[24];
  int count;
  int exponent;
};

namespace detail {

constexpr std::size_t kMostDigits = 800;  // 2^-1076 has 751

/// The digits of number * 2^exponent, and of number * 5^-exponent where that is negative, at the end of `room`, zeros
/// before them.
inline void put_all_digits(std::uint64_t number, int exponent, char (&room)[kMostDigits]) {
  BigInteger rest(number);
  exponent < 0 ? rest.multiply_by_power_of_5(-exponent) : rest.shift_left(exponent);
  std::fill_n(room, sizeof room, '0');
  for (char* end = room + sizeof room; !rest.is_zero(); end -= 19) {
    std::uint64_t part = rest.take_19_digits();
    for (int i = 1; i <= 19; ++i, part /= 10) end[-i] = static_cast<char>('0' + part % 10);
  }
}

}  // namespace detail

/// The decimal with the fewest digits between the ends of the rounding interval (to nearest) of
/// significand * 2^exponent, ends excluded, that is not above the value, or, with `upward`, not below it; the closest
/// of those. Its digits are those of the value as far as they are those of the interval's end, and one more.
/// Domain as that of shortest() for 53 bits.
inline LongDecimal shortest_one_sided(std::uint64_t significand, int exponent, bool lower_gap_is_half, bool upward) {
  using detail::kMostDigits;
  char value[kMostDigits], limit[kMostDigits];
  const std::uint64_t quarters = 4 * significand;
  detail::put_all_digits(quarters, exponent - 2, value);
  detail::put_all_digits(upward ? quarters + 2 : quarters - (lower_gap_is_half ? 1 : 2), exponent - 2, limit);

  const auto is_digit = [](char c) { return c != '0'; };
  char* const end = value + kMostDigits;
  char* const start = std::min(std::find_if(value, end, is_digit),
                               value + (std::find_if(limit, limit + kMostDigits, is_digit) - limit));
  char* last = std::mismatch(start, end, limit + (start - value)).first;
  if (upward && std::any_of(last + 1, end, is_digit)) {
    // One more in the last place; further on where that would be the interval's end itself.
    char* const limit_last = limit + (last - value);
    if (*last + 1 == *limit_last && std::none_of(limit_last + 1, limit + kMostDigits, is_digit)) {
      do {
        ++last;
      } while (*last == '9');
    }
    ++*last;
  }
  LongDecimal result;
  char* const first = std::find_if(start, last, is_digit);
  result.count = static_cast<int>(last + 1 - first);
  std::memcpy(result.digits, first, static_cast<std::size_t>(result.count));
  while (result.count > 1 && result.digits[result.count - 1] == '0') --result.count;
  result.exponent = static_cast<int>(end - first) - 1 - (exponent < 2 ? 2 - exponent : 0);
  return result;
}

}  // namespace castforge::text
