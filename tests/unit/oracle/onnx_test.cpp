// Every number that the ONNX Cast rules print, at every version.
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <map>

#include "helpers.hpp"

using namespace castforge::oracle;
using namespace castforge::oracle::testing;

namespace {

std::string opset(const std::string& family, int version) { return family + "@" + std::to_string(version); }

const std::vector<int> kFrom13 = {13, 19, 21, 23, 24, 25};
const std::vector<int> kFrom19 = {19, 21, 23, 24, 25};

}  // namespace

TEST_CASE("float32 to float16 and bfloat16") {
  struct Row {
    std::uint32_t in;
    std::uint16_t float16, bfloat16;
  };
  const Row rows[] = {
      {0x3F801000, 0x3C00, 0x3F80}, {0x3F803000, 0x3C02, 0x3F80}, {0x3F808000, 0x3C04, 0x3F80},
      {0x3F818000, 0x3C0C, 0x3F82}, {0x33000000, 0x0000, 0x3300}, {0x33000001, 0x0001, 0x3300},
      {0xB2800000, 0x8000, 0xB280}, {0x387FF000, 0x0400, 0x3880}, {0x477FEFFF, 0x7BFF, 0x4780},
      {0x477FF000, 0x7C00, 0x4780}, {0x00018000, 0x0000, 0x0002}, {0x7F7F7FFF, 0x7C00, 0x7F7F},
      {0x7F7F8000, 0x7C00, 0x7F80}, {0x7F800001, 0x7E00, 0x7FC0}, {0xFFFFFFFF, 0xFE00, 0xFFC0},
  };
  for (int v : kFrom13) {
    for (const Row& r : rows) {
      INFO("onnx@" << v << " " << std::hex << r.in);
      CHECK(cast(ask(opset("onnx", v), "float32", "float16"), r.in) == r.float16);
      CHECK(cast(ask(opset("onnx", v), "float32", "bfloat16"), r.in) == r.bfloat16);
    }
  }
}

TEST_CASE("one rounding only") {
  const auto f64 = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  const double tiny = 0x1p-40;
  CHECK(cast(ask("onnx@25", "float64", "float16"), f64(1 + 0x1p-11 + tiny)) == 0x3C01);
  CHECK(cast(ask("onnx@25", "float64", "float16"), f64(65520 - 0x1p-30)) == 0x7BFF);
  CHECK(cast(ask("onnx@25", "float64", "bfloat16"), f64(1 + 0x1p-8 + tiny)) == 0x3F81);
  CHECK(cast(ask("onnx@25", "float64", "float8e4m3fn"), f64(1 + 0x1p-4 + tiny)) == 0x39);
  CHECK(cast(ask("onnx@25", "float64", "float8e5m2"), f64(1 + 0x1p-3 + tiny)) == 0x3D);
  CHECK(cast(ask("onnx@25", "float64", "float4e2m1"), f64(0.25 + tiny)) == 1);
  CHECK(cast(ask("onnx@25", "int32", "bfloat16"), 0x01010001) == 0x4B81);
  CHECK(cast(ask("onnx@25", "uint32", "bfloat16"), 0xFF7FFFFE) == 0x4F7F);
  CHECK(cast(round_mode(ask("onnx@25", "int64", "float8e8m0"), "up"), (1ull << 53) + 1) == 0xB5);
  CHECK(cast(ask("onnx@25", "int64", "float32"), (1ull << 53) + (1ull << 29) + 1) == 0x5A000001);
}

