#include "src/text/scan.hpp"

#include <bit>
#include <string_view>

#include "src/text/digits.hpp"

namespace castforge::text {
namespace {

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Beyond every format even when as many digits as memory holds pull the other way.
constexpr std::int64_t kExponentLimit = 1'000'000'000'000'000;

/// The next eight bytes; those at or behind `end` read as zero.
inline std::uint64_t peek(const char* p, const char* end, const char* readable_end) {
  const std::ptrdiff_t left = end - p;
  if (readable_end - p >= 8) {
    const std::uint64_t word = load_text(p);
    return left >= 8 ? word : word & ((1ull << (8 * left)) - 1);
  }
  std::uint64_t word = 0;
  for (std::ptrdiff_t i = 0; i < left && i < 8; ++i) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])) << (8 * i);
  }
  return word;
}

/// Appends the digits at p to `number` (modulo 2^64) and returns the first other position.
inline const char* take_digits(const char* p, const char* end, const char* readable_end, std::uint64_t& number) {
  for (;;) {
    const std::uint64_t values = peek(p, end, readable_end) ^ kAsciiZeros;
    const std::uint64_t other = first_non_digit(values);
    if (other == 0) {
      number = number * 100000000 + number_of_eight(values);
      p += 8;
      continue;
    }
    const int count = std::countr_zero(other) / 8;
    if (count == 0) return p;
    const std::uint64_t aligned = values << (64 - 8 * count);  // leading zeros instead of what follows
    number = number * kSmallPowers[static_cast<unsigned>(count)] + number_of_eight(aligned);
    return p + count;
  }
}

/// First 19 significant digits of a longer mantissa.
void rescan_long(Scanned& scanned) {
  scanned.significand = 0;
  int taken = 0;
  std::int64_t exponent = scanned.written_exponent;
  bool fraction = false;
  for (const char* p = scanned.digits; p != scanned.digits_end; ++p) {
    if (*p == '.') {
      fraction = true;
      continue;
    }
    const auto digit = static_cast<unsigned>(*p - '0');
    if (taken == 19) {
      scanned.truncated = scanned.truncated || digit != 0;
      if (!fraction) ++exponent;
      continue;
    }
    if (taken != 0 || digit != 0) ++taken;
    scanned.significand = scanned.significand * 10 + digit;
    if (fraction) --exponent;
  }
  scanned.exponent = exponent;
}

/// Does [p, end) spell `word` (lower case) in any letter case?
bool spells(const char* p, const char* end, std::string_view word) {
  if (static_cast<std::size_t>(end - p) != word.size()) return false;
  for (const char letter : word) {
    const char c = *p++;
    if (c != letter && !(c >= 'A' && c <= 'Z' && c + ('a' - 'A') == letter)) return false;
  }
  return true;
}

Scanned scan_word(const char* p, const char* end, bool negative, bool is_signed, bool bool_words) {
  Scanned scanned;
  scanned.negative = negative;
  if (spells(p, end, "inf") || spells(p, end, "infinity")) {
    scanned.form = Scanned::Form::infinity;
  } else if (spells(p, end, "nan")) {
    scanned.form = Scanned::Form::nan;
  } else if (bool_words && !is_signed && spells(p, end, "true")) {
    scanned.form = Scanned::Form::word_true;
  } else if (bool_words && !is_signed && spells(p, end, "false")) {
    scanned.form = Scanned::Form::word_false;
  }
  return scanned;
}

}  // namespace

Scanned scan(const char* begin, const char* end, const char* readable_end, bool bool_words) {
  const char* p = begin;
  while (p != end && is_space(*p)) ++p;
  while (end != p && is_space(end[-1])) --end;

  Scanned scanned;
  const bool is_signed = p != end && (*p == '-' || *p == '+');
  scanned.negative = is_signed && *p == '-';
  p += is_signed;

  scanned.digits = p;
  p = take_digits(p, end, readable_end, scanned.significand);
  std::ptrdiff_t digit_count = p - scanned.digits;
  scanned.form = Scanned::Form::integer;
  if (p != end && *p == '.') {
    const char* const fraction = ++p;
    p = take_digits(p, end, readable_end, scanned.significand);
    scanned.exponent = fraction - p;
    digit_count += p - fraction;
    scanned.form = Scanned::Form::decimal;
  }
  scanned.digits_end = p;
  if (digit_count == 0) return scan_word(scanned.digits, end, scanned.negative, is_signed, bool_words);

  if (p != end && (*p == 'e' || *p == 'E')) {
    ++p;
    const bool negative = p != end && *p == '-';
    if (p != end && (*p == '-' || *p == '+')) ++p;
    if (p == end) return {};
    std::int64_t exponent = 0;
    for (; p != end && is_digit(*p); ++p) {
      if (exponent < kExponentLimit) exponent = exponent * 10 + (*p - '0');
    }
    if (!is_digit(p[-1])) return {};
    scanned.written_exponent = negative ? -exponent : exponent;
    scanned.exponent += scanned.written_exponent;
    scanned.form = Scanned::Form::decimal;
  }
  if (p != end) return {};
  if (digit_count > 19) rescan_long(scanned);
  return scanned;
}

}  // namespace castforge::text
