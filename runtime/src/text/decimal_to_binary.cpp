// Three steps of rising cost: a 192-bit product with an error bound; exact 128-bit integers; exact big
// integers.
#include "src/text/decimal_to_binary.hpp"

#include <bit>

#include "src/text/big_integer.hpp"
#include "src/text/digits.hpp"

namespace castforge::text {
namespace {

// A boundary between two roundings is an odd multiple of at least 2^-1075, below 2^1025: at most 768
// significant digits. Digits behind this many only matter by not being all zero.
constexpr int kDecisiveDigits = 800;

/// The mantissa as it is written, up to the decisive digits, as an integer times 10^ten.
BigInteger all_digits(const Scanned& number, std::int64_t& ten) {
  BigInteger digits(0);
  ten = number.written_exponent;
  std::uint64_t chunk = 0;
  unsigned chunk_digits = 0;
  int taken = 0;
  bool fraction = false;
  bool more = false;
  for (const char* p = number.digits; p != number.digits_end; ++p) {
    if (*p == '.') {
      fraction = true;
      continue;
    }
    const auto digit = static_cast<unsigned>(*p - '0');
    if (taken == kDecisiveDigits) {
      more = more || digit != 0;
      if (!fraction) ++ten;
      continue;
    }
    if (taken != 0 || digit != 0) ++taken;
    if (fraction) --ten;
    chunk = chunk * 10 + digit;
    if (++chunk_digits == 19) {
      digits.multiply_add(kTenTo19, chunk);
      chunk = 0;
      chunk_digits = 0;
    }
  }
  digits.multiply_add(kSmallPowers[chunk_digits], chunk);
  if (more) {
    digits.multiply_add(10, 1);
    --ten;
  }
  return digits;
}

/// Compares the number with boundary * 2^exponent exactly, by big integers. The two are known to be close, so
/// no operand is larger than a number of kDecisiveDigits + 1 digits or 2^55 * 5^1146, below 2800 bits.
int compare_exactly(const Scanned& number, std::uint64_t boundary, int exponent) {
  std::int64_t ten = number.exponent;
  BigInteger left = number.truncated ? all_digits(number, ten) : BigInteger(number.significand);
  BigInteger right(boundary);
  const int power = static_cast<int>(ten);
  if (power >= 0) {
    left.multiply_by_power_of_5(power);
  } else {
    right.multiply_by_power_of_5(-power);
  }
  const int shift = power - exponent;
  if (shift >= 0) {
    left.shift_left(shift);
  } else {
    right.shift_left(-shift);
  }
  return compare(left, right);
}

/// The same in 128 bits. Requires -27 <= ten <= 0 and the two sides within a factor of two: then both stay
/// below 2^119.
int compare_small(std::uint64_t significand, int ten, std::uint64_t boundary, int exponent) {
  std::uint64_t five = 1;
  for (int i = ten; i < 0; ++i) five *= 5;
  u128 left = significand;
  u128 right = static_cast<u128>(boundary) * five;
  const int shift = ten - exponent;
  if (shift >= 0) {
    left <<= shift;
  } else {
    right <<= -shift;
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

}  // namespace

GridPosition position(const Scanned& number, int mantissa_bits, int min_exponent) {
  GridPosition result;
  if (number.exponent > 310) {
    result.beyond = true;
    return result;
  }
  result.binade = min_exponent;
  if (number.exponent < kMinPower) {  // below 10^19 * 10^-346 < 2^-1077
    result.sticky = true;
    return result;
  }
  const int ten = static_cast<int>(number.exponent);
  const Power& power = power_of_ten(ten);

  // number = (product + error) * 2^scale, 0 <= error < slack
  const int normalize = std::countl_zero(number.significand);
  const std::uint64_t significand = number.significand << normalize;
  const u128 low = static_cast<u128>(significand) * power.lo;
  const u128 product = static_cast<u128>(significand) * power.hi + (low >> 64);
  const int scale = floor_log2_pow10(ten) - 127 + 64 - normalize;
  const bool exact = power_is_exact(ten) && static_cast<std::uint64_t>(low) == 0 && !number.truncated;
  // The low half of `low` and the power's tail are less than one each, in units of the product; the digits that were
  // left out add up to one ulp of the significand times the power.
  u128 slack = exact ? 1 : 2;
  if (number.truncated) slack += (static_cast<u128>(power.hi) + 1) << normalize;

  const int top = 63 + std::bit_width(static_cast<std::uint64_t>(product >> 64));  // 126 or 127
  const int natural = scale + top;
  if (natural > min_exponent) result.binade = natural;
  const int drop = result.binade - mantissa_bits - 1 - scale;
  if (drop >= 128) {  // less than half an ulp
    result.sticky = true;
    return result;
  }
  const u128 one = static_cast<u128>(1) << drop;
  const u128 rest = product & (one - 1);
  result.half_ulps = static_cast<std::uint64_t>(product >> drop);
  if (exact) {
    result.sticky = rest != 0;
    return result;
  }
  if (rest != 0 && slack <= one - rest) {
    result.sticky = true;
    return result;
  }
  // Undecided next to a boundary: this one, or the next when the error may reach it.
  const std::uint64_t boundary = rest == 0 ? result.half_ulps : result.half_ulps + 1;
  const int exponent = result.binade - mantissa_bits - 1;
  const int order = !number.truncated && ten <= 0 && ten >= -27
                        ? compare_small(number.significand, ten, boundary, exponent)
                        : compare_exactly(number, boundary, exponent);
  result.half_ulps = order < 0 ? boundary - 1 : boundary;
  result.sticky = order != 0;
  return result;
}

}  // namespace castforge::text
