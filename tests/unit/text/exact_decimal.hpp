// Exact non-negative numbers as decimal digits: the measure of the text tests, independent of binary
// arithmetic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "text_types.hpp"

namespace text_test {

/// digits * 10^exponent; digits without leading or trailing zeros, "" for zero.
class ExactDecimal {
 public:
  ExactDecimal() = default;
  ExactDecimal(std::string digits, long exponent) : digits_(std::move(digits)), exponent_(exponent) { trim(); }

  /// significand * 2^power, by doubling or by multiplying with five and moving the point.
  static ExactDecimal binary(std::uint64_t significand, int power) {
    std::string digits = std::to_string(significand);
    multiply_repeatedly(digits, 2, power);
    multiply_repeatedly(digits, 5, -power);
    return ExactDecimal(std::move(digits), std::min(power, 0));
  }

  bool is_zero() const { return digits_.empty(); }
  const std::string& digits() const { return digits_; }
  long exponent() const { return exponent_; }
  /// Exponent of the first digit: d.ddd * 10^X.
  long scientific_exponent() const { return exponent_ + static_cast<long>(digits_.size()) - 1; }

  friend int compare(const ExactDecimal& a, const ExactDecimal& b) {
    if (a.is_zero() || b.is_zero()) return static_cast<int>(b.is_zero()) - static_cast<int>(a.is_zero());
    if (a.scientific_exponent() != b.scientific_exponent()) {
      return a.scientific_exponent() < b.scientific_exponent() ? -1 : 1;
    }
    const int order = a.digits_.compare(b.digits_);  // trimmed: a proper prefix is smaller
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }

  /// Largest multiple of 10^unit not above.
  ExactDecimal floor_to(long unit) const {
    if (unit <= exponent_) return *this;
    const long keep = static_cast<long>(digits_.size()) - (unit - exponent_);
    return keep <= 0 ? ExactDecimal() : ExactDecimal(digits_.substr(0, static_cast<std::size_t>(keep)), unit);
  }

  ExactDecimal plus_unit(long unit) const {  // requires a multiple of 10^unit
    std::string digits = digits_ + std::string(is_zero() ? 0 : static_cast<std::size_t>(exponent_ - unit), '0');
    digits.insert(digits.begin(), '0');
    std::size_t i = digits.size() - 1;
    while (digits[i] == '9') digits[i--] = '0';
    ++digits[i];
    return ExactDecimal(digits, unit);
  }

  /// Is the digit at 10^unit even?
  bool even_at(long unit) const {
    if (is_zero() || exponent_ > unit) return true;
    return (digits_[digits_.size() - 1 - static_cast<std::size_t>(unit - exponent_)] - '0') % 2 == 0;
  }

  /// floor + half of 10^unit, for floors from floor_to(unit).
  ExactDecimal plus_half_unit(long unit) const {
    ExactDecimal half = *this;
    for (int i = 0; i < 5; ++i) half = half.plus_unit(unit - 1);
    return half;
  }

  std::string positional() const {
    if (is_zero()) return "0";
    const long size = static_cast<long>(digits_.size());
    const long point = size + exponent_;  // digits before the point
    if (point >= size) return digits_ + std::string(static_cast<std::size_t>(exponent_), '0');
    if (point > 0) {
      return digits_.substr(0, static_cast<std::size_t>(point)) + "." + digits_.substr(static_cast<std::size_t>(point));
    }
    return "0." + std::string(static_cast<std::size_t>(-point), '0') + digits_;
  }

  std::string scientific() const {
    const long x = scientific_exponent();
    const std::string magnitude = std::to_string(x < 0 ? -x : x);
    return digits_.substr(0, 1) + (digits_.size() > 1 ? "." + digits_.substr(1) : "") + (x < 0 ? "e-" : "e+") +
           (magnitude.size() < 2 ? "0" : "") + magnitude;
  }

 private:
  static void multiply(std::string& digits, std::uint64_t factor) {
    std::uint64_t carry = 0;
    for (std::size_t i = digits.size(); i-- > 0;) {
      carry += static_cast<std::uint64_t>(digits[i] - '0') * factor;
      digits[i] = static_cast<char>('0' + carry % 10);
      carry /= 10;
    }
    if (carry != 0) digits.insert(0, std::to_string(carry));
  }

  static void multiply_repeatedly(std::string& digits, std::uint64_t factor, int times) {
    std::uint64_t product = 1;
    for (int i = 1; i <= times; ++i) {
      product *= factor;
      if (i % 13 == 0 || i == times) {  // 5^13 < 2^31
        multiply(digits, product);
        product = 1;
      }
    }
  }

  void trim() {
    digits_.erase(0, std::min(digits_.find_first_not_of('0'), digits_.size()));
    while (!digits_.empty() && digits_.back() == '0') {
      digits_.pop_back();
      ++exponent_;
    }
    if (digits_.empty()) exponent_ = 0;
  }

  std::string digits_;
  long exponent_ = 0;
};

/// A magnitude code as significand and power of two; also for the code just above the largest finite one.
struct Binary {
  std::uint64_t significand;
  int power;
};

inline Binary binary_of(const Type& type, std::uint64_t magnitude) {
  const std::uint64_t hidden = 1ull << type.mantissa_bits;
  const auto field = static_cast<int>(magnitude / hidden);
  if (type.subnormals && field == 0) return {magnitude, 1 - type.exponent_bias - type.mantissa_bits};
  return {hidden + magnitude % hidden, field - type.exponent_bias - type.mantissa_bits};
}

inline ExactDecimal value_of(const Type& type, std::uint64_t magnitude) {
  const Binary b = binary_of(type, magnitude);
  return ExactDecimal::binary(b.significand, b.power);
}

/// Half way between a magnitude code and the next.
inline ExactDecimal middle_above(const Type& type, std::uint64_t magnitude) {
  const Binary b = binary_of(type, magnitude);
  return ExactDecimal::binary(2 * b.significand + 1, b.power - 1);
}

/// Rounded magnitude code with the exponent unbounded above: max_finite + 1 stands for everything beyond.
/// Bisection over the ordered codes; requires a type with a zero or number >= its smallest value.
inline std::uint64_t nearest_code(const Type& type, const ExactDecimal& number, std::uint16_t carry, bool negative) {
  std::uint64_t low = 0, high = type.max_finite + 1;  // value(low) <= number < value(high) or beyond
  if (compare(number, value_of(type, high)) >= 0) return high;
  while (high - low > 1) {
    const std::uint64_t between = low + (high - low) / 2;
    (compare(value_of(type, between), number) <= 0 ? low : high) = between;
  }
  if (compare(value_of(type, low), number) == 0) return low;
  const int side = compare(number, middle_above(type, low));
  const int entry = (negative ? 8 : 0) + ((low & 1) != 0 ? 4 : 0) + (side >= 0 ? 2 : 0) + (side != 0 ? 1 : 0);
  return low + ((carry >> entry) & 1);
}

}  // namespace text_test
