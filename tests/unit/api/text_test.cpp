// Text conversions through the public functions; the engine has tests of its own.
#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using castforge::format_text;
using castforge::parse_text;
using castforge::Status;
using castforge::StatusCode;
using castforge::Type;

TEST_CASE("numbers to text, one call of the sink per element in order") {
  std::vector<float> src(1000);
  for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<float>(i) + 0.5f;
  src[3] = -0.0f;
  src[4] = std::numeric_limits<float>::infinity();
  std::vector<std::string> texts;
  const Status status =
      format_text("onnx@13", Type::float32, src.data(), src.size(), {}, [&](std::size_t index, std::string_view text) {
        REQUIRE(index == texts.size());
        texts.emplace_back(text);
      });
  REQUIRE(status.ok());
  REQUIRE(texts.size() == 1000);
  CHECK(texts[0] == "0.5");
  CHECK(texts[3] == "-0");
  CHECK(texts[4] == "INF");
  CHECK(texts[999] == "999.5");
}

TEST_CASE("long texts do not outgrow the buffer") {
  const std::vector<double> src(300, -std::numeric_limits<double>::denorm_min());
  std::size_t count = 0;
  REQUIRE(format_text("onnx@13", Type::float64, src.data(), src.size(), {}, [&](std::size_t, std::string_view text) {
            count += text.starts_with("-0.000") && text.size() > 300;
          }).ok());
  CHECK(count == src.size());
}

TEST_CASE("text to numbers") {
  const std::vector<std::string_view> texts = {"1", " 2.5 ", "-INF", "1e400"};
  float dst[4] = {};
  REQUIRE(parse_text("onnx@13", Type::float32, texts, dst).ok());
  CHECK(dst[0] == 1.0f);
  CHECK(dst[1] == 2.5f);
  CHECK(dst[2] == -std::numeric_limits<float>::infinity());
  CHECK(dst[3] == std::numeric_limits<float>::infinity());

  const char* chars = "10-3255";
  const std::size_t offsets[] = {0, 2, 4, 7};
  std::int8_t small[3] = {};
  REQUIRE(parse_text("onnx@13", Type::int8, chars, offsets, 3, small).ok());
  CHECK(small[0] == 10);
  CHECK(small[1] == -3);
  CHECK(small[2] == -1);
}

TEST_CASE("bad elements are named") {
  std::vector<std::string_view> texts = {"1", "2", "1_000", "x"};
  float dst[4] = {};
  const Status bad = parse_text("onnx@13", Type::float32, texts, dst);
  CHECK(bad.code() == StatusCode::bad_number);
  CHECK(bad.is_element_error());
  CHECK(bad.index() == 2);
  CHECK(bad.message() == "element 2 is not a number: \"1_000\"");
  CHECK(bad.at_element(1002).message() == "element 1002 is not a number: \"1_000\"");

  std::int64_t wide[2] = {};
  const Status beyond =
      parse_text("onnx@13", Type::int64, std::vector<std::string_view>{"1", "18446744073709551616"}, wide);
  CHECK(beyond.code() == StatusCode::integer_out_of_range);
  CHECK(beyond.message() == "element 1 is an integer outside [-2^63, 2^64): \"18446744073709551616\"");

  const char* chars = "1x";
  const std::size_t offsets[] = {0, 1, 2};
  CHECK(parse_text("onnx@13", Type::float32, chars, offsets, 2, dst).message() == "element 1 is not a number: \"x\"");
}

