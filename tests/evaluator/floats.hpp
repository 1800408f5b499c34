// IEEE 754 numbers by integer arithmetic alone: bit patterns to exact numbers, exact numbers to bit patterns. Nothing
// here depends on what the processor or the compiler does with floating point.
#pragma once

#include <bit>
#include <cstdint>

namespace castforge::evaluator {

/// A binary interchange format.
struct Layout {
  int exponent_bits, fraction_bits;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint64_t sign() const { return std::uint64_t{1} << (exponent_bits + fraction_bits); }
  constexpr std::uint64_t infinity() const { return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  constexpr std::uint64_t fraction() const { return (std::uint64_t{1} << fraction_bits) - 1; }
  constexpr std::uint64_t quiet() const { return std::uint64_t{1} << (fraction_bits - 1); }
  constexpr std::uint64_t magnitude(std::uint64_t code) const { return code & (sign() - 1); }
  constexpr bool is_nan(std::uint64_t code) const { return magnitude(code) > infinity(); }
  constexpr bool is_finite(std::uint64_t code) const { return magnitude(code) < infinity(); }
  constexpr bool is_negative(std::uint64_t code) const { return (code & sign()) != 0; }
};

inline constexpr Layout kHalf{5, 10}, kSingle{8, 23}, kDouble{11, 52};

enum class Rounding { nearest_even, nearest_away, toward_zero, down, up, odd };

__extension__ typedef unsigned __int128 Wide;

/// (-1)^negative * significand * 2^exponent.
struct Exact {
  bool negative = false;
  Wide significand = 0;
  int exponent = 0;
};

/// The value of a finite code.
constexpr Exact exact(Layout format, std::uint64_t code) {
  const std::uint64_t field = format.magnitude(code) >> format.fraction_bits;
  const std::uint64_t fraction = code & format.fraction();
  const std::uint64_t hidden = field != 0 ? std::uint64_t{1} << format.fraction_bits : 0;
  const int exponent = (field != 0 ? static_cast<int>(field) : 1) - format.bias() - format.fraction_bits;
  return {format.is_negative(code), fraction | hidden, exponent};
}

/// significand / 2^drop, as an integer; drop > 0.
constexpr Wide rounded(Wide significand, int drop, Rounding rounding, bool negative) {
  // At 127 and beyond at most one bit would be left: what is dropped is then only "something", far below one half.
  if (drop > 126) {
    significand = significand != 0 ? 1 : 0;
    drop = 2;
  }
  const Wide kept = significand >> drop;
  const Wide rest = significand - (kept << drop);
  const Wide half = Wide{1} << (drop - 1);
  if (rest == 0) return kept;
  bool up = false;
  switch (rounding) {
    case Rounding::nearest_even: up = rest > half || (rest == half && (kept & 1) != 0); break;
    case Rounding::nearest_away: up = rest >= half; break;
    case Rounding::toward_zero: break;
    case Rounding::down: up = negative; break;
    case Rounding::up: up = !negative; break;
    case Rounding::odd: up = (kept & 1) == 0; break;
  }
  return kept + (up ? 1 : 0);
}

constexpr int bit_width(Wide v) {
  const auto high = static_cast<std::uint64_t>(v >> 64);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                   : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(v)));
}

/// The code of a number rounded once; a zero keeps the sign. Beyond the largest number: infinity, or that number where
/// the rounding goes toward zero. significand < 2^126.
constexpr std::uint64_t code_of(Layout format, Exact x, Rounding rounding) {
  const std::uint64_t sign = x.negative ? format.sign() : 0;
  if (x.significand == 0) return sign;
  const int least = 1 - format.bias() - format.fraction_bits;  // exponent of the last bit of subnormal numbers
  const int leading = x.exponent + bit_width(x.significand) - 1;
  int last = leading - format.fraction_bits;  // exponent of the last bit that is kept
  if (last < least) last = least;
  Wide kept = 0;
  if (last > x.exponent) {
    kept = rounded(x.significand, last - x.exponent, rounding, x.negative);
  } else {
    kept = x.significand << (x.exponent - last);
  }
  // The hidden bit of a normal number is one unit of the exponent field, and so is a carry out of the significand.
  const std::uint64_t field = static_cast<std::uint64_t>(last - least) << format.fraction_bits;
  const bool beyond = leading > format.bias() || field + static_cast<std::uint64_t>(kept) >= format.infinity();
  if (!beyond) return sign | (field + static_cast<std::uint64_t>(kept));
  const bool stays = rounding == Rounding::toward_zero || rounding == (x.negative ? Rounding::up : Rounding::down);
  return sign | (stays ? format.infinity() - 1 : format.infinity());
}