TEST_CASE("integer sources") {
  const auto n = [](std::int64_t x, int bits) { return static_cast<std::uint64_t>(x) & (~0ull >> (64 - bits)); };
  CHECK(cast(ask("onnx@25", "int16", "int8"), 200) == 0xC8);
  CHECK(cast(ask("onnx@25", "int32", "uint8"), n(-1, 32)) == 0xFF);
  CHECK(cast(ask("onnx@25", "int8", "uint64"), n(-1, 8)) == 0xFFFFFFFFFFFFFFFF);
  CHECK(cast(ask("onnx@25", "int32", "float16"), 70000) == 0x7C00);
  CHECK(cast(ask("onnx@25", "int32", "float16"), 65519) == 0x7BFF);
  CHECK(cast(ask("onnx@25", "int32", "float16"), n(-70000, 32)) == 0xFC00);
  CHECK(cast(ask("onnx@25", "int64", "float32"), (1 << 24) + 1) == 0x4B800000);
  CHECK(cast(ask("onnx@25", "uint64", "float32"), ~0ull) == 0x5F800000);
  CHECK(cast(ask("onnx@25", "int8", "int4"), n(-9, 8)) == 7);
  CHECK(cast(ask("onnx@25", "int16", "uint4"), 200) == 8);
  CHECK(cast(ask("onnx@25", "uint4", "int4"), 15) == 0xF);
  CHECK(cast(ask("onnx@25", "int4", "int2"), n(-8, 4)) == 0);
  CHECK(cast(ask("onnx@25", "uint8", "float4e2m1"), 200) == 7);
  CHECK(cast(ask("onnx@25", "int32", "float8e4m3fn"), 1000) == 0x7E);
  CHECK(cast(saturate(ask("onnx@25", "int32", "float8e4m3fn"), 0), 1000) == 0x7F);
  CHECK(cast(ask("onnx@25", "int4", "int32"), 0xF) == 0xFFFFFFFF);
  CHECK(cast(ask("onnx@25", "uint4", "int32"), 0xF) == 15);
}

TEST_CASE("special codes widen") {
  struct Row {
    const char* src;
    std::uint64_t code, float32, float16, bfloat16, fnuz;
  };
  const Row rows[] = {
      {"float8e4m3fn", 0x01, 0x3B000000, 0x1800, 0x3B00, 0x02},
      {"float8e4m3fn", 0x80, 0x80000000, 0x8000, 0x8000, 0x00},
      {"float8e4m3fn", 0xFF, 0xFFC00000, 0xFE00, 0xFFC0, 0x80},
      {"float8e4m3fnuz", 0x01, 0x3A800000, 0x1400, 0x3A80, 0x01},
      {"float8e4m3fnuz", 0x80, 0xFFC00000, 0xFE00, 0xFFC0, 0x80},
      {"float8e5m2", 0xFC, 0xFF800000, 0xFC00, 0xFF80, 0xFF},
      {"float8e5m2", 0x7D, 0x7FC00000, 0x7E00, 0x7FC0, 0x80},
      {"float8e5m2fnuz", 0x80, 0xFFC00000, 0xFE00, 0xFFC0, 0x80},
      {"float4e2m1", 0x8, 0x80000000, 0x8000, 0x8000, 0x00},
      {"float4e2m1", 0xF, 0xC0C00000, 0xC600, 0xC0C0, 0xD4},
      {"float8e8m0", 0x00, 0x00400000, 0x0000, 0x0040, 0x00},
      {"float8e8m0", 0x8F, 0x47800000, 0x7C00, 0x4780, 0x7F},
      {"float8e8m0", 0xFF, 0x7FC00000, 0x7E00, 0x7FC0, 0x80},
  };
  for (const Row& r : rows) {
    INFO(r.src << " " << std::hex << r.code);
    CHECK(cast(ask("onnx@24", r.src, "float32"), r.code) == r.float32);
    CHECK(cast(ask("onnx@24", r.src, "float16"), r.code) == r.float16);
    CHECK(cast(ask("onnx@24", r.src, "bfloat16"), r.code) == r.bfloat16);
    CHECK(cast(ask("onnx@24", r.src, "float8e4m3fnuz"), r.code) == r.fnuz);
  }
}