TEST_CASE("lookup errors") {
  const auto ignore = [](std::size_t, std::string_view) {};
  const float value = 1;
  float out = 0;
  const std::vector<std::string_view> one = {"1"};
  CHECK(format_text("onnx@6", Type::float32, &value, 1, {}, ignore).code() == StatusCode::type_not_admitted);
  CHECK(format_text("onyx@6", Type::float32, &value, 1, {}, ignore).code() == StatusCode::unknown_opset);
  CHECK(format_text("openvino-range@4", Type::float32, &value, 1, {}, ignore).code() == StatusCode::wrong_operation);
  CHECK(format_text("onnx@13", Type::string, &value, 1, {}, ignore).code() == StatusCode::text_conversion);
  CHECK(format_text("onnx@13", Type::float32, nullptr, 1, {}, ignore).message() ==
        "the source is null, but has 1 element");
  CHECK(format_text("onnx@13", Type::float32, &value, 1, {}, castforge::TextSink()).message() ==
        "the destination is null, but has 1 element");
  CHECK(parse_text("onnx@13", Type::string, one, &out).code() == StatusCode::text_conversion);
  CHECK(parse_text("onnx@13", Type::float32, one, &out, {.saturate = 1}).code() == StatusCode::unknown_attribute);
  CHECK(parse_text("onnx@13", Type::float32, one, nullptr).code() == StatusCode::null_pointer);
  CHECK(parse_text("onnx@13", Type::float32, nullptr, nullptr, 1, &out).code() == StatusCode::null_pointer);
}

TEST_CASE("a number as someone types it, without an op-set") {
  const auto element = [](std::string_view text, Type type) {
    std::uint64_t code = ~std::uint64_t{0};
    REQUIRE(castforge::parse_number(text, type, code).ok());
    return code;
  };
  CHECK(element("0.1", Type::float32) == 0x3DCCCCCD);
  CHECK(element("1e999", Type::float64) == 0x7FF0000000000000);
  CHECK(element("-1e9", Type::float8e4m3fn) == 0xFF);  // no infinity: NaN
  CHECK(element("1e9", Type::float4e2m1) == 0x7);      // no NaN either: the largest number
  CHECK(element("nan", Type::float16) == 0x7E00);
  CHECK(element("-1", Type::int8) == 0xFF);
  CHECK(element("-inf", Type::int8) == 0);
  CHECK(element("-1", Type::float8e8m0) == 0);  // 2^-127, as there is no zero
  CHECK(element("0.5", Type::bool_) == 1);
  std::uint64_t code = 0;
  CHECK(castforge::parse_number("one", Type::float32, code).code() == StatusCode::bad_number);
  CHECK(castforge::parse_number("1", Type::string, code).code() == StatusCode::type_mismatch);
  CHECK(castforge::parse_number("1", Type::string, code).message() == "string is no type of numbers");
}

TEST_CASE("the text of every code of at most 16 bits reads back as itself, whatever the op-set") {
  using namespace castforge;
  const auto string = find_type("string");
  REQUIRE(string);
  std::size_t tried = 0;
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet set = opset(i);
    if (set.operation() != "cast") continue;
    for (std::size_t k = 0; k < set.type_count(); ++k) {
      const Type type = set.type(k);
      const TypeInfo info = type_info(type);
      if (info.kind == TypeKind::string || info.storage_bits > 16) continue;
      if (!set.admits(type, *string) || !set.admits(*string, type)) continue;
      INFO(set.name() << ' ' << info.name);
      ++tried;
      std::size_t changed = 0;
      for (std::uint32_t code = 0; code < std::uint32_t{1} << info.value_bits; ++code) {
        // One element in memory: at the low end, 1-bit ones at the high end of a byte.
        const int shift = info.storage_bits == 1 ? 7 : info.storage_high ? info.storage_bits - info.value_bits : 0;
        const auto element = static_cast<std::uint16_t>(code << shift);
        std::uint16_t back = 0;
        std::string text;
        REQUIRE(
            format_text(set.name(), type, &element, 1, {}, [&](std::size_t, std::string_view t) { text = t; }).ok());
        const std::string_view view = text;
        REQUIRE(parse_text(set.name(), type, {&view, 1}, &back).ok());
        // Texts of NaN are all alike; a boolean is 0 or 1; where the default saturates, infinity becomes the largest.
        if (text == "NaN" || text.ends_with("INF") || (info.kind == TypeKind::boolean && code > 1) || back == element)
          continue;
        UNSCOPED_INFO(code << ": " << text << " reads as " << back);
        ++changed;
      }
      CHECK(changed == 0);
    }
  }
  CHECK(tried > 50);
}
