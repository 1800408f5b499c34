// Text to number.
#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "exact_decimal.hpp"
#include "text_types.hpp"

namespace text_test {
namespace {

void check_code(const Type& type, const Rule& how, std::string_view text, std::uint64_t expected) {
  const Parsed parsed = parse(type, how, text);
  INFO('"' << text.substr(0, 80) << "\" -> " << type.name);
  CHECK(parsed.error == ParseError::none);
  CHECK(parsed.code == expected);
}

/// ONNX's row with saturate = 1 for an 8-bit float.
Rule saturating() { return rule(kRne, Overflow::max, InfResult::max); }

Rule e8m0_rule(std::uint16_t carry, bool saturate) {
  Rule result = saturate ? rule(carry, Overflow::max, InfResult::max) : rule(carry, Overflow::nan, InfResult::nan);
  const auto below = saturate ? BelowRange::min : BelowRange::nan;
  result.zero = result.underflow = below;
  result.negative = saturate ? NegativeResult::clamp : NegativeResult::nan;
  return result;
}

TEST_CASE("documented examples of text to number") {
  const Rule small = integer_rule(kRne);  // ONNX int4 and int2 from version 24 on
  check_code(kInt32, integer_rule(), "100.5", 100);
  check_code(kInt32, integer_rule(), "1e5", 100000);
  check_code(kInt8, integer_rule(), "300", 0x2C);
  check_code(kUint8, integer_rule(), "-1", 0xFF);
  check_code(kInt64, integer_rule(), "9223372036854775808", 1ull << 63);
  check_code(kInt4, small, "2.5", 2);
  check_code(kInt32, integer_rule(), "INF", 0);
  check_code(kInt32, integer_rule(), "NaN", 0);
  check_code(kInt32, integer_rule(), " 12\n", 12);
  check_code(kFloat32, rule(), "1e400", 0x7F800000);
  check_code(kFloat32, rule(), "-1e-400", 0x80000000);
  check_code(kFloat32, rule(), "3.4028236e38", 0x7F800000);
  check_code(kFloat16, rule(), "+Infinity", 0x7C00);
  check_code(kFloat32, rule(), "-nan", 0xFFC00000);
  check_code(kFloat32, rule(), ".5", 0x3F000000);
  check_code(kFloat32, rule(), "5.", 0x40A00000);
  check_code(kE4M3FN, saturating(), "500", 0x7E);
  check_code(kBool, rule(), "0.1", 1);
  check_code(kBool, rule(), "-0", 0);
  check_code(kBool, rule(), "nan", 1);
  check_code(kFloat16, rule(), "1.00048828125000000000000000000000001", 0x3C01);
  check_code(kFloat16, rule(), "1.00048828125", 0x3C00);
  CHECK(parse(kInt64, integer_rule(), "18446744073709551616").error == ParseError::integer_out_of_range);
  for (const char* text : {"INF", "+INF", "inf", "Infinity", "+infinity", "iNf"})
    check_code(kFloat32, rule(), text, 0x7F800000);
  for (const char* text : {"-INF", "-inf", "-Infinity"}) check_code(kFloat32, rule(), text, 0xFF800000);
  for (const char* text : {"NaN", "nan", "+NAN", " nan\t"}) check_code(kFloat32, rule(), text, 0x7FC00000);
}

TEST_CASE("malformed texts") {
  std::vector<std::string> texts = {"",
                                    " ",
                                    "abc",
                                    "1abc",
                                    "1,5",
                                    "0x10",
                                    "1_000",
                                    "1e",
                                    ".",
                                    "+",
                                    "-",
                                    "e5",
                                    "--1",
                                    "+-1",
                                    "1 2",
                                    "nan(123)",
                                    "Hello World!",
                                    "1e+",
                                    "1e-",
                                    "1.2.3",
                                    "..1",
                                    "1..",
                                    ".e1",
                                    "+.",
                                    "1e5.",
                                    "1e5e5",
                                    "1e 5",
                                    "- 1",
                                    "in",
                                    "infin",
                                    "infinit",
                                    "infinityx",
                                    "nanx",
                                    "na",
                                    "1f",
                                    "0b1",
                                    "1'000",
                                    "#1",
                                    "$1",
                                    "\xD9\xA1",
                                    "\xEF\xBC\x91",
                                    "1\xC2\xA0",
                                    "\u00A01",
                                    "true",
                                    "false",
                                    "+e1",
                                    "1-",
                                    "1+2",
                                    "1/2",
                                    "1d5",
                                    "1p5",
                                    "0x1p3",
                                    "inf.",
                                    "1inf",
                                    "infe1",
                                    "12345678.12345678x",
                                    "123456789012345678901234567890x",
                                    "1.e",
                                    "1.5e++1",
                                    "1:",
                                    "/1",
                                    "1/",
                                    ":",
                                    "1e5:",
                                    "0000000000000000:",
                                    "1.0000000000000:",
                                    "1.00000000000000000:",
                                    "1e/",
                                    "1e12345x",
                                    "-.",
                                    "-e1",
                                    "-.e1",
                                    "1E",
                                    "1E+",
                                    "e",
                                    "E",
                                    "\x80",
                                    "1\x80",
                                    "12345678\xB0",
                                    "0.1234567890123456\xB1"};
  texts.emplace_back("1\0", 2);
  texts.emplace_back("\0", 1);
  texts.emplace_back(
      "\0"
      "1",
      2);
  texts.emplace_back(
      "1\0"
      "2",
      3);
  texts.emplace_back(
      "12345678\0"
      "12345678",
      17);
  for (const std::string& text : texts) {
    INFO('"' << text << '"');
    for (const Type* type : {&kFloat64, &kFloat32, &kFloat16, &kE4M3FN, &kE8M0}) {
      CHECK(parse(*type, rule(), text).error == ParseError::bad_number);
    }
    for (const Type* type : {&kInt64, &kUint8, &kInt4}) {
      CHECK(parse(*type, integer_rule(), text).error == ParseError::bad_number);
    }
    CHECK(parse(kBool, rule(), text).error == ParseError::bad_number);
  }
}

TEST_CASE("every single byte inside a number is judged by the grammar") {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    const bool digit = c >= '0' && c <= '9';
    for (const std::string number : {"1", "12345678", "1234567890123456", "1.5", "0.123456789012345678", "1e5"}) {
      const bool plain = number.find_first_of(".e") == std::string::npos;
      const bool ends = space || digit || (c == '.' && plain);
      INFO(number << " then byte " << byte);
      CHECK((parse(kFloat64, rule(), number + c).error == ParseError::none) == ends);
      CHECK((parse(kFloat64, rule(), c + number).error == ParseError::none) ==
            (space || digit || c == '+' || c == '-' || (c == '.' && number.find('.') == std::string::npos)));
      CHECK((parse(kFloat64, rule(), number + c + "7").error == ParseError::none) ==
            (digit || (plain && (c == '.' || c == 'e' || c == 'E')) ||
             ((c == 'e' || c == 'E') && number.find('e') == std::string::npos)));
    }
  }
}

TEST_CASE("white space is stripped at both ends only") {
  for (const char* text : {" 1", "1 ", "\t1\n", "\v\f\r 1 \r\f\v", "      1      "})
    check_code(kFloat32, rule(), text, 0x3F800000);
  for (const char* text : {"1 e5", "1e 5", "+ 1", "1 .5"})
    CHECK(parse(kFloat32, rule(), text).error == ParseError::bad_number);
}

TEST_CASE("words for booleans only where they are accepted") {
  std::uint32_t code = 0;
  const auto read = [&code](const Type& type, std::string_view text) {
    code = 0;
    return parse_many(type, rule(), &text, 1, &code, BoolWords::accepted).ok();
  };
  CHECK(!read(kBool, "-true"));
  CHECK(!read(kBool, "tru"));
  CHECK(!read(kFloat32, "true"));
  CHECK((read(kBool, "true") && code == 1));
  CHECK((read(kBool, " FALSE ") && code == 0));
  CHECK((read(kBool, "2") && code == 1));
  CHECK(parse(kBool, rule(), "true").error == ParseError::bad_number);
  const std::string_view words[] = {"true", "False", "0"};
  unsigned char out[3] = {9, 9, 9};
  CHECK(parse_many(kBool, rule(), words, 3, out, BoolWords::accepted).ok());
  CHECK((out[0] == 1 && out[1] == 0 && out[2] == 0));
  CHECK(parse_many(kBool, rule(), words, 3, out).error == ParseError::bad_number);
}

TEST_CASE("booleans ask float64 for zero") {
  check_code(kBool, rule(), "1e-400", 0);  // zero in float64
  check_code(kBool, rule(), "-1e-400", 0);
  check_code(kBool, rule(), "5e-324", 1);
  check_code(kBool, rule(), "2.4703282292062327208e-324", 0);  // half of the smallest float64, a tie to zero
  check_code(kBool, rule(), "2.4703282292062327209e-324", 1);
  check_code(kBool, rule(), "1e400", 1);
  check_code(kBool, rule(), "-inf", 1);
  check_code(kBool, rule(), "0e999999999", 0);
}

// ---------------------------------------------------------------- integers

TEST_CASE("integer syntax is exact and keeps the low bits") {
  check_code(kInt64, integer_rule(), "9007199254740993", 9007199254740993);  // not a float64
  check_code(kUint64, integer_rule(), "18446744073709551615", ~0ull);
  check_code(kUint64, integer_rule(), "+18446744073709551615", ~0ull);
  check_code(kInt64, integer_rule(), "-9223372036854775808", 1ull << 63);
  check_code(kUint64, integer_rule(), "-1", ~0ull);
  check_code(kInt4, integer_rule(), "-9", 7);
  check_code(kUint2, integer_rule(), "7", 3);
  check_code(kInt8, integer_rule(), "-0", 0);
  check_code(kInt32, integer_rule(), "000000000000000000000000000000000000000000042", 42);
  check_code(kInt32, integer_rule(), "-000000000000000000000000018446744073", 0xFFFFFFFF & -18446744073ll);
  for (const char* text :
       {"18446744073709551616", "-9223372036854775809", "99999999999999999999", "100000000000000000000",
        "-18446744073709551615", "123456789012345678901234567890", "-9999999999999999999"}) {
    INFO(text);
    CHECK(parse(kInt8, integer_rule(), text).error == ParseError::integer_out_of_range);
    CHECK(parse(kUint64, integer_rule(), text).error == ParseError::integer_out_of_range);
    CHECK(parse(kFloat64, rule(), text).error == ParseError::none);
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t number = random() >> (random() % 64);
    const std::string text = std::to_string(number);
    REQUIRE(parse(kUint64, integer_rule(), text).code == number);
    REQUIRE(parse(kInt16, integer_rule(), text).code == (number & 0xFFFF));
    const bool fits = number <= 1ull << 63;
    const Parsed negative = parse(kInt64, integer_rule(), "-" + text);
    REQUIRE((negative.error == ParseError::none) == fits);
    if (fits) REQUIRE(negative.code == ~number + 1);
  }
}

TEST_CASE("other numbers for integers go through float64 and the rule") {
  check_code(kInt64, integer_rule(), "9007199254740993.0", 9007199254740992);
  check_code(kInt64, integer_rule(), "1e20", 7766279631452241920ull);  // 10^20 mod 2^64
  check_code(kInt64, integer_rule(), "-1e20", ~7766279631452241920ull + 1);
  check_code(kInt32, integer_rule(), "1e20", 1661992960);
  check_code(kInt32, integer_rule(), "1e400", 0);
  check_code(kInt32, integer_rule(), "1e300", 0);
  check_code(kInt8, integer_rule(), "-1.5", 0xFF);
  check_code(kInt8, integer_rule(), "-0.5", 0);
  check_code(kInt8, integer_rule(), "128.0", 0x80);
  check_code(kInt8, integer_rule(), "-129.0", 0x7F);
  check_code(kUint32, integer_rule(), "3e9", 3000000000);
  check_code(kInt32, integer_rule(), "1.99999999999999999999", 2);  // float64 says 2
  check_code(kInt32, integer_rule(kRne), "0.5", 0);
  check_code(kInt32, integer_rule(kRne), "1.5", 2);
  check_code(kInt32, integer_rule(kRna), "0.5", 1);
  check_code(kInt32, integer_rule(kRtp), "1e-300", 1);
  check_code(kInt32, integer_rule(kRtp), "-1e-300", 0);
  check_code(kInt32, integer_rule(kRtn), "-1e-300", 0xFFFFFFFF);
  check_code(kInt32, integer_rule(kRtp), "1e-400", 0);                                // zero in float64
  const Rule clamp = integer_rule(kRne, Overflow::saturate, InfResult::as_overflow);  // ONNX int4 at 21 and 23
  check_code(kInt4, clamp, "7.5", 7);
  check_code(kInt4, clamp, "-8.5", 8);
  check_code(kInt4, clamp, "-9.0", 8);
  check_code(kInt4, clamp, "inf", 7);
  check_code(kInt4, clamp, "-inf", 8);
  check_code(kInt4, clamp, "1e300", 7);
  check_code(kInt4, clamp, "nan", 0);
  check_code(kUint4, clamp, "-1.0", 0);
  check_code(kUint4, clamp, "-inf", 0);
  check_code(kUint4, clamp, "15.5", 15);
  check_code(kInt64, clamp, "1e19", (1ull << 63) - 1);
  check_code(kInt64, clamp, "-1e19", 1ull << 63);
  check_code(kUint64, clamp, "1e20", ~0ull);
  check_code(kInt4, clamp, "300", 0xC);  // integer syntax: the low bits, whatever the row of floats says
  Rule wide = integer_rule(kRtz, Overflow::wrap, InfResult::as_overflow);
  wide.saturate_first = {.bits = 32, .is_signed = true};
  check_code(kInt8, wide, "300.0", 44);
  check_code(kInt8, wide, "inf", 0xFF);
  check_code(kUint8, wide, "inf", 255);
  check_code(kInt8, wide, "-inf", 0);
}

TEST_CASE("text to small integers against exact truncation") {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20000; ++i) {
    // Quarters are exact in float64.
    const auto quarters = static_cast<std::int64_t>(random() % 4000000) - 2000000;
    char text[64];
    std::snprintf(text, sizeof text, "%.2f", static_cast<double>(quarters) / 4);
    const std::int64_t truncated = quarters / 4;
    const std::int64_t floored = (quarters - ((quarters % 4 + 4) % 4)) / 4;
    REQUIRE(parse(kInt16, integer_rule(), text).code == (static_cast<std::uint64_t>(truncated) & 0xFFFF));
    REQUIRE(parse(kInt16, integer_rule(kRtn), text).code == (static_cast<std::uint64_t>(floored) & 0xFFFF));
  }
}

