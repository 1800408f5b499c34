// The 6-bit floats of ONNX 28: results row by row, the dense stream they are stored in, text, and what admits them.
#include <array>
#include <cstring>

#include "support.hpp"

using namespace castforge;
using namespace castforge::conformance;

namespace {

const char* const kOpsets[] = {"onnx@28", "onnx-reference@28"};
const char* const kFloat6[] = {"float6e2m3", "float6e3m2"};

std::uint64_t number(const std::string& hex) { return std::stoull(hex, nullptr, 16); }

std::string text_of(const char* opset, const char* type, std::uint64_t code) {
  const Bytes bytes = bytes_of({code}, layout_of(type));
  std::string text;
  REQUIRE(format_text(opset, type_of(type), bytes.data(), 1, {}, [&text](std::size_t, std::string_view t) {
            text = t;
          }).ok());
  return text;
}

std::uint64_t parsed(const char* opset, const char* type, std::string_view text) {
  std::uint8_t byte = 0xFF;
  const Status status = parse_text(opset, type_of(type), std::span(&text, 1), &byte, {});
  INFO(text << ": " << status.message());
  CHECK(status.ok());
  return byte;
}

}  // namespace

TEST_CASE("casts to and from the 6-bit floats") {
  const auto rows = read_table("onnx/float6.tsv");
  REQUIRE(rows.size() > 190);
  for (const char* opset : kOpsets) {
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto& row = rows[i];
      INFO(opset << ", line " << i + 1 << ": " << row[0] << " to " << row[1]);
      CHECK(cast_code(opset, row[0], row[1], number(row[2])) == number(row[3]));
    }
  }
}

TEST_CASE("saturate and round_mode do not act on the 6-bit floats") {
  const std::vector<std::uint64_t> codes = {0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0x47000000, 0x3F880000};
  for (const char* opset : kOpsets) {
    for (const char* type : kFloat6) {
      INFO(opset << " " << type);
      const auto usual = cast_codes(opset, "float32", type, {}, codes);
      CHECK(cast_codes(opset, "float32", type, {.saturate = AttributeValue(0)}, codes) == usual);
      CHECK(cast_codes(opset, "float32", type, {.round_mode = "down"}, codes) == usual);
      CHECK(cast_codes(opset, "float32", type, {.round_mode = "no such mode"}, codes) == usual);
    }
  }
}

TEST_CASE("four elements are three bytes, the first in the low bits, and unused bits are zero") {
  const Type byte = type_of("uint8");
  // 0.125 0.25 0.375 0.5: codes 1 to 4
  const std::array<float, 4> values = {0.125f, 0.25f, 0.375f, 0.5f};
  const Bytes stream = {0x81, 0x30, 0x10};
  Bytes source(sizeof values);
  std::memcpy(source.data(), values.data(), sizeof values);
  for (std::size_t n = 1; n <= 4; ++n) {
    Bytes want(stream.begin(),
               stream.begin() + static_cast<std::ptrdiff_t>(storage_bytes(Type::float6e2m3, n).value()));
    REQUIRE(want.size() == (6 * n + 7) / 8);
    if (n < 4) want.back() &= static_cast<std::uint8_t>((1 << (6 * n % 8)) - 1);
    CHECK(cast_everywhere("onnx@28", Type::float32, Type::float6e2m3, {}, source, n) == want);
  }
  // Bits above the last element are never read: 7.5, and ones above it.
  CHECK(cast_everywhere("onnx@28", Type::float6e2m3, byte, {}, {0xDF}, 1) == Bytes{7});
}

