// Damaged files give errors, never a crash and never a silently different model.
#include <catch2/catch_all.hpp>

#include "scratch.hpp"
#include "spec/template.hpp"

using castforge::test::Scratch;

namespace {

std::string read(const std::string& name) {
  std::ifstream file(castforge::test::shipped_specs() / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a type file truncated anywhere is refused") {
  const std::string good = read("types/float8e4m3fn.json");
  REQUIRE(good.size() > 500);
  const Scratch scratch;
  for (std::size_t size = 0; size + 2 < good.size(); ++size) {  // the last two bytes are "}" and a line feed
    scratch.write("types/x.json", good.substr(0, size));
    const std::string errors = scratch.errors();
    if (errors.find("expected JSON") == std::string::npos) FAIL("truncated at byte " << size << ": " << errors);
  }
}

TEST_CASE("a type file with any byte changed loads or is refused") {
  const std::string good = read("types/float8e4m3fn.json");
  const Scratch scratch;
  for (std::size_t at = 0; at < good.size(); at += 3) {
    for (const char c : {'"', '{', ']', '0', '\\', '\0', '\xff', '\n'}) {
      std::string bad = good;
      bad[at] = c;
      scratch.write("types/x.json", bad);
      const std::string errors = scratch.errors();
      INFO("byte " << at << " is " << static_cast<int>(c) << ": " << errors);
      CHECK((errors.empty() || errors.find("types/x.json") != std::string::npos));
    }
  }
}

TEST_CASE("an op-set file truncated or changed loads or is refused") {
  const std::string good = read("opsets/onnx-1.json");
  const Scratch scratch;
  for (std::size_t at = 0; at + 2 < good.size(); at += 29) {
    scratch.write("opsets/x.json", good.substr(0, at));
    CHECK(scratch.errors(castforge::test::shipped_types()) != "");
    std::string bad = good;
    bad[at] = at % 2 == 0 ? '"' : '7';
    scratch.write("opsets/x.json", bad);
    const std::string errors = scratch.errors(castforge::test::shipped_types());
    INFO("byte " << at << ": " << errors);
    CHECK((errors.empty() || errors.find("opsets/x.json") != std::string::npos));
  }
}

TEST_CASE("more values than any spec has take neither memory nor time") {
  std::string keys = "{", numbers = "{\"name\": [0";
  for (int i = 0; i < 140000; ++i) {
    keys += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\": 0";
    numbers += ",0";
  }
  for (const std::string& text : {keys + "}", numbers + "]}"}) {
    const std::string errors = Scratch{{"types/x.json", text}}.errors();
    CHECK(errors.find("expected at most 131072 values in a file") != std::string::npos);
    CHECK(errors.size() < 300);
  }
  // A number of a megabyte is not quoted whole.
  CHECK(Scratch{{"types/x.json", "{\"name\": 0." + std::string(1000000, '1') + "}"}}.errors().size() < 1000);
}

TEST_CASE("a template's pattern as long as a file takes no stack") {
  const std::string literal(90000, 'x'), pattern = '"' + literal + "{n}\"";
  castforge::spec::Diagnostics diagnostics;
  castforge::spec::Node root;
  REQUIRE(castforge::spec::parse_json(
      "{\"template\":" + pattern + R"(,"parameters":{"n":{"from":1,"to":9}},"type":{"name":)" + pattern + "}}",
      "x.json", "x.json", diagnostics, root));
  CHECK(castforge::spec::type_of_template(root, literal + "4", diagnostics).has_value());
  CHECK_FALSE(castforge::spec::type_of_template(root, literal + "y", diagnostics).has_value());
}

TEST_CASE("JSON that the parser refuses") {
  const auto refuse = [](const std::string& text) { return Scratch{{"types/x.json", text}}.errors(); };
  using Catch::Matchers::StartsWith;
  CHECK(refuse(read("types/bool.json") + std::string(1, '\0') + "more").find("expected JSON, found a byte 00") !=
        std::string::npos);
  CHECK_THAT(refuse("{\"name\": 1e999}"),
             StartsWith("types/x.json:1:14: error: /name: expected JSON, found a number overflow"));
  CHECK_THAT(refuse("{\"name\": \"\xff\"}"),
             StartsWith("types/x.json:1:11: error: /name: expected JSON, found a syntax error"));
  CHECK_THAT(refuse("{\"a\": 1, // no\n}"),
             StartsWith("types/x.json:1:10: error: /: expected JSON, found a syntax error"));
  CHECK_THAT(refuse("{\"a\": 1,}"), StartsWith("types/x.json:1:9: error: /: expected JSON, found a syntax error"));
  CHECK_THAT(refuse("{\"a\": 01}"), StartsWith("types/x.json:1:8: error: /: expected JSON, found a syntax error"));
  CHECK_THAT(refuse("{\"a\": NaN}"), StartsWith("types/x.json:1:7: error: /a: expected JSON, found a syntax error"));
  // An escaped spelling of a key is the same key.
  CHECK(refuse("{\"kind\":\"bool\",\"name\":\"x\",\"storage_bits\":8,\n\"n\\u0061me\":\"y\"}") ==
        "types/x.json:2:1: error: /name: duplicate key \"name\"");
  // Columns count characters, not bytes.
  CHECK(refuse("{\"kind\":\"bool\",\"name\":\"x\",\"doc\":\"\xC3\xA4\xC3\xB6\",\"storage_bits\":7,\"id\":1}") ==
        "types/x.json:1:53: error: /storage_bits: \"storage_bits\" must be 8 for kind bool (got 7)");
  CHECK(refuse("\xEF\xBB\xBF{\"kind\":\"bool\",\"name\":\"x\",\"storage_bits\":8,\"id\":1000}") == "");
}