// ---------------------------------------------------------------- floating destinations

TEST_CASE("8-bit floats: ties, saturation, overflow decided after rounding") {
  const Rule infinite = rule();
  check_code(kE4M3FN, saturating(), "464", 0x7E);
  check_code(kE4M3FN, infinite, "464", 0x7E);  // a tie, to the even code
  check_code(kE4M3FN, infinite, "464.00000000000000000000000000000001", 0x7F);
  check_code(kE4M3FN, infinite, "-480", 0xFF);
  check_code(kE4M3FN, saturating(), "-inf", 0xFE);
  check_code(kE4M3FNUZ, infinite, "inf", 0x80);
  check_code(kE4M3FNUZ, saturating(), "248", 0x7F);
  check_code(kE4M3FNUZ, infinite, "248", 0x80);
  check_code(kE4M3FNUZ, infinite, "247.9999999999999999999999999", 0x7F);
  check_code(kE4M3FNUZ, infinite, "-1e-5", 0x00);  // never the NaN code
  check_code(kE4M3FNUZ, infinite, "-0", 0x00);
  check_code(kE4M3FNUZ, infinite, "-nan", 0x80);
  check_code(kE5M2, infinite, "61440", 0x7C);
  check_code(kE5M2, infinite, "61439.999999999999999999", 0x7B);
  check_code(kE5M2, saturating(), "1e9", 0x7B);
  check_code(kE5M2, rule(kRne, Overflow::max), "-1e9", 0xFB);
  check_code(kE4M3FN, infinite, "-nan", 0xFF);
  for (const auto& [text, code] : {std::pair{"0.25", 0},
                                   {"0.75", 2},
                                   {"1.25", 2},
                                   {"1.75", 4},
                                   {"2.5", 4},
                                   {"3.5", 6},
                                   {"5", 6},
                                   {"5.0000000000000000000001", 7},
                                   {"0.2500000000000000000001", 1},
                                   {"-0.1", 8},
                                   {"-0", 8},
                                   {"1e99", 7},
                                   {"-inf", 15},
                                   {"inf", 7}}) {
    check_code(kE2M1, infinite, text, static_cast<std::uint64_t>(code));
  }
  check_code(kE2M1, rule(kRne, Overflow::infinity, InfResult::infinity, NanResult::max), "-nan", 7);
  check_code(kE2M1, rule(kRne, Overflow::infinity, InfResult::infinity, NanResult::max_signed), "-nan", 15);
  check_code(kE2M1, rule(kRne, Overflow::infinity, InfResult::infinity, NanResult::zero_opposite), "nan", 8);
  check_code(kE2M1, rule(kRne, Overflow::infinity, InfResult::infinity, NanResult::zero_opposite), "-nan", 0);
  check_code(kFloat16, rule(kRtz, Overflow::ieee), "65536", 0x7BFF);
  check_code(kFloat16, rule(kRtp, Overflow::ieee), "65505", 0x7C00);
  check_code(kFloat16, rule(kRtp, Overflow::ieee), "-65536", 0xFBFF);
  check_code(kFloat16, rule(kRtn, Overflow::ieee), "-1e999", 0xFC00);
  check_code(kFloat16, rule(kRto, Overflow::ieee), "1e999", 0x7BFF);
  check_code(kFloat16, rule(kRtp), "1e-9999999999999999999999", 0x0001);
  check_code(kFloat16, rule(kRtp), "-1e-9999999999999999999999", 0x8000);
}

