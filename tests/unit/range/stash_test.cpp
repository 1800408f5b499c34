// onnx-range@27: in which type the elements of narrow floats are computed.
#include "support.hpp"

#include <castforge/castforge.h>

using namespace castforge;
using namespace castforge::range_test;

namespace {

constexpr std::string_view kOpSet = "onnx-range@27";

Codes stashed(double start, double stop, double step, Type type, AttributeValue stash) {
  const Attribute attribute{"stash_type", stash};
  Attributes attributes;
  attributes.others = std::span(&attribute, 1);
  const Range range = find_range(kOpSet, scalar(type, start), scalar(type, stop), scalar(type, step), type, attributes);
  INFO(range.status().message());
  REQUIRE(range.ok());
  CHECK(range_count(kOpSet, scalar(type, start), scalar(type, stop), scalar(type, step), type, attributes).count ==
        range.count());
  return part(range, 0, static_cast<std::size_t>(range.count()));
}

Status refused(Type type, const Attribute& attribute) {
  Attributes attributes;
  attributes.others = std::span(&attribute, 1);
  const Scalar one = scalar(type, 1);
  unsigned char byte = 0xA5;
  const std::int64_t shape[] = {1};
  const Status status = castforge::range(kOpSet, scalar(type, 0), one, one, {type, shape, &byte, 1}, attributes);
  CHECK(byte == 0xA5);
  CHECK(find_range(kOpSet, scalar(type, 0), one, one, type, attributes).status().code() == status.code());
  return status;
}

}  // namespace

TEST_CASE("ranges of float16 and bfloat16") {
  CHECK(elements(kOpSet, scalar(Type::float16, 0), scalar(Type::float16, 2), scalar(Type::float16, 0.1), Type::float16)
            .size() == 21);
  CHECK(run(2048, 2056, 1, Type::float16, Type::float16, kOpSet) ==
        Codes{0x6800, 0x6800, 0x6801, 0x6802, 0x6802, 0x6802, 0x6803, 0x6804});
  // float32 is what openvino-reference@4 computes 16-bit floats in.
  for (const Type type : {Type::float16, Type::bfloat16}) {
    CHECK(run(-1, 0.875, 0.2, type, type, kOpSet) == run(-1, 0.875, 0.2, type, type, "openvino-reference@4"));
  }
}

TEST_CASE("stash_type: float32 and float64 differ") {
  // Element 3 is a tie of the result, and a little more: float32 loses that.
  const struct {
    Type type;
    double start, limit, delta;
    std::uint64_t single, twice;
  } cases[] = {{Type::float16, 0x1p-24, 3000, 683, 0x6800, 0x6801},  // 2048 for 2049, 2050 for 2049 + 2^-24
               {Type::bfloat16, 0x1p-40, 300, 87, 0x4382, 0x4383}};  // 260 for 261, 262 for 261 + 2^-40
  for (const auto& c : cases) {
    INFO(name(c.type));
    const Codes single = stashed(c.start, c.limit, c.delta, c.type, 1);
    const Codes twice = stashed(c.start, c.limit, c.delta, c.type, 11);
    REQUIRE(single.size() > 3);
    CHECK(single[3] == c.single);
    CHECK(twice[3] == c.twice);
    CHECK(single == run(c.start, c.limit, c.delta, c.type, c.type, "openvino-reference@4"));
    CHECK(twice == run(c.start, c.limit, c.delta, c.type, c.type, "openvino-range@4"));
    CHECK(single == run(c.start, c.limit, c.delta, c.type, c.type, kOpSet));  // the default
    CHECK(stashed(c.start, c.limit, c.delta, c.type, "float64") == twice);
  }
}

TEST_CASE("stash_type has no effect on other types") {
  CHECK(stashed(-1, 0.875, 0.2, Type::float32, 1) == stashed(-1, 0.875, 0.2, Type::float32, 11));
  CHECK(stashed(-1, 0.875, 0.2, Type::float32, 1) ==
        run(-1, 0.875, 0.2, Type::float32, Type::float32, "onnx-range@11"));
  CHECK(stashed(0, 9, 2, Type::int32, 1) == stashed(0, 9, 2, Type::int32, 11));
  CHECK(stashed(-1, 0.875, 0.2, Type::float64, 1) == stashed(-1, 0.875, 0.2, Type::float64, 11));
}

TEST_CASE("stash_type: what is no type for it") {
  CHECK(refused(Type::float16, {"stash_type", 10}).code() == StatusCode::bad_attribute);
  CHECK(refused(Type::float16, {"stash_type", 10}).message().find("onnx-range@27") == 0);
  CHECK(refused(Type::int32, {"stash_type", 2}).code() == StatusCode::bad_attribute);
  CHECK(refused(Type::bfloat16, {"stash", 1}).code() == StatusCode::unknown_attribute);
  const Attribute stash{"stash_type", 1};
  Attributes attributes;
  attributes.others = std::span(&stash, 1);
  CHECK(find_range("onnx-range@11", 0, 1, 1, Type::int32, attributes).status().code() == StatusCode::unknown_attribute);
}

TEST_CASE("versions of ONNX Range") {
  CHECK(find_opset("onnx-range@26")->name() == "onnx-range@11");
  CHECK(find_opset("onnx-range@28")->name() == "onnx-range@27");
  CHECK_FALSE(find_opset("onnx-range@29"));
  const Scalar half = scalar(Type::float16, 1);
  CHECK(find_range("onnx-range@26", half, half, half, Type::float16).status().code() == StatusCode::bad_type);
}

TEST_CASE("stash_type from C") {
  const auto type = [](Type t) { return static_cast<castforge_type>(t); };
  const castforge_scalar start{type(Type::float16), 0}, stop{type(Type::float16), 0x4000},
      step{type(Type::float16), 0x2E66};
  castforge_attribute attribute{"stash_type", nullptr, 11};
  castforge_options options = CASTFORGE_OPTIONS_INIT;
  options.attributes = &attribute;
  options.attribute_count = 1;
  std::uint64_t count = 0;
  CHECK(castforge_range_count("onnx-range@27", start, stop, step, type(Type::float16), &options, &count) ==
        CASTFORGE_OK);
  CHECK(count == 21);
  attribute.number = 3;
  CHECK(castforge_range_count("onnx-range@27", start, stop, step, type(Type::float16), &options, &count) ==
        CASTFORGE_BAD_ATTRIBUTE);
}
