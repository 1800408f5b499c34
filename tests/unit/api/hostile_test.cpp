// What is no type and no buffer is an error, not a crash; what a caller's own function throws reaches the caller.
#include <castforge/castforge.hpp>
#include <castforge/load.hpp>
#include <castforge/notation.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using namespace castforge;

namespace {

using Extents = std::vector<std::int64_t>;

const Type kNone[] = {static_cast<Type>(0xFFFF), static_cast<Type>(9999)};

bool says(const Status& status, Type type) {
  return status.code() == StatusCode::unknown_type &&
         status.message().find(std::to_string(static_cast<unsigned>(type))) != std::string::npos;
}

}  // namespace

TEST_CASE("numbers that are no types") {
  const Extents one = {1}, scalar;
  std::uint64_t src = 0, dst = 0, element = 0;
  for (const Type none : kNone) {
    CHECK(name(none).empty());
    CHECK(type_info(none).storage_bits == 0);
    CHECK(storage_bytes(none, 100) == 0U);
    CHECK(alias_count(none) == 0);
    CHECK(alias(none, "onnx").empty());

    CHECK(says(find_kernel("onnx@25", none, Type::float32).status(), none));
    CHECK(says(find_kernel("onnx@25", Type::float32, none).status(), none));
    CHECK_FALSE(find_opset("onnx@25")->admits(none));
    CHECK_FALSE(find_opset("onnx@25")->admits(Type::float32, none));
    CHECK(says(cast("onnx@25", {none, one, &src, 8}, {Type::float32, one, &dst, 8}), none));
    CHECK(says(cast("onnx@25", {Type::float32, one, &src, 8}, {none, one, &dst, 8}), none));
    CHECK(says(cast_like("onnx@25", {none, one, &src, 8}, Type::float32, {Type::float32, one, &dst, 8}), none));
    CHECK(says(cast_like("onnx@25", {Type::float32, one, &src, 8}, none, {Type::float32, one, &dst, 8}), none));
    CHECK(says(cast_like("onnx@25", {Type::float32, one, &src, 8}, none, {none, one, &dst, 8}), none));
    CHECK(says(format_text("onnx@25", none, &src, 1, {}, [](std::size_t, std::string_view) {}), none));
    const std::string_view text = "1";
    CHECK(says(parse_text("onnx@25", none, {&text, 1}, &dst), none));
    CHECK(says(parse_number("1", none, element), none));

    const Scalar number(1), no_number(none, 0);
    CHECK(says(find_range("openvino-range@4", no_number, number, number, Type::int64).status(), none));
    CHECK(says(find_range("openvino-range@4", number, number, number, none).status(), none));
    CHECK(says(range_count("openvino-range@4", number, no_number, number, Type::int64).status, none));
    CHECK(says(range("openvino-range@4", number, number, number, {none, one, &dst, 8}), none));
    const TensorView good{Type::int64, scalar, &src, 8}, bad{none, scalar, &src, 8};
    CHECK(says(range("openvino-range@4", good, good, bad, {Type::int64, one, &dst, 8}), none));
  }
}

TEST_CASE("a cast to the type of another tensor by rules of a family that has none") {
  const Extents one = {1};
  const float src = 1;
  std::uint16_t dst = 0;
  CHECK(
      cast_like("pypto@8.5.0", {Type::float32, one, &src, 4}, Type::float16, {Type::float16, one, &dst, 2}).message() ==
      "no op-set converts to the type of another tensor by the rules of \"pypto@8.5.0\"");
}

TEST_CASE("kernels and op-sets that are none") {
  CHECK(kernel_at(kernel_count()).status().code() == StatusCode::no_kernel);
  CHECK(kernel_at(SIZE_MAX).status().code() == StatusCode::no_kernel);
  CHECK(find_range(OpSet(), 0, 3, 1, Type::float32).status().code() == StatusCode::unknown_opset);
  CHECK(find_kernel(OpSet(), Type::float32, Type::float16).status().code() == StatusCode::unknown_opset);
  CHECK(find_kernel(OpSet(), Type::float32, Type::float16).status().message() ==
        "the OpSet given is none, as one is before find_opset() or opset() gives it");
  CHECK(find_range(OpSet(), 0, 3, 1, Type::float32).status().message() ==
        find_kernel(OpSet(), Type::float32, Type::float16).status().message());
  CHECK(find_kernel_by_notation("").status().message() == "no conversion is given in the notation of a system");
}