TEST_CASE("powers of two without zero and sign") {
  struct Row {
    const char* text;
    int codes[6];  // saturating up, down, nearest; not saturating up, down, nearest
  };
  const Row rows[] = {
      {"0", {0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF}},
      {"-0", {0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF}},
      {"-1", {0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF}},
      {"-1e-999", {0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF}},
      {"-inf", {0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF}},
      {"5.583599e-39", {0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF}},  // 1.9 * 2^-128
      {"0.124", {0x7C, 0x7B, 0x7C, 0x7C, 0x7B, 0x7C}},
      {"1.1", {0x80, 0x7F, 0x7F, 0x80, 0x7F, 0x7F}},
      {"1", {0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F}},
      {"1.00000000000000000000000000000001", {0x80, 0x7F, 0x7F, 0x80, 0x7F, 0x7F}},
      {"1.5", {0x80, 0x7F, 0x80, 0x80, 0x7F, 0x80}},
      {"1.49999999999999999999999999999999", {0x80, 0x7F, 0x7F, 0x80, 0x7F, 0x7F}},
      {"5", {0x82, 0x81, 0x81, 0x82, 0x81, 0x81}},
      {"9007199254740993", {0xB5, 0xB4, 0xB4, 0xB5, 0xB4, 0xB4}},
      {"170141183460469231731687303715884105728", {0xFE, 0xFE, 0xFE, 0xFE, 0xFE, 0xFE}},
      {"204169420152563078078024764459060926874", {0xFE, 0xFE, 0xFE, 0xFF, 0xFE, 0xFE}},
      {"255211775190703847597530955573826158592", {0xFE, 0xFE, 0xFE, 0xFF, 0xFE, 0xFF}},
      {"1e999", {0xFE, 0xFE, 0xFE, 0xFF, 0xFF, 0xFF}},
      {"inf", {0xFE, 0xFE, 0xFE, 0xFF, 0xFF, 0xFF}},
      {"nan", {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}},
      {"-nan", {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}},
  };
  const Rule rules[] = {e8m0_rule(kRtp, true),  e8m0_rule(kRtz, true),  e8m0_rule(kRna, true),
                        e8m0_rule(kRtp, false), e8m0_rule(kRtz, false), e8m0_rule(kRna, false)};
  for (const Row& row : rows) {
    for (int i = 0; i < 6; ++i) {
      INFO("column " << i);
      check_code(kE8M0, rules[i], row.text, static_cast<std::uint64_t>(row.codes[i]));
    }
  }
  const std::string smallest = ExactDecimal::binary(1, -127).positional();
  check_code(kE8M0, rules[3], smallest, 0x00);
  check_code(kE8M0, rules[3], smallest + "1", 0x01);
  check_code(kE8M0, rules[4], smallest + "1", 0x00);
  std::string below = smallest;
  below.back() -= 1;
  check_code(kE8M0, rules[3], below + "99999", 0xFF);
  check_code(kE8M0, rules[0], below + "99999", 0x00);
}