TEST_CASE("floats to integers of 8 bits and more") {
  struct Row {
    double x;
    std::int64_t int8, uint8, int16, int32, uint32, int64;
  };
  const Row rows[] = {
      {-0.5, 0, 0, 0, 0, 0, 0},
      {-1.5, -1, 255, -1, -1, 4294967295, -1},
      {128, -128, 128, 128, 128, 128, 128},
      {-129, 127, 127, -129, -129, 4294967167, -129},
      {255.9, -1, 255, 255, 255, 255, 255},
      {300, 44, 44, 300, 300, 300, 300},
      {-300, -44, 212, -300, -300, 4294966996, -300},
      {3000000000.0, 0, 0, 24064, -1294967296, 3000000000, 3000000000},
      {1e20, 0, 0, 0, 0, 0, 7766281635539976192},
      {kNan, 0, 0, 0, 0, 0, 0},
      {kInf, 0, 0, 0, 0, 0, 0},
      {-kInf, 0, 0, 0, 0, 0, 0},
      {0x1p100, 0, 0, 0, 0, 0, 0},
  };
  for (int v : {1, 6, 9, 13, 19, 21, 23, 24, 25}) {
    for (const Row& r : rows) {
      INFO("onnx@" << v << " " << r.x);
      const auto to = [&](const char* dst, std::int64_t want, int bits) {
        const std::uint64_t expected = static_cast<std::uint64_t>(want) & (~0ull >> (64 - bits));
        CHECK(cast(ask(opset("onnx", v), "float32", dst), code_of("float32", r.x)) == expected);
        if (r.x != 1e20) CHECK(cast(ask(opset("onnx", v), "float64", dst), code_of("float64", r.x)) == expected);
      };
      to("int8", r.int8, 8);
      to("uint8", r.uint8, 8);
      to("int16", r.int16, 16);
      to("uint16", r.int16, 16);
      to("int32", r.int32, 32);
      to("uint32", r.uint32, 32);
      to("int64", r.int64, 64);
      to("uint64", r.int64, 64);
    }
  }
  // 10^20 itself is a float64; the float32 nearest to it, in the table above, is 100000002004087734272.
  CHECK(cast(ask("onnx@25", "float64", "int64"), code_of("float64", 1e20)) == 7766279631452241920);
  CHECK(cast(ask("onnx@25", "float64", "int32"), code_of("float64", 1e20)) == 1661992960);
  for (std::uint64_t code = 0; code < 255; ++code) {
    const bool inside = code >= 127 && code < 127 + 32;
    CHECK(cast(ask("onnx@24", "float8e8m0", "int32"), code) == (inside ? 1ull << (code - 127) : 0));
  }
}

TEST_CASE("floats to 4-bit and 2-bit integers") {
  struct Row {
    double x;
    int int4_old, int4, uint4_old, uint4, int2, uint2;
  };
  const Row rows[] = {
      {0.5, 0, 0, 0, 0, 0, 0},    {1.5, 2, 2, 2, 2, -2, 2},   {2.5, 2, 2, 2, 2, -2, 2},   {-1.0, -1, -1, 0, 15, -1, 3},
      {3.5, 4, 4, 4, 4, 0, 0},    {7.5, 7, -8, 8, 8, 0, 0},   {-8.5, -8, -8, 0, 8, 0, 0}, {-9, -8, 7, 0, 7, -1, 3},
      {15.5, 7, 0, 15, 0, 0, 0},  {300, 7, -4, 15, 12, 0, 0}, {kNan, 0, 0, 0, 0, 0, 0},   {kInf, 7, 0, 15, 0, 0, 0},
      {-kInf, -8, 0, 0, 0, 0, 0},
  };
  for (const char* src : {"float64", "float32", "float16", "bfloat16"}) {
    for (const Row& r : rows) {
      INFO(src << " " << r.x);
      const std::uint64_t code = code_of(src, r.x);
      for (const char* family : {"onnx", "onnx-reference"}) {
        for (int v : {21, 23}) {
          for (int s : {0, 1}) {
            CHECK(cast(saturate(ask(opset(family, v), src, "int4"), s), code) == (r.int4_old & 15u));
            CHECK(cast(saturate(ask(opset(family, v), src, "uint4"), s), code) == (r.uint4_old & 15u));
          }
        }
        for (int v : {24, 25}) {
          CHECK(cast(ask(opset(family, v), src, "int4"), code) == (r.int4 & 15u));
          CHECK(cast(ask(opset(family, v), src, "uint4"), code) == (r.uint4 & 15u));
        }
        CHECK(cast(ask(opset(family, 25), src, "int2"), code) == (r.int2 & 3u));
        CHECK(cast(ask(opset(family, 25), src, "uint2"), code) == (r.uint2 & 3u));
      }
    }
  }
}

