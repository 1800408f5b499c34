// `castforge verify`: exact results, source codes, kernels against them.
#include "support.hpp"

#include "cli/io/element_words.hpp"
#include "cli/verify/kernel_check.hpp"
#include "cli/verify/source_codes.hpp"

#include <castforge/types.hpp>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

using namespace castforge;
using namespace castforge::cli;
using cli_test::Folder;
using cli_test::program;

namespace {

/// Result for a float32.
std::uint64_t from_float32(float value, Type dst, const Rule& rule) {
  const auto result = exact_cast(type_info(Type::float32), type_info(dst), rule, std::bit_cast<std::uint32_t>(value));
  REQUIRE(result);
  return *result;
}

constexpr float kInfinity = __builtin_huge_valf();
const float kNan = __builtin_nanf("");

}  // namespace

TEST_CASE("exact results are those of the standards") {
  const Rule rne_max = {.carry = carry::nearest_even, .overflow = Overflow::max, .inf = InfResult::max};
  const Rule rne_nan = {.carry = carry::nearest_even, .overflow = Overflow::nan, .inf = InfResult::nan};
  const Rule rne_max_infnan = {.carry = carry::nearest_even, .overflow = Overflow::max, .inf = InfResult::nan};
  const Rule rne_inf = {.carry = carry::nearest_even, .overflow = Overflow::infinity};
  const Rule rna_inf = {.carry = carry::nearest_away, .overflow = Overflow::infinity};
  const Rule rtp_inf = {.carry = carry::ceil, .overflow = Overflow::infinity};
  const Rule rtn_inf = {.carry = carry::floor, .overflow = Overflow::infinity};
  const Rule rto_inf = {.carry = carry::odd, .overflow = Overflow::infinity};
  const Rule rne_sat = {
      .carry = carry::nearest_even, .overflow = Overflow::saturate, .inf = InfResult::max, .nan = NanResult::zero};
  const Rule rtz_sat = {
      .carry = carry::toward_zero, .overflow = Overflow::saturate, .inf = InfResult::max, .nan = NanResult::zero};
  const Rule rtz_wrap = {
      .carry = carry::toward_zero, .overflow = Overflow::wrap, .inf = InfResult::zero, .nan = NanResult::zero};
  const Rule rtz_sat32wrap_infover = {.carry = carry::toward_zero,
                                      .overflow = Overflow::wrap,
                                      .saturate_first = {.bits = 32, .is_signed = true},
                                      .inf = InfResult::as_overflow,
                                      .nan = NanResult::zero};
  const Rule rtz_satu7wrap_infover = {.carry = carry::toward_zero,
                                      .overflow = Overflow::wrap,
                                      .saturate_first = {.bits = 7},
                                      .inf = InfResult::as_overflow,
                                      .nan = NanResult::zero};
  const Rule rtp_max = {.carry = carry::ceil, .overflow = Overflow::max, .inf = InfResult::max};
  const Rule rtp_max_zeronan = {
      .carry = carry::ceil, .overflow = Overflow::max, .inf = InfResult::max, .zero = BelowRange::nan};
  const Rule rtp_max_negabs = {
      .carry = carry::ceil, .overflow = Overflow::max, .inf = InfResult::max, .negative = NegativeResult::abs};
  // OCP OFP8 1.0: E4M3 ends at 448; 464 is the tie above it.
  CHECK(from_float32(448, Type::float8e4m3fn, rne_max) == 0x7E);
  CHECK(from_float32(464, Type::float8e4m3fn, rne_nan) == 0x7E);
  CHECK(from_float32(464.1f, Type::float8e4m3fn, rne_nan) == 0x7F);
  CHECK(from_float32(-464.1f, Type::float8e4m3fn, rne_max) == 0xFE);
  CHECK(from_float32(-kInfinity, Type::float8e4m3fn, rne_max) == 0xFE);
  CHECK(from_float32(kInfinity, Type::float8e4m3fn, rne_max_infnan) == 0x7F);
  CHECK(from_float32(kNan, Type::float8e4m3fn, rne_max) == 0x7F);
  CHECK(from_float32(0x1p-9f, Type::float8e4m3fn, rne_max) == 0x01);
  CHECK(from_float32(0x1p-10f, Type::float8e4m3fn, rne_max) == 0x00);
  CHECK(from_float32(-0x1.8p-10f, Type::float8e4m3fn, rne_max) == 0x81);
  CHECK(from_float32(-0.0f, Type::float8e4m3fnuz, rne_max) == 0x00);
  // IEEE 754-2019, binary16.
  CHECK(from_float32(65520, Type::float16, rne_inf) == 0x7C00);
  CHECK(from_float32(65519, Type::float16, rne_inf) == 0x7BFF);
  CHECK(from_float32(1 + 0x1p-11f, Type::float16, rne_inf) == 0x3C00);
  CHECK(from_float32(1 + 0x1p-11f, Type::float16, rna_inf) == 0x3C01);
  CHECK(from_float32(1 + 0x1p-20f, Type::float16, rtp_inf) == 0x3C01);
  CHECK(from_float32(-1 - 0x1p-20f, Type::float16, rtp_inf) == 0xBC00);
  CHECK(from_float32(-1 - 0x1p-20f, Type::float16, rtn_inf) == 0xBC01);
  CHECK(from_float32(1 + 0x1p-20f, Type::float16, rto_inf) == 0x3C01);
  // Section 7.4: a direction that does not move away from zero ends at the largest number.
  for (const std::uint16_t mode : {carry::odd, carry::toward_zero, carry::floor}) {
    CHECK(from_float32(1e9f, Type::float8e4m3fn, {.carry = mode, .overflow = Overflow::ieee}) == 0x7E);
    CHECK(from_float32(1e9f, Type::float8e5m2, {.carry = mode, .overflow = Overflow::ieee}) == 0x7B);
  }
  CHECK(from_float32(1e9f, Type::float8e5m2, {.carry = carry::ceil, .overflow = Overflow::ieee}) == 0x7C);
  // Integers.
  CHECK(from_float32(2.5f, Type::int8, rne_sat) == 2);
  CHECK(from_float32(-2.9f, Type::int8, rtz_sat) == 0xFE);
  CHECK(from_float32(-300, Type::int8, rtz_sat) == 0x80);
  CHECK(from_float32(300, Type::uint8, rtz_wrap) == 44);
  CHECK(from_float32(-1, Type::uint8, rtz_wrap) == 255);
  CHECK(from_float32(kInfinity, Type::int32, rtz_sat) == 0x7FFFFFFF);
  CHECK(from_float32(kNan, Type::int32, rtz_sat) == 0);
  CHECK(from_float32(3e9f, Type::int8, rtz_sat32wrap_infover) == 0xFF);
  CHECK(from_float32(-3e9f, Type::int8, rtz_sat32wrap_infover) == 0);
  CHECK(from_float32(-kInfinity, Type::int16, rtz_sat32wrap_infover) == 0);
  CHECK(from_float32(300, Type::int8, rtz_satu7wrap_infover) == 127);
  CHECK(from_float32(-1, Type::int8, rtz_satu7wrap_infover) == 0);
  CHECK(from_float32(kInfinity, Type::int4, rtz_satu7wrap_infover) == 15);
  // Without sign and zero: an exponent alone.
  CHECK(from_float32(1.5f, Type::float8e8m0, rtp_max) == 128);
  CHECK(from_float32(0, Type::float8e8m0, rtp_max_zeronan) == 255);
  CHECK(from_float32(-2, Type::float8e8m0, rtp_max_negabs) == 128);
}

