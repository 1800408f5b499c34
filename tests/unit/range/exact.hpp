// The second opinion on sequences: numbers of any length, rounded by their definition. No floating-point
// arithmetic.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

namespace castforge::exact_range {

__extension__ using Int128 = __int128;

/// A natural number, least significant word first, without leading zeros.
class Natural {
 public:
  Natural() = default;
  Natural(std::uint64_t value) : words_{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)} {
    trim();
  }

  bool is_zero() const { return words_.empty(); }
  int length() const {
    return words_.empty() ? 0 : static_cast<int>(words_.size()) * 32 - std::countl_zero(words_.back());
  }
  bool bit(int i) const {
    return i >= 0 && i < length() && (words_[static_cast<std::size_t>(i) / 32] >> (i % 32) & 1) != 0;
  }
  bool any_below(int i) const {
    for (int k = 0; k < i && k < length(); ++k) {
      if (bit(k)) return true;
    }
    return false;
  }

  friend Natural operator+(const Natural& a, const Natural& b) {
    Natural sum;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < a.words_.size() || i < b.words_.size() || carry != 0; ++i) {
      carry += std::uint64_t{a.word(i)} + b.word(i);
      sum.words_.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    sum.trim();
    return sum;
  }
  /// a >= b.
  friend Natural operator-(const Natural& a, const Natural& b) {
    Natural difference;
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < a.words_.size(); ++i) {
      borrow += std::int64_t{a.word(i)} - std::int64_t{b.word(i)};
      difference.words_.push_back(static_cast<std::uint32_t>(borrow));
      borrow >>= 32;
    }
    difference.trim();
    return difference;
  }
  friend Natural operator*(const Natural& a, const Natural& b) {
    Natural product;
    for (int i = 0; i < b.length(); ++i) {
      if (b.bit(i)) product = product + (a << i);
    }
    return product;
  }
  friend Natural operator<<(const Natural& a, int n) {
    Natural shifted;
    for (int i = 0; i < n / 32; ++i) shifted.words_.push_back(0);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i <= a.words_.size(); ++i) {
      carry |= std::uint64_t{a.word(i)} << (n % 32);
      shifted.words_.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    shifted.trim();
    return shifted;
  }
  friend bool operator<(const Natural& a, const Natural& b) {
    if (a.length() != b.length()) return a.length() < b.length();
    for (std::size_t i = a.words_.size(); i-- > 0;) {
      if (a.words_[i] != b.words_[i]) return a.words_[i] < b.words_[i];
    }
    return false;
  }

 private:
  std::uint32_t word(std::size_t i) const { return i < words_.size() ? words_[i] : 0; }
  void trim() {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
  }
  std::vector<std::uint32_t> words_;
};

/// +/- magnitude * 2^exponent, or an infinity.
struct Number {
  bool negative = false, infinite = false;
  Natural magnitude;
  int exponent = 0;

  bool is_zero() const { return !infinite && magnitude.is_zero(); }
};

inline Number integer(Int128 value) {
  Number n;
  n.negative = value < 0;
  const Int128 magnitude = value < 0 ? -value : value;
  n.magnitude =
      Natural(static_cast<std::uint64_t>(magnitude)) + (Natural(static_cast<std::uint64_t>(magnitude >> 64)) << 64);
  return n;
}

inline Number negate(Number n) {
  n.negative = !n.negative;
  return n;
}

inline Number add(const Number& a, const Number& b) {
  if (a.infinite) return a;
  if (b.infinite) return b;
  Number sum;
  sum.exponent = a.exponent < b.exponent ? a.exponent : b.exponent;
  const Natural x = a.magnitude << (a.exponent - sum.exponent), y = b.magnitude << (b.exponent - sum.exponent);
  if (a.negative == b.negative) {
    sum.negative = a.negative;
    sum.magnitude = x + y;
  } else {
    sum.negative = x < y ? b.negative : a.negative;
    sum.magnitude = x < y ? y - x : x - y;
    if (sum.magnitude.is_zero()) sum.negative = false;
  }
  return sum;
}

inline Number multiply(const Number& a, const Number& b) {
  Number product;
  product.negative = a.negative != b.negative;
  product.magnitude = a.magnitude * b.magnitude;
  product.exponent = a.exponent + b.exponent;
  return product;
}

inline bool less(const Number& a, const Number& b) {
  const Number difference = add(a, negate(b));
  return !difference.is_zero() && difference.negative;
}

/// An IEEE 754 binary format.
struct Format {
  std::string_view name;
  int exponent_bits, fraction_bits;
  int bits() const { return 1 + exponent_bits + fraction_bits; }
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};
inline constexpr Format kFloat16{"float16", 5, 10}, kBfloat16{"bfloat16", 8, 7}, kFloat32{"float32", 8, 23},
    kFloat64{"float64", 11, 52};