TEST_CASE("float 8: zeros, NaN, infinities, overflow") {
  const char* types[] = {"float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"};
  struct Row {
    const char* what;
    std::uint32_t in;
    std::array<unsigned, 4> saturated, plain;
  };
  const Row rows[] = {
      {"+0", 0x00000000, {0x00, 0x00, 0x00, 0x00}, {0x00, 0x00, 0x00, 0x00}},
      {"-0", 0x80000000, {0x80, 0x00, 0x80, 0x00}, {0x80, 0x00, 0x80, 0x00}},
      {"+NaN", 0x7FC00000, {0x7F, 0x80, 0x7E, 0x80}, {0x7F, 0x80, 0x7E, 0x80}},
      {"-NaN", 0xFFC00000, {0xFF, 0x80, 0xFE, 0x80}, {0xFF, 0x80, 0xFE, 0x80}},
      {"FLT_MAX", 0x7F7FFFFF, {0x7E, 0x7F, 0x7B, 0x7F}, {0x7F, 0x80, 0x7C, 0x80}},
      {"-FLT_MAX", 0xFF7FFFFF, {0xFE, 0xFF, 0xFB, 0xFF}, {0xFF, 0x80, 0xFC, 0x80}},
      {"-2^-20", 0xB5800000, {0x80, 0x00, 0x80, 0x00}, {0x80, 0x00, 0x80, 0x00}},
      {"2^-10", 0x3A800000, {0x00, 0x01, 0x14, 0x18}, {0x00, 0x01, 0x14, 0x18}},
      {"-2^-17", 0xB7000000, {0x80, 0x00, 0x80, 0x81}, {0x80, 0x00, 0x80, 0x81}},
      {"1.0625", 0x3F880000, {0x38, 0x40, 0x3C, 0x40}, {0x38, 0x40, 0x3C, 0x40}},
      {"1.1875", 0x3F980000, {0x3A, 0x42, 0x3D, 0x41}, {0x3A, 0x42, 0x3D, 0x41}},
      {"247.99998", 0x4377FFFF, {0x77, 0x7F, 0x5C, 0x60}, {0x77, 0x7F, 0x5C, 0x60}},
      {"248", 0x43780000, {0x78, 0x7F, 0x5C, 0x60}, {0x78, 0x80, 0x5C, 0x60}},
      {"464", 0x43E80000, {0x7E, 0x7F, 0x5F, 0x63}, {0x7E, 0x80, 0x5F, 0x63}},
      {"464 + 1 ulp", 0x43E80001, {0x7E, 0x7F, 0x5F, 0x63}, {0x7F, 0x80, 0x5F, 0x63}},
      {"480", 0x43F00000, {0x7E, 0x7F, 0x60, 0x64}, {0x7F, 0x80, 0x60, 0x64}},
      {"-61440", 0xC7700000, {0xFE, 0xFF, 0xFB, 0xFF}, {0xFF, 0x80, 0xFC, 0x80}},
      {"65536", 0x47800000, {0x7E, 0x7F, 0x7B, 0x7F}, {0x7F, 0x80, 0x7C, 0x80}},
      {"sNaN", 0x7F800001, {0x7F, 0x80, 0x7E, 0x80}, {0x7F, 0x80, 0x7E, 0x80}},
  };
  for (const char* family : {"onnx", "onnx-reference"}) {
    for (int v : kFrom19) {
      for (int t = 0; t < 4; ++t) {
        const Request r = ask(opset(family, v), "float32", types[t]);
        INFO(family << "@" << v << " " << types[t]);
        for (const Row& row : rows) {
          INFO(row.what);
          CHECK(cast(r, row.in) == row.saturated[t]);  // saturate = 1 is the default
          CHECK(cast(saturate(r, 1), row.in) == row.saturated[t]);
          CHECK(cast(saturate(r, 7), row.in) == row.saturated[t]);
          CHECK(cast(saturate(r, 0), row.in) == row.plain[t]);
        }
        const bool fnuz_is_nan = v < 24 && std::string(family) == "onnx";
        const unsigned plus[] = {0x7E, fnuz_is_nan ? 0x80u : 0x7F, 0x7B, fnuz_is_nan ? 0x80u : 0x7F};
        const unsigned minus[] = {0xFE, fnuz_is_nan ? 0x80u : 0xFF, 0xFB, fnuz_is_nan ? 0x80u : 0xFF};
        const unsigned plain_plus[] = {0x7F, 0x80, 0x7C, 0x80};
        const unsigned plain_minus[] = {0xFF, 0x80, 0xFC, 0x80};
        CHECK(cast(r, 0x7F800000) == plus[t]);
        CHECK(cast(r, 0xFF800000) == minus[t]);
        CHECK(cast(saturate(r, 0), 0x7F800000) == plain_plus[t]);
        CHECK(cast(saturate(r, 0), 0xFF800000) == plain_minus[t]);
      }
      CHECK(cast(ask(opset(family, v), "float8e5m2", "float8e5m2"), 0xFC) == 0xFB);
      CHECK(cast(ask(opset(family, v), "float8e5m2", "float8e5m2"), 0x7D) == 0x7D);
      CHECK(cast(saturate(ask(opset(family, v), "float8e5m2", "float8e5m2"), 0), 0xFC) == 0xFC);
    }
  }
}

