// 16-bit floats by cells of a byte in tables of 16: which conversions have such a program, and what is in it.
#include <catch2/catch_all.hpp>

#include <algorithm>

#include "lower/lower_cells.hpp"
#include "unit/lower/shapes.hpp"

using namespace castforge;
using ir::Op;
using lower::TableClass;

namespace {

std::ptrdiff_t count(const ir::Program& program, Op op, int bits) {
  return std::ranges::count_if(program.nodes, [&](const ir::Node& node) { return node.op == op && node.bits == bits; });
}

spec::Meaning to_float4(const char* src, spec::NanResult nan) {
  spec::Meaning meaning = test::conversion(test::type(src), test::type("float4e2m1"));
  meaning.overflow = spec::Overflow::max;
  meaning.inf = spec::InfResult::max;
  meaning.nan = nan;
  return meaning;
}

ir::Program cells_of(const spec::Meaning& meaning) {
  const auto program = lower::lower_cells(meaning, TableClass::bytes16);
  REQUIRE(program);
  CHECK(test::is_exact(*program, meaning));
  CHECK(count(*program, Op::min, 16) == 0);  // bounds are those of bytes
  return *program;
}

}  // namespace

TEST_CASE("cells in every rounding mode") {
  int found = 0;
  for (const char* src : {"float16", "bfloat16"}) {
    for (const spec::NanResult nan :
         {spec::NanResult::max, spec::NanResult::max_signed, spec::NanResult::zero_opposite}) {
      for (const auto& mode : test::shipped().model().roundings) {
        spec::Meaning meaning = to_float4(src, nan);
        meaning.round = mode.get();
        for (const TableClass table_class : {TableClass::bytes16, TableClass::neon}) {
          INFO(src << ", " << mode->name);
          const auto program = lower::lower_cells(meaning, table_class);
          if (!program) continue;
          CHECK(test::is_exact(*program, meaning));
          CHECK(program->needs == (table_class == TableClass::neon ? ir::kNeedsNeon : ir::kNeedsBytes16));
          ++found;
        }
      }
    }
  }
  CHECK(found == 34);  // those whose negative results are the positive ones with a sign
}

TEST_CASE("an exponent of eight bits fills the byte of doubled codes") {
  const ir::Program program = cells_of(to_float4("bfloat16", spec::NanResult::max_signed));
  CHECK(test::has_name(program, "doubled"));
  CHECK(test::has_name(program, "kTwice"));
  CHECK(count(program, Op::lookup16, 8) == 3);  // results, and two thresholds in a binade
  CHECK_FALSE(test::has_name(program, "kOne"));
}

TEST_CASE("where 16 entries are too few, the smallest results share one") {
  const ir::Program sticky = cells_of(to_float4("float16", spec::NanResult::max));
  CHECK(test::has_name(sticky, "kOne"));
  CHECK(test::has_name(sticky, "ceiling"));  // the tie between 0 and 1 is the first of its cell
  CHECK(test::has_name(sticky, "kRises"));
  CHECK(test::has_name(sticky, "kNegativeNaN"));

  const ir::Program carried = cells_of(to_float4("float16", spec::NanResult::zero_opposite));
  CHECK(test::has_name(carried, "kOne"));
  CHECK_FALSE(test::has_name(carried, "ceiling"));  // with what makes NaN zero, the tie is the last of another cell
  CHECK(test::has_name(carried, "kOnce"));
  CHECK_FALSE(test::has_name(carried, "kSignBit"));  // thresholds are FE: a difference tells

  const ir::Program with_sign = cells_of(to_float4("float16", spec::NanResult::max_signed));
  CHECK_FALSE(test::has_name(with_sign, "kNegativeNaN"));
}

TEST_CASE("NEON looks up what is below 16") {
  const auto program = lower::lower_cells(to_float4("bfloat16", spec::NanResult::max), TableClass::neon);
  REQUIRE(program);
  CHECK(count(*program, Op::lookup16_or_zero, 8) == 3);
  CHECK(count(*program, Op::lookup16, 8) == 0);
}

TEST_CASE("where every source rounds to zero there are no cells") {
  spec::Type far = test::type("float4e2m1");
  far.exponent_bias = -20;  // the smallest number is 2^20
  spec::Meaning meaning = to_float4("float16", spec::NanResult::max);
  meaning.dst = &far;
  CHECK_FALSE(lower::lower_cells(meaning, TableClass::bytes16));
}

TEST_CASE("float32 goes by the upper half of its code") {
  const spec::Meaning meaning = to_float4("float32", spec::NanResult::max);
  const auto program = lower::lower_odd_cells(meaning, TableClass::bytes16);
  REQUIRE(program);
  CHECK(test::has_name(*program, "shortened"));
  // On both sides of every tie, a bit away and the least that the lower half can tell.
  std::vector<std::uint64_t> codes = {0, 0x80000000, 0x7F800000, 0xFF800000, 0x7F800001, 0xFF800001, 0xFFC00000};
  for (std::uint64_t upper = 0x3E00; upper < 0x4100; ++upper) {
    for (const std::uint64_t lower : {0x0000, 0x0001, 0x8000, 0xFFFF}) {
      for (const std::uint64_t sign : {0ull, 1ull << 31}) codes.push_back(sign | upper << 16 | lower);
    }
  }
  std::vector<std::uint64_t> expected = codes;
  for (std::uint64_t& code : expected) code = semantics::convert_storage(meaning, code);
  REQUIRE(ir::interpret(*program, codes).empty());
  CHECK(codes == expected);
  CHECK_FALSE(lower::lower_odd_cells(to_float4("float16", spec::NanResult::max), TableClass::bytes16));
  CHECK_FALSE(lower::lower_odd_cells(to_float4("float64", spec::NanResult::max), TableClass::bytes16));
}

TEST_CASE("what has more cells, or no such ends, has no such program") {
  const auto none = [](const char* src, const char* dst) {
    return !lower::lower_cells(test::conversion(test::type(src), test::type(dst)), TableClass::bytes16);
  };
  CHECK(none("float16", "float8e4m3fn"));
  CHECK(none("bfloat16", "float8e5m2"));
  CHECK(none("float32", "float4e2m1"));
  CHECK(none("int16", "float4e2m1"));
  CHECK(none("float16", "int8"));
}
