// 16-bit floats by arithmetic and one row or two of tables: which conversions have such a program, and what is in it.
#include <catch2/catch_all.hpp>

#include <algorithm>

#include "lower/lower_regular.hpp"
#include "unit/lower/shapes.hpp"

using namespace castforge;
using ir::Op;
using lower::TableClass;

namespace {

constexpr TableClass kClasses[] = {TableClass::bytes16, TableClass::neon};

std::ptrdiff_t lookups(const ir::Program& program) {
  return std::ranges::count_if(
      program.nodes, [](const ir::Node& node) { return node.op == Op::lookup16 || node.op == Op::lookup16_or_zero; });
}

}  // namespace

TEST_CASE("regular cells in every rounding mode") {
  int found = 0;
  for (const char* src : {"float16", "bfloat16"}) {
    for (const char* dst : {"float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float4e2m1"}) {
      for (const auto& mode : test::shipped().model().roundings) {
        spec::Meaning meaning = test::conversion(test::type(src), test::type(dst));
        meaning.round = mode.get();
        if (!meaning.dst->has_nan()) meaning.nan = spec::NanResult::max;
        for (const TableClass table_class : kClasses) {
          INFO(src << " to " << dst << ", " << mode->name);
          const auto program = lower::lower_regular(meaning, table_class);
          if (!program) continue;
          CHECK(test::is_exact(*program, meaning));
          ++found;
        }
      }
    }
  }
  CHECK(found >= 40);
}

TEST_CASE("what NaN becomes has a form of its own") {
  spec::Meaning meaning = test::conversion(test::type("float16"), test::type("float8e4m3fn"));
  const auto after = lower::lower_regular(meaning, TableClass::bytes16);
  REQUIRE(after);
  CHECK(lookups(*after) == 2);  // one row of subnormal results, which have no second threshold
  CHECK(test::has_name(*after, "kMirror"));
  CHECK_FALSE(lower::lower_regular_without_tables(meaning));
  CHECK_FALSE(test::has_name(*after, "kNaNPlace"));  // 7F follows on 7E

  const auto twice =
      lower::lower_regular(test::conversion(test::type("float16"), test::type("float8e5m2fnuz")), TableClass::bytes16);
  REQUIRE(twice);  // some of that row have a second threshold
  CHECK(test::has_name(*twice, "kTwiceMore"));
  CHECK_FALSE(test::has_name(*twice, "kMirror"));

  meaning = test::conversion(test::type("float16"), test::type("float8e5m2"));
  const auto elsewhere = lower::lower_regular(meaning, TableClass::bytes16);
  REQUIRE(elsewhere);
  CHECK(test::has_name(*elsewhere, "kNaNPlace"));  // infinity lies between
  CHECK(lookups(*elsewhere) == 0);                 // subnormal numbers are on the same grid
  const auto everywhere = lower::lower_regular_without_tables(meaning);
  REQUIRE(everywhere);
  CHECK(everywhere->needs == ir::kNeedsVector);
  CHECK(test::is_exact(*everywhere, meaning));

  meaning = test::conversion(test::type("bfloat16"), test::type("float4e2m1"));
  meaning.overflow = spec::Overflow::max;
  meaning.inf = spec::InfResult::max;
  meaning.nan = spec::NanResult::zero_opposite;
  const auto opposite = lower::lower_regular(meaning, TableClass::neon);
  REQUIRE(opposite);
  CHECK(test::has_name(*opposite, "carried"));
  CHECK(test::is_exact(*opposite, meaning));

  meaning.nan = spec::NanResult::max;
  const auto positive = lower::lower_regular(meaning, TableClass::bytes16);
  REQUIRE(positive);
  CHECK(test::has_name(*positive, "kNegativeNaN"));
  CHECK(test::is_exact(*positive, meaning));
}

TEST_CASE("what is not regular has no such program") {
  const auto none = [](const char* src, const char* dst) {
    return !lower::lower_regular(test::conversion(test::type(src), test::type(dst)), TableClass::bytes16);
  };
  CHECK(none("float32", "float8e4m3fn"));
  CHECK(none("float16", "bfloat16"));
  CHECK(none("float16", "int8"));
  CHECK(none("float16", "float8e8m0"));
}