TEST_CASE("float4e2m1") {
  const std::pair<double, unsigned> rows[] = {
      {0.25, 0},   {0.75, 2}, {1.25, 2},   {1.75, 4}, {2.5, 4},     {3.5, 6},  {5, 6},
      {5.0001, 7}, {6, 7},    {1e9, 7},    {kInf, 7}, {-kInf, 0xF}, {-0.1, 8}, {-0.0, 8},
      {0.0, 0},    {-3, 0xD}, {0.2501, 1}, {1.5, 3},  {-1e9, 0xF},
  };
  for (int v : {23, 24, 25}) {
    for (const char* family : {"onnx", "onnx-reference"}) {
      for (int s : {0, 1}) {
        for (const auto& [x, want] : rows) {
          INFO(family << "@" << v << " " << x);
          CHECK(cast(saturate(ask(opset(family, v), "float64", "float4e2m1"), s), std::bit_cast<std::uint64_t>(x)) ==
                want);
        }
      }
    }
    CHECK(cast(ask(opset("onnx", v), "float32", "float4e2m1"), 0x7FC00000) == 7);
    CHECK(cast(ask(opset("onnx", v), "float32", "float4e2m1"), 0xFFC00000) == 7);
    CHECK(cast(ask(opset("onnx-reference", v), "float32", "float4e2m1"), 0x7FC00000) == (v == 23 ? 7u : 8u));
    CHECK(cast(ask(opset("onnx-reference", v), "float32", "float4e2m1"), 0xFFC00000) == (v == 23 ? 7u : 0u));
  }
}

