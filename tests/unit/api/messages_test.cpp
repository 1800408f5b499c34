// Every message a caller can meet, word for word where it is short.
#include <castforge/castforge.h>

#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>
#include <vector>

using castforge::Attribute;
using castforge::Attributes;
using castforge::find_kernel;
using castforge::Kernel;
using castforge::StatusCode;
using castforge::Type;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

struct Failure {
  StatusCode code;
  std::string message;
};

Failure failure(std::string_view opset, Type src, Type dst, const Attributes& attributes = {},
                std::string_view isa = {}) {
  const Kernel kernel = find_kernel(opset, src, dst, attributes, isa);
  REQUIRE_FALSE(kernel.ok());
  REQUIRE_FALSE(static_cast<bool>(kernel));
  // Running a kernel that was not found does nothing but repeat the reason.
  REQUIRE(kernel.run(nullptr, nullptr, 1).code() == kernel.status().code());
  return {kernel.status().code(), kernel.status().message()};
}

}  // namespace

TEST_CASE("a kernel that was never looked up says so") {
  const Kernel kernel;
  CHECK(kernel.run(nullptr, nullptr, 3).code() == StatusCode::no_kernel);
  CHECK(kernel.status().message() == "no conversion was looked up");
}

TEST_CASE("success has the message ok") {
  CHECK(castforge::Status().ok());
  CHECK(castforge::Status().message() == "ok");
  CHECK(find_kernel("onnx@25", Type::int8, Type::int16).status().message() == "ok");
}

TEST_CASE("unknown op-sets: the message names the nearest, or the versions") {
  const Failure family = failure("onyx@13", Type::int8, Type::int16);
  CHECK(family.code == StatusCode::unknown_opset);
  CHECK(family.message == "unknown op-set \"onyx@13\": did you mean onnx@13? `castforge list opsets` shows all");
  CHECK(failure("onxn@17", Type::int8, Type::int16).message ==
        "unknown op-set \"onxn@17\": did you mean onnx@13? `castforge list opsets` shows all");
  CHECK(
      failure("opnvino-convert@3000000", Type::int8, Type::int16).message ==
      "unknown op-set \"opnvino-convert@3000000\": did you mean openvino-convert@1? `castforge list opsets` shows all");
  CHECK(failure("tensorflow@2", Type::int8, Type::int16).message ==
        "unknown op-set \"tensorflow@2\"; `castforge list opsets` shows all");

  CHECK(failure("onnx@0", Type::int8, Type::int16).message ==
        "no such version of onnx: \"onnx@0\"; its versions: 1, 6, 9, 13, 19, 21, 23, 24, 25, 28");
  CHECK(failure("onnx@099", Type::int8, Type::int16).message ==
        "no such version of onnx: \"onnx@099\"; its versions: 1, 6, 9, 13, 19, 21, 23, 24, 25, 28");
  CHECK(failure("onnx@x", Type::int8, Type::int16).message ==
        "no such version of onnx: \"onnx@x\"; its versions: 1, 6, 9, 13, 19, 21, 23, 24, 25, 28");
}

TEST_CASE("versions above the newest one known") {
  const Failure above = failure("onnx@99", Type::int8, Type::int16);
  CHECK(above.code == StatusCode::unknown_opset);
  CHECK(above.message == "\"onnx@99\" is above the newest version known, onnx@28");
  CHECK(failure("onnx-range@29", Type::int8, Type::int16).message ==
        "\"onnx-range@29\" is above the newest version known, onnx-range@27, which holds through version 28");
  // 2^64 + 1, which is no 1
  CHECK(failure("castforge@18446744073709551617", Type::int8, Type::int16).message ==
        "\"castforge@18446744073709551617\" is above the newest version known, castforge@1");
  CHECK(failure("castforge@99999999999999999999", Type::int8, Type::int16).message ==
        "\"castforge@99999999999999999999\" is above the newest version known, castforge@1");
  CHECK_THAT(failure("pypto@2027-01", Type::int8, Type::int16).message, StartsWith("no such version of pypto"));
}

TEST_CASE("what the caller wrote is shortened and cleaned") {
  CHECK_THAT(failure(std::string(1000, 'x'), Type::int8, Type::int16).message,
             StartsWith("unknown op-set \"" + std::string(30, 'x') + "...\"; `castforge"));
  CHECK_THAT(failure("a\n\x1b\xff", Type::int8, Type::int16).message,
             StartsWith("unknown op-set \"a???\"; `castforge"));
}

