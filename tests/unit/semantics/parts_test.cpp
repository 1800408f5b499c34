// The parts of the exact semantics one by one: grids, carry tables, decoding, storage, results a rule names.
#include <bit>
#include <catch2/catch_all.hpp>

#include "meanings.hpp"
#include "semantics/convert.hpp"
#include "semantics/finite.hpp"
#include "semantics/integers.hpp"
#include "semantics/value.hpp"

using namespace castforge;
using castforge::test::conversion;
using castforge::test::floating;
using castforge::test::rounding;
using castforge::test::type;

namespace {

semantics::Grid<semantics::Integers> to_grid(std::uint64_t significand, int exponent, int ulp) {
  semantics::Integers integers;
  const int leading = static_cast<int>(std::bit_width(significand)) - 1 + exponent;
  return semantics::to_grid(integers, {false, leading, exponent, significand}, ulp);
}

}  // namespace

TEST_CASE("to_grid splits a number at the ulp") {
  const auto grid = [](std::uint64_t significand, int exponent, int ulp) {
    const auto g = to_grid(significand, exponent, ulp);
    return std::tuple(static_cast<std::uint64_t>(g.ulps), g.first_dropped, g.sticky);
  };
  CHECK(grid(0b1011, 0, 0) == std::tuple(0b1011u, false, false));
  CHECK(grid(0b1011, 0, 1) == std::tuple(0b101u, true, false));
  CHECK(grid(0b1011, 0, 2) == std::tuple(0b10u, true, true));
  CHECK(grid(0b1011, 0, 3) == std::tuple(1u, false, true));
  CHECK(grid(0b1011, 0, 4) == std::tuple(0u, true, true));
  CHECK(grid(0b1000, 0, 4) == std::tuple(0u, true, false));  // exactly half an ulp
  CHECK(grid(0b1011, 0, 5) == std::tuple(0u, false, true));
  CHECK(grid(0b1011, -7, -9) == std::tuple(0b101100u, false, false));
  CHECK(grid(~0ull, 0, 64) == std::tuple(0u, true, true));
  CHECK(grid(1ull << 63, 0, 64) == std::tuple(0u, true, false));
  CHECK(grid(1ull << 63, 0, 65) == std::tuple(0u, false, true));
  CHECK(grid(1, -1074, 0) == std::tuple(0u, false, true));
  CHECK(to_grid(1, 126, 0).ulps == static_cast<unsigned __int128>(1) << 126);
  CHECK(to_grid(~0ull, 63, 0).ulps == static_cast<unsigned __int128>(~0ull) << 63);
  CHECK(to_grid(1, 127, 0).ulps == static_cast<unsigned __int128>(1) << 127);
  CHECK(to_grid(3, 900, 0).ulps == static_cast<unsigned __int128>(1) << 127);  // beyond every range
}

TEST_CASE("carry tables say what their modes are called") {
  const std::pair<const char*, unsigned> tables[] = {{"nearest_even", 0xC8C8}, {"nearest_away", 0xCCCC},
                                                     {"toward_zero", 0x0000},  {"floor", 0xEE00},
                                                     {"ceil", 0x00EE},         {"odd", 0x0E0E}};
  for (const auto& [name, carry] : tables) {
    INFO(name);
    const spec::Rounding& mode = rounding(name);
    CHECK(mode.carry == carry);
    for (int index = 0; index < 16; ++index) {
      const bool s = index & 8, l = index & 4, r = index & 2, sticky = index & 1;
      const std::string word = name;
      const bool expected = word == "nearest_even"   ? r && (l || sticky)
                            : word == "nearest_away" ? r
                            : word == "toward_zero"  ? false
                            : word == "floor"        ? s && (r || sticky)
                            : word == "ceil"         ? !s && (r || sticky)
                                                     : !l && (r || sticky);
      CHECK(mode.carries(s, l, r, sticky) == expected);
      CHECK(((carry >> index) & 1) == expected);
    }
  }
}

TEST_CASE("a mode that no system has is only a table") {
  spec::Rounding away{"away", "raw", 0xEEEE, "", {}};
  spec::Rounding toward{"half_toward_zero", "rhz", 0x8888, "", {}};
  spec::Meaning meaning = conversion(type("float32"), type("int32"));
  meaning.overflow = spec::Overflow::saturate;
  const auto cast = [&](const spec::Rounding& mode, float x) {
    meaning.round = &mode;
    return static_cast<std::int32_t>(semantics::convert_code(meaning, std::bit_cast<std::uint32_t>(x)));
  };
  CHECK(cast(away, 0x1p-149f) == 1);
  CHECK(cast(away, -2.25f) == -3);
  CHECK(cast(away, 2.0f) == 2);
  CHECK(cast(toward, 2.5f) == 2);
  CHECK(cast(toward, 3.5f) == 3);
  CHECK(cast(toward, -3.5f) == -3);
  CHECK(cast(toward, 3.5000002f) == 4);
}

