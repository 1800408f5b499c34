// Every number that the pypto.cast and OpenVINO Convert rules print.
#include <catch2/catch_test_macros.hpp>

#include <array>

#include "helpers.hpp"

using namespace castforge::oracle;
using namespace castforge::oracle::testing;

namespace {

const char* const kModes[] = {"CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};

/// Expected codes in the order RINT FLOOR CEIL ROUND TRUNC (and ODD).
template <std::size_t N>
void check(const char* src, const char* dst, std::uint64_t code, const std::array<std::int64_t, N>& want) {
  const int bits = format(dst).bits;
  for (const char* set : {"pypto@8.5.0", "pypto@2026-03"}) {
    for (std::size_t m = 0; m < N; ++m) {
      INFO(set << " " << src << " " << std::hex << code << " to " << dst << " " << kModes[m]);
      Request r = mode(ask(set, src, dst), kModes[m]);
      if (r.version == "2026-03") r.satmode = "ON";
      CHECK(cast(r, code) == (static_cast<std::uint64_t>(want[m]) & (~0ull >> (64 - bits))));
    }
  }
}

using Five = std::array<std::int64_t, 5>;
using Six = std::array<std::int64_t, 6>;

}  // namespace

TEST_CASE("pypto integer destinations") {
  const auto f32 = [](double x) { return code_of("float32", x); };
  const auto f16 = [](double x) { return code_of("float16", x); };
  check("float32", "int32", f32(0.5), Five{0, 0, 1, 1, 0});
  check("float32", "int32", f32(1.5), Five{2, 1, 2, 2, 1});
  check("float32", "int32", f32(2.5), Five{2, 2, 3, 3, 2});
  check("float32", "int32", f32(-0.5), Five{0, -1, 0, -1, 0});
  check("float32", "int32", f32(-2.5), Five{-2, -3, -2, -3, -2});
  check("float32", "int32", f32(2147483520), Five{2147483520, 2147483520, 2147483520, 2147483520, 2147483520});
  for (double x : {0x1p31, kInf}) {
    check("float32", "int32", f32(x), Five{2147483647, 2147483647, 2147483647, 2147483647, 2147483647});
  }
  check("float32", "int32", f32(-kInf), Five{INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN});
  check("float32", "int64", f32(0x1p63), Five{INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX});
  check("float32", "int32", f32(kNan), Five{0, 0, 0, 0, 0});
  check("float16", "int8", f16(126.5), Five{126, 126, 127, 127, 126});
  check("float16", "int8", f16(127.5), Five{127, 127, 127, 127, 127});
  for (double x : {130.0, 300.0, kInf}) check("float16", "int8", f16(x), Five{127, 127, 127, 127, 127});
  check("float16", "int8", f16(-128.5), Five{-128, -128, -128, -128, -128});
  check("float16", "int8", f16(kNan), Five{0, 0, 0, 0, 0});
  for (double x : {-0.5, -1.0, -kInf}) check("float16", "uint8", f16(x), Five{0, 0, 0, 0, 0});
  check("float16", "uint8", f16(254.5), Five{254, 254, 255, 255, 254});
  check("float16", "uint8", f16(255.5), Five{255, 255, 255, 255, 255});
}

TEST_CASE("pypto float32 to float16") {
  check("float32", "float16", 0x3F801000, Six{0x3C00, 0x3C00, 0x3C01, 0x3C01, 0x3C00, 0x3C01});
  check("float32", "float16", 0xBF801000, Six{0xBC00, 0xBC01, 0xBC00, 0xBC01, 0xBC00, 0xBC01});
  check("float32", "float16", 0x3F800001, Six{0x3C00, 0x3C00, 0x3C01, 0x3C00, 0x3C00, 0x3C01});
  check("float32", "float16", code_of("float32", 1.7), Six{0x3ECD, 0x3ECC, 0x3ECD, 0x3ECD, 0x3ECC, 0x3ECD});
  check("float32", "float16", code_of("float32", 0x1p-25), Six{0x0000, 0x0000, 0x0001, 0x0001, 0x0000, 0x0001});
  check("float32", "float16", code_of("float32", -0x1p-26), Six{0x8000, 0x8001, 0x8000, 0x8000, 0x8000, 0x8001});
  check("float32", "float16", 1, Six{0x0000, 0x0000, 0x0001, 0x0000, 0x0000, 0x0001});
  check("float32", "float16", 0x477FEFFF, Six{0x7BFF, 0x7BFF, 0x7C00, 0x7BFF, 0x7BFF, 0x7BFF});
  check("float32", "float16", 0x477FF000, Six{0x7C00, 0x7BFF, 0x7C00, 0x7C00, 0x7BFF, 0x7BFF});
  check("float32", "float16", 0x47800000, Six{0x7C00, 0x7C00, 0x7C00, 0x7C00, 0x7C00, 0x7C00});
  check("float32", "float16", 0xC7800000, Six{0xFC00, 0xFC00, 0xFC00, 0xFC00, 0xFC00, 0xFC00});
  check("float32", "float16", 0x7F800000, Six{0x7C00, 0x7C00, 0x7C00, 0x7C00, 0x7C00, 0x7C00});
  check("float32", "float16", 0x7FC00000, Six{0x7E00, 0x7E00, 0x7E00, 0x7E00, 0x7E00, 0x7E00});
}

TEST_CASE("the ieee overflow alternative") {
  const auto with = [](Round round, std::uint64_t code) {
    Rule rule;
    rule.round = round;
    rule.overflow = Overflow::ieee;
    return convert(codec("float32"), codec("float16"), rule, code);
  };
  const Round rounds[] = {Round::nearest_even, Round::down,        Round::up,
                          Round::nearest_away, Round::toward_zero, Round::odd};
  const unsigned plus[] = {0x7C00, 0x7BFF, 0x7C00, 0x7C00, 0x7BFF, 0x7BFF};
  const unsigned minus[] = {0xFC00, 0xFC00, 0xFBFF, 0xFC00, 0xFBFF, 0xFBFF};
  for (int i = 0; i < 6; ++i) {
    CHECK(with(rounds[i], 0x47800000) == plus[i]);
    CHECK(with(rounds[i], 0xC7800000) == minus[i]);
  }
}

TEST_CASE("pypto other float destinations") {
  check("float32", "bfloat16", 0x3F808000, Five{0x3F80, 0x3F80, 0x3F81, 0x3F81, 0x3F80});
  check("float32", "bfloat16", 0xBF818000, Five{0xBF82, 0xBF82, 0xBF81, 0xBF82, 0xBF81});
  check("float32", "bfloat16", 0x7F7FFFFF, Five{0x7F80, 0x7F7F, 0x7F80, 0x7F80, 0x7F7F});
  check("float32", "bfloat16", 0xFF7FFFFF, Five{0xFF80, 0xFF80, 0xFF7F, 0xFF80, 0xFF7F});
  check("float32", "bfloat16", 0x00008000, Five{0x0000, 0x0000, 0x0001, 0x0001, 0x0000});
  check("float32", "bfloat16", 0x7F800001, Five{0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0});
  check("int32", "float32", (1 << 24) + 1, Five{0x4B800000, 0x4B800000, 0x4B800001, 0x4B800001, 0x4B800000});
  check("int32", "float32", 0xFEFFFFFF, Five{0xCB800000, 0xCB800001, 0xCB800000, 0xCB800001, 0xCB800000});
  check("int32", "float32", 0x7FFFFFFF, Five{0x4F000000, 0x4EFFFFFF, 0x4F000000, 0x4F000000, 0x4EFFFFFF});
  check("int64", "float32", (1ull << 53) + 1, Five{0x5A000000, 0x5A000000, 0x5A000001, 0x5A000000, 0x5A000000});
  check("int64", "float32", INT64_MAX, Five{0x5F000000, 0x5EFFFFFF, 0x5F000000, 0x5F000000, 0x5EFFFFFF});
  check("int16", "float16", 2049, Five{0x6800, 0x6800, 0x6801, 0x6801, 0x6800});
  check("int16", "float16", 2051, Five{0x6802, 0x6801, 0x6802, 0x6802, 0x6801});
  check("int16", "float16", 32767, Five{0x7800, 0x77FF, 0x7800, 0x7800, 0x77FF});
}

TEST_CASE("pypto same type") {
  const auto to_integral = [](const char* m, double x) {
    return cast(mode(ask("pypto@8.5.0", "float32", "float32"), m), code_of("float32", x));
  };
  CHECK(to_integral("CAST_CEIL", -0.5) == 0x80000000);
  CHECK(to_integral("CAST_FLOOR", -0.5) == 0xBF800000);
  CHECK(to_integral("CAST_ROUND", 2.5) == code_of("float32", 3));
  CHECK(to_integral("CAST_TRUNC", -2.5) == code_of("float32", -2));
  CHECK(to_integral("CAST_CEIL", kInf) == 0x7F800000);
  CHECK(to_integral("CAST_RINT", 2.5) == code_of("float32", 2.5));
  CHECK(to_integral("CAST_NONE", 2.5) == code_of("float32", 2.5));
  CHECK(to_integral("CAST_ODD", 2.5) == code_of("float32", 2.5));
  CHECK(cast(mode(ask("pypto@8.5.0", "float32", "float32"), "CAST_FLOOR"), 0x7F800001) == 0x7FC00000);
  CHECK(cast(mode(ask("pypto@8.5.0", "float32", "float32"), "CAST_RINT"), 0x7F800001) == 0x7F800001);
  CHECK(cast(mode(ask("pypto@8.5.0", "float16", "float16"), "CAST_FLOOR"), 0x7C01) == 0x7C01);
}

TEST_CASE("pypto defaults and the later variant") {
  CHECK(cast(ask("pypto@8.5.0", "float32", "int32"), code_of("float32", 1.9)) == 1);
  CHECK(cast(ask("pypto@8.5.0", "float16", "int8"), code_of("float16", 1.9)) == 1);
  CHECK(cast(ask("pypto@8.5.0", "float32", "bfloat16"), 0x3F808000) == 0x3F80);
  const char* old_set = "pypto@8.5.0";
  const char* new_set = "pypto@2026-03";
  // A mode that the later table does not permit is the default of the pair.
  CHECK(cast(mode(ask(old_set, "float32", "bfloat16"), "CAST_ODD"), 0x3F800001) == 0x3F81);
  CHECK(cast(mode(ask(new_set, "float32", "bfloat16"), "CAST_ODD"), 0x3F800001) == 0x3F80);
  CHECK(cast(mode(ask(new_set, "float32", "float16"), "CAST_ODD"), 0x3F800001) == 0x3C01);
  CHECK(cast(mode(ask(old_set, "int32", "float16"), "CAST_CEIL"), 2049) == 0x6801);
  CHECK(cast(mode(ask(new_set, "int32", "float16"), "CAST_CEIL"), 2049) == 0x6800);
  CHECK(cast(mode(ask(new_set, "float32", "int32"), "CAST_ODD"), code_of("float32", 2.5)) == 2);
  CHECK(cast(mode(ask(old_set, "float32", "int32"), "CAST_ODD"), code_of("float32", 2.5)) == 3);
  const auto off = [&](const char* src, const char* dst, double x) {
    return cast(ask(new_set, src, dst), code_of(src, x));
  };
  CHECK(off("float16", "int8", 300) == 44);
  CHECK(off("float16", "int8", kInf) == 0xFF);
  CHECK(off("float16", "uint8", kInf) == 255);
  CHECK(off("float16", "int8", -kInf) == 0);
  CHECK(off("float16", "uint8", kNan) == 0);
  CHECK(off("float32", "int32", kInf) == 0x7FFFFFFF);
  CHECK(cast(ask(new_set, "int32", "int16"), 0x12345678) == 0x5678);
  CHECK(cast(ask(old_set, "int32", "int16"), 0x12345678) == 0x7FFF);
  CHECK(cast(ask(new_set, "int64", "int32"), 0x123456789) == 0x23456789);
}

TEST_CASE("OpenVINO Convert") {
  const char* set = "openvino-convert@1";
  CHECK(cast(ask(set, "int32", "float16"), 70000) == 0x7BFF);
  CHECK(cast(ask(set, "int32", "float16"), static_cast<std::uint32_t>(-70000)) == 0xFBFF);
  CHECK(cast(ask(set, "int64", "float16"), 70000) == 0x7C00);
  CHECK(cast(ask(set, "float32", "float8e4m3fn"), code_of("float32", 480)) == 0x7F);
  CHECK(cast(ask(set, "float32", "float8e4m3fn"), code_of("float32", -kInf)) == 0xFF);
  CHECK(cast(ask(set, "float32", "float8e5m2"), code_of("float32", 61440)) == 0x7C);
  CHECK(cast(ask(set, "float32", "float4e2m1"), 0x7FC00000) == 7);
  CHECK(cast(ask(set, "float32", "float4e2m1"), 0xFFC00000) == 0xF);
  CHECK(cast(ask(set, "float32", "float4e2m1"), code_of("float32", -kInf)) == 0xF);
  CHECK(cast(ask(set, "float32", "int8"), code_of("float32", 300)) == 44);
  CHECK(cast(ask(set, "int32", "uint1"), 2) == 0);
  CHECK(cast(ask(set, "int32", "uint1"), 0xFFFFFFFF) == 1);
  CHECK(cast(ask(set, "float32", "uint1"), code_of("float32", -1.5)) == 1);
  CHECK(cast(ask(set, "float32", "uint1"), 0x7FC00000) == 0);
  CHECK(cast(ask(set, "uint1", "int8"), 1) == 1);
  CHECK(cast(ask(set, "float32", "bool"), 0x7FC00000) == 1);
  CHECK(cast(ask(set, "float32", "bool"), 0x80000000) == 0);
  CHECK(cast(ask(set, "float64", "float16"), 0x3FF0020000001000) == 0x3C01);
}

TEST_CASE("formats given by parameters take part") {
  const Codec e3m4(make_floating("float8e3m4", true, 3, 4, 3, true, true, Nan::ieee, 8));
  const Codec e5m6(make_floating("float12e5m6", true, 5, 6, 15, true, true, Nan::ieee, 16));
  const Converter to(codec("float32"), e3m4, Rule{});
  CHECK(to(code_of("float32", 15.5)) == 0x6F);
  CHECK(to(code_of("float32", 15.75)) == 0x70);  // a tie that goes to the even code: infinity
  CHECK(to(code_of("float32", 1 + 0x1p-5)) == 0x30);
  CHECK(to(code_of("float32", -0x1p-7)) == 0x80);
  CHECK(to(0xFFC00000) == 0xF8);
  const Converter from(e3m4, codec("float32"), Rule{});
  CHECK(from(0x01) == code_of("float32", 0x1p-6));
  const Converter wide(codec("float64"), e5m6, Rule{});
  CHECK(wide(code_of("float64", 65024)) == 0x7BF);
  CHECK(wide(code_of("float64", 65280)) == 0x7C0);
  CHECK(wide(code_of("float64", -1 - 0x1p-7 - 0x1p-40)) == 0xBC1);
  CHECK(wide(std::bit_cast<std::uint64_t>(kNan)) == 0x7E0);
}

TEST_CASE("added formats follow the open rule set") {
  add_format(make_floating("test8e3m4", true, 3, 4, 3, true, true, Nan::ieee, 8));
  add_format(make_floating("test6e2m3", true, 2, 3, 1, true, false, Nan::none, 8));
  add_format(make_floating("test8ue5m3", false, 5, 3, 15, true, true, Nan::top, 8));
  add_format(make_floating("test12e5m6", true, 5, 6, 15, true, true, Nan::ieee, 16));
  const char* set = "castforge@1";
  CHECK(cast(ask(set, "float32", "test8e3m4"), code_of("float32", 100)) == 0x6F);
  CHECK(cast(saturate(ask(set, "float32", "test8e3m4"), 0), code_of("float32", 100)) == 0x70);
  CHECK(cast(ask(set, "float32", "test6e2m3"), 0xFFC00000) == 0x1F);
  CHECK(cast(saturate(ask(set, "float32", "test6e2m3"), 0), code_of("float32", -100)) == 0x3F);
  CHECK(cast(ask(set, "float32", "test8ue5m3"), code_of("float32", -1)) == 0);
  CHECK(cast(saturate(ask(set, "float32", "test8ue5m3"), 0), code_of("float32", -1)) == 0xFF);
  CHECK(cast(saturate(ask(set, "float32", "test8ue5m3"), 0), code_of("float32", -0.0)) == 0);
  CHECK(cast(ask(set, "float32", "test12e5m6"), code_of("float32", 1e9)) == 0x7C0);
  CHECK(cast(ask(set, "test8e3m4", "test8e3m4"), 0x70) == 0x6F);
  CHECK(cast(saturate(ask(set, "test8e3m4", "test8e3m4"), 0), 0x70) == 0x70);
  CHECK(cast(ask(set, "test8e3m4", "int4"), 0x6F) == 0);  // 15.5 is 16 to the nearest even, which wraps
  CHECK(cast(ask(set, "float32", "float8e4m3fn"), code_of("float32", 1000)) == 0x7E);
}