TEST_CASE("types and pairs that an op-set does not admit") {
  const Failure type = failure("onnx@13", Type::float32, Type::float8e4m3fn);
  CHECK(type.code == StatusCode::type_not_admitted);
  CHECK(type.message ==
        "onnx@13 does not admit float8e4m3fn; it admits bool, int8, int16, int32, int64, uint8, uint16, uint32, "
        "uint64, float16, float32, float64, string, bfloat16; under other rules: castforge@1, onnx@28, "
        "onnx-castlike@25, onnx-reference@28, openvino-convert@1");
  CHECK_THAT(failure("castforge@1", Type::float32, Type::binary8p3se).message,
             EndsWith("float6e3m2, uint1; under other rules: p3109@4.0"));
  CHECK_THAT(failure("onnx@13", Type::float8e5m2, Type::float32).message,
             StartsWith("onnx@13 does not admit float8e5m2; it admits bool, "));

  const Failure pair = failure("pypto@8.5.0", Type::float32, Type::int8);
  CHECK(pair.code == StatusCode::pair_not_admitted);
  CHECK(pair.message ==
        "pypto@8.5.0 does not admit float32 -> int8; from float32 it admits float16, bfloat16, float32, int16, "
        "int32, int64; to int8 it admits float16, int8");
}

TEST_CASE("attributes that an op-set lacks") {
  const Failure none = failure("onnx@13", Type::float32, Type::float16, {.saturate = false});
  CHECK(none.code == StatusCode::unknown_attribute);
  CHECK(none.message == "onnx@13 has no attribute \"saturate\"; it has none");
  CHECK(failure("onnx@24", Type::float32, Type::float16, {.mode = "CAST_RINT"}).message ==
        "onnx@24 has no attribute \"mode\"; it has saturate, round_mode");
  const std::vector<Attribute> others = {{"colour", 3}};
  CHECK(failure("onnx@23", Type::float32, Type::float16, {.others = others}).message ==
        "onnx@23 has no attribute \"colour\"; it has saturate");
}

TEST_CASE("attribute values outside their set or of the wrong kind") {
  const Failure word = failure("onnx@24", Type::float32, Type::float8e8m0, {.round_mode = "sideways"});
  CHECK(word.code == StatusCode::bad_attribute);
  CHECK(word.message == "onnx@24: round_mode \"sideways\": expected one of up, down, nearest");
  CHECK(failure("onnx@24", Type::float32, Type::float8e8m0, {.round_mode = "UP"}).message ==
        "onnx@24: round_mode \"UP\": did you mean up? expected one of up, down, nearest");
  CHECK(failure("onnx@24", Type::float32, Type::float8e8m0, {.round_mode = 3}).message ==
        "onnx@24: round_mode 3: expected one of up, down, nearest");
  CHECK(failure("onnx@24", Type::float32, Type::float16, {.round_mode = 3}).code == StatusCode::bad_attribute);
  CHECK(failure("onnx@24", Type::float32, Type::float8e5m2, {.saturate = "yes"}).message ==
        "onnx@24: saturate \"yes\": expected a whole number, of which 0 is false");
  CHECK(failure("pypto@8.5.0", Type::float32, Type::float16, {.mode = 7}).message ==
        "pypto@8.5.0: mode 7: expected one of CAST_NONE (0), CAST_RINT (1), CAST_ROUND (2), CAST_FLOOR (3), "
        "CAST_CEIL (4), CAST_TRUNC (5), CAST_ODD (6)");
  CHECK_THAT(failure("pypto@8.5.0", Type::float32, Type::float16, {.mode = "CAST_UP"}).message,
             StartsWith("pypto@8.5.0: mode \"CAST_UP\": expected one of "));
}

TEST_CASE("an attribute given twice") {
  const std::vector<Attribute> others = {{"saturate", 1}};
  const Failure twice = failure("onnx@23", Type::float32, Type::float8e5m2, {.saturate = 1, .others = others});
  CHECK(twice.code == StatusCode::repeated_attribute);
  CHECK(twice.message == "attribute \"saturate\" is given twice");
}

TEST_CASE("op-sets of other operations") {
  const Failure range = failure("openvino-range@4", Type::float32, Type::float16);
  CHECK(range.code == StatusCode::wrong_operation);
  CHECK_THAT(range.message, StartsWith("openvino-range@4 describes the operation range, not cast; op-sets of cast: "));
}

TEST_CASE("strings are converted elsewhere") {
  const Failure text = failure("onnx@9", Type::float32, Type::string);
  CHECK(text.code == StatusCode::text_conversion);
  CHECK(text.message == "onnx@9: float32 -> string: text conversions use format_text and parse_text");
  CHECK(failure("onnx@9", Type::string, Type::int8).code == StatusCode::text_conversion);
  CHECK(failure("onnx@9", Type::string, Type::string).message ==
        "onnx@9: string -> string copies the caller's own strings");
}

