// The grammar of numbers in text: finds the parts, converts nothing.
#pragma once

#include <cstdint>

namespace castforge::text {

/// A text taken apart. For the forms integer and decimal the magnitude is
///     (significand + t) * 10^exponent,  0 <= t < 1, t != 0 exactly when `truncated`
/// where the significand holds the first 19 significant digits.
struct Scanned {
  enum class Form : std::uint8_t { bad, integer, decimal, infinity, nan, word_true, word_false };
  Form form = Form::bad;
  bool negative = false;
  bool truncated = false;
  std::uint64_t significand = 0;
  std::int64_t exponent = 0;
  // The rest matters for truncated significands, and `digits_end` for integers of 20 digits.
  std::int64_t written_exponent = 0;  // the one after "e"
  const char* digits = nullptr;       // the mantissa as written: digits and at most one point
  const char* digits_end = nullptr;
};

/// Takes [begin, end) apart. Bytes up to `readable_end` (>= end) may be read, never interpreted beyond `end`.
/// Words other than infinities and NaN are recognised only with `bool_words`.
Scanned scan(const char* begin, const char* end, const char* readable_end, bool bool_words);

}  // namespace castforge::text
