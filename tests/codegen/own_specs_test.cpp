// Specs of one's own beside the shipped ones: what they may say, and who is to blame for a clash.
#include <catch2/catch_all.hpp>

#include "support.hpp"

using namespace castforge::codegen;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string own_type(const std::string& name, const std::string& more) {
  return R"({"name": ")" + name + R"(", "kind": "float", "subnormals": true, "infinity": false, "nan": "top", )" +
         R"("signed": true, "exponent_bits": 4, "mantissa_bits": 3, "storage_bits": 8, )" + more + "}";
}

}  // namespace

TEST_CASE("what clashes with a shipped spec is the fault of the one that is added") {
  const Folder folder;
  write(folder / "taken.json", own_type("mine", R"("exponent_bias": 7, "id": 5)"));
  for (const std::string command : {"list types", "explain float32 float16 --opset onnx@25", "diff onnx@6 onnx@9"}) {
    const Run run = gen(folder.path(), command + " --specs taken.json");
    INFO(command << ": " << run.output << run.errors);
    CHECK(run.code == 1);
    CHECK_THAT(run.errors, ContainsSubstring("taken.json:1:"));
    CHECK_THAT(run.errors, !ContainsSubstring("float64.json:1:1: error"));
  }
}

TEST_CASE("new-type knows the other names of types") {
  const Folder folder;
  const Run run = gen(folder.path(), "new-type f16 --bits 8 --exponent 4 --mantissa 3 --out own");
  CHECK(run.code == 0);
  CHECK_THAT(run.output, ContainsSubstring("\"f16\" is a name of the type \"float16\""));
  CHECK_THAT(run.output, !ContainsSubstring("--load"));
}

TEST_CASE("negative integers that round to zero have the zero that the rule says") {
  const Folder folder;
  write(folder / "big.json", own_type("big", R"("exponent_bias": -3, "id": 1000)"));  // the smallest number is 8
  write(folder / "mine.json", R"({"opset": "mine", "version": "1", "operation": "cast",
      "types": {"add": ["int8", "big"]}, "pairs": {"int8": ["big"]},
      "rules": [{"id": "a", "src": "any", "dst": "any", "basis": "b",
      "set": {"round": "toward_zero", "overflow": "max", "zero_sign": "positive"}}]})");
  const Run run = gen(folder.path(), "explain int8 big --opset mine@1 --specs big.json --specs mine.json");
  INFO(run.output << run.errors);
  CHECK(run.code == 0);
  CHECK_THAT(run.output, ContainsSubstring("zero_sign") && ContainsSubstring("_zeropos"));
  CHECK(gen(folder.path(), "verify --pair int8:big --specs big.json --specs mine.json").code == 0);
}

TEST_CASE("what integers below the smallest number become has its place in the kernel's name") {
  const Folder folder;
  write(folder / "nz.json", R"({"name": "nz", "id": 1000, "kind": "float", "signed": false, "exponent_bits": 8,
      "mantissa_bits": 0, "exponent_bias": -5, "subnormals": false, "infinity": false, "nan": "top",
      "storage_bits": 8})");
  write(folder / "mine.json", R"({"opset": "mine", "version": "1", "operation": "cast",
      "types": {"add": ["uint2", "nz"]}, "pairs": {"uint2": ["nz"]},
      "rules": [{"id": "a", "src": "any", "dst": "any", "basis": "b", "set": {"round": "floor",
      "overflow": "infinity", "negative": "clamp", "zero": "min", "underflow": "nan"}}]})");
  const Run run = gen(folder.path(), "tables nz.json mine.json -o nz.cft");
  INFO(run.output << run.errors);
  CHECK(run.code == 0);
  CHECK_THAT(gen(folder.path(), "list kernels --specs nz.json --specs mine.json").output,
             ContainsSubstring("uint2_to_nz__exact_lownan"));
}