/// Code of the nearest number of the format, ties to even. `more` says that the value is a little larger in
/// magnitude than `n`, by less than its lowest bit.
inline std::uint64_t encode(const Number& n, const Format& f, bool more = false) {
  const std::uint64_t sign = n.negative ? std::uint64_t{1} << (f.bits() - 1) : 0;
  const std::uint64_t infinity = ((std::uint64_t{1} << f.exponent_bits) - 1) << f.fraction_bits;
  if (n.infinite) return sign | infinity;
  if (n.magnitude.is_zero()) return sign;
  const int top = n.magnitude.length() - 1 + n.exponent;  // exponent of the leading bit
  const int lowest = 1 - f.bias();
  const int unit = (top < lowest ? lowest : top) - f.fraction_bits;  // exponent of the lowest bit kept
  std::uint64_t kept = 0;
  for (int i = f.fraction_bits; i >= 0; --i) kept = kept << 1 | n.magnitude.bit(unit + i - n.exponent);
  const bool half = n.magnitude.bit(unit - 1 - n.exponent);
  const bool rest = n.magnitude.any_below(unit - 1 - n.exponent) || more;
  if (half && (rest || (kept & 1) != 0)) ++kept;
  const int field = top < lowest ? 0 : top + f.bias() - 1;  // the hidden bit adds one
  if (field >= (1 << f.exponent_bits)) return sign | infinity;
  const std::uint64_t code = (static_cast<std::uint64_t>(field) << f.fraction_bits) + kept;
  return sign | (code < infinity ? code : infinity);
}

/// A finite code, or an infinity.
inline Number decode(std::uint64_t code, const Format& f) {
  Number n;
  n.negative = (code >> (f.bits() - 1) & 1) != 0;
  const int field = static_cast<int>(code >> f.fraction_bits) & ((1 << f.exponent_bits) - 1);
  n.infinite = field == (1 << f.exponent_bits) - 1;
  const std::uint64_t fraction = code & ((std::uint64_t{1} << f.fraction_bits) - 1);
  n.magnitude = Natural(fraction | (field == 0 ? 0 : std::uint64_t{1} << f.fraction_bits));
  n.exponent = (field == 0 ? 1 : field) - f.bias() - f.fraction_bits;
  return n;
}

inline Number rounded(const Number& n, const Format& f) { return decode(encode(n, f), f); }

/// a / b rounded to float64; both finite and positive float64 numbers.
inline Number divide(const Number& a, const Number& b) {
  // 128 more bits than float64 has, then one that says whether anything was left over.
  Number quotient;
  Natural rest = a.magnitude << 200;
  for (int i = rest.length() - b.magnitude.length(); i >= 0; --i) {
    const Natural part = b.magnitude << i;
    if (rest < part) continue;
    rest = rest - part;
    quotient.magnitude = quotient.magnitude + (Natural(1) << i);
  }
  quotient.exponent = a.exponent - b.exponent - 200;
  return decode(encode(quotient, kFloat64, !rest.is_zero()), kFloat64);
}

/// The smallest integer not below a positive number.
inline Natural ceiling(const Number& n) {
  if (n.exponent >= 0) return n.magnitude << n.exponent;
  Natural whole;
  for (int i = -n.exponent; i < n.magnitude.length(); ++i) {
    if (n.magnitude.bit(i)) whole = whole + (Natural(1) << (i + n.exponent));
  }
  return n.magnitude.any_below(-n.exponent) ? whole + Natural(1) : whole;
}

/// Where a sequence is computed and what it consists of.
struct FloatRule {
  Format accumulator, result;
};

/// Number of elements by the float64 formula; start, stop and step are float64 numbers, step is not zero.
inline Natural float_count(const Number& start, const Number& stop, const Number& step) {
  const bool up = !step.negative;
  if (!(up ? less(start, stop) : less(stop, start))) return Natural();
  Number distance = rounded(add(stop, negate(start)), kFloat64), stride = step;
  distance.negative = stride.negative = false;
  return ceiling(divide(distance, stride));
}

/// Element i: i, its product with step and the sum with start are each rounded, then the result.
inline std::uint64_t float_element(const Number& start, const Number& step, std::uint64_t i, const FloatRule& rule) {
  const Number a = rounded(start, rule.accumulator), d = rounded(step, rule.accumulator);
  const Number index = rounded(integer(static_cast<Int128>(i)), rule.accumulator);
  const Number product = rounded(multiply(index, d), rule.accumulator);
  return encode(rounded(add(a, product), rule.accumulator), rule.result);
}

}  // namespace castforge::exact_range
