// Every sequence that the definition of Range-4 and its alternative profile are known by.
#include "support.hpp"

using namespace castforge;
using namespace castforge::range_test;

TEST_CASE("integer sequences") {
  CHECK(run(2, 23, 3, Type::int32, Type::int32) == Codes{2, 5, 8, 11, 14, 17, 20});
  CHECK(run(23, 2, -3, Type::int32, Type::int32) == Codes{23, 20, 17, 14, 11, 8, 5});
  CHECK(run(1.2, 5.6, 1.9, Type::float64, Type::int32) == Codes{1, 2, 3, 4});
  CHECK(run(250, 260, 1, Type::float64, Type::uint8) == Codes{250, 251, 252, 253, 254, 255, 0, 1, 2, 3});
  CHECK(run(9, 0, -4, Type::int32, Type::uint8) == Codes{9, 5, 1});
  CHECK(run(-1.9, 1.9, 1, Type::float32, Type::int16) == codes_of(Type::int16, {-1, 0}));
}

TEST_CASE("float sequences") {
  CHECK(run(1, 2.5, 0.5, Type::float32, Type::float32) == codes_of(Type::float32, {1, 1.5, 2}));
  CHECK(run(65000, 66000, 250, Type::float64, Type::float16) == Codes{0x7BEF, 0x7BF7, 0x7BFF, 0x7C00});
  CHECK(run(-1, 0.875, 0.2, Type::float32, Type::float32) == Codes{0xBF800000, 0xBF4CCCCD, 0xBF19999A, 0xBECCCCCC,
                                                                   0xBE4CCCCC, 0x32800000, 0x3E4CCCCE, 0x3ECCCCCE,
                                                                   0x3F19999A, 0x3F4CCCCD});
  CHECK(run(-1, 0.875, 0.2, Type::float64, Type::float64).at(5) == 0);
  const Codes by_formula = run(1, 1.3, 0.1, Type::float64, Type::float64);
  CHECK(by_formula.size() == 4);
  CHECK(by_formula.back() == scalar(Type::float64, 1.3).code);
}

TEST_CASE("a step that leads away from stop, or no distance, gives no elements") {
  for (const Type type :
       {Type::float16, Type::bfloat16, Type::float32, Type::float64, Type::int8, Type::int64, Type::uint64}) {
    CHECK(run(5, 1, 1, type, type).empty());
    CHECK(run(5, 5, 1, type, type).empty());
    CHECK(run(1, 5, 0.75, Type::float64, Type::float32).size() == 6);
    CHECK(run(1, 5, -1, Type::float64, type).empty());
  }
}

TEST_CASE("64-bit integers are exact") {
  const std::int64_t big = std::int64_t{1} << 53;
  CHECK(elements("openvino-range@4", big + 1, big + 4, std::int64_t{1}, Type::int64) ==
        Codes{static_cast<std::uint64_t>(big) + 1, static_cast<std::uint64_t>(big) + 2,
              static_cast<std::uint64_t>(big) + 3});
  // From -2^63 to 2^64 - 1: the distance needs 65 bits.
  const std::uint64_t half = std::uint64_t{1} << 63;
  CHECK(elements("openvino-range@4", Scalar(Type::int64, half), ~std::uint64_t{0}, half, Type::int64) ==
        Codes{half, 0, half});
  CHECK(elements("openvino-range@4", ~std::uint64_t{0}, Scalar(Type::int64, half), Scalar(Type::int64, half),
                 Type::uint64) == Codes{~std::uint64_t{0}, ~half, ~std::uint64_t{0}});
  CHECK(elements("openvino-range@4", 0x1p63, 0x1.8p63, 0x1p62, Type::uint64) == Codes{half});
  CHECK(elements("openvino-range@4", -0x1p63, 0.0, 0x1p62, Type::int64) == Codes{half, 3 * (half >> 1)});
}

TEST_CASE("openvino-reference: float32 elements in float32") {
  CHECK(run(-1, 0.875, 0.2, Type::float32, Type::float32, "openvino-reference@4") ==
        Codes{0xBF800000, 0xBF4CCCCD, 0xBF19999A, 0xBECCCCCC, 0xBE4CCCCC, 0x00000000, 0x3E4CCCD0, 0x3ECCCCCC,
              0x3F19999A, 0x3F4CCCCE});
}

TEST_CASE("openvino-reference: integers are counted in float64") {
  const std::int64_t big = std::int64_t{1} << 53;
  CHECK(elements("openvino-reference@4", big + 1, big + 4, std::int64_t{1}, Type::int64) ==
        Codes{static_cast<std::uint64_t>(big), static_cast<std::uint64_t>(big) + 1, static_cast<std::uint64_t>(big) + 2,
              static_cast<std::uint64_t>(big) + 3});
  CHECK(run(1.9, 5.6, 1.9, Type::float64, Type::int32, "openvino-reference@4") == Codes{1, 2, 3, 4});
}

TEST_CASE("openvino-reference: beyond float32, elements are infinite or NaN") {
  // In float32 the step is infinite: 0 * Inf, then Inf.
  CHECK(run(0, 3e39, 1e39, Type::float64, Type::float32, "openvino-reference@4") ==
        Codes{0x7FC00000, 0x7F800000, 0x7F800000});
  CHECK(run(0, 3e39, 1e39, Type::float64, Type::float16, "openvino-reference@4") == Codes{0x7E00, 0x7C00, 0x7C00});
}

TEST_CASE("onnx-range: one type for all") {
  CHECK(run(1, 5, 2, Type::float32, Type::float32, "onnx-range@11") == codes_of(Type::float32, {1, 3}));
  CHECK(run(10, 6, -3, Type::int32, Type::int32, "onnx-range@11") == Codes{10, 7});
}