TEST_CASE("6-bit floats and text") {
  struct Row {
    const char* type;
    std::uint64_t code;
    const char* text;
  };
  const Row rows[] = {{"float6e2m3", 0x01, "0.1"},  {"float6e2m3", 0x02, "0.2"},  {"float6e2m3", 0x03, "0.4"},
                      {"float6e2m3", 0x05, "0.6"},  {"float6e2m3", 0x0F, "1.9"},  {"float6e2m3", 0x11, "2.2"},
                      {"float6e2m3", 0x1F, "7.5"},  {"float6e2m3", 0x20, "-0"},   {"float6e3m2", 0x01, "0.06"},
                      {"float6e3m2", 0x04, "0.25"}, {"float6e3m2", 0x07, "0.44"}, {"float6e3m2", 0x0B, "0.9"},
                      {"float6e3m2", 0x1F, "28"},   {"float6e3m2", 0x20, "-0"}};
  for (const char* opset : kOpsets) {
    for (const Row& row : rows) {
      INFO(opset << " " << row.type << " " << row.code);
      CHECK(text_of(opset, row.type, row.code) == row.text);
      CHECK(parsed(opset, row.type, row.text) == row.code);
    }
    CHECK(parsed(opset, "float6e2m3", "7.75") == 0x1F);
    CHECK(parsed(opset, "float6e2m3", "1e9") == 0x1F);
    CHECK(parsed(opset, "float6e2m3", "-INF") == 0x3F);
    CHECK(parsed(opset, "float6e2m3", "nan") == 0x20);
    CHECK(parsed(opset, "float6e2m3", "-nan") == 0x00);
    CHECK(parsed(opset, "float6e2m3", "0.06250000000000000000000000001") == 0x01);  // 0.0625 is a tie, and gives 0
    CHECK(parsed(opset, "float6e2m3", "0.0625") == 0x00);
  }
}

TEST_CASE("which versions admit the 6-bit floats") {
  for (const char* opset : {"onnx@28", "onnx-reference@28", "castforge@1", "onnx", ""}) {
    INFO(opset);
    for (const char* type : kFloat6) CHECK(find_kernel(opset, Type::float32, type_of(type)).ok());
  }
  for (const char* opset : {"onnx@25", "onnx@26", "onnx@27", "onnx-reference@27", "onnx-castlike@28"}) {
    INFO(opset);
    for (const char* type : kFloat6) CHECK_FALSE(find_kernel(opset, Type::float32, type_of(type)).ok());
  }
  CHECK(find_opset("onnx@27")->name() == "onnx@25");
  CHECK(find_opset("onnx-castlike@28")->name() == "onnx-castlike@25");
  CHECK(find_kernel("onnx@29", Type::float32, Type::float16).status().message() ==
        "\"onnx@29\" is above the newest version known, onnx@28");
}

TEST_CASE("CastLike has no version 28, and no 6-bit floats") {
  const std::int64_t shape[] = {1};
  const float x = 1.1f;
  std::uint8_t out = 0;
  for (const char* type : kFloat6) {
    CHECK_FALSE(
        cast_like("onnx@28", {Type::float32, shape, &x, sizeof x}, type_of(type), {type_of(type), shape, &out, 1})
            .ok());
  }
  CHECK(cast_like("onnx@28", {Type::float32, shape, &x, sizeof x}, Type::float8e4m3fn,
                  {Type::float8e4m3fn, shape, &out, 1})
            .ok());
  CHECK(out == 0x39);
}

TEST_CASE("every cell of version 25 has its result in version 28") {
  for (const auto& [older, newer] : {std::pair{"onnx@25", "onnx@28"}, {"onnx-reference@25", "onnx-reference@28"}}) {
    const OpSet opset = find_opset(older).value();
    std::size_t cells = 0;
    for (std::size_t i = 0; i < opset.type_count(); ++i) {
      for (std::size_t j = 0; j < opset.type_count(); ++j) {
        const Type src = opset.type(i), dst = opset.type(j);
        if (src == Type::string || dst == Type::string) continue;
        for (const int saturate : {0, 1}) {
          for (const char* mode : {"up", "down", "nearest"}) {
            const Attributes attributes{.saturate = AttributeValue(saturate), .round_mode = mode};
            CHECK(find_kernel(older, src, dst, attributes).name() == find_kernel(newer, src, dst, attributes).name());
            ++cells;
          }
        }
      }
    }
    CHECK(cells == 23 * 23 * 6);
  }
}
