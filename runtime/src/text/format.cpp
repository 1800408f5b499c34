// Number to text: one element.
#include <bit>
#include <cstring>

#include "src/exact/rounding.hpp"
#include "src/exact/value.hpp"
#include "src/text/big_integer.hpp"
#include "src/text/digits.hpp"
#include "src/text/element.hpp"
#include "src/text/one_sided.hpp"
#include "src/text/shortest.hpp"
#include "src/text/text.hpp"

namespace castforge::text {
namespace {

using exact::kFloat64;

constexpr std::size_t kSlack = 32;  // stores are up to 16 bytes wide and may start at the last byte of a text

char* put_literal(char* p, std::string_view literal) {
  std::memcpy(p, literal.data(), literal.size());
  return p + literal.size();
}

// ---------------------------------------------------------------- whole numbers

char* put_eight(char* p, std::uint32_t number) {
  store_text(p, eight_digits(number) | kAsciiZeros);
  return p + 8;
}

/// Without leading zeros.
char* put_up_to_eight(char* p, std::uint32_t number) {
  const std::uint64_t digits = eight_digits(number);
  const int zeros = number == 0 ? 7 : std::countr_zero(digits) / 8;
  store_text(p, (digits | kAsciiZeros) >> (8 * zeros));
  return p + 8 - zeros;
}

char* put_whole(char* p, std::uint64_t number) {
  constexpr std::uint64_t kEight = 100000000;
  if (number < kEight) return put_up_to_eight(p, static_cast<std::uint32_t>(number));
  const std::uint64_t high = number / kEight;
  if (high < kEight) {
    p = put_up_to_eight(p, static_cast<std::uint32_t>(high));
  } else {
    p = put_up_to_eight(p, static_cast<std::uint32_t>(high / kEight));
    p = put_eight(p, static_cast<std::uint32_t>(high % kEight));
  }
  return put_eight(p, static_cast<std::uint32_t>(number % kEight));
}

/// With leading zeros.
char* put_19_digits(char* p, std::uint64_t number) {
  const std::uint64_t low = number % kSmallPowers[16];
  const auto high = static_cast<std::uint32_t>(number / kSmallPowers[16]);
  p[0] = static_cast<char>('0' + high / 100);
  p[1] = static_cast<char>('0' + high / 10 % 10);
  p[2] = static_cast<char>('0' + high % 10);
  p = put_eight(p + 3, static_cast<std::uint32_t>(low / kSmallPowers[8]));
  return put_eight(p, static_cast<std::uint32_t>(low % kSmallPowers[8]));
}

/// significand * 2^exponent, exponent >= 0: at most 1024 bits, 309 digits.
char* put_large_whole(char* p, std::uint64_t significand, int exponent) {
  BigInteger number(significand);
  number.shift_left(exponent);
  std::uint64_t chunk[17];
  int count = 0;
  while (!number.is_zero()) chunk[count++] = number.take_19_digits();
  p = put_whole(p, chunk[--count]);
  while (count > 0) p = put_19_digits(p, chunk[--count]);
  return p;
}

/// A value, and whether the next one towards zero is in a finer binade.
struct Decoded : exact::Value {
  bool lower_gap_is_half = false;
};

bool is_whole(const Decoded& value) {
  return value.exponent >= 0 || std::countr_zero(value.significand) >= -value.exponent;
}

char* put_whole_value(char* p, const Decoded& value) {
  if (value.exponent <= 0) return put_whole(p, value.significand >> -value.exponent);
  if (std::bit_width(value.significand) + value.exponent <= 64) {
    return put_whole(p, value.significand << value.exponent);
  }
  return put_large_whole(p, value.significand, value.exponent);
}

// ---------------------------------------------------------------- decimals

/// d.ddd * 10^exponent: the first digit and up to 8 or 16 more as text, without trailing zeros.
template <class Word>
struct Digits {
  Word rest;
  int rest_count;
  int exponent;
  char first;
};

inline int trailing_zero_bytes(std::uint64_t word) { return std::countr_zero(word) / 8; }

inline int trailing_zero_bytes(u128 word) {
  const auto low = static_cast<std::uint64_t>(word);
  return low != 0 ? trailing_zero_bytes(low) : 8 + trailing_zero_bytes(static_cast<std::uint64_t>(word >> 64));
}

inline int used_bytes(std::uint64_t word) { return 8 - std::countl_zero(word | 1) / 8 - (word == 0); }

inline int used_bytes(u128 word) {
  const auto high = static_cast<std::uint64_t>(word >> 64);
  return high != 0 ? 8 + used_bytes(high) : used_bytes(static_cast<std::uint64_t>(word));
}

/// `values`: the digits behind `first` in text order from the lowest byte. Not all are zero.
template <class Word>
Digits<Word> strip_zeros(std::uint64_t first, Word values, int exponent) {
  // Without a first digit the text starts at the first byte that is not zero.
  const int zeros = trailing_zero_bytes(static_cast<Word>(values | static_cast<Word>(1) << (sizeof(Word) * 8 - 1)));
  const Word shifted = values >> (8 * zeros);
  const std::uint64_t has_first = first != 0;
  const Word rest = select(has_first, values, static_cast<Word>(shifted >> 8));
  Digits<Word> result;
  result.first = static_cast<char>('0' + select(has_first, first, static_cast<std::uint64_t>(shifted) & 15));
  result.rest_count = used_bytes(rest);
  result.rest = rest | static_cast<Word>((static_cast<u128>(kAsciiZeros) << 64) | kAsciiZeros);
  result.exponent = exponent - static_cast<int>(select<std::uint64_t>(has_first, 0, static_cast<unsigned>(1 + zeros)));
  return result;
}

/// At most nine digits, as significands up to 2^24 have.
Digits<std::uint64_t> split_nine(ShortDecimal decimal) {
  constexpr std::uint64_t kEight = 100000000;
  const std::uint64_t first = decimal.digits / kEight;
  return strip_zeros(first, eight_digits(static_cast<std::uint32_t>(decimal.digits - first * kEight)),
                     decimal.exponent + 8);
}

/// At most seventeen, as significands up to 2^53 have.
Digits<u128> split_seventeen(ShortDecimal decimal) {
  constexpr std::uint64_t kEight = 100000000;
  const std::uint64_t first = decimal.digits / kSmallPowers[16];
  const std::uint64_t low = decimal.digits - first * kSmallPowers[16];
  const auto high_half = static_cast<std::uint32_t>(low / kEight);
  const u128 values = eight_digits(high_half) |
                      static_cast<u128>(eight_digits(static_cast<std::uint32_t>(low - high_half * kEight))) << 64;
  return strip_zeros(first, values, decimal.exponent + 16);
}

char* put_zeros(char* p, int count) {
  for (int done = 0; done < count; done += 8) store_text(p + done, kAsciiZeros);
  return p + count;
}

/// For values that are not whole: there is a digit behind the point.
template <class Word>
char* put_positional(char* p, const Digits<Word>& digits) {
  if (digits.exponent < 0) {
    *p++ = '0';
    *p++ = '.';
    p = put_zeros(p, -digits.exponent - 1);
    *p++ = digits.first;
    store_text(p, digits.rest);
    return p + digits.rest_count;
  }
  *p++ = digits.first;
  store_text(p, digits.rest);
  p[digits.exponent] = '.';
  store_text(p + digits.exponent + 1, digits.rest >> (8 * digits.exponent));
  return p + digits.rest_count + 1;
}

char* put_exponent(char* p, int exponent) {
  const int magnitude = exponent < 0 ? -exponent : exponent;
  *p++ = 'e';
  *p++ = exponent < 0 ? '-' : '+';
  if (magnitude >= 100) *p++ = static_cast<char>('0' + magnitude / 100);
  *p++ = static_cast<char>('0' + magnitude / 10 % 10);
  *p++ = static_cast<char>('0' + magnitude % 10);
  return p;
}

template <class Word>
char* put_scientific(char* p, const Digits<Word>& digits) {
  *p++ = digits.first;
  *p = '.';
  store_text(p + 1, digits.rest);
  return put_exponent(p + digits.rest_count + (digits.rest_count != 0), digits.exponent);
}

char* put_digits(char* p, const char* digits, int count) {
  std::memcpy(p, digits, static_cast<std::size_t>(count));
  return p + count;
}

/// The same of a decimal that is not whole.
char* put_positional(char* p, const LongDecimal& decimal) {
  const int whole = decimal.exponent + 1;
  if (whole > 0) {
    p = put_digits(p, decimal.digits, whole);
    *p++ = '.';
    return put_digits(p, decimal.digits + whole, decimal.count - whole);
  }
  p = put_zeros(put_literal(p, "0."), -whole);
  return put_digits(p, decimal.digits, decimal.count);
}

char* put_scientific(char* p, const LongDecimal& decimal) {
  *p++ = decimal.digits[0];
  if (decimal.count > 1) p = put_digits(put_literal(p, "."), decimal.digits + 1, decimal.count - 1);
  return put_exponent(p, decimal.exponent);
}

// ---------------------------------------------------------------- floating values

/// How the values of a grid become shortest decimals.
struct NarrowGrid {
  template <Prefer kPrefer>
  static auto digits(const Decoded& v) {
    return split_nine(shortest<detail::Narrow, kPrefer>(v.significand, v.exponent, v.lower_gap_is_half));
  }
};

struct WideGrid {
  template <Prefer kPrefer>
  static auto digits(const Decoded& v) {
    return split_seventeen(shortest<detail::Wide, kPrefer>(v.significand, v.exponent, v.lower_gap_is_half));
  }
};

/// Decimals on one side of their values.
template <bool kUpward>
struct OneSidedGrid {
  template <Prefer>
  static LongDecimal digits(const Decoded& v) {
    return shortest_one_sided(v.significand, v.exponent, v.lower_gap_is_half, kUpward);
  }
};

/// Whether every finite value is in the domain of NarrowGrid.
bool is_narrow(const Format& type) {
  return type.mantissa_bits <= 23 && exact::min_exponent(type) - type.mantissa_bits >= -149 &&
         (static_cast<int>(type.max_finite >> type.mantissa_bits)) - type.exponent_bias <= 127;
}

template <class Grid>
char* put_general(char* p, const Decoded& value, bool whole) {
  constexpr int kLowest = -4, kHighest = 5;  // decimal exponents written positionally, as "%g" has them
  // On a grid of step one or finer the shortest digits of a whole number are its own.
  if (whole && value.exponent <= 0 && (value.significand >> -value.exponent) < 1000000) {
    return put_whole(p, value.significand >> -value.exponent);
  }
  const auto digits = Grid::template digits<Prefer::fewest_digits>(value);
  if (digits.exponent < kLowest || digits.exponent > kHighest) return put_scientific(p, digits);
  if (whole) return put_whole_value(p, value);
  if (value.significand >= 10) return put_positional(p, digits);  // the preferences differ on very coarse grids only
  return put_positional(p, Grid::template digits<Prefer::fewest_fraction_digits>(value));
}

template <class Grid>
char* put_finite(char* p, const Decoded& value, Notation notation) {
  *p = '-';
  p += value.negative;
  if (value.significand == 0) {
    *p++ = '0';
    return p;
  }
  const bool whole = is_whole(value);
  if (notation == Notation::general) return put_general<Grid>(p, value, whole);
  if (whole) return put_whole_value(p, value);
  return put_positional(p, Grid::template digits<Prefer::fewest_digits>(value));
}

/// The same value on float64's grid.
Decoded on_float64_grid(Decoded value) {
  const int shift = std::countl_zero(value.significand) - 11;
  const int room = value.exponent - (exact::min_exponent(kFloat64) - kFloat64.mantissa_bits);
  const int used = shift < room ? shift : room;
  value.significand <<= used;
  value.exponent -= used;
  value.lower_gap_is_half = value.significand == 1ull << 52 && used < room;
  return value;
}

/// On which sides of a value its text may lie, when a reader rounds by the carry table.
struct Sides {
  bool below, above;
};

Sides sides_read_back(std::uint16_t carry, bool negative, bool odd) {
  return {exact::carries(carry, negative, !odd, true, true), !exact::carries(carry, negative, odd, false, true)};
}

char* put_floating(char* p, const Format& type, std::uint64_t code, Notation notation, std::uint16_t reader) {
  Decoded value{exact::decode_floating(type, code)};
  const int smallest_ulp = exact::min_exponent(type) - type.mantissa_bits;
  value.lower_gap_is_half =
      value.significand == std::uint64_t{1} << type.mantissa_bits && value.exponent > smallest_ulp;
  if (value.cls == Decoded::Class::nan) return put_literal(p, "NaN");
  if (value.cls == Decoded::Class::infinity) return put_literal(p, value.negative ? "-INF" : "INF");
  // A grid of powers of two alone would give one digit that names a value only to readers who know the grid.
  if (type.mantissa_bits == 0 && value.significand != 0) {
    value = on_float64_grid(value);
    const Sides sides = sides_read_back(reader, value.negative, (code & 1) != 0);
    if (sides.below && !sides.above) return put_finite<OneSidedGrid<false>>(p, value, notation);
    if (sides.above && !sides.below) return put_finite<OneSidedGrid<true>>(p, value, notation);
    return put_finite<WideGrid>(p, value, notation);
  }
  return is_narrow(type) ? put_finite<NarrowGrid>(p, value, notation) : put_finite<WideGrid>(p, value, notation);
}

}  // namespace

std::size_t max_length(const Format& type, Notation notation) {
  switch (type.kind) {
    case TypeKind::boolean: return 1;
    case TypeKind::integer: return 20;
    case TypeKind::string: return 0;
    case TypeKind::floating: break;
  }
  if (notation == Notation::general) return 24;  // -1.7976931348623157e+308
  const Format& grid = type.mantissa_bits == 0 ? kFloat64 : type;
  const int decimals = -floor_log10_three_quarters_pow2(exact::min_exponent(grid) - grid.mantissa_bits);
  const int top = static_cast<int>(grid.max_finite >> grid.mantissa_bits) - grid.exponent_bias;
  const int whole = top < 0 ? 1 : floor_log10_pow2(top + 1) + 1;
  const int fraction = decimals < 0 ? 0 : decimals + 1;  // and the point
  // A value has either up to 17 digits around the point, or zeros on one side of it.
  const int with_point = 1 + (fraction > 18 ? fraction : 18);
  return 1u + static_cast<std::size_t>(whole > with_point ? whole : with_point);
}

std::size_t buffer_size(const Format& type, Notation notation) { return max_length(type, notation) + kSlack; }

std::size_t format_one(const Format& type, std::uint64_t code, Notation notation, char* out, std::uint16_t reader) {
  code &= low_bits(type.value_bits);
  char* end = out;
  switch (type.kind) {
    case TypeKind::floating: end = put_floating(out, type, code, notation, reader); break;
    case TypeKind::boolean: *end++ = code != 0 ? '1' : '0'; break;
    case TypeKind::integer: {
      const exact::Value value = exact::decode_integer(type, code);
      if (value.negative) *end++ = '-';
      end = put_whole(end, value.significand);
      break;
    }
    case TypeKind::string: break;
  }
  return static_cast<std::size_t>(end - out);
}

FormatResult format_many(const Format& type, const void* src, std::size_t first, std::size_t count, Notation notation,
                         char* out, std::size_t capacity, std::size_t* ends, std::uint16_t reader) {
  const std::size_t room = buffer_size(type, notation);
  FormatResult result;
  for (; result.elements < count; ++result.elements) {
    const std::uint64_t code = load_code(type, src, first + result.elements);
    if (capacity - result.bytes >= room) {
      result.bytes += format_one(type, code, notation, out + result.bytes, reader);
    } else {
      char text[kFormatBuffer];
      const std::size_t size = format_one(type, code, notation, text, reader);
      if (size > capacity - result.bytes) break;
      std::memcpy(out + result.bytes, text, size);
      result.bytes += size;
    }
    ends[result.elements] = result.bytes;
  }
  return result;
}

}  // namespace castforge::text