TEST_CASE("float8e8m0") {
  struct Row {
    double x;
    std::array<unsigned, 6> want;  // saturated up, down, nearest; plain up, down, nearest
  };
  const Row rows[] = {
      {0, {0, 0, 0, 0xFF, 0xFF, 0xFF}},
      {-0.0, {0, 0, 0, 0xFF, 0xFF, 0xFF}},
      {-1.5, {0, 0, 0, 0xFF, 0xFF, 0xFF}},
      {-0x1p-149, {0, 0, 0, 0xFF, 0xFF, 0xFF}},
      {-kInf, {0, 0, 0, 0xFF, 0xFF, 0xFF}},
      {1.9 * 0x1p-128, {0, 0, 0, 0xFF, 0xFF, 0xFF}},
      {0x1p-127, {0, 0, 0, 0, 0, 0}},
      {1.25 * 0x1p-127, {1, 0, 0, 1, 0, 0}},
      {1.5 * 0x1p-127, {1, 0, 1, 1, 0, 1}},
      {0.124, {0x7C, 0x7B, 0x7C, 0x7C, 0x7B, 0x7C}},
      {1.1, {0x80, 0x7F, 0x7F, 0x80, 0x7F, 0x7F}},
      {1.5 - 0x1p-23, {0x80, 0x7F, 0x7F, 0x80, 0x7F, 0x7F}},
      {5, {0x82, 0x81, 0x81, 0x82, 0x81, 0x81}},
      {1.2 * 0x1p127, {0xFE, 0xFE, 0xFE, 0xFF, 0xFE, 0xFE}},
      {1.5 * 0x1p127, {0xFE, 0xFE, 0xFE, 0xFF, 0xFE, 0xFF}},
      {kInf, {0xFE, 0xFE, 0xFE, 0xFF, 0xFF, 0xFF}},
      {kNan, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}},
  };
  const char* modes[] = {"up", "down", "nearest"};
  for (int v : {24, 25}) {
    for (const char* family : {"onnx", "onnx-reference"}) {
      for (const Row& row : rows) {
        for (int s : {1, 0}) {
          for (int m = 0; m < 3; ++m) {
            INFO(family << "@" << v << " " << row.x << " saturate " << s << " " << modes[m]);
            const unsigned want = row.want[(s == 1 ? 0 : 3) + m];
            for (const char* src : {"float32", "float64"}) {
              const Request r = saturate(round_mode(ask(opset(family, v), src, "float8e8m0"), modes[m]), s);
              CHECK(cast(r, code_of(src, row.x)) == want);
            }
          }
        }
      }
      CHECK(cast(ask(opset(family, v), "bool", "float8e8m0"), 1) == 0x7F);
      CHECK(cast(ask(opset(family, v), "bool", "float8e8m0"), 0) == 0);
      CHECK(cast(saturate(ask(opset(family, v), "bool", "float8e8m0"), 0), 0) == 0xFF);
    }
  }
}

TEST_CASE("bool") {
  for (const char* src : {"float16", "bfloat16", "float32", "float64", "float8e4m3fn", "float8e5m2", "float4e2m1"}) {
    INFO(src);
    const Codec& c = codec(src);
    CHECK(cast(ask("onnx@25", src, "bool"), 0) == 0);
    CHECK(cast(ask("onnx@25", src, "bool"), c.sign_code()) == 0);
    CHECK(cast(ask("onnx@25", src, "bool"), 1) == 1);
    if (c.has_nan()) CHECK(cast(ask("onnx@25", src, "bool"), c.nan_code(false)) == 1);
    if (c.has_infinity()) CHECK(cast(ask("onnx@25", src, "bool"), c.infinity_code(true)) == 1);
  }
  for (std::uint64_t code = 0; code < 256; ++code) {
    CHECK(cast(ask("onnx@25", "float8e8m0", "bool"), code) == 1);
    CHECK(cast(ask("onnx@25", "bool", "bool"), code) == (code != 0));
    CHECK(cast(ask("onnx@25", "bool", "float32"), code) == (code != 0 ? 0x3F800000u : 0u));
    CHECK(cast(ask("onnx@25", "bool", "int2"), code) == (code != 0));
    CHECK(cast(ask("onnx@25", "bool", "float4e2m1"), code) == (code != 0 ? 2u : 0u));
    CHECK(cast(ask("onnx@25", "int8", "bool"), code) == (code != 0));
  }
}