TEST_CASE("no buffer, but elements") {
  const float src[2] = {1, 2};
  std::uint16_t dst[2] = {};
  const Kernel kernel = find_kernel("onnx@25", Type::float32, Type::float16);
  REQUIRE(kernel);
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{1} << 20}) {
    CHECK(kernel.run(nullptr, dst, count).code() == StatusCode::null_pointer);
    CHECK(kernel.run(nullptr, dst, count).message().find("source") != std::string::npos);
    CHECK(kernel.run(src, nullptr, count).code() == StatusCode::null_pointer);
    CHECK(kernel.run(src, nullptr, count).message().find("destination") != std::string::npos);
  }
  CHECK(kernel.run(nullptr, nullptr, 0).ok());
  CHECK(kernel.run(src, dst, 2).ok());
  CHECK(dst[1] == 0x4000);
  CHECK(Kernel().run(nullptr, nullptr, 1).code() == StatusCode::no_kernel);
  CHECK(format_text("onnx@25", Type::float32, src, 1, {}, TextSink()).code() == StatusCode::null_pointer);
}

TEST_CASE("lists that are null, but have elements") {
  std::uint64_t src = 0, dst = 0;
  const Extents one = {1};
  const std::span<const std::int64_t> none(static_cast<const std::int64_t*>(nullptr), 3);
  CHECK(cast("onnx@25", {Type::float32, none, &src, 8}, {Type::float16, one, &dst, 8}).code() ==
        StatusCode::null_pointer);
  CHECK(cast("onnx@25", {Type::float32, one, &src, 8}, {Type::float16, none, &dst, 8}).code() ==
        StatusCode::null_pointer);
  Attributes attributes;
  attributes.others = std::span<const Attribute>(static_cast<const Attribute*>(nullptr), 5);
  const Status status = find_kernel("onnx@25", Type::float32, Type::float16, attributes).status();
  CHECK(status.code() == StatusCode::null_pointer);
  CHECK(status.message() == "the list of attributes is null, but has 5 elements");
  CHECK(load(std::span<const std::byte>(static_cast<const std::byte*>(nullptr), 10)).code() ==
        StatusCode::null_pointer);
}

TEST_CASE("texts that end before they begin") {
  const std::size_t offsets[] = {0, 5, 2, 6};
  float dst[3] = {7, 7, 7};
  const Status status = parse_text("onnx@25", Type::float32, "123456", offsets, 3, dst);
  CHECK(status.code() == StatusCode::bad_shape);
  CHECK(status.message() == "text 1 ends before it begins: offsets must not fall");
  CHECK(dst[0] == 7);
}

TEST_CASE("an exception of the caller's threads reaches the caller") {
  const std::vector<float> src(4096);
  std::vector<std::uint16_t> dst(4096);
  const Extents shape = {4096};
  const TensorView from{Type::float32, shape, src.data(), 4096 * 4};
  const MutableTensorView to{Type::float16, shape, dst.data(), 4096 * 2};
  CastOptions options;
  options.elements_per_task = 512;
  options.parallel.run = [](void*, std::size_t, ParallelFor::Task, void*) { throw std::runtime_error("no threads"); };
  CHECK_THROWS_AS(cast("onnx@25", from, to, {}, options), std::runtime_error);
  CHECK_THROWS_AS(cast_like("onnx@25", from, Type::float16, to, {}, options), std::runtime_error);
  const MutableTensorView same_width{Type::int16, shape, dst.data(), 4096 * 2};
  CHECK_THROWS_AS(bitcast("onnx-bitcast@26", {Type::float16, shape, src.data(), 4096 * 2}, same_width, {}, options),
                  std::runtime_error);
  const MutableTensorView sequence{Type::int16, shape, dst.data(), 4096 * 2};
  CHECK_THROWS_AS(range("openvino-range@4", 0, 4096, 1, sequence, {}, options), std::runtime_error);
  CHECK_THROWS_AS(format_text("onnx@25", Type::float32, src.data(), 1, {},
                              [](std::size_t, std::string_view) { throw std::runtime_error("no room"); }),
                  std::runtime_error);
}
