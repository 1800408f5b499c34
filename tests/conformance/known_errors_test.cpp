// Inputs that other implementations are known to get wrong, with the right results.
#include <bit>
#include <cmath>

#include "support.hpp"

using namespace castforge;
using namespace castforge::conformance;

namespace {

std::uint64_t f32(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t f64(double x) { return std::bit_cast<std::uint64_t>(x); }
const Attributes kPlain{.saturate = AttributeValue(0)};

}  // namespace

TEST_CASE("float 8 overflow is decided after rounding") {
  // Everything from 480 on was clamped to 448, and everything from 61440 on made NaN.
  for (const char* opset : {"onnx@19", "onnx@25", "onnx-reference@19", "onnx-reference@25"}) {
    for (std::uint64_t code : {f32(480), f32(495.9999f), f32(464.00003f)})
      CHECK(cast_code(opset, "float32", "float8e4m3fn", code, kPlain) == 0x7F);
    CHECK(cast_code(opset, "float32", "float8e4m3fn", f32(464), kPlain) == 0x7E);
    for (std::uint64_t code : {f32(61440), f32(65535.996f)})
      CHECK(cast_code(opset, "float32", "float8e5m2", code, kPlain) == 0x7C);
    CHECK(cast_code(opset, "float32", "float8e5m2", f32(std::nextafterf(61440, 0)), kPlain) == 0x7B);
  }
}

TEST_CASE("no double rounding") {
  CHECK(cast_code("onnx@25", "float64", "float16", 0x3FF0020000001000) == 0x3C01);
  CHECK(cast_code("onnx@25", "float64", "float8e4m3fn", 0x3FF1000000001000) == 0x39);
  CHECK(cast_code("onnx@25", "int64", "float32", 9007199791611905) == 0x5A000001);
  CHECK(cast_code("onnx@25", "float64", "float16", f64(65520 - 0x1p-30)) == 0x7BFF);
  CHECK(cast_code("onnx@25", "float64", "bfloat16", f64(1 + 0x1p-8 + 0x1p-40)) == 0x3F81);
  CHECK(cast_code("onnx@25", "float64", "float8e5m2", f64(1 + 0x1p-3 + 0x1p-40)) == 0x3D);
  CHECK(cast_code("onnx@25", "float64", "float4e2m1", f64(0.25 + 0x1p-40)) == 1);
  CHECK(cast_code("onnx@25", "int32", "bfloat16", 0x01010001) == 0x4B81);
  CHECK(cast_code("onnx@25", "uint32", "bfloat16", 0xFF7FFFFE) == 0x4F7F);
  CHECK(cast_code("onnx@25", "float64", "float8e8m0", f64(33554431), {.round_mode = "down"}) == 0x97);
  CHECK(cast_code("onnx@25", "int64", "float8e8m0", (1ull << 53) + 1, {.round_mode = "up"}) == 0xB5);
}

TEST_CASE("zeros") {
  CHECK(cast_code("onnx@25", "float8e4m3fn", "bool", 0x80) == 0);
  CHECK(cast_code("onnx@25", "float8e5m2", "bool", 0x80) == 0);
  CHECK(cast_code("onnx@25", "float4e2m1", "bool", 0x8) == 0);
  CHECK(cast_code("onnx@25", "float32", "float8e4m3fnuz", f32(-0x1p-20f)) == 0x00);
  CHECK(cast_code("onnx@25", "float32", "float8e5m2fnuz", f32(-0x1p-30f)) == 0x00);
}

TEST_CASE("integers out of range") {
  CHECK(cast_code("onnx@25", "float32", "int32", f32(3e9f)) == 0xB2D05E00);
  CHECK(cast_code("pypto@8.5.0", "float32", "int32", f32(3e9f)) == 0x7FFFFFFF);
  CHECK(cast_code("pypto@8.5.0", "float32", "int32", f32(0x1p31f)) == 0x7FFFFFFF);
  CHECK(cast_code("pypto@8.5.0", "float32", "int32", f32(-0x1p31f)) == 0x80000000);
  CHECK(cast_code("pypto@8.5.0", "float32", "int64", f32(0x1p63f)) == 0x7FFFFFFFFFFFFFFF);
}

TEST_CASE("4-bit integers round to the nearest even") {
  for (const char* opset : {"onnx@21", "onnx@23", "onnx@24", "onnx@25"}) {
    CHECK(cast_code(opset, "float32", "int4", f32(2.5f)) == 2);
    CHECK(cast_code(opset, "float32", "int4", f32(1.5f)) == 2);
  }
}

TEST_CASE("float8e8m0") {
  for (const char* opset : {"onnx@24", "onnx@25", "onnx-reference@24"}) {
    CHECK(cast_code(opset, "float32", "float8e8m0", f32(1.125f), {.round_mode = "up"}) == 0x80);
    CHECK(cast_code(opset, "float32", "float8e8m0", f32(1.1f), {.round_mode = "up"}) == 0x80);
    CHECK(cast_code(opset, "float32", "float8e8m0", 0x00400000, {.round_mode = "up"}) == 0x00);       // 2^-127
    CHECK(cast_code(opset, "float32", "float8e8m0", 0x00500000, {.round_mode = "nearest"}) == 0x00);  // 1.25 * 2^-127
    CHECK(cast_code(opset, "float32", "float8e8m0", 0x7F800000, {.saturate = true}) == 0xFE);
  }
}

TEST_CASE("CastLike honours round_mode") {
  const std::int64_t shape[] = {1};
  const float x = 1.1f;
  std::uint8_t out = 0;
  for (const auto& [mode, want] : {std::pair{"down", 0x7F}, std::pair{"up", 0x80}, std::pair{"nearest", 0x7F}}) {
    const Status status = cast_like("onnx@24", {Type::float32, shape, &x, sizeof x}, Type::float8e8m0,
                                    {Type::float8e8m0, shape, &out, 1}, {.round_mode = mode});
    INFO(mode << ": " << status.message());
    REQUIRE(status.ok());
    CHECK(out == want);
  }
}

TEST_CASE("bfloat16 keeps subnormals and NaN") {
  CHECK(cast_code("onnx@25", "float32", "bfloat16", 0x00018000) == 0x0002);
  CHECK(cast_code("onnx@25", "float32", "bfloat16", 0x7F800001) == 0x7FC0);
}

TEST_CASE("OpenVINO Convert") {
  REQUIRE(find_opset("openvino-convert@1"));
  CHECK(cast_code("openvino-convert@1", "float32", "float8e4m3fn", f32(0x1p-38f)) == 0x00);
  CHECK(cast_code("openvino-convert@1", "float32", "float8e4m3fn", f32(0x1p-70f)) == 0x00);
  CHECK(cast_code("openvino-convert@1", "float32", "float8e5m2", 0x3F900008) == 0x3D);
  CHECK(cast_code("openvino-convert@1", "int32", "int8", 300) == 44);

  // u1: the first element is the most significant bit, and what no element fills is zero.
  const Type bit = type_of("uint1"), byte = type_of("uint8");
  const Bytes numbers = {1, 0, 2, 3, 255, 254, 0, 7, 1, 0, 5};
  CHECK(cast_everywhere("openvino-convert@1", byte, bit, {}, numbers, numbers.size()) == Bytes{0x99, 0xA0});
  const Bytes back = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1};
  CHECK(cast_everywhere("openvino-convert@1", bit, byte, {}, {0x99, 0xBF}, numbers.size()) == back);
}

