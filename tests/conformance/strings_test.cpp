// Numbers to text and text to numbers, by example.
#include <bit>
#include <string>

#include "support.hpp"

using namespace castforge;
using namespace castforge::conformance;

namespace {

std::string text_of(std::string_view opset, std::string_view type, std::uint64_t code) {
  const Type src = type_of(type);
  const Bytes bytes = bytes_of({code}, layout_of(type));
  std::string text;
  const Status status =
      format_text(opset, src, bytes.data(), 1, {}, [&text](std::size_t, std::string_view t) { text = t; });
  INFO(status.message());
  REQUIRE(status.ok());
  return text;
}

struct Parsed {
  Status status;
  std::uint64_t code = 0;
};

Parsed parse(std::string_view type, std::string_view text, const Attributes& attributes = {},
             std::string_view opset = "onnx@25") {
  const Type dst = type_of(type);
  Bytes bytes(storage_bytes(dst, 1).value());
  const Status status = parse_text(opset, dst, std::span(&text, 1), bytes.data(), attributes);
  return {status, status.ok() ? code_at(bytes, layout_of(type), 0) : 0};
}

std::uint64_t number(std::string_view type, std::string_view text, const Attributes& attributes = {}) {
  const Parsed p = parse(type, text, attributes);
  INFO("\"" << text << "\" to " << type << ": " << p.status.message());
  CHECK(p.status.ok());
  return p.code;
}

}  // namespace

TEST_CASE("numbers to text") {
  struct Row {
    const char* type;
    std::uint64_t code;
    const char* general;
    const char* fixed;  // null: as general
  };
  const Row rows[] = {
      {"float32", 0x439D1463, "314.15927", nullptr},
      {"float32", 0x3F800000, "1", nullptr},
      {"float32", 0x80000000, "-0", nullptr},
      {"float32", 0x00000000, "0", nullptr},
      {"float32", 0x3DCCCCCD, "0.1", nullptr},
      {"float32", 0x3F1AD728, "0.6048455", nullptr},
      {"float32", 0x38D1B717, "0.0001", nullptr},
      {"float32", 0x3727C5AC, "1e-05", "0.00001"},
      {"float32", 0x47F12000, "123456", nullptr},
      {"float32", 0x49742400, "1e+06", "1000000"},
      {"float32", 0x4B800000, "1.6777216e+07", "16777216"},
      {"float32", 0x7FC00000, "NaN", nullptr},
      {"float32", 0xFFC00000, "NaN", nullptr},
      {"float32", 0x7F800000, "INF", nullptr},
      {"float32", 0xFF800000, "-INF", nullptr},
      {"float64", 0x400921FB533BF4F5, "3.1415926459", nullptr},
      {"float64", 0x4480F0CF064DD592, "1e+22", "10000000000000000000000"},
      {"float16", 0x4248, "3.14", nullptr},
      {"float16", 0x7BFF, "65504", nullptr},
      {"bfloat16", 0x4049, "3.14", nullptr},
      {"float8e4m3fn", 0x7E, "448", nullptr},
      {"float8e4m3fn", 0x01, "0.002", nullptr},
      {"float4e2m1", 0x3, "1.5", nullptr},
      {"float8e8m0", 0xFE, "1.7014118346046923e+38", nullptr},
      {"int8", 0x80, "-128", nullptr},
      {"bool", 0x01, "1", nullptr},
      {"bool", 0x00, "0", nullptr},
      {"uint64", ~0ull, "18446744073709551615", nullptr},
  };
  for (const Row& r : rows) {
    INFO(r.type << " " << std::hex << r.code);
    CHECK(text_of("onnx-reference@25", r.type, r.code) == r.general);
    if (std::string_view(r.type) == "float8e8m0") continue;
    CHECK(text_of("onnx@25", r.type, r.code) == (r.fixed != nullptr ? r.fixed : r.general));
  }
  CHECK(text_of("onnx@25", "float8e8m0", 0xFE).starts_with("170141183460"));
  CHECK(text_of("onnx@25", "float64", 1).starts_with("0.0000000000"));
  CHECK(text_of("onnx-reference@25", "float64", 1) == "5e-324");
}

TEST_CASE("text to numbers") {
  CHECK(number("int32", "100.5") == 100);
  CHECK(number("int32", "1e5") == 100000);
  CHECK(number("int8", "300") == 0x2C);
  CHECK(number("uint8", "-1") == 0xFF);
  CHECK(number("int64", "9223372036854775808") == 0x8000000000000000);
  CHECK(number("int4", "2.5") == 2);
  CHECK(number("int32", "INF") == 0);
  CHECK(number("int32", "NaN") == 0);
  CHECK(number("int32", " 12\n") == 12);
  CHECK(number("float32", "1e400") == 0x7F800000);
  CHECK(number("float32", "-1e-400") == 0x80000000);
  CHECK(number("float32", "3.4028236e38") == 0x7F800000);
  CHECK(number("float16", "+Infinity") == 0x7C00);
  CHECK(number("float32", "-nan") == 0xFFC00000);
  CHECK(number("float32", ".5") == 0x3F000000);
  CHECK(number("float32", "5.") == 0x40A00000);
  CHECK(number("float8e4m3fn", "500") == 0x7E);
  CHECK(number("float8e4m3fn", "500", {.saturate = false}) == 0x7F);
  CHECK(number("bool", "0.1") == 1);
  CHECK(number("bool", "-0") == 0);
  CHECK(number("bool", "0") == 0);
  CHECK(number("bool", "nan") == 1);
  CHECK(number("float16", "1.00048828125000000000000000000000001") == 0x3C01);
  CHECK(number("float16", "1.00048828125") == 0x3C00);
  CHECK(number("float8e8m0", "1.1") == 0x80);
  CHECK(number("float8e8m0", "1.1", {.round_mode = "down"}) == 0x7F);
}

TEST_CASE("text that is no number") {
  for (const char* text : {"", "abc", "1abc", "1,5", "0x10", "1_000", "1e", ".", "+", "e5", "--1", "1 2", "nan(123)",
                           "Hello World!", "\xD9\xA1"}) {
    for (const char* type : {"float32", "int32", "bool", "float8e4m3fn"}) {
      INFO("\"" << text << "\" to " << type);
      CHECK(parse(type, text).status.code() == StatusCode::bad_number);
    }
  }
  CHECK(parse("float32", std::string_view("1\0", 2)).status.code() == StatusCode::bad_number);
  for (const char* word : {"true", "false"}) CHECK(parse("bool", word).status.code() == StatusCode::bad_number);
  CHECK(parse("int64", "18446744073709551616").status.code() == StatusCode::integer_out_of_range);
  const std::string_view texts[] = {"1", "2", "x", "y"};
  float out[4] = {};
  const Status status = parse_text("onnx@25", Type::float32, texts, out);
  CHECK(status.code() == StatusCode::bad_number);
  CHECK(status.index() == 2);
}