TEST_CASE("instruction sets that are not there") {
  const Failure isa = failure("onnx@13", Type::float32, Type::float16, {}, "mmx");
  CHECK(isa.code == StatusCode::isa_unavailable);
  CHECK_THAT(isa.message, StartsWith("unknown instruction set \"mmx\"; usable here: portable"));
  // One that libraries for other machines have.
  bool arm = false;
  for (std::size_t i = 0; i < castforge::isa_count(); ++i) arm = arm || castforge::isa(i).name == "neon64";
  const std::string other = arm ? "avx2" : "neon64";
  CHECK_THAT(failure("onnx@13", Type::float32, Type::float16, {}, other.c_str()).message,
             StartsWith("this library was built without the instruction set \"" + other + "\"; usable here: portable"));
  CHECK(castforge::isa_status("mmx").code() == StatusCode::isa_unavailable);
  CHECK(castforge::isa_status("portable").ok());
}

TEST_CASE("unknown types: the message names the nearest") {
  Type type = Type::int8;
  const castforge::Status status = castforge::find_type("float7", type);
  CHECK(status.code() == StatusCode::unknown_type);
  CHECK(type == Type::int8);
  CHECK_THAT(status.message(), StartsWith("unknown type \"float7\": did you mean "));
  const auto says = [&](std::string_view name) { return castforge::find_type(name, type).message(); };
  CHECK(says("float8e4m3fm") ==
        "unknown type \"float8e4m3fm\": did you mean float8e4m3fn? `castforge list types` shows all");
  CHECK(says("FLOAT8E4M3FM") ==
        "unknown type \"FLOAT8E4M3FM\": did you mean float8e4m3fn? `castforge list types` shows all");
  CHECK(says("F8_E4M") == "unknown type \"F8_E4M\": did you mean F8_E4M3? `castforge list types` shows all");
  CHECK(says("flaot32") == "unknown type \"flaot32\": did you mean float32? `castforge list types` shows all");
  // The only one that goes on from what was written, if nothing is nearer.
  CHECK(says("str") == "unknown type \"str\": did you mean string? `castforge list types` shows all");
  CHECK(says("quaternion") == "unknown type \"quaternion\"; `castforge list types` shows all");
}

TEST_CASE("attributes and instruction sets: the message names the nearest") {
  const auto says = [](std::string_view name, castforge::AttributeValue value) {
    const castforge::Attribute given[] = {{name, value}};
    return find_kernel("onnx@25", Type::float32, Type::float8e8m0, {.others = given}).status().message();
  };
  CHECK(says("satruate", 1) ==
        "onnx@25 has no attribute \"satruate\": did you mean saturate? it has saturate, round_mode");
  CHECK(says("round_mode", "nearset") ==
        "onnx@25: round_mode \"nearset\": did you mean nearest? expected one of up, down, nearest");
  CHECK_THAT(find_kernel("onnx@25", Type::int8, Type::int16, {}, "protable").status().message(),
             StartsWith("unknown instruction set \"protable\": did you mean portable? usable here: portable"));
}

TEST_CASE("a message fits its buffer") {
  const castforge::Status status = find_kernel("onnx@13", Type::float32, Type::float16, {.saturate = 1}).status();
  const std::string whole = status.message();
  for (std::size_t size = 0; size <= whole.size() + 2; ++size) {
    std::vector<char> buffer(size + 4, '#');
    CHECK(status.write_message(buffer.data(), size) == whole.size());
    for (std::size_t i = size; i < buffer.size(); ++i) CHECK(buffer[i] == '#');
    if (size > 0) CHECK(std::string(buffer.data()) == whole.substr(0, size - 1));
  }
  CHECK(status.write_message(nullptr, 100) == whole.size());
}

TEST_CASE("status codes have names") {
  CHECK(std::string(castforge::name(StatusCode::ok)) == "ok");
  CHECK(std::string(castforge::name(StatusCode::bad_options)) == "bad_options");
  CHECK(std::string(castforge::name(static_cast<StatusCode>(200))) == "unknown status");
  // Every one of them from C too.
  for (int code = 0; code <= CASTFORGE_FILE_REFUSED; ++code) {
    CHECK(std::string(castforge_status_string(static_cast<castforge_status>(code))) ==
          castforge::name(static_cast<StatusCode>(code)));
  }
  CHECK(std::string(castforge_status_string(CASTFORGE_FILE_REFUSED)) == "file_refused");
}