constexpr std::uint16_t kModes[] = {kRne, kRna, kRtz, kRtn, kRtp, kRto};

/// What the definition gives for a finite decimal under "overflow to infinity".
std::uint64_t expected_code(const Type& type, const ExactDecimal& number, std::uint16_t carry, bool negative) {
  std::uint64_t code = nearest_code(type, number, carry, negative);
  const bool has_sign_of_zero = type.nan != NanCodes::negative_zero;
  if (code > type.max_finite) {
    if (type.infinity) {
      code = type.infinity_code;
    } else if (type.nan != NanCodes::none) {
      return type.nan == NanCodes::top && negative ? type.canonical_nan | 1ull << (type.value_bits - 1)
                                                   : type.canonical_nan;
    } else {
      code = type.max_finite;
    }
  }
  const bool set = negative && (code != 0 || has_sign_of_zero);
  return code | (set ? 1ull << (type.value_bits - 1) : 0);
}

void check_number(const Type& type, const ExactDecimal& number, const std::string& text, int& wrong) {
  for (const std::uint16_t mode : kModes) {
    for (const bool negative : {false, true}) {
      if (negative && !type.is_signed) continue;
      const std::uint64_t expected = expected_code(type, number, mode, negative);
      const Parsed parsed = parse(type, rule(mode), (negative ? "-" : "") + text);
      if (parsed.error != ParseError::none || parsed.code != expected) {
        if (++wrong < 5) {
          UNSCOPED_INFO(type.name << " " << text << (negative ? " negated" : "") << " mode " << std::hex << mode << ": "
                                  << parsed.code << " for " << expected);
        }
      }
    }
  }
}

