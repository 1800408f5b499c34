// float32 to few numbers by place: run on numbers around every threshold, held against the exact semantics.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

#include "ir/analysis.hpp"
#include "ir/interpret.hpp"
#include "plan/real.hpp"
#include "unit/lower/shapes.hpp"

using namespace castforge;

namespace {

/// float32 numbers around every multiple of an eighth of the smallest step, subnormal and huge ones, and no numbers.
std::vector<std::uint64_t> singles(const spec::Type& dst) {
  const auto code_of = [](double number) { return std::bit_cast<std::uint32_t>(static_cast<float>(number)); };
  std::vector<std::uint64_t> codes = {0,          1,          2,          0x007FFFFF, 0x00800000,
                                      0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF};
  const int eighth = dst.min_exponent() - dst.mantissa_bits - 3;
  for (int k = 1; std::ldexp(k, eighth) < 3 * dst.max_finite(); ++k) {
    for (const std::uint64_t more : {0u, 1u, 2u}) codes.push_back(code_of(std::ldexp(k, eighth)) - 1 + more);
  }
  const std::size_t positive = codes.size();
  for (std::size_t i = 0; i < positive; ++i) codes.push_back(codes[i] | 0x80000000);
  return codes;
}

/// The same as float64, with neighbours that a float32 does not tell apart.
std::vector<std::uint64_t> doubles(const spec::Type& dst) {
  std::vector<std::uint64_t> codes = {1, 1ull << 63 | 1, 0x7FF0000000000001, 0x7FEFFFFFFFFFFFFF};
  for (const std::uint64_t code : singles(dst)) {
    const auto number = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(code)));
    for (const std::uint64_t more : {0u, 1u, 2u}) codes.push_back(std::bit_cast<std::uint64_t>(number) - 1 + more);
  }
  return codes;
}

void check(const spec::Meaning& meaning, const ir::Program& program) {
  const bool wide = meaning.src->storage_bits == 64;
  const std::vector<std::uint64_t> codes = wide ? doubles(*meaning.dst) : singles(*meaning.dst);
  std::vector<std::uint64_t> results = codes;
  REQUIRE(ir::interpret(program, results) == "");
  for (std::size_t i = 0; i < codes.size(); ++i) {
    INFO(codes[i]);
    REQUIRE(results[i] == semantics::convert_storage(meaning, codes[i]));
  }
}

std::optional<ir::Program> places(const spec::Meaning& meaning) {
  const bool is_double = plan::is_layout(*meaning.src, ir::kFloat64);
  if (!is_double && !plan::is_layout(*meaning.src, ir::kFloat32)) return {};
  if (meaning.dst->storage_bits > 7) return {};  // the rows of the list ask for that, and decode_sticky relies on it
  ir::Builder b(meaning.src->storage_bits, meaning.dst->storage_bits, meaning.src->storage_bits);
  const plan::Real real = is_double ? plan::decode_sticky(b, meaning) : plan::decode_single(b, meaning);
  const ir::Value result = plan::encode_places(b, real, meaning);
  return result ? std::optional(b.finish(result)) : std::nullopt;
}

bool has(const ir::Program& program, ir::Op op) {
  return std::ranges::any_of(program.nodes, [op](const ir::Node& node) { return node.op == op; });
}

}  // namespace

TEST_CASE("places of the shipped kernels") {
  int found = 0;
  for (const driver::Kernel& kernel : test::shipped_kernels().kernels) {
    const auto program = places(kernel.meaning);
    if (!program) continue;
    INFO(kernel.name);
    ++found;
    CHECK(ir::environment(*program) == ir::Environment::rounding);  // subnormal sources need no guard
    check(kernel.meaning, *program);
  }
  CHECK(found >= 6);  // float32 and float64 to float4e2m1
}

TEST_CASE("NaN has a place of its own unless it gives the largest number") {
  spec::Meaning meaning = test::conversion(test::type("float32"), test::type("float4e2m1"));
  const auto with = [&](spec::NanResult nan) {
    meaning.nan = nan;
    const auto program = places(meaning);
    REQUIRE(program);
    check(meaning, *program);
    return *program;
  };
  CHECK(has(with(spec::NanResult::max), ir::Op::limit_magnitude));
  CHECK(has(with(spec::NanResult::zero_opposite), ir::Op::limit_magnitude));
  CHECK_FALSE(has(with(spec::NanResult::max_signed), ir::Op::limit_magnitude));
}

TEST_CASE("overflow apart from the largest number begins half an ulp behind it, four steps") {
  spec::Type with_nan = test::type("float4e2m1");
  with_nan.nan = spec::NanCodes::top;
  spec::Meaning meaning = test::conversion(test::type("float32"), with_nan);
  meaning.overflow = spec::Overflow::nan;
  meaning.inf = spec::InfResult::nan;
  meaning.nan = spec::NanResult::nan;
  const auto program = places(meaning);
  REQUIRE(program);
  check(meaning, *program);
}

TEST_CASE("every rounding mode has its thresholds at halves of a step") {
  spec::Meaning meaning = test::conversion(test::type("float32"), test::type("float4e2m1"));
  // toward and away from zero, up, ties away from and toward zero, to odd
  for (const std::uint16_t carry : {0x0000, 0xEEEE, 0x00EE, 0xCCCC, 0x8888, 0x0E0E}) {
    INFO(carry);
    const spec::Rounding rounding{"mode", "mode", carry, "", {}};
    meaning.round = &rounding;
    if (const auto program = places(meaning)) check(meaning, *program);
    else CHECK(carry == 0x00EE);  // which gives negative numbers other magnitudes
  }
}

TEST_CASE("what counts in more steps has no such program") {
  CHECK(!places(test::conversion(test::type("float32"), test::type("float6e2m3"))));
  CHECK(!places(test::conversion(test::type("float32"), test::type("float8e4m3fn"))));
}