TEST_CASE("same type copies bits") {
  for (const char* t : {"float16", "bfloat16", "float32", "float64", "float8e4m3fn", "float8e4m3fnuz", "float4e2m1",
                        "float8e8m0", "int4"}) {
    INFO(t);
    const Codec& c = codec(t);
    const std::uint64_t all = c.format().bits == 64 ? ~0ull : (1ull << c.format().bits) - 1;
    for (std::uint64_t code : {std::uint64_t{0}, std::uint64_t{1}, all, all - 1, all >> 1, c.sign_code()}) {
      CHECK(cast(ask("onnx@25", t, t), code) == code);
    }
  }
}

TEST_CASE("versions admit what they admit") {
  const std::map<std::string, std::size_t> counts = {
      {"1", 144},  {"6", 144},  {"9", 144},  {"13", 169}, {"19", 289},
      {"21", 361}, {"23", 400}, {"24", 441}, {"25", 529}};  // without string
  for (const auto& [version, count] : counts) CHECK(pairs_of("onnx", version).size() == count);
  CHECK(pairs_of("pypto", "8.5.0").size() == 30);
  CHECK_THROWS_AS(rule_for(ask("onnx@9", "bfloat16", "float32")), std::invalid_argument);
  CHECK_THROWS_AS(rule_for(ask("onnx@7", "float32", "float16")), std::invalid_argument);
  CHECK_THROWS_AS(rule_for(ask("onnx-reference@13", "float32", "float16")), std::invalid_argument);
  CHECK_THROWS_AS(rule_for(ask("pypto@8.5.0", "float32", "int8")), std::invalid_argument);
}

TEST_CASE("cases that other implementations get wrong") {
  CHECK(cast(saturate(ask("onnx@25", "float32", "float8e4m3fn"), 0), 0x43F00000) == 0x7F);
  CHECK(cast(saturate(ask("onnx@25", "float32", "float8e5m2"), 0), 0x47700000) == 0x7C);
  CHECK(cast(ask("onnx@25", "float64", "float16"), 0x3FF0020000001000) == 0x3C01);
  CHECK(cast(ask("onnx@25", "float64", "float8e4m3fn"), 0x3FF1000000001000) == 0x39);
  CHECK(cast(ask("onnx@25", "int64", "float32"), 9007199791611905) == 0x5A000001);
  CHECK(cast(ask("onnx@25", "float8e4m3fn", "bool"), 0x80) == 0);
  CHECK(cast(ask("onnx@25", "float8e5m2", "bool"), 0x80) == 0);
  CHECK(cast(ask("onnx@25", "float32", "float8e4m3fnuz"), 0xB5800000) == 0);
  CHECK(cast(ask("onnx@25", "float32", "int32"), code_of("float32", 3e9)) == 0xB2D05E00);
  CHECK(cast(ask("pypto@8.5.0", "float32", "int32"), code_of("float32", 3e9)) == 0x7FFFFFFF);
  CHECK(cast(ask("onnx@25", "float32", "int4"), code_of("float32", 2.5)) == 2);
  CHECK(cast(ask("onnx@25", "float32", "int4"), code_of("float32", 1.5)) == 2);
  CHECK(cast(ask("onnx@25", "float32", "float8e8m0"), code_of("float32", 1.125)) == 0x80);
  CHECK(cast(round_mode(ask("onnx@25", "float64", "float8e8m0"), "down"), code_of("float64", 33554431)) == 0x97);
  CHECK(cast(ask("onnx@25", "float32", "bfloat16"), 0x00018000) == 2);
  CHECK(cast(ask("onnx@25", "bool", "float32"), 2) == 0x3F800000);
  CHECK(cast(ask("openvino-convert@1", "float32", "float8e4m3fn"), code_of("float32", 0x1p-38)) == 0);
  CHECK(cast(ask("openvino-convert@1", "float32", "float8e4m3fn"), code_of("float32", 0x1p-70)) == 0);
  CHECK(cast(ask("openvino-convert@1", "float32", "float8e5m2"), 0x3F900008) == 0x3D);
  CHECK(cast(ask("openvino-convert@1", "int32", "int8"), 300) == 44);
}