TEST_CASE("decoding") {
  using semantics::decode;
  using Class = semantics::Value::Class;
  const auto nan = [](const char* name, std::uint64_t code) { return decode(type(name), code).cls == Class::nan; };
  const auto infinite = [](const char* name, std::uint64_t code) {
    return decode(type(name), code).cls == Class::infinity;
  };
  CHECK(nan("float8e4m3fn", 0x7F));
  CHECK(nan("float8e4m3fn", 0xFF));
  CHECK_FALSE(nan("float8e4m3fn", 0x7E));
  CHECK(nan("float8e4m3fnuz", 0x80));
  CHECK(decode(type("float8e4m3fnuz"), 0x80).negative);  // counts as sign set where it is widened
  CHECK_FALSE(nan("float8e4m3fnuz", 0x7F));
  CHECK(nan("float8e5m2", 0x7D));
  CHECK(infinite("float8e5m2", 0xFC));
  CHECK(nan("float8e8m0", 0xFF));
  CHECK_FALSE(decode(type("float8e8m0"), 0xFF).negative);
  for (std::uint64_t code = 0; code < 16; ++code) CHECK(decode(type("float4e2m1"), code).cls == Class::finite);
  CHECK(decode(type("float8e8m0"), 0x00).log2_floor() == -127);
  CHECK(decode(type("float8e8m0"), 0xFE).log2_floor() == 127);
  const semantics::Value least = decode(type("float64"), 1);
  CHECK(least.significand == 1);
  CHECK(least.exponent == -1074);
  const semantics::Value minimum = decode(type("int64"), 1ull << 63);
  CHECK(minimum.negative);
  CHECK(minimum.significand == 1ull << 63);
  CHECK(decode(type("int4"), 0x8).significand == 8);
  CHECK(decode(type("bool"), 0xFE).significand == 1);
  CHECK(decode(type("float32"), 0x80000000).negative);
  CHECK(decode(type("float32"), 0x80000000).is_zero());
}

TEST_CASE("codes in storage") {
  using semantics::code_of_storage;
  using semantics::storage_of_code;
  spec::Type high = floating("high19", true, 8, 10, 127, true, true, spec::NanCodes::ieee, 32);
  high.storage_high = true;
  CHECK(storage_of_code(high, 0x7FFFF) == 0xFFFFE000);
  CHECK(code_of_storage(high, 0xFFFFFFFF) == 0x7FFFF);
  CHECK(code_of_storage(high, 0x00001FFF) == 0);
  const spec::Type low = floating("low12", true, 5, 6, 15, true, true, spec::NanCodes::ieee, 16);
  CHECK(storage_of_code(low, 0xFFF) == 0x0FFF);
  CHECK(code_of_storage(low, 0xF123) == 0x123);
  spec::Type filled = test::integer("int12", true, 12, 16);
  filled.storage_sign_fill = true;
  CHECK(storage_of_code(filled, 0x800) == 0xF800);
  CHECK(storage_of_code(filled, 0x7FF) == 0x07FF);
  CHECK(code_of_storage(filled, 0xF800) == 0x800);
}

TEST_CASE("named results of floating destinations") {
  struct Row {
    const char* dst;
    std::uint64_t infinity, max, nan, negative_infinity, negative_max;
  };
  const Row rows[] = {
      {"float16", 0x7C00, 0x7BFF, 0x7E00, 0xFC00, 0xFBFF},
      {"bfloat16", 0x7F80, 0x7F7F, 0x7FC0, 0xFF80, 0xFF7F},
      {"float32", 0x7F800000, 0x7F7FFFFF, 0x7FC00000, 0xFF800000, 0xFF7FFFFF},
      {"float8e4m3fn", 0x7F, 0x7E, 0x7F, 0xFF, 0xFE},
      {"float8e4m3fnuz", 0x80, 0x7F, 0x80, 0x80, 0xFF},
      {"float8e5m2", 0x7C, 0x7B, 0x7E, 0xFC, 0xFB},
      {"float8e5m2fnuz", 0x80, 0x7F, 0x80, 0x80, 0xFF},
      {"float4e2m1", 0x7, 0x7, 0x7, 0xF, 0xF},
      {"float8e8m0", 0xFF, 0xFE, 0xFF, 0xFF, 0xFE},
  };
  for (const Row& row : rows) {
    INFO(row.dst);
    spec::Meaning meaning = conversion(type("float64"), type(row.dst));
    meaning.overflow = spec::Overflow::infinity;
    CHECK(semantics::overflow_result(meaning, false) == row.infinity);
    CHECK(semantics::overflow_result(meaning, true) == row.negative_infinity);
    CHECK(semantics::infinity_result(meaning, false) == row.infinity);
    meaning.overflow = spec::Overflow::max;
    CHECK(semantics::overflow_result(meaning, false) == row.max);
    CHECK(semantics::overflow_result(meaning, true) == row.negative_max);
    meaning.inf = spec::InfResult::as_overflow;
    CHECK(semantics::infinity_result(meaning, true) == row.negative_max);
    meaning.overflow = spec::Overflow::nan;
    CHECK(semantics::overflow_result(meaning, false) == row.nan);
    CHECK(semantics::nan_result(meaning, false) == row.nan);
    meaning.nan = spec::NanResult::max;
    CHECK(semantics::nan_result(meaning, true) == row.max);
    meaning.nan = spec::NanResult::max_signed;
    CHECK(semantics::nan_result(meaning, true) == row.negative_max);
  }
  spec::Meaning four = conversion(type("float32"), type("float4e2m1"));
  four.nan = spec::NanResult::zero_opposite;
  CHECK(semantics::nan_result(four, false) == 8);
  CHECK(semantics::nan_result(four, true) == 0);
}