TEST_CASE("pypto modes") {
  const auto with = [](const char* mode, std::string_view dst, std::uint64_t code) {
    return cast_code("pypto@8.5.0", "float32", dst, code, {.mode = mode});
  };
  CHECK(with("CAST_ROUND", "int32", f32(2.5f)) == 3);
  CHECK(with("CAST_FLOOR", "float16", f32(1.7f)) == 0x3ECC);
  CHECK(with("CAST_ODD", "float16", 0x3F800001) == 0x3C01);
  CHECK(with("CAST_TRUNC", "float16", f32(65536)) == 0x7C00);
}

TEST_CASE("bool input is any non-zero byte") {
  for (std::uint64_t byte : {1, 2, 0x80, 0xFF}) {
    CHECK(cast_code("onnx@25", "bool", "float32", byte) == 0x3F800000);
    CHECK(cast_code("onnx@25", "bool", "int8", byte) == 1);
    CHECK(cast_code("onnx@25", "bool", "bool", byte) == 1);
    CHECK(cast_code("onnx@25", "bool", "int4", byte) == 1);
  }
}

TEST_CASE("float32 to bool is not what float32 to int32 to bool is") {
  const std::uint64_t whole = cast_code("onnx@25", "float32", "int32", f32(0.5f));
  CHECK(cast_code("onnx@25", "int32", "bool", whole) == 0);
  CHECK(cast_code("onnx@25", "float32", "bool", f32(0.5f)) == 1);
}