TEST_CASE("source codes hold what decides a rounding") {
  const auto codes = representative_codes(type_info(Type::float32));
  const auto has = [&](float value) {
    return std::binary_search(codes.begin(), codes.end(), std::uint64_t{std::bit_cast<std::uint32_t>(value)});
  };
  for (const float value : {464.0f, std::nextafter(464.0f, 1e9f), std::nextafter(464.0f, 0.0f), 65520.0f, 0x1p-10f,
                            -0x1p-25f, 2147483648.0f, 0.5f, 1.5f, 255.5f, kInfinity, 0.0f, -0.0f}) {
    INFO(value);
    CHECK(has(value));
  }
  std::vector<bool> seen(1 << 16);
  std::size_t total = 0;
  for_each_block(type_info(Type::float16), [&](std::span<const std::uint64_t> block) {
    for (const std::uint64_t code : block) seen[code] = true;
    total += block.size();
  });
  CHECK(std::count(seen.begin(), seen.end(), true) == 1 << 16);
  CHECK(total == (1 << 16) + 4096);
}

TEST_CASE("elements are read as they were put") {
  for (std::size_t i = 0; i < type_count(); ++i) {
    const TypeInfo info = type_info(type_at(i));
    if (info.kind == TypeKind::string) continue;
    INFO(info.name);
    const ElementWords words(info);
    std::vector<unsigned char> memory(8 * 9, 0xFF);
    for (std::size_t k = 0; k < 9; ++k) words.put(memory.data(), k, 0x0123456789ABCDEFu * (k + 1));
    for (std::size_t k = 0; k < 9; ++k) {
      CHECK(words.get(memory.data(), k) == (0x0123456789ABCDEFu * (k + 1) & low_bits(info.value_bits)));
    }
  }
}