/// A number's neighbourhood in text: itself, and a hair below and above it far behind its last digit.
void check_around(const Type& type, const ExactDecimal& number, int hair, int& wrong) {
  if (number.is_zero()) return;
  const std::string tail(static_cast<std::size_t>(hair), '0');
  const ExactDecimal above(number.digits() + tail + "1", number.exponent() - hair - 1);
  std::string digits = number.digits();
  digits.back() = static_cast<char>(digits.back() - 1);  // the last digit is not zero
  const ExactDecimal below(digits + std::string(static_cast<std::size_t>(hair + 1), '9'), number.exponent() - hair - 1);
  for (const ExactDecimal* x : {&number, &below, &above}) {
    check_number(type, *x, x->positional(), wrong);
    check_number(type, *x, x->scientific(), wrong);
  }
}

TEST_CASE("every value and every tie of the small formats, and their neighbours, in every mode") {
  for (const Type& type : small_floats()) {
    INFO(type.name);
    int wrong = 0;
    const std::uint64_t step = type.max_finite > 1000 ? 97 : 1;
    for (std::uint64_t code = 0; code <= type.max_finite; code += step) {
      check_around(type, value_of(type, code), 5, wrong);
      check_around(type, middle_above(type, code), 30, wrong);
    }
    check_around(type, value_of(type, type.max_finite), 40, wrong);
    check_around(type, middle_above(type, type.max_finite), 40, wrong);
    check_around(type, value_of(type, type.max_finite + 1), 40, wrong);
    check_around(type, middle_above(type, 0), 40, wrong);
    CHECK(wrong == 0);
  }
}

