// 16-bit sources by cells and thresholds: run on every source code, held against the exact semantics.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include "lower/lower_steps.hpp"
#include "unit/lower/shapes.hpp"

using namespace castforge;
using ir::Op;

namespace {

/// Entries of all tables that are read.
int entries(const ir::Program& program) {
  return std::accumulate(program.nodes.begin(), program.nodes.end(), 0, [](int sum, const ir::Node& node) {
    return sum + (node.op == Op::lookup16    ? 16
                  : node.op == Op::lookup64  ? 64
                  : node.op == Op::lookup128 ? 128
                  : node.op == Op::lookup256 ? 256
                                             : 0);
  });
}

/// kernel -> the most entries that its program may read.
std::map<std::string, int> recorded_entries() {
  std::ifstream file(std::string(CASTFORGE_SOURCE_DIR) + "/tests/unit/lower/steps.tsv");
  std::map<std::string, int> most;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string kernel;
    words >> kernel >> most[kernel];
  }
  most.erase("");
  return most;
}

ir::Program steps_of(const char* src, const char* dst) {
  const auto program = lower::lower_steps(test::conversion(test::type(src), test::type(dst)));
  REQUIRE(program);
  return *program;
}

}  // namespace

TEST_CASE("steps of shipped kernels are exact and read no more than they did") {
  const auto recorded = recorded_entries();
  std::size_t known = 0;
  for (const driver::Kernel& kernel : test::shipped_kernels().kernels) {
    const auto most = recorded.find(kernel.name);
    if (most == recorded.end()) continue;
    ++known;
    INFO(kernel.name);
    const auto program = lower::lower_steps(kernel.meaning);
    REQUIRE(program);
    CHECK(test::is_exact(*program, kernel.meaning));
    CHECK(entries(*program) <= most->second);
    CHECK(program->needs == ir::kNeedsVbmi);
  }
  CHECK(known == recorded.size());
}

TEST_CASE("cells of a byte where the exponent has five bits, a clamp where it has eight") {
  spec::Meaning meaning = test::conversion(test::type("float16"), test::type("float4e2m1"));
  meaning.overflow = spec::Overflow::max;
  meaning.inf = spec::InfResult::max;
  meaning.nan = spec::NanResult::max;
  const auto by_byte = lower::lower_steps(meaning);
  REQUIRE(by_byte);
  CHECK(test::has_name(*by_byte, "kFirstCell"));
  CHECK(std::ranges::none_of(by_byte->nodes, [](const ir::Node& n) { return n.op == Op::min && n.bits == 16; }));

  spec::Type far = *meaning.dst;
  far.exponent_bias = -20;  // the smallest number is 2^20: all numbers become zero
  spec::Meaning to_zero = meaning;
  to_zero.dst = &far;
  if (const auto program = lower::lower_steps(to_zero)) CHECK_FALSE(test::has_name(*program, "kFirstCell"));

  meaning.src = &test::type("bfloat16");
  const auto clamped = lower::lower_steps(meaning);
  REQUIRE(clamped);
  CHECK(test::has_name(*clamped, "kLow"));
}

TEST_CASE("steps in every rounding mode") {
  const spec::Rounding half_toward_zero{"half_toward_zero", "rhz", 0x8888, "", {}};
  std::vector<const spec::Rounding*> modes = {&half_toward_zero};
  for (const auto& mode : test::shipped().model().roundings) modes.push_back(mode.get());
  int found = 0;
  for (const char* src : {"float16", "bfloat16", "int16", "uint16"}) {
    for (const char* dst : {"float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e8m0", "float4e2m1"}) {
      for (const spec::Rounding* mode : modes) {
        spec::Meaning meaning = test::conversion(test::type(src), test::type(dst));
        meaning.round = mode;
        if (!meaning.dst->has_nan()) meaning.nan = spec::NanResult::max;
        INFO(src << " to " << dst << ", " << mode->name);
        const auto program = lower::lower_steps(meaning);
        if (!program) continue;
        CHECK(test::is_exact(*program, meaning));
        ++found;
      }
    }
  }
  CHECK(found >= 100);
}