TEST_CASE("a kernel that computes something else is noticed") {
  const Kernel nearest = find_kernel("onnx@25", Type::float32, Type::float8e4m3fn, {}, "portable");
  const Kernel other = find_kernel("onnx@25", Type::float32, Type::float8e4m3fn, {.saturate = 0}, "portable");
  REQUIRE(nearest.ok());
  REQUIRE(other.ok());
  const auto right = check_kernel({nearest}, nearest.rule(), Level::quick);
  CHECK(!right.complete);
  CHECK(right.wrong == 0);
  Rule upward = nearest.rule();
  upward.carry = carry::ceil;
  const auto wrong = check_kernel({nearest}, upward, Level::quick);
  CHECK(wrong.wrong > 1000);
  REQUIRE(!wrong.first.empty());
  CHECK(wrong.first[0].isa == "portable");
  CHECK(wrong.first[0].expected != wrong.first[0].found);
  CHECK(check_kernel({other}, nearest.rule(), Level::quick).wrong > 0);
  Rule impossible = nearest.rule();
  impossible.carry = carry::exact;
  CHECK(!check_kernel({nearest}, impossible, Level::quick).problem.empty());
}

TEST_CASE("verify at the command line") {
  const Folder folder;
  const auto run = program(folder, "verify --pair float16:float8e4m3fn --pair bool:int4");
  INFO(run.output << run.errors);
  CHECK(run.code == 0);
  CHECK(run.output.find("0 kernels wrong") != std::string::npos);
  CHECK(program(folder, "verify --pair float16:float8e4m3fn,bool:int4 --threads 0").output == run.output);
  CHECK(program(folder, "verify --pair bool:int4 --threads 257").errors.find("expected a number from 0 to 256") !=
        std::string::npos);
  CHECK(program(folder, "verify --pair float16").code == 2);
  CHECK(program(folder, "verify --pair float16:string").code == 2);
  CHECK(program(folder, "verify --isa avx9000").code == 2);
  CHECK(program(folder, "verify --help").output.find("Exit codes: 0 all right, 1 ") != std::string::npos);
}

TEST_CASE("verify and bench without a choice: what the environment leaves, all pairs") {
  const Folder folder;
  const std::string force = "CASTFORGE_FORCE_ISA=portable";
  const auto forced = program(folder, "verify --pair bool:float64", force);
  CHECK(forced.output.starts_with("1 kernel on portable: "));
  const auto all = program(folder, "verify --pair bool:float64 --isa all", force);
  CHECK(all.output.starts_with("1 kernel on portable"));
  CHECK(all.output.starts_with("1 kernel on portable: ") == (isa_count() == 1));
  // Set to nothing it forces nothing.
  CHECK(program(folder, "verify --pair bool:float64", "CASTFORGE_FORCE_ISA=").output == all.output);
  const auto bench = program(folder, "bench --opset pypto@8.5.0 --size 64 --json -", force);
  CHECK(bench.code == 0);
  const auto results = nlohmann::json::parse(bench.output)["benchmarks"];
  CHECK(results.size() > 20);
  for (const auto& one : results) CHECK(std::string(one["name"]).find("/pypto@8.5.0/portable/64") != std::string::npos);
}

TEST_CASE("verify knows types that fill their storage with the sign") {
  const Folder folder;
  folder.write("s4.json", R"({"name": "s4", "id": 1000, "kind": "integer", "signed": true, "bits": 4,
                              "storage_bits": 8, "storage_fill": "sign"})");
  const auto run = program(folder, "--load s4.json verify --pair int8:s4 --pair s4:int8");
  INFO(run.output << run.errors);
  CHECK(run.code == 0);
  CHECK(run.output.find(": 0 results") == std::string::npos);
}

TEST_CASE("bits of an element beyond its code are copies of its sign where the type says so") {
  TypeInfo type = type_info(Type::int4);
  type.storage_bits = 8;
  type.storage_sign_fill = true;
  CHECK(ElementWords(type).stored(0x9) == 0xF9);
  CHECK(ElementWords(type).stored(0x7) == 0x07);
  type.storage_sign_fill = false;
  CHECK(ElementWords(type).stored(0x9) == 0x09);
}

TEST_CASE("castforge verify as JSON") {
  const Folder folder;
  const cli_test::Run run = program(folder, "verify --pair float16:float8e4m3fn --json");
  CHECK(run.code == 0);
  const auto facts = nlohmann::json::parse(run.output);
  CHECK(facts.at("kernels") == facts.at("with_every_source_code"));
  CHECK(facts.at("wrong") == 0);
  CHECK(facts.at("failures").empty());
  CHECK(facts.at("isas").size() >= 1);
}
