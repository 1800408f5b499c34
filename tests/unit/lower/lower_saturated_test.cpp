// Integers saturated to few bits and looked up: held against the exact semantics, as far as 16 bits on every code, and
// around both ends beyond.
#include <catch2/catch_all.hpp>

#include "ir/interpret.hpp"
#include "lower/lower_saturated.hpp"
#include "unit/lower/shapes.hpp"

using namespace castforge;

namespace {

constexpr lower::TableClass kAllClasses[] = {lower::TableClass::vbmi, lower::TableClass::bytes16,
                                             lower::TableClass::neon};

/// Every code of 16 bits, sign-extended and not, or its low bits, and the ends of the source's range.
std::vector<std::uint64_t> sources(const spec::Type& src) {
  std::vector<std::uint64_t> codes;
  for (std::uint64_t code = 0; code < 1 << 16; ++code) {
    codes.push_back(code & low_bits(src.value_bits));
    codes.push_back((code - 0x8000) & low_bits(src.value_bits));
  }
  const std::uint64_t top = std::uint64_t{1} << (src.value_bits - 1);
  for (const std::uint64_t code : {top - 1, top, top + 1, low_bits(src.value_bits), top / 2}) codes.push_back(code);
  return codes;
}

bool is_exact_at_sources(const ir::Program& program, const spec::Meaning& meaning) {
  const std::vector<std::uint64_t> codes = sources(*meaning.src);
  std::vector<std::uint64_t> results = codes;
  if (!ir::interpret(program, results).empty()) return false;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (results[i] != semantics::convert_storage(meaning, codes[i])) return false;
  }
  return true;
}

std::optional<ir::Program> saturated(const char* src, const char* dst) {
  return lower::lower_saturated_to(test::conversion(test::type(src), test::type(dst)), 8, lower::TableClass::bytes16);
}

}  // namespace

TEST_CASE("saturated integers of shipped kernels are exact") {
  int found = 0, in_all = 0;
  for (const driver::Kernel& kernel : test::shipped_kernels().kernels) {
    if (kernel.meaning.src->kind != spec::Kind::integer) continue;
    INFO(kernel.name);
    for (const lower::TableClass table_class : kAllClasses) {
      const auto program = lower::lower_saturated_to(kernel.meaning, 8, table_class);
      if (!program) continue;
      ++found;
      CHECK(is_exact_at_sources(*program, kernel.meaning));
    }
    if (const auto program = lower::lower_saturated(kernel.meaning)) {
      ++in_all;
      CHECK(program->needs == ir::kNeedsVector);
      CHECK(is_exact_at_sources(*program, kernel.meaning));
    }
  }
  CHECK(found >= 60);
  CHECK(in_all >= 8);
}

TEST_CASE("saturated integers in every rounding mode") {
  const spec::Rounding half_toward_zero{"half_toward_zero", "rhz", 0x8888, "", {}};
  std::vector<const spec::Rounding*> modes = {&half_toward_zero};
  for (const auto& mode : test::shipped().model().roundings) modes.push_back(mode.get());
  for (const char* src : {"int8", "uint8", "int16", "uint16", "int32", "uint64"}) {
    for (const char* dst : {"float4e2m1", "float6e2m3", "float6e3m2"}) {
      for (const spec::Rounding* mode : modes) {
        spec::Meaning meaning = test::conversion(test::type(src), test::type(dst));
        meaning.round = mode;
        INFO(src << " to " << dst << ", " << mode->name);
        const auto program = lower::lower_saturated_to(meaning, 8, lower::TableClass::bytes16);
        REQUIRE(program);
        CHECK(is_exact_at_sources(*program, meaning));
      }
    }
  }
}

TEST_CASE("saturated integers are looked up alike where there are tables of 256 bytes") {
  const auto program = [](const char* src, const char* dst) {
    return lower::lower_saturated_in_long_table(test::conversion(test::type(src), test::type(dst)));
  };
  REQUIRE(program("int32", "float6e3m2"));
  CHECK(program("int32", "float6e3m2")->needs == ir::kNeedsTables);
  CHECK(program("int32", "float6e3m2")->tables.front().entries.size() == 64);
  CHECK_FALSE(program("int16", "float8e4m3fn"));  // 8 bits do not tell the results apart
}

TEST_CASE("no more bits are looked up than tell the results apart") {
  const auto entries = [](const char* src, const char* dst) {
    const auto program = saturated(src, dst);
    REQUIRE(program);
    return program->tables.size() * 16;
  };
  CHECK(entries("int16", "float4e2m1") == 16);   // -8 and 7 have the results of all beyond
  CHECK(entries("uint16", "float4e2m1") == 16);  // so has 15
  CHECK(entries("int16", "float6e2m3") > 16);    // 8 differs from 7
}

TEST_CASE("what 8 bits do not tell apart has no such program") {
  CHECK(!saturated("int16", "float8e4m3fn"));    // 128 to 448
  CHECK(!saturated("uint16", "float8e4m3fn"));   // 256 to 448
  CHECK(saturated("uint16", "float8e4m3fnuz"));  // ends at 240
  CHECK(!saturated("int8", "float8e4m3fn"));     // all its bits are looked up
  CHECK(!saturated("float16", "float4e2m1"));    // no integer
  CHECK(!saturated("int16", "float16"));         // no byte
  CHECK(!saturated("int64", "float8e8m0"));      // powers of two all the way
}