TEST_CASE("values and ties of float32 and float64 with hundreds of digits, in every mode") {
  std::mt19937_64 random(5);
  int wrong = 0;
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t code32 = random() % kFloat32.max_finite;
    check_around(kFloat32, value_of(kFloat32, code32), 3, wrong);
    check_around(kFloat32, middle_above(kFloat32, code32), 3 + static_cast<int>(random() % 900), wrong);
  }
  for (const std::uint64_t code : {0ull, 1ull, 2ull, (1ull << 52) - 1, 1ull << 52, (1ull << 52) + 1,
                                   0x3FF0000000000000ull, 0x7FEFFFFFFFFFFFFEull, 0x7FEFFFFFFFFFFFFFull}) {
    check_around(kFloat64, middle_above(kFloat64, code), 40, wrong);
  }
  for (int i = 0; i < 4; ++i) {
    check_around(kFloat64, middle_above(kFloat64, random() % kFloat64.max_finite), 1200, wrong);
  }
  for (const std::uint64_t code : {0ull, 1ull, 0x7FFFFFull, 0x800000ull, 0x7F7FFFFFull}) {
    check_around(kFloat32, middle_above(kFloat32, code), 2000, wrong);
  }
  CHECK(wrong == 0);
}

TEST_CASE("random decimals into the small formats") {
  std::mt19937_64 random(6);
  for (const Type& type : small_floats()) {
    INFO(type.name);
    const long low = value_of(type, 1).scientific_exponent() - 2;
    const long high = value_of(type, type.max_finite).scientific_exponent() + 2;
    int wrong = 0;
    for (int i = 0; i < 40; ++i) {
      std::string digits(1 + random() % 30, '0');
      for (char& digit : digits) digit = static_cast<char>('0' + random() % 10);
      const long x = low + static_cast<long>(random() % static_cast<std::uint64_t>(high - low));
      const ExactDecimal number(digits, x - static_cast<long>(digits.size()) + 1);
      if (!number.is_zero()) check_number(type, number, number.scientific(), wrong);
    }
    CHECK(wrong == 0);
  }
}

template <class Float, class Bits>
void check_against_from_chars(const Type& type, const std::string& text) {
  Float expected{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), expected);
  REQUIRE(result.ptr == text.data() + text.size());
  if (result.ec == std::errc::result_out_of_range) return;  // the library leaves the value open
  const Parsed parsed = parse(type, rule(), text);
  if (parsed.error != ParseError::none || parsed.code != std::bit_cast<Bits>(expected)) {
    INFO(text);
    CHECK(parsed.error == ParseError::none);
    CHECK(parsed.code == std::bit_cast<Bits>(expected));
  }
}

TEST_CASE("float32 and float64 are read as std::from_chars reads them") {
  std::mt19937_64 random(99);
  char text[1200];
  for (int i = 0; i < 100000; ++i) {
    const auto wide = std::bit_cast<double>(random());
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    const int precision = static_cast<int>(random() % 22);
    if (std::isfinite(wide)) {
      std::snprintf(text, sizeof text, "%.*g", precision, wide);
      check_against_from_chars<double, std::uint64_t>(kFloat64, text);
    }
    if (std::isfinite(narrow)) {
      std::snprintf(text, sizeof text, "%.*e", precision, static_cast<double>(narrow));
      check_against_from_chars<float, std::uint32_t>(kFloat32, text);
      std::snprintf(text, sizeof text, "%.9g", static_cast<double>(narrow));
      check_against_from_chars<float, std::uint32_t>(kFloat32, text);
    }
    std::string digits;
    for (std::uint64_t n = 1 + random() % 24; n > 0; --n) digits += static_cast<char>('0' + random() % 10);
    const std::size_t point = random() % (digits.size() + 1);
    std::string number = digits.substr(0, point) + "." + digits.substr(point);
    if ((random() & 1) != 0) number += "e" + std::to_string(static_cast<int>(random() % 80) - 40);
    if ((random() & 1) != 0) number.insert(number.begin(), '-');
    check_against_from_chars<double, std::uint64_t>(kFloat64, number);
    check_against_from_chars<float, std::uint32_t>(kFloat32, number);
    const double short_number = static_cast<double>(random() % 2000000) / 1024;
    std::snprintf(text, sizeof text, "%.*f", static_cast<int>(random() % 15), short_number);
    check_against_from_chars<double, std::uint64_t>(kFloat64, text);
    check_against_from_chars<float, std::uint32_t>(kFloat32, text);
  }
}