TEST_CASE("results without a sign take none from the source") {
  spec::Type without_sign = test::type("float8e4m3fn");
  without_sign.is_signed = false;
  without_sign.value_bits = 7;
  spec::Meaning meaning = test::conversion(test::type("int16"), without_sign);
  meaning.negative = spec::NegativeResult::abs;
  const auto program = lower::lower_steps(meaning);
  REQUIRE(program);
  CHECK(test::is_exact(*program, meaning));
  CHECK(std::ranges::none_of(program->nodes, [](const ir::Node& node) { return node.op == Op::sign8; }));
}

TEST_CASE("what the halves of tables have in common is read once") {
  const ir::Program with_negative_zero = steps_of("float16", "float8e4m3fn");  // bit 7 flips in what is found
  CHECK(test::has_name(with_negative_zero, "kSignBit"));
  CHECK(!test::has_name(with_negative_zero, "kCarry"));
  const ir::Program without = steps_of("float16", "float8e4m3fnuz");  // there is no -0
  CHECK(test::has_name(without, "kCarry"));
  for (const ir::Program& program : {with_negative_zero, without}) {
    CHECK(std::ranges::none_of(program.nodes, [](const ir::Node& node) { return node.op == Op::lookup256; }));
  }
  CHECK(test::has_name(steps_of("bfloat16", "float8e5m2"), "kNaNPlace"));  // clamped first
}

TEST_CASE("regular cells have the entries of two of them") {
  const ir::Program few = steps_of("bfloat16", "float8e5m2fnuz"), more = steps_of("bfloat16", "float8e4m3fn");
  CHECK(test::has_name(few, "entry"));
  CHECK(entries(few) == 2 * 16);
  CHECK(test::has_name(more, "entry"));  // three binades of subnormal numbers
  CHECK(entries(more) == 2 * 64);
  CHECK_FALSE(test::has_name(steps_of("int16", "float8e8m0"), "entry"));  // results grow by less and less
}

TEST_CASE("what has too many steps has no such program") {
  CHECK(!lower::lower_steps(test::conversion(test::type("bfloat16"), test::type("int8"))));
  CHECK(!lower::lower_steps(test::conversion(test::type("float32"), test::type("float8e4m3fn"))));
  CHECK(!lower::lower_steps(test::conversion(test::type("float16"), test::type("bfloat16"))));
}

TEST_CASE("steps of float32 by its upper half, rounded to odd") {
  std::vector<std::uint64_t> sources;
  for (std::uint64_t upper = 0; upper < 1 << 16; ++upper) {
    for (const std::uint64_t lower : {0x0000u, 0x0001u, 0x8000u, 0xFFFFu}) sources.push_back(upper << 16 | lower);
  }
  int found = 0, carried = 0;
  for (const driver::Kernel& kernel : test::shipped_kernels().kernels) {
    if (kernel.meaning.src->name != "float32" || kernel.meaning.dst->storage_bits >= 8) continue;
    const auto program = lower::lower_odd_steps(kernel.meaning);
    if (!program) continue;
    INFO(kernel.name);
    ++found;
    carried += test::has_name(*program, "carried");
    CHECK(program->needs == ir::kNeedsVbmi);
    CHECK(program->src_bits == 32);
    std::vector<std::uint64_t> results = sources;
    REQUIRE(ir::interpret(*program, results).empty());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (results[i] == semantics::convert_storage(kernel.meaning, sources[i])) continue;
      FAIL_CHECK("wrong at " << sources[i]);
      break;
    }
  }
  CHECK(found >= 4);
  CHECK(carried >= 2);  // float6: NaN gives the zero of the opposite sign
}

TEST_CASE("what the upper half does not decide has no such program") {
  // 8 fraction bits: ties beyond the 7 that the upper half has.
  spec::Type fine = test::type("float4e2m1");
  fine.name = "ten_bits";
  fine.mantissa_bits = 7;
  fine.value_bits = fine.storage_bits = 10;
  CHECK(!lower::lower_odd_steps(test::conversion(test::type("float32"), fine)));
  CHECK(!lower::lower_odd_steps(test::conversion(test::type("float32"), test::type("float8e4m3fn"))));
  CHECK(!lower::lower_odd_steps(test::conversion(test::type("float16"), test::type("float4e2m1"))));
  CHECK(!lower::lower_odd_steps(test::conversion(test::type("int32"), test::type("float4e2m1"))));
}
