// The same lookup with other attribute values gives another conversion: results, not names.
#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>

using castforge::find_kernel;
using castforge::Type;

namespace {

std::uint8_t to_byte(float value, Type dst, std::string_view opset, const castforge::Attributes& attributes) {
  const castforge::Kernel kernel = find_kernel(opset, Type::float32, dst, attributes);
  REQUIRE(kernel);
  std::uint8_t code = 0xAA;
  REQUIRE(kernel.run(&value, &code, 1).ok());
  return code;
}

std::uint16_t to_half(float value, const castforge::Attributes& attributes) {
  const castforge::Kernel kernel = find_kernel("pypto@8.5.0", Type::float32, Type::float16, attributes);
  REQUIRE(kernel);
  std::uint16_t code = 0xAAAA;
  REQUIRE(kernel.run(&value, &code, 1).ok());
  return code;
}

}  // namespace

TEST_CASE("saturate decides overflow of the 8-bit floats") {
  CHECK(to_byte(1000.0f, Type::float8e4m3fn, "onnx@23", {}) == 0x7E);
  CHECK(to_byte(1000.0f, Type::float8e4m3fn, "onnx@23", {.saturate = true}) == 0x7E);
  CHECK(to_byte(1000.0f, Type::float8e4m3fn, "onnx@23", {.saturate = false}) == 0x7F);
  CHECK(to_byte(1e9f, Type::float8e5m2, "onnx@23", {.saturate = false}) == 0x7C);
}

TEST_CASE("round_mode decides the rounding of scales") {
  CHECK(to_byte(1.1f, Type::float8e8m0, "onnx@24", {}) == 0x80);
  CHECK(to_byte(1.1f, Type::float8e8m0, "onnx@24", {.round_mode = "down"}) == 0x7F);
  CHECK(to_byte(1.1f, Type::float8e8m0, "onnx@24", {.round_mode = "nearest"}) == 0x7F);
}

TEST_CASE("mode decides the rounding of float16") {
  const float above_one = 1.0f + 0x1p-23f;
  CHECK(to_half(above_one, {}) == 0x3C00);
  CHECK(to_half(above_one, {.mode = "CAST_CEIL"}) == 0x3C01);
  CHECK(to_half(above_one, {.mode = 4}) == 0x3C01);
  CHECK(to_half(above_one, {.mode = "CAST_ODD"}) == 0x3C01);
}

TEST_CASE("castlike honours both attributes") {
  const float value = 1.1f;
  std::uint8_t code = 0;
  const castforge::TensorView src{Type::float32, {}, &value, sizeof value};
  const castforge::MutableTensorView dst{Type::float8e8m0, {}, &code, 1};
  REQUIRE(castforge::cast_like("onnx@24", src, Type::float8e8m0, dst, {.round_mode = "down"}).ok());
  CHECK(code == 0x7F);
  REQUIRE(castforge::cast_like("onnx@24", src, Type::float8e8m0, dst, {.round_mode = "up"}).ok());
  CHECK(code == 0x80);
}