TEST_CASE("overflow under ieee stays at the largest number where the mode moves toward zero") {
  struct Row {
    const char* mode;
    std::uint64_t positive, negative;
  };
  for (const Row& row : {Row{"nearest_even", 0x7C00, 0xFC00},
                         {"nearest_away", 0x7C00, 0xFC00},
                         {"toward_zero", 0x7BFF, 0xFBFF},
                         {"floor", 0x7BFF, 0xFC00},
                         {"ceil", 0x7C00, 0xFBFF},
                         {"odd", 0x7BFF, 0xFBFF}}) {
    INFO(row.mode);
    spec::Meaning meaning = conversion(type("float32"), type("float16"));
    meaning.round = &rounding(row.mode);
    meaning.overflow = spec::Overflow::ieee;
    for (const std::uint64_t beyond : {0x47800000ull, 0x7F7FFFFFull}) {
      CHECK(semantics::convert_code(meaning, beyond) == row.positive);
      CHECK(semantics::convert_code(meaning, beyond | 0x80000000) == row.negative);
    }
    CHECK(semantics::convert_code(meaning, 0x7F800000) == 0x7C00);  // an infinity is not an overflow
  }
}

TEST_CASE("destinations without a sign or a zero") {
  const spec::Type unsigned_zero = floating("ufloat8e5m3", false, 5, 3, 15, true, true, spec::NanCodes::ieee, 8);
  spec::Meaning meaning = conversion(type("float32"), unsigned_zero);
  const auto cast = [&](float x) { return semantics::convert_code(meaning, std::bit_cast<std::uint32_t>(x)); };
  meaning.negative = spec::NegativeResult::clamp;
  CHECK(cast(-1.0f) == 0);
  CHECK(cast(-0.0f) == 0);
  CHECK(cast(1.0f) == 0x78);
  meaning.negative = spec::NegativeResult::nan;
  CHECK(cast(-1.0f) == unsigned_zero.canonical_nan(false));
  CHECK(cast(-0.0f) == 0);
  meaning.negative = spec::NegativeResult::abs;
  CHECK(cast(-1.0f) == 0x78);
  CHECK(cast(-std::numeric_limits<float>::infinity()) == unsigned_zero.infinity_code());

  meaning = conversion(type("float32"), type("float8e8m0"));
  meaning.negative = spec::NegativeResult::nan;
  meaning.zero = spec::BelowRange::nan;
  meaning.underflow = spec::BelowRange::min;
  CHECK(cast(0.0f) == 0xFF);
  CHECK(cast(-0.0f) == 0xFF);
  CHECK(cast(0x1p-128f) == 0x00);
  CHECK(cast(-0x1p-128f) == 0xFF);
  meaning.zero = spec::BelowRange::min;
  meaning.underflow = spec::BelowRange::nan;
  CHECK(cast(0.0f) == 0x00);
  CHECK(cast(0x1.fp-128f) == 0xFF);  // decided before rounding
  CHECK(cast(0x1p-127f) == 0x00);
}

TEST_CASE("rules that contradict themselves are refused, not guessed") {
  spec::Meaning meaning = conversion(type("float32"), type("float16"));
  meaning.round = nullptr;
  CHECK(semantics::convert_code(meaning, 0x3F800000) == 0x3C00);
  CHECK_THROWS_AS(semantics::convert_code(meaning, 0x3F800001), std::logic_error);
  spec::Type gapped = type("float8e4m3fn");
  gapped.subnormals = false;  // nothing between zero and 1.125 * 2^-7
  meaning.dst = &gapped;
  const auto cast = [&](float x) { return semantics::convert_code(meaning, std::bit_cast<std::uint32_t>(x)); };
  CHECK(cast(0x1.2p-7f) == 1);
  for (const float below : {0x1p-7f, 0x1.2p-8f, 0x1p-8f, 0x1p-20f}) CHECK_THROWS_AS(cast(below), std::logic_error);
  meaning = conversion(type("float32"), type("int32"));
  meaning.overflow = spec::Overflow::infinity;
  CHECK_THROWS_AS(semantics::convert_code(meaning, 0x3F800000), std::logic_error);
  meaning = conversion(type("float32"), type("string"));
  CHECK_THROWS_AS(semantics::convert_code(meaning, 0), std::logic_error);
}
