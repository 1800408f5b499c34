// Number to text.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "exact_decimal.hpp"
#include "src/text/one_sided.hpp"
#include "src/text/powers.hpp"
#include "text_types.hpp"

namespace text_test {
namespace {

constexpr Notation kBoth[] = {Notation::fixed, Notation::general};

TEST_CASE("documented examples of number to text") {
  struct Example {
    const Type& type;
    std::uint64_t code;
    const char* general;
    const char* fixed;
  };
  const Example examples[] = {
      {kFloat32, 0x439D1463, "314.15927", "314.15927"},
      {kFloat32, 0x3F800000, "1", "1"},
      {kFloat32, 0x80000000, "-0", "-0"},
      {kFloat32, 0x00000000, "0", "0"},
      {kFloat32, 0x3DCCCCCD, "0.1", "0.1"},
      {kFloat32, 0x3F1AD728, "0.6048455", "0.6048455"},
      {kFloat32, 0x38D1B717, "0.0001", "0.0001"},
      {kFloat32, 0x3727C5AC, "1e-05", "0.00001"},
      {kFloat32, 0x47F12000, "123456", "123456"},
      {kFloat32, 0x49742400, "1e+06", "1000000"},
      {kFloat32, 0x4B800000, "1.6777216e+07", "16777216"},
      {kFloat64, 0x400921FB533BF4F5, "3.1415926459", "3.1415926459"},
      {kFloat64, 0x4480F0CF064DD592, "1e+22", "10000000000000000000000"},
      {kFloat16, 0x4248, "3.14", "3.14"},
      {kFloat16, 0x7BFF, "65504", "65504"},
      {kBfloat16, 0x4049, "3.14", "3.14"},
      {kE4M3FN, 0x7E, "448", "448"},
      {kE4M3FN, 0x01, "0.002", "0.002"},
      {kE2M1, 0x3, "1.5", "1.5"},
      {kE2M1, 0x8, "-0", "-0"},
      {kE8M0, 0xFE, "1.7014118346046923e+38", "170141183460469231731687303715884105728"},
      {kE8M0, 0x00, "5.877471754111438e-39", "0.000000000000000000000000000000000000005877471754111438"},
      {kE8M0, 0xFF, "NaN", "NaN"},
      {kE8M0, 0x7F, "1", "1"},
      {kE8M0, 0x7E, "0.5", "0.5"},
      {kInt8, 0x80, "-128", "-128"},
      {kInt2, 0x2, "-2", "-2"},
      {kUint4, 0xF, "15", "15"},
      {kUint64, ~0ull, "18446744073709551615", "18446744073709551615"},
      {kInt64, 1ull << 63, "-9223372036854775808", "-9223372036854775808"},
      {kBool, 0x01, "1", "1"},
      {kBool, 0x02, "1", "1"},
      {kBool, 0x00, "0", "0"},
      {kFloat32, 0x7FC00000, "NaN", "NaN"},
      {kFloat32, 0xFF800001, "NaN", "NaN"},
      {kFloat32, 0x7F800000, "INF", "INF"},
      {kFloat32, 0xFF800000, "-INF", "-INF"},
      {kE4M3FNUZ, 0x80, "NaN", "NaN"},
      {kE4M3FN, 0xFF, "NaN", "NaN"},
      {kE5M2, 0xFC, "-INF", "-INF"},
      {kE5M2, 0x7D, "NaN", "NaN"},
  };
  for (const Example& example : examples) {
    INFO(example.type.name << " " << std::hex << example.code);
    CHECK(format(example.type, example.code, Notation::general) == example.general);
    CHECK(format(example.type, example.code, Notation::fixed) == example.fixed);
  }
  CHECK(format(kFloat64, 1, Notation::general) == "5e-324");
  CHECK(format(kFloat64, 1, Notation::fixed) == "0." + std::string(323, '0') + "5");
  CHECK(format(kFloat64, 0x7FEFFFFFFFFFFFFF, Notation::fixed) ==
        ExactDecimal::binary((1ull << 53) - 1, 971).positional());
}

/// The shortest decimal of a magnitude code by definition: try one digit, two digits, ...
ExactDecimal shortest_by_search(const Type& type, std::uint64_t magnitude, bool by_fraction_digits) {
  const ExactDecimal value = value_of(type, magnitude);
  const Binary b = binary_of(type, magnitude);
  // Below a binade's first value the gap is half as wide, except at the bottom of the grid.
  const bool half_gap = magnitude % (1ull << type.mantissa_bits) == 0 && magnitude >> type.mantissa_bits > 1;
  const ExactDecimal low = half_gap ? ExactDecimal::binary(4 * b.significand - 1, b.power - 2)
                                    : ExactDecimal::binary(2 * b.significand - 1, b.power - 1);
  const ExactDecimal high = ExactDecimal::binary(2 * b.significand + 1, b.power - 1);
  const int admitted = (magnitude & 1) == 0 ? 0 : 1;  // an end of the interval belongs to the even code
  const auto inside = [&](const ExactDecimal& x) {
    return compare(low, x) <= -admitted && compare(x, high) <= -admitted;
  };
  for (long unit = by_fraction_digits ? 0 : value.scientific_exponent();; --unit) {
    const ExactDecimal below = value.floor_to(unit);
    const ExactDecimal above = below.plus_unit(unit);
    const bool below_fits = !below.is_zero() && inside(below);
    const bool above_fits = inside(above);
    if (below_fits != above_fits) return below_fits ? below : above;
    if (below_fits) {
      const int side = compare(value, below.plus_half_unit(unit));
      return side < 0 || (side == 0 && below.even_at(unit)) ? below : above;
    }
  }
}

TEST_CASE("every code of the small formats is written as the definition says") {
  for (const Type& type : small_floats()) {
    INFO(type.name);
    int wrong = 0;
    for (std::uint64_t code = 1; code <= type.max_finite; ++code) {
      const ExactDecimal value = value_of(type, code);
      const ExactDecimal digits = shortest_by_search(type, code, false);
      const bool whole = value.exponent() >= 0;
      const long x = digits.scientific_exponent();
      const std::string fixed = whole ? value.positional() : digits.positional();
      const std::string general = x < -4 || x > 5 ? digits.scientific()
                                  : whole         ? value.positional()
                                                  : shortest_by_search(type, code, true).positional();
      if (format(type, code, Notation::fixed) != fixed || format(type, code, Notation::general) != general) {
        ++wrong;
        UNSCOPED_INFO(std::hex << code << ": " << format(type, code, Notation::fixed) << " for " << fixed << ", "
                               << format(type, code, Notation::general) << " for " << general);
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("every code of the small formats reads back as itself") {
  for (const Type& type : small_floats()) {
    INFO(type.name);
    const std::uint64_t codes = 1ull << type.value_bits;
    int wrong = 0;
    for (std::uint64_t code = 0; code < codes; ++code) {
      for (const Notation notation : kBoth) {
        const std::string text = format(type, code, notation);
        if (text.size() > max_length(type, notation)) ++wrong;
        const Parsed back = parse(type, rule(), text);
        const std::uint64_t expected = text == "NaN" ? type.canonical_nan : code;
        if (back.error != ParseError::none || back.code != expected) {
          ++wrong;
          UNSCOPED_INFO(std::hex << code << ": " << text << " reads as " << back.code);
        }
      }
    }
    CHECK(wrong == 0);
  }
}

template <class Float, class Bits>
void check_against_to_chars(const Type& type, Bits bits) {
  const auto number = std::bit_cast<Float>(bits);
  if (!std::isfinite(number)) return;
  char buffer[1200];
  for (const Notation notation : kBoth) {
    const auto style = notation == Notation::fixed ? std::chars_format::fixed : std::chars_format::general;
    const std::string expected(buffer, std::to_chars(buffer, buffer + sizeof buffer, number, style).ptr);
    const std::string text = format(type, bits, notation);
    if (text != expected || text.size() > max_length(type, notation)) {
      INFO(std::hex << bits);
      CHECK(text == expected);
      CHECK(text.size() <= max_length(type, notation));
    }
  }
}

TEST_CASE("float32 and float64 are written as std::to_chars writes them") {
  std::mt19937_64 random(20240607);
  for (int i = 0; i < 150000; ++i) {
    check_against_to_chars<float>(kFloat32, static_cast<std::uint32_t>(random()));
    check_against_to_chars<double>(kFloat64, random());
    check_against_to_chars<float>(kFloat32,
                                  std::bit_cast<std::uint32_t>(static_cast<float>(random() % 2000000) / 1000));
    check_against_to_chars<double>(kFloat64,
                                   std::bit_cast<std::uint64_t>(static_cast<double>(random() % 10000000) / 1000));
  }
  for (std::uint32_t exponent = 0; exponent < 255; ++exponent) {
    for (const std::uint32_t fraction : {0u, 1u, 2u, 3u, 0x400000u, 0x7FFFFEu, 0x7FFFFFu}) {
      check_against_to_chars<float>(kFloat32, exponent << 23 | fraction);
      check_against_to_chars<float>(kFloat32, 0x80000000u | exponent << 23 | fraction);
    }
  }
  for (std::uint64_t exponent = 0; exponent < 2047; ++exponent) {
    for (const std::uint64_t fraction : {0ull, 1ull, 2ull, 3ull, 1ull << 51, (1ull << 52) - 2, (1ull << 52) - 1}) {
      check_against_to_chars<double>(kFloat64, exponent << 52 | fraction);
    }
  }
  double ten = 1;
  for (int e = 0; e < 308; ++e, ten *= 10) {
    for (const std::uint64_t step : {~1ull, ~0ull, 0ull, 1ull, 2ull}) {
      check_against_to_chars<double>(kFloat64, std::bit_cast<std::uint64_t>(ten) + step);
      check_against_to_chars<float>(
          kFloat32, std::bit_cast<std::uint32_t>(static_cast<float>(ten)) + static_cast<std::uint32_t>(step));
    }
  }
}

TEST_CASE("integers are written as std::to_chars writes them") {
  std::mt19937_64 random(7);
  char buffer[32];
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t bits = random() >> (random() % 64);
    for (const std::uint64_t code : {bits, ~bits + 1}) {
      const std::string plain(buffer, std::to_chars(buffer, buffer + 32, code).ptr);
      const std::string negative(buffer, std::to_chars(buffer, buffer + 32, static_cast<std::int64_t>(code)).ptr);
      const std::string narrow(buffer, std::to_chars(buffer, buffer + 32, static_cast<std::int32_t>(code)).ptr);
      REQUIRE(format(kUint64, code, Notation::fixed) == plain);
      REQUIRE(format(kInt64, code, Notation::general) == negative);
      REQUIRE(format(kInt32, code & 0xFFFFFFFF, Notation::general) == narrow);
    }
  }
  for (int i = 0; i < 256; ++i) {
    REQUIRE(format(kInt8, static_cast<std::uint64_t>(i), Notation::fixed) ==
            std::to_string(static_cast<std::int8_t>(i)));
  }
}

TEST_CASE("exponents of two count as the logarithm formulas say") {
  const auto floor_log10 = [](std::uint64_t significand, int power) {
    return static_cast<int>(ExactDecimal::binary(significand, power).scientific_exponent());
  };
  for (int q = -1076; q <= 1024; ++q) {
    REQUIRE(floor_log10_pow2(q) == floor_log10(1, q));
    REQUIRE(floor_log10_three_quarters_pow2(q) == floor_log10(3, q - 2));
  }
}

TEST_CASE("unsigned power-of-two types are written on the grid of float64") {
  char buffer[400];
  for (std::uint64_t code = 0; code < 255; ++code) {
    const double value = std::bit_cast<double>((code + 1023 - 127) << 52);
    for (const Notation notation : kBoth) {
      const auto style = notation == Notation::fixed ? std::chars_format::fixed : std::chars_format::general;
      const std::string expected(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, style).ptr);
      REQUIRE(format(kE8M0, code, notation) == expected);
    }
  }
}

TEST_CASE("arrays: storage layout, capacity, resuming") {
  const unsigned char packed[] = {0x21, 0x43, 0x0F};  // uint4: 1 2 3 4 15
  char out[64];
  std::size_t ends[5];
  FormatResult done = format_many(kUint4, packed, 0, 5, Notation::fixed, out, sizeof out, ends);
  CHECK(done.elements == 5);
  CHECK(std::string(out, done.bytes) == "123415");
  CHECK(ends[4] == 6);
  done = format_many(kUint4, packed, 3, 2, Notation::fixed, out, sizeof out, ends);
  CHECK(std::string(out, done.bytes) == "415");

  const unsigned char twos[] = {0xE4, 0x01};  // int2: 0 1 -2 -1 1
  done = format_many(kInt2, twos, 0, 5, Notation::fixed, out, sizeof out, ends);
  CHECK(std::string(out, done.bytes) == "01-2-11");

  const unsigned char ones[] = {0xB0, 0x80};  // uint1, from the high bit on: 1 0 1 1 0 0 0 0 1
  std::size_t nine[9];
  done = format_many(kUint1, ones, 0, 9, Notation::fixed, out, sizeof out, nine);
  CHECK(std::string(out, done.bytes) == "101100001");
  done = format_many(kUint1, ones, 7, 2, Notation::fixed, out, sizeof out, nine);
  CHECK(std::string(out, done.bytes) == "01");

  Type high = ieee("tf32", 8, 10, 127, 32);
  high.storage_high = true;
  const unsigned char tf32[] = {0x00, 0x00, 0x80, 0x3F, 0xFF, 0x1F, 0x20, 0xC0};  // 1, then -2.5 with noise below
  done = format_many(high, tf32, 0, 2, Notation::fixed, out, sizeof out, ends);
  CHECK(std::string(out, done.bytes) == "1-2.5");

  const std::vector<float> numbers(40, -1234.5678f);
  const std::string one = "-1234.5677";
  for (std::size_t capacity = 0; capacity < 120; ++capacity) {
    std::string target(capacity + 16, '#');
    std::vector<std::size_t> stops(numbers.size());
    const FormatResult part = format_many(kFloat32, numbers.data(), 0, numbers.size(), Notation::fixed, target.data(),
                                          capacity, stops.data());
    REQUIRE(part.elements == capacity / one.size());
    REQUIRE(part.bytes == part.elements * one.size());
    REQUIRE(target.substr(capacity) == std::string(16, '#'));
    for (std::size_t i = 0; i < part.elements; ++i) {
      REQUIRE(stops[i] == (i + 1) * one.size());
      REQUIRE(target.substr(i * one.size(), one.size()) == one);
    }
  }
}

TEST_CASE("stated bounds hold") {
  CHECK(max_length(kFloat64, Notation::fixed) == 327);
  CHECK(max_length(kFloat64, Notation::general) == 24);
  CHECK(max_length(kInt64, Notation::fixed) == 20);
  for (const Type& type : small_floats()) {
    CHECK(buffer_size(type, Notation::fixed) <= kFormatBuffer);
    // Nothing behind the stated room is touched.
    const std::size_t room = buffer_size(type, Notation::fixed);
    for (std::uint64_t code = 0; code < (1ull << type.value_bits); code += 7) {
      char buffer[kFormatBuffer + 16];
      std::memset(buffer, '#', sizeof buffer);
      format_one(type, code, Notation::fixed, buffer);
      for (std::size_t i = room; i < sizeof buffer; ++i) REQUIRE(buffer[i] == '#');
    }
  }
}

/// As readers find it who round to nearest, and in the direction in which it lies. For odd significands and powers of
/// two: no end of their intervals is a shorter decimal.
void check_one_sided(std::uint64_t significand, int exponent, bool half, bool upward) {
  const LongDecimal decimal = shortest_one_sided(significand, exponent, half, upward);
  const auto text = [&](int count) {
    return "0." + std::string(decimal.digits, static_cast<std::size_t>(count)) + "e" +
           std::to_string(decimal.exponent + 1);
  };
  const double value = std::ldexp(static_cast<double>(significand), exponent);
  const auto code = std::bit_cast<std::uint64_t>(value);
  constexpr std::uint16_t kUp = 0x00EE, kDown = 0x0000;
  INFO(std::hex << code << (upward ? " up " : " down ") << text(decimal.count));
  CHECK(decimal.count <= 18);
  CHECK(parse(kFloat64, rule(), text(decimal.count)).code == code);
  CHECK(parse(kFloat64, rule(upward ? kDown : kUp), text(decimal.count)).code == code);
  // One digit fewer names another value, or lies on the other side.
  if (decimal.count == 1) return;
  std::string shorter(decimal.digits, static_cast<std::size_t>(decimal.count - 1));
  if (upward) {
    std::size_t last = shorter.size();
    while (last > 0 && shorter[last - 1] == '9') shorter[--last] = '0';
    last > 0 ? static_cast<void>(++shorter[last - 1]) : static_cast<void>(shorter.insert(0, "1"));
  }
  const bool longer = shorter.size() == static_cast<std::size_t>(decimal.count);
  const std::string other = "0." + shorter + "e" + std::to_string(decimal.exponent + 1 + longer);
  CHECK(parse(kFloat64, rule(), other).code != code);
}

TEST_CASE("the shortest decimal on one side of a value") {
  std::mt19937_64 random(20261122);
  for (const bool upward : {false, true}) {
    for (int exponent = -1074; exponent <= 900; ++exponent) {
      check_one_sided(1ull << 52, exponent, exponent > -1074, upward);
      check_one_sided(((1ull << 52) + random() % (1ull << 52)) | 1, exponent, false, upward);
      check_one_sided(1 + random() % 100000, -1074, false, upward);
      check_one_sided(1 + random() % 1000, 0, false, upward);
    }
  }
}

TEST_CASE("texts lie where their reader finds them again") {
  constexpr std::uint16_t kUp = 0x00EE, kDown = 0x0000, kNearestAway = 0xCCCC;
  for (const std::uint16_t carry : {kUp, kDown, kNearestAway, kNearestEven}) {
    for (const Notation notation : kBoth) {
      for (std::uint64_t code = 0; code < 255; ++code) {
        char buffer[kFormatBuffer];
        const std::string text(buffer, format_one(kE8M0, code, notation, buffer, carry));
        INFO(std::hex << carry << ' ' << text);
        CHECK(text.size() <= buffer_size(kE8M0, notation));
        CHECK(parse(kE8M0, rule(carry), text).code == code);
        // And it names the value to whoever reads it as float64.
        CHECK(std::stod(text) == std::ldexp(1.0, static_cast<int>(code) - 127));
      }
    }
  }
  char buffer[kFormatBuffer];
  CHECK(std::string(buffer, format_one(kE8M0, 0, Notation::general, buffer, kUp)) == "5.8774717541114375e-39");
}

}  // namespace
}  // namespace text_test