TEST_CASE("thousands of digits, extreme exponents") {
  const std::string zeros(5000, '0');
  check_code(kFloat32, rule(), "1" + zeros + "e-5000", 0x3F800000);
  check_code(kFloat32, rule(), "0." + zeros + "1e5001", 0x3F800000);
  check_code(kFloat32, rule(), zeros + "1." + zeros, 0x3F800000);
  check_code(kFloat32, rule(), "1." + zeros + "1", 0x3F800000);
  check_code(kFloat32, rule(kRtp), "1." + zeros + "1", 0x3F800001);
  check_code(kFloat32, rule(), "0." + std::string(5000, '9'), 0x3F800000);
  check_code(kFloat32, rule(kRtz), "0." + std::string(5000, '9'), 0x3F7FFFFF);
  check_code(kFloat16, rule(), "1.00048828125" + zeros, 0x3C00);
  check_code(kFloat16, rule(), "1.00048828125" + zeros + "1", 0x3C01);
  // Whichever of the digits is the first that is only looked at, not computed with.
  for (std::size_t more = 700; more < 900; ++more)
    check_code(kFloat16, rule(), "1.00048828125" + std::string(more, '0') + "1", 0x3C01);
  check_code(kFloat16, rule(), "1.00048828124" + std::string(5000, '9'), 0x3C00);
  check_code(kFloat64, rule(), "1e99999999999999999999999999", 0x7FF0000000000000);
  check_code(kFloat64, rule(), "1e-99999999999999999999999999", 0);
  check_code(kFloat64, rule(), "0e99999999999999999999999999", 0);
  check_code(kFloat64, rule(), "-0.000e-5", 1ull << 63);
  check_code(kFloat64, rule(), "0" + zeros + "e10", 0);
  check_code(kFloat64, rule(), "1e309", 0x7FF0000000000000);
  check_code(kFloat64, rule(), "1.7976931348623158e308", 0x7FEFFFFFFFFFFFFF);
  check_code(kFloat64, rule(), "1.7976931348623159e308", 0x7FF0000000000000);
  check_code(kFloat64, rule(), "1e+0000000000000000000000000000001", 0x4024000000000000);
}

TEST_CASE("unsigned floats follow the rule for negative numbers") {
  const Type type = floating("ufloat8e5m3", 5, 3, 15, NanCodes::top, true, 2, 0xFF, false);
  Rule how = rule();
  check_code(type, how, "-1", 0);
  check_code(type, how, "-inf", 0);
  check_code(type, how, "-0", 0);
  how.negative = NegativeResult::nan;
  check_code(type, how, "-1", 0xFF);
  check_code(type, how, "-0", 0);
  how.negative = NegativeResult::abs;
  check_code(type, how, "-1", parse(type, how, "1").code);
  check_code(type, how, "-inf", 0xFE);
  check_code(type, how, "-nan", 0xFF);
}

// ---------------------------------------------------------------- arrays