TEST_CASE("tables of whole trees hold nothing") {
  const Folder folder;
  small_specs(folder);
  const Run run = gen(folder.path(), "tables specs -o t.cft");
  CHECK(run.code == 2);
  CHECK_THAT(run.errors, ContainsSubstring("expected files or folders of your own, found whole spec trees"));
}

TEST_CASE("a template gives a type by the name after #") {
  const Folder folder;
  const auto a_template = [&](const std::string& pattern, const std::string& parameters, const std::string& name) {
    write(folder / "t.json", R"({"template": ")" + pattern + R"(", "doc": "x", "parameters": )" + parameters +
                                 R"(, "type": {"name": ")" + name + R"(", "id": "{1000 + K}", "kind": "float",
        "signed": true, "exponent_bits": 3, "mantissa_bits": "{K - 4}", "exponent_bias": 3, "subnormals": true,
        "infinity": false, "nan": "top", "storage_bits": 8}})");
  };
  const std::string range = R"({"K": {"from": 5, "to": 8}})";
  a_template("my{K}", range, "my{K}");
  const Run run = gen(folder.path(), "list types --specs t.json#my7");
  INFO(run.errors);
  CHECK(run.code == 0);
  CHECK_THAT(run.output, ContainsSubstring("my7 "));
  CHECK(gen(folder.path(), "tables t.json#my7 -o my7.cft").code == 0);
  CHECK(gen(folder.path(), "list types --specs t.json#my9").code == 1);

  const auto refused = [&](const std::string& message) {
    const Run wrong = gen(folder.path(), "list types --specs t.json#my7");
    INFO(message << ": " << wrong.output << wrong.errors);
    CHECK(wrong.code == 1);
    CHECK_THAT(wrong.errors, ContainsSubstring(message));
  };
  a_template("my{K}", range, "other");
  refused("the type's name must be the one that the template was asked for, \"my7\"");
  a_template("my7", range, "my7");
  refused("it has \"K\" 0 times");
  a_template("my{K}{K}", range, "my{K}");
  refused("it has \"K\" 2 times");
  a_template("my{K}{X}", range, "my{K}");
  refused("there is no parameter \"X\"");
  a_template("my{K", range, "my{K}");
  refused("a brace does not end");
  a_template("my{K}", R"({"K": {"from": {}, "7": {}, "x": {}}})", "my{K}");  // words, one of them "from"
  CHECK(gen(folder.path(), "list types --specs t.json#my7").code == 1);
  std::string powers = "1";
  for (int i = 0; i < 400'000; ++i) powers += "^1";
  a_template("my{K}", R"({"K": {"from": ")" + powers + R"(", "to": 8}})", "my{K}");
  refused("more than 50 parentheses or powers inside one another");
  std::string pattern = "my", many;
  for (char c = 'A'; c < 'O'; ++c) {
    pattern += std::string("{") + c + "}";
    many += std::string(many.empty() ? "{" : ", ") + "\"" + c + R"(": {"from": 0, "to": 99999})";
  }
  a_template(pattern, many + "}", "my{K}");
  const Run long_name = gen(folder.path(), "list types --specs t.json#my" + std::string(60, '1') + "x");
  CHECK(long_name.code == 1);
}

TEST_CASE("where no op-set is named, the fallback serves types that the default one lacks") {
  const Folder folder;
  write(folder / "mine.json", own_type("mine", R"("exponent_bias": 7, "id": 1000)"));
  const Run explained = gen(folder.path(), "explain float32 mine --specs mine.json");
  INFO(explained.output << explained.errors);
  CHECK(explained.code == 0);
  CHECK_THAT(explained.output, ContainsSubstring("castforge@1"));
  CHECK(gen(folder.path(), "amalgamate --pairs float32:mine -o c --specs mine.json").code == 0);
  const Run named = gen(folder.path(), "explain float32 mine --specs mine.json --opset onnx");
  CHECK(named.code == 2);
  CHECK_THAT(named.errors, ContainsSubstring("does not admit float32 -> mine"));
}