/// One format to another, rounded once. A NaN becomes quiet and keeps its sign and the leading bits of its payload.
constexpr std::uint64_t convert(Layout from, Layout to, std::uint64_t code, Rounding rounding) {
  const std::uint64_t sign = from.is_negative(code) ? to.sign() : 0;
  if (from.is_finite(code)) return code_of(to, exact(from, code), rounding);
  if (!from.is_nan(code)) return sign | to.infinity();
  const std::uint64_t payload = code & ((std::uint64_t{1} << from.fraction_bits) - 1);
  const int up = to.fraction_bits - from.fraction_bits;
  return sign | to.infinity() | to.quiet() | (up >= 0 ? payload << up : payload >> -up);
}

/// A finite number rounded to an integer, modulo 2^64.
constexpr std::uint64_t integer_of(Layout format, std::uint64_t code, Rounding rounding) {
  const Exact x = exact(format, code);
  Wide whole = 0;
  if (x.exponent < 0) {
    whole = rounded(x.significand, -x.exponent, rounding, x.negative);
  } else if (x.exponent < 64) {
    whole = x.significand << x.exponent;
  }
  const auto low = static_cast<std::uint64_t>(whole);
  return x.negative ? 0 - low : low;
}

/// The code of an integer, unsigned or in two's complement of 64 bits.
constexpr std::uint64_t code_of_integer(Layout format, std::uint64_t v, bool is_signed, Rounding rounding) {
  const bool negative = is_signed && v >> 63 != 0;
  return code_of(format, {negative, negative ? 0 - v : v, 0}, rounding);
}

/// Is an integer a value of the format? (Its exponents must suffice for 64 bits.)
constexpr bool holds(Layout format, std::uint64_t magnitude) {
  const int bits = static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude);
  return magnitude == 0 || bits <= format.fraction_bits + 1;
}

constexpr bool is_subnormal(Layout format, std::uint64_t code) {
  return format.magnitude(code) != 0 && format.magnitude(code) >> format.fraction_bits == 0;
}

/// Is the product of two float32 numbers one too? None of the three is subnormal: some processors take long over these.
constexpr bool product_is_exact(std::uint64_t a, std::uint64_t b) {
  if (is_subnormal(kSingle, a) || is_subnormal(kSingle, b)) return false;
  if (!kSingle.is_finite(a) || !kSingle.is_finite(b)) return true;  // infinities and NaN
  const Exact x = exact(kSingle, a), y = exact(kSingle, b);
  const Exact product{x.negative != y.negative, x.significand * y.significand, x.exponent + y.exponent};
  // It is one if rounding down gives what rounding up gives.
  const std::uint64_t down = code_of(kSingle, product, Rounding::down);
  return down == code_of(kSingle, product, Rounding::up) && !is_subnormal(kSingle, down);
}

/// float32 a * b + c rounded once; a NaN is `nan`. A sum of 0 is +0 unless both parts are -0.
constexpr std::uint64_t multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t nan,
                                     Rounding rounding) {
  constexpr Layout f = kSingle;
  if (f.is_nan(a) || f.is_nan(b) || f.is_nan(c)) return nan;
  const bool product_negative = f.is_negative(a) != f.is_negative(b);
  if (!f.is_finite(a) || !f.is_finite(b)) {
    if (f.magnitude(a) == 0 || f.magnitude(b) == 0) return nan;
    if (!f.is_finite(c) && f.is_negative(c) != product_negative) return nan;
    return f.infinity() | (product_negative ? f.sign() : 0);
  }
  if (!f.is_finite(c)) return c;
  const Exact x = exact(f, a), y = exact(f, b), z = exact(f, c);
  const Exact product{product_negative, x.significand * y.significand, x.exponent + y.exponent};
  if (product.significand == 0 && z.significand == 0) {
    return product_negative && z.negative ? f.sign() : 0;
  }
  if (product.significand == 0) return c;
  if (z.significand == 0) return code_of(f, product, rounding);
  // Both to one exponent. Significands have at most 48 bits: more than 76 places apart, the lower number only says that
  // there is more, less than half of the last place kept, which one bit says as well.
  Exact high = product.exponent >= z.exponent ? product : z, low = product.exponent >= z.exponent ? z : product;
  int apart = high.exponent - low.exponent;
  if (apart > 76) {
    low.significand = 1;
    low.exponent = high.exponent - 76;
    apart = 76;
  }
  high.significand <<= apart;
  Exact sum{high.negative, 0, low.exponent};
  if (high.negative == low.negative) {
    sum.significand = high.significand + low.significand;
  } else if (high.significand >= low.significand) {
    sum.significand = high.significand - low.significand;
  } else {
    sum = {low.negative, low.significand - high.significand, low.exponent};
  }
  if (sum.significand == 0) return 0;  // a difference of equal numbers is +0
  return code_of(f, sum, rounding);
}

}  // namespace castforge::evaluator