TEST_CASE("arrays: packing, first bad element, nothing written outside") {
  const std::vector<std::string_view> five = {"1", "-2", " 3 ", "4e0", "-8"};
  unsigned char out[8];
  std::fill(std::begin(out), std::end(out), 0xEE);
  CHECK(parse_many(kInt4, integer_rule(), five.data(), five.size(), out).ok());
  CHECK(out[0] == 0xE1);
  CHECK(out[1] == 0x43);
  CHECK(out[2] == 0x08);  // the unused half is zero
  CHECK(out[3] == 0xEE);
  CHECK(parse_many(kUint2, integer_rule(), five.data(), five.size(), out).ok());
  CHECK(out[0] == (1 | 2 << 2 | 3 << 4 | 0 << 6));
  CHECK(out[1] == 0);

  std::string chars;
  std::vector<std::size_t> offsets = {0};
  for (const auto text : five) {
    chars += text;
    offsets.push_back(chars.size());
  }
  const std::vector<char> exact(chars.begin(), chars.end());
  std::vector<float> floats(5);
  CHECK(parse_many(kFloat32, rule(), exact.data(), offsets.data(), 5, floats.data()).ok());
  CHECK(floats == std::vector<float>{1, -2, 3, 4, -8});
  CHECK(parse_many(kFloat32, rule(), exact.data(), offsets.data(), 0, nullptr).ok());
  CHECK(parse_many(kFloat32, rule(), nullptr, nullptr, 0, nullptr).ok());
  const std::string_view nothing;
  CHECK(parse_many(kFloat32, rule(), &nothing, 1, floats.data()).error == ParseError::bad_number);

  // Neighbours in the buffer must not leak into a number.
  const std::string run = "123456789012345678901234567890";
  for (std::size_t a = 0; a < run.size(); ++a) {
    for (std::size_t b = a + 1; b <= run.size(); ++b) {
      const std::size_t cut[] = {a, b};
      double number = 0;
      REQUIRE(parse_many(kFloat64, rule(), run.data(), cut, 1, &number).ok());
      double expected = 0;
      std::from_chars(run.data() + a, run.data() + b, expected);
      REQUIRE(number == expected);
    }
  }

  for (std::size_t bad = 0; bad < 20; ++bad) {
    std::vector<std::string_view> texts(20, "1.5");
    texts[bad] = "x";
    std::vector<float> twenty(20);
    const ParseResult result = parse_many(kFloat32, rule(), texts.data(), texts.size(), twenty.data());
    CHECK(result.error == ParseError::bad_number);
    CHECK(result.index == bad);
  }
}

TEST_CASE("arrays agree with single elements in both layouts") {
  std::mt19937_64 random(8);
  std::string chars;
  std::vector<std::size_t> offsets = {0};
  std::vector<std::string> texts;
  for (int i = 0; i < 5000; ++i) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", static_cast<int>(random() % 18),
                  std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 128) - 120));
    texts.emplace_back(text);
    chars += text;
    offsets.push_back(chars.size());
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<std::uint16_t> packed(texts.size()), viewed(texts.size());
  REQUIRE(parse_many(kFloat16, rule(), chars.data(), offsets.data(), texts.size(), packed.data()).ok());
  REQUIRE(parse_many(kFloat16, rule(), views.data(), texts.size(), viewed.data()).ok());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    REQUIRE(packed[i] == parse(kFloat16, rule(), texts[i]).code);
    REQUIRE(viewed[i] == packed[i]);
  }
}

TEST_CASE("what stands around a text in its buffer is not part of it") {
  std::mt19937_64 random(12);
  constexpr std::string_view kCharacters = "0000112345678999....ee+--E x";
  std::string chars;
  std::vector<std::size_t> offsets = {0};
  for (int i = 0; i < 400000; ++i) {
    // Mostly numbers of all shapes, some with a character that spoils or changes them.
    std::string text;
    const auto digits = [&](std::uint64_t count) {
      for (; count > 0; --count) text += static_cast<char>('0' + random() % 10);
    };
    if (random() % 3 == 0) text += '-';
    digits(random() % 10);
    if (random() % 8 != 0) text += '.';
    digits(random() % 20);
    if (random() % 3 == 0) {
      text += 'e';
      text += random() % 2 != 0 ? '-' : '+';
      digits(1 + random() % 3);
    }
    if (random() % 4 == 0) text.insert(random() % (text.size() + 1), 1, kCharacters[random() % kCharacters.size()]);
    chars += text;
    offsets.push_back(chars.size());
  }
  std::vector<std::uint64_t> codes(offsets.size());
  for (std::size_t i = 0; i + 1 < offsets.size();) {  // from each bad text on again
    const ParseResult found = parse_many(kFloat64, rule(), chars.data(), offsets.data() + i,
                                         std::min<std::size_t>(offsets.size() - 1 - i, 200), codes.data());
    const std::size_t good = found.ok() ? std::min<std::size_t>(offsets.size() - 1 - i, 200) : found.index;
    for (std::size_t k = 0; k < good; ++k) {
      const Parsed alone =
          parse(kFloat64, rule(), std::string_view(chars).substr(offsets[i + k], offsets[i + k + 1] - offsets[i + k]));
      REQUIRE(alone.error == ParseError::none);
      REQUIRE(codes[k] == alone.code);
    }
    if (!found.ok()) {
      const std::string bad = chars.substr(offsets[i + good], offsets[i + good + 1] - offsets[i + good]);
      REQUIRE(parse(kFloat64, rule(), bad).error == found.error);
    }
    i += good + (found.ok() ? 0 : 1);
  }
}

}  // namespace
}  // namespace text_test
