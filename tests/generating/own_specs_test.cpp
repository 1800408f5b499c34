// Specs of one's own beside the shipped ones: what they may say, and who is to blame for a clash.
#include <catch2/catch_all.hpp>

#include "support.hpp"

using namespace castforge::generating;
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

TEST_CASE("an added op-set, type or system is to blame where it contradicts shipped ones") {
  const Folder folder;
  const auto errors = [&](const std::string& json) {
    write(folder / "aa.json", json);
    const Run run = gen(folder.path(), "list types --specs aa.json");
    INFO(run.output << run.errors);
    CHECK(run.code == 1);
    for (const std::string& line : lines(run.errors)) CHECK_THAT(line, Catch::Matchers::StartsWith("aa.json:1:"));
    return run.errors;
  };
  CHECK_THAT(errors(R"({"opset": "onnx", "version": 25, "extends": "onnx@24", "types": {"add": ["float6e2m3"]}})"),
             ContainsSubstring("aa.json:1:1: error: /: op-set onnx@25 is already defined at ") &&
                 ContainsSubstring("onnx-25.json:1"));
  CHECK_THAT(errors(R"({"opset": "aa", "version": 1, "extends": "onnx@25", "default": true})"),
             ContainsSubstring("aa.json:1:64: error: /default: the default for cast is onnx already ("));
  CHECK_THAT(errors(R"({"opset": "onnx-bitcast", "version": 27, "extends": 26})"),
             ContainsSubstring("aa.json:1:1: error: /: expected a version that no other one covers as \"version\", "
                               "found 27: onnx-bitcast@26 has \"valid_through\" 28 ("));
  CHECK_THAT(errors(R"({"opset": "onnx-bitcast", "version": "27.5", "extends": 26})"),
             ContainsSubstring("aa.json:1:1: error: /: expected a whole number as \"version\", found 27.5: "));
  CHECK_THAT(errors(R"({"opset": "aa", "version": 1, "extends": "onnx@25", "types": {"add": "all"}})"),
             ContainsSubstring("aa.json:1:1: error: /: \"nan\": \"nan\" but float6e2m3 has no NaN (aa@1, float16 -> "
                               "float6e2m3, rule \"to-float\" at ") &&
                 ContainsSubstring("onnx-1.json:"));
  const std::string integer = R"({"name": "aa", "id": 1000, "kind": "integer", "signed": true, "bits": 8,)"
                              R"( "storage_bits": 8, "aliases": {"safetensors": ")";
  CHECK_THAT(errors(integer + "C64\"}}"),
             ContainsSubstring("/aliases/safetensors: alias \"C64\" of safetensors is an element that no type "
                               "describes (") &&
                 ContainsSubstring("safetensors.json:1)"));
  CHECK_THAT(errors(R"({"system": "safetensors"})"),
             ContainsSubstring("aa.json:1:1: error: /: system \"safetensors\" is already defined at "));
  // The open op-set of P3109 admits what has a name there: it is shipped, and its rules are good for what it has.
  const Run undecided = [&] {
    write(folder / "aa.json", R"({"name": "aa", "id": 1000, "kind": "string", "aliases": {"p3109": "Text"}})");
    return gen(folder.path(), "list types --specs aa.json");
  }();
  INFO(undecided.errors);
  CHECK(undecided.code == 1);
  CHECK_THAT(undecided.errors, ContainsSubstring("aa.json:1:1: error: /: ") &&
                                   ContainsSubstring(": no rule of p3109@") && ContainsSubstring(" sets \"format\""));
}

TEST_CASE("what has no program keeps no other pair from being explained and verified") {
  const Folder folder;
  const auto tiny = [&](const std::string& bias) {
    write(folder / "tiny.json", R"({"name": "tiny", "id": 2001, "kind": "float", "signed": false, "exponent_bits": 3,
      "mantissa_bits": 5, "exponent_bias": )" +
                                    bias + R"(, "subnormals": false, "infinity": false, "nan": "none",
      "storage_bits": 64, "storage_align": "high"})");
  };
  tiny("1021");
  const Run known = gen(folder.path(), "explain float32 float16 --opset castforge@1");
  CHECK(known.code == 0);
  const Run explained = gen(folder.path(), "explain float32 float16 --opset castforge@1 --specs tiny.json");
  INFO(explained.errors);
  CHECK(explained.code == 0);
  CHECK(explained.output == known.output);
  CHECK(gen(folder.path(), "verify --pair float32:float16 --specs tiny.json").code == 0);

  for (const std::string command : {"explain tiny float32 --opset castforge@1", "verify --pair tiny:float32"}) {
    const Run refused = gen(folder.path(), command + " --specs tiny.json");
    INFO(command << ": " << refused.output << refused.errors);
    CHECK(refused.code == 1);
    CHECK(refused.output.empty());
    // Its smallest value is 2^-1021 and a little.
    CHECK_THAT(refused.errors, ContainsSubstring("tiny.json:2:44: error: /exponent_bias: the smallest value above zero "
                                                 "has a last bit of 2^-1026; compiled kernels compute in float64 and "
                                                 "take no smaller ones than 2^-1022"));
  }
  tiny("1017");  // 2^-1017 - 5
  CHECK(gen(folder.path(), "verify --pair tiny:float32 --specs tiny.json").code == 0);
}

TEST_CASE("ranges of a truth table are those of modes under which numbers keep their order") {
  const Folder folder;
  // Just above a code a number moves up, in the middle it does not; of negative ones it is so above an odd code.
  write(folder / "own.json", R"({"name": "own", "short": "own", "carry": "0101 0010 0111 0110"})");
  write(folder / "unsigned.json", R"({"name": "ufloat", "id": 1000, "kind": "float", "signed": false,
      "exponent_bits": 4, "mantissa_bits": 3, "exponent_bias": 7, "subnormals": true, "infinity": false, "nan": "top",
      "storage_bits": 8})");
  const auto rows = [&](const std::string& round, const std::string& dst, const std::string& set) {
    write(folder / "mine.json", R"({"opset": "mine", "version": "1", "operation": "cast",
        "types": {"add": ["float32", "float16", "ufloat"]}, "pairs": {"float32": ["float16", "ufloat"]},
        "rules": [{"id": "a", "src": "any", "dst": "any", "basis": "b", "set": {"round": ")" +
                                    round + R"(", "overflow": "infinity", "inf": "infinity", "nan": "nan"}},
        {"id": "u", "src": "any", "dst": "ufloat", "set": {)" +
                                    set + "}}]}");
    const Run run = gen(folder.path(), "explain float32 " + dst +
                                           " --opset mine@1 --specs own.json --specs unsigned.json --specs mine.json");
    INFO(run.errors);
    CHECK(run.code == 0);
    const std::size_t from = run.output.find("Truth table\n"), to = run.output.find("\nKernel\n");
    return run.output.substr(from, to - from);
  };
  const std::string said = "10 fraction bits; no ranges, as a larger number may become a smaller one";
  const std::string by_table = rows("own", "float16", R"("negative": "nan")");
  CHECK_THAT(by_table, ContainsSubstring(said) && !ContainsSubstring(".. 0x") && !ContainsSubstring("rounds to zero"));
  CHECK_THAT(by_table, !ContainsSubstring("0001..") && ContainsSubstring("\n  0  ") && ContainsSubstring("Inf"));
  CHECK_THAT(rows("odd", "float16", R"("negative": "nan")"), !ContainsSubstring(said) && ContainsSubstring("0001.."));
  // Below half of the smallest number a negative one is no zero, at half of it it is.
  write(folder / "own.json", R"({"name": "own", "short": "own", "carry": "0001 0011 0101 0111"})");
  const auto are_all_nan = [](const std::string& table) {
    const std::string row = table.substr(table.find("\n  x < 0 ") + 1);
    return row.substr(0, row.find('\n')).find(" NaN ") != std::string::npos;
  };
  CHECK_FALSE(are_all_nan(rows("own", "ufloat", R"("negative": "nan")")));
  CHECK(are_all_nan(rows("own", "ufloat", R"("negative": "nan", "negative_test": "exact")")));
  CHECK(are_all_nan(rows("floor", "ufloat", R"("negative": "nan")")));
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
  CHECK_THAT(gen(folder.path(), "list types --specs t.json").errors,
             ContainsSubstring("expected a spec, found a template of several: FILE#NAME names one"));

  const auto refused = [&](const std::string& message) {
    const Run wrong = gen(folder.path(), "list types --specs t.json#my7");
    INFO(message << ": " << wrong.output << wrong.errors);
    CHECK(wrong.code == 1);
    CHECK_THAT(wrong.errors, ContainsSubstring(message));
  };
  // The end of A is 1 for a K of 4, which is none.
  a_template("my{K}p{A}", R"({"K": {"from": 5, "to": 8}, "A": {"from": 1, "to": "K - 3"}})", "my{K}p{A}");
  CHECK(gen(folder.path(), "list types --specs t.json#my7p4").code == 0);
  const Run first = gen(folder.path(), "list types --specs t.json#my4p4");
  CHECK(first.code == 1);
  CHECK_THAT(first.errors, ContainsSubstring("\"my4p4\": K must be 5..8 (got 4)") && !ContainsSubstring(": A must"));
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

TEST_CASE("between elements that lie in bytes from the other end on, vectors have a table of nibbles") {
  const Folder folder;
  const auto two_bits = [](const std::string& name, int id) {
    return R"({"name": ")" + name + R"(", "id": )" + std::to_string(id) +
           R"(, "kind": "integer", "signed": false, "bits": 2, "storage_bits": 2, "packing": "high_first"})";
  };
  write(folder / "one.json", two_bits("one", 1000));
  write(folder / "other.json", two_bits("other", 1001));
  const auto kernel = [&](const std::string& pair) {
    const Run run = gen(folder.path(), "explain " + pair + " --opset castforge@1 --specs one.json --specs other.json");
    INFO(run.errors);
    CHECK(run.code == 0);
    return run.output;
  };
  // The four bits 0001 are the elements 0, 1 from the high end on, and 1, 0 from the low end on.
  CHECK_THAT(kernel("one uint2"), ContainsSubstring("kOfNibble = {\n          0x00, 0x04, 0x08, 0x0C, 0x01, 0x05,"));
  CHECK_THAT(kernel("uint2 one"), ContainsSubstring("kOfNibble = {\n          0x00, 0x04, 0x08, 0x0C, 0x01, 0x05,"));
  CHECK_THAT(kernel("one other"), !ContainsSubstring("kOfNibble"));
  CHECK_THAT(kernel("uint2 uint2"), !ContainsSubstring("kOfNibble"));
}
