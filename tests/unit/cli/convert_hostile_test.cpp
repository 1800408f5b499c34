// castforge convert: plans, indexes and shards that say what they must not say.
#include "child.hpp"

#include "cli/convert/plan.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <sstream>

using namespace cli_test;
using castforge::cli::Failure;
using castforge::cli::parse_plan;
namespace fs = std::filesystem;

namespace {

/// What a plan is refused with; empty where it is taken.
std::string complaint(const std::string& plan) {
  try {
    parse_plan(plan, "plan.json");
    return "";
  } catch (const Failure& failure) {
    CHECK(failure.code() == castforge::cli::ExitCode::usage);
    return failure.what();
  }
}

std::string with_rule(const std::string& rule) {
  return "{\"opset\": \"onnx@28\",\n \"default\": {\"keep\": true},\n \"rules\": [" + rule + "]}";
}

std::string tensor(const std::string& name) {
  return safetensors("{\"" + name + R"(":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})", "\1\2\3\4");
}

/// The exit code and message of converting a folder with that index and two shards, a.safetensors and b.safetensors.
Run convert_index(const std::string& index, const std::string& a = tensor("a"), const std::string& b = tensor("b")) {
  const Folder folder;
  fs::create_directories(folder.path("in"));
  folder.write("in/a.safetensors", a);
  folder.write("in/b.safetensors", b);
  folder.write("outside.safetensors", tensor("a"));
  folder.write("in/model.safetensors.index.json", index);
  folder.write("plan.json", R"({"opset": "onnx@28", "default": {"to": "float16"}})");
  Run run = program(folder, "convert in out --plan plan.json");
  CHECK(!fs::exists(folder.path("out/outside.safetensors")));
  CHECK(!fs::exists(folder.path("out/castforge.manifest.json")) == (run.code != 0));
  return run;
}

bool says(const Run& run, std::string_view what) { return run.errors.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("complaints about plans name line and column") {
  CHECK(complaint(with_rule("")).empty());
  CHECK(complaint(with_rule(R"({"tensors": ["*"], "to": "bf16", "saturate": true})")).empty());
  CHECK(complaint(with_rule(R"({"tensors": ["*"], "to": "bfloat16", "doc": "x", "from": "F32"})")).empty());
  CHECK(complaint(with_rule(R"({"tensors": ["*"], "to": "float8e4m3fn", "saturate": false})")).empty());
  CHECK(complaint("{}") == "plan.json:1:2: expected the member \"opset\", found the end of the object");
  CHECK(complaint("") == "plan.json:1:1: expected a plan, which is an object, found the end");
  CHECK(complaint("[]") == "plan.json:1:1: expected a plan, which is an object, found an array");
  CHECK(complaint("{\n  \"opsett\": 1}") ==
        "plan.json:2:3: expected opset, default, rules, config, doc or $schema, found \"opsett\": did you mean "
        "\"opset\"?");
  CHECK(complaint(R"({"opset": 28, "default": {"keep": true}})") ==
        "plan.json:1:11: expected the name of an op-set, a string, found a number");
  CHECK(complaint(R"({"opset": "onnx@28", "opset": "onnx@28"})") ==
        "plan.json:1:22: expected each member once, found \"opset\" again");
  CHECK(complaint(R"({"opset": "onnx-range@27", "default": {"keep": true}})") ==
        "plan.json:1:11: expected an op-set of casts, found \"onnx-range@27\", which is of range");
  CHECK(complaint(R"({"opset": "onnx@28", "default": {"keep": true}} x)").find("plan.json:1:49: ") == 0);
}

TEST_CASE("complaints about rules name line and column") {
  const auto rule = [](const std::string& text) { return complaint(with_rule(text)); };
  CHECK(rule("7") == "plan.json:3:12: expected a rule, which is an object, found a number");
  CHECK(rule("{}") == "plan.json:3:13: expected the member \"tensors\", found the end of the object");
  CHECK(rule(R"({"tensors": "*", "keep": true})") ==
        "plan.json:3:24: expected an array of patterns, found the string \"*\"");
  CHECK(rule(R"({"tensors": [], "keep": true})") == "plan.json:3:13: expected at least one pattern, found none");
  CHECK(rule(R"({"tensors": [""], "keep": true})") ==
        "plan.json:3:25: expected a pattern of names, found an empty one");
  CHECK(rule(R"({"tensors": ["*"]})") == "plan.json:3:12: expected to or keep, found neither");
  CHECK(rule(R"({"tensors": ["*"], "keep": true, "to": "float16"})") ==
        "plan.json:3:12: expected to or keep, found both");
  CHECK(rule(R"({"tensors": ["*"], "keep": false})").find("plan.json:3:39: expected true, found false") == 0);
  CHECK(rule(R"({"tensors": ["*"], "keep": true, "saturate": 1})") ==
        "plan.json:3:45: expected keep alone, found \"saturate\" beside it");
  CHECK(rule(R"({"tensors": ["*"], "to": "float16", "saturated": 1})").find("plan.json:3:48: ") == 0);
  CHECK(rule(R"({"tensors": ["*"], "to": "float8e8m0", "round_mode": "sideways"})").find("plan.json:3:51: ") == 0);
  CHECK(rule(R"({"tensors": ["*"], "to": "float16", "saturate": [1]})") ==
        "plan.json:3:60: expected a word, a whole number, true or false, found \"[1]\"");
  const std::string no_texts = "expected a type of numbers, found \"string\": texts are not converted";
  CHECK(rule(R"({"tensors": ["*"], "to": "string"})") == "plan.json:3:37: " + no_texts);
  CHECK(rule(R"({"tensors": ["*"], "from": "string", "to": "float16"})") == "plan.json:3:39: " + no_texts);
  CHECK(rule(R"({"tensors": ["*"], "from": "string", "keep": true})").empty());
  CHECK(complaint(R"({"opset": "onnx@28", "default": {"to": "string"}})") == "plan.json:1:40: " + no_texts);
  CHECK(rule(R"({"tensors": ["*"], "to": "floaty"})").find("plan.json:3:37: ") == 0);
  // What no rule has is named first.
  const std::string words = "expected tensors, optional, from, to, keep, doc or an attribute of onnx@28, found ";
  CHECK(rule(R"({"tensors": ["*"], "quantize": "ocp-mx@1.0/mxfp4"})") == "plan.json:3:31: " + words + "\"quantize\"");
  CHECK(rule(R"({"tensors": ["*"], "saturate": 1, "kep": true})") ==
        "plan.json:3:46: " + words + "\"kep\": did you mean \"keep\"?");
  CHECK(rule(R"({"tensors": ["*"], "saturate": 1})") == "plan.json:3:12: expected to or keep, found neither");
  CHECK(complaint(R"({"default": {"tensor": "*"}, "opset": "onnx@28"})") ==
        "plan.json:1:14: expected to, keep, doc or an attribute of onnx@28, found \"tensor\"");
}

TEST_CASE("what a plan sets in config.json is JSON, and complaints point at the word that is not") {
  const auto config = [](const std::string& value) {
    return complaint("{\"opset\": \"onnx@28\", \"default\": {\"keep\": true},\n \"config\": " + value + "}");
  };
  CHECK(config(R"({"a": [0, -1.5e3, 1e400, true, null, {}], "b": {"c": "d"}})").empty());
  for (const std::string word : {"NaN", "Infinity", "-Infinity", "nan"}) {
    CHECK(config("{\"a\": 1,\n  \"b\": [0.0, " + word + "]}") ==
          "plan.json:3:14: expected a JSON value, found \"" + word + "\"");
  }
  CHECK(config(R"({"a": 1 "b": 2})") == "plan.json:2:20: expected ',' or '}', found the string \"b\"");
  CHECK(config(R"({"a" 1})") == "plan.json:2:17: expected ':', found a number");
  CHECK(config(R"({"a": [1, 2}})") == "plan.json:2:23: expected ',' or ']', found \"}\"");
  CHECK(config(R"({"a": ,})") == "plan.json:2:18: expected a JSON value, found \",\"");
}

TEST_CASE("hostile plans are refused quickly") {
  const std::string deep(200000, '[');
  CHECK(complaint(deep).find("plan.json:1:1: ") == 0);
  CHECK(complaint(R"({"opset": "onnx@28", "default": {"keep": true}, "config": )" + deep).find("brackets") !=
        std::string::npos);
  CHECK(complaint(with_rule(R"({"tensors": ["*"], "to": "float16", "saturate": )" + deep)).find("brackets") !=
        std::string::npos);
  CHECK(!complaint(R"({"opset": "onnx@28", "default": {"keep": true}, "config": {"a": 1,}})").empty());
  CHECK(!complaint(R"({"opset": "onnx@28", "default": {"keep": true}, "config": [1]})").empty());
  CHECK(!complaint(std::string("{\"opset\": \"onnx@28\0\"", 20)).empty());
  CHECK(!complaint("{\"opset\": \"\xFF\"").empty());
  const std::string whole = with_rule(R"({"tensors": ["*"], "to": "float16", "from": "float32"})");
  for (std::size_t length = 0; length < whole.size(); ++length) CHECK(!complaint(whole.substr(0, length)).empty());
}

TEST_CASE("many rules on one line take time by their number, and have their places") {
  std::string rules, good = R"({"tensors": ["a"], "keep": true})";
  for (int i = 0; i < 20000; ++i) rules += good + ", ";
  const Folder folder;
  folder.write("x.safetensors", tensor("a"));
  const std::string before = R"({"opset": "onnx@28", "default": {"keep": true}, "rules": [)" + rules;
  folder.write("plan.json", before + good + "]}");
  const End end = Child(folder, {"convert", "x.safetensors", "out", "--plan", "plan.json", "--dry-run"}).wait();
  CHECK(end.code == 0);
  CHECK(end.cpu_seconds < 10);  // 70 s where each place is counted from the beginning
  CHECK(complaint(before + R"({"tensors": ["a"], "keep": false}]})")
            .find("plan.json:1:" +
                  std::to_string(before.size() + std::string_view(R"({"tensors": ["a"], "keep": )").size() + 1) +
                  ": ") == 0);
}

TEST_CASE("patterns take names as a whole, zero bytes too") {
  const Folder folder;
  folder.write("x.safetensors", safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                                            R"("a\u0000b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                                            "12345678"));
  REQUIRE(program(folder, "cast x.safetensors y.safetensors --to float16 --tensors a").code == 0);
  const std::string written = folder.read("y.safetensors");
  CHECK(written.find(R"("a":{"dtype":"F16")") != std::string::npos);
  CHECK(written.find(R"("a\u0000b":{"dtype":"F32")") != std::string::npos);
}

TEST_CASE("the shipped plans are plans") {
  int plans = 0;
  for (const auto& entry : fs::directory_iterator(CASTFORGE_SOURCE_DIR "/runtime/cli/convert/plans")) {
    if (entry.path().filename() == "plan.schema.json") continue;
    std::ostringstream contents;
    contents << std::ifstream(entry.path()).rdbuf();
    INFO(entry.path());
    CHECK(complaint(contents.str()).empty());
    ++plans;
  }
  CHECK(plans == 3);
}

TEST_CASE("a pattern that matches nothing is an error, unless the rule allows it") {
  const Folder folder;
  folder.write("x.safetensors", tensor("a"));
  folder.write("plan.json", with_rule(R"({"tensors": ["a", "b*"], "keep": true})"));
  Run run = program(folder, "convert x.safetensors out --plan plan.json");
  CHECK(run.code == 2);
  CHECK(run.errors ==
        "castforge: plan.json:3:12: the pattern \"b*\" matches no tensor of x.safetensors; "
        "\"optional\": true in the rule allows that\n");
  CHECK(!fs::exists(folder.path("out")));
  folder.write("plan.json", with_rule(R"({"tensors": ["a", "b*"], "keep": true, "optional": true})"));
  CHECK(program(folder, "convert x.safetensors out --plan plan.json").code == 0);
}

TEST_CASE("a pattern that matches nothing is an error where a shard is damaged, too") {
  const Folder folder;
  fs::create_directories(folder.path("in"));
  folder.write("in/a.safetensors", tensor("a"));
  folder.write("in/b.safetensors", "no safetensors");
  folder.write("plan.json", with_rule(R"({"tensors": ["a", "c*"], "keep": true})"));
  for (const std::string option : {"", " --dry-run", " --shard 0/2"}) {
    const Run run = program(folder, "convert in out --plan plan.json" + option);
    INFO(option << run.errors);
    CHECK(run.code == 2);
    CHECK(
        run.errors.starts_with("castforge: plan.json:3:12: the pattern \"c*\" matches no tensor of in that can be "
                               "read; \"optional\": true in the rule allows that; in/b.safetensors: byte "));
    CHECK(!fs::exists(folder.path("out")));
  }
  folder.write("plan.json", with_rule(R"({"tensors": ["a"], "keep": true})"));
  CHECK(program(folder, "convert in out --plan plan.json").code == 1);
  CHECK(fs::exists(folder.path("out/a.safetensors")));
  // Where no name is known, the damage alone can be told.
  CHECK(program(folder, "convert in/b.safetensors none --plan plan.json").code == 1);
}

TEST_CASE("a cast that the op-set does not admit is said before anything is written") {
  const Folder folder;
  folder.write("x.safetensors", safetensors(R"({"c":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}})", "12345678"));
  folder.write("plan.json", with_rule(R"({"tensors": ["c"], "to": "float16"})"));
  const Run run = program(folder, "convert x.safetensors out --plan plan.json");
  CHECK(run.code == 2);
  CHECK(run.errors == "castforge: x.safetensors: tensor \"c\": rule 1 (plan.json:3:12): cannot cast C64\n");
  CHECK(!fs::exists(folder.path("out")));
}

TEST_CASE("indexes") {
  CHECK(convert_index(R"({"weight_map": {"a": "a.safetensors", "b": "b.safetensors"}})").code == 0);
  CHECK(convert_index(R"({"other": [1], "weight_map": {"a": "a.safetensors", "b": "b.safetensors"}})").code == 0);
  CHECK(says(convert_index(R"({"weight_map": {"a": "a.safetensors", "c": "c.safetensors"}})"),
             "expected the shard \"c.safetensors\" beside it, found no such file"));
  CHECK(
      says(convert_index(R"({"weight_map": {"a": "a.safetensors", "b": "b.safetensors", "\u0061": "b.safetensors"}})"),
           "expected each tensor once, found \"a\" again"));
  for (const char* path : {"../outside.safetensors", "/tmp/outside.safetensors", "x/../a.safetensors", "..", "",
                           "./a.safetensors", ".hidden.safetensors", "a.bin", "a.safetensors\\u0000.safetensors"}) {
    INFO(path);
    const Run run = convert_index("{\"weight_map\": {\"a\": \"" + std::string(path) + "\"}}");
    CHECK(run.code == 1);
    CHECK(says(run, "expected the name of a .safetensors file in the same folder"));
  }
  for (const char* index :
       {"", "{}", "[]", "{\"weight_map\": {}}", "{\"weight_map\": []}", "{\"weight_map\": {\"a\": 1}}",
        "{\"metadata\": 1, \"weight_map\": {\"a\": \"a.safetensors\"}}",
        "{\"weight_map\": {\"a\": \"a.safetensors\"}, \"weight_map\": {}}",
        "{\"weight_map\": {\"a\": \"a.safetensors\"}} x"}) {
    INFO(index);
    CHECK(convert_index(index).code == 1);
  }
  CHECK(convert_index("{\"x\": " + std::string(100000, '[')).code == 1);
}

TEST_CASE("shards that are not what the index says") {
  const std::string index = R"({"weight_map": {"a": "a.safetensors", "b": "b.safetensors"}})";
  Run run = convert_index(index, tensor("a"), tensor("a"));
  CHECK(run.code == 1);
  CHECK(says(run, "in/b.safetensors: tensor \"a\": expected what the index says, which has it in \"a.safetensors\""));
  run = convert_index(index, tensor("a"), tensor("c"));
  CHECK(run.code == 1);
  CHECK(says(run, "in/b.safetensors: tensor \"c\": expected what the index says, which lacks it"));
  run = convert_index(R"({"weight_map": {"a": "a.safetensors", "b": "b.safetensors", "c": "b.safetensors"}})");
  CHECK(run.code == 1);
  CHECK(says(run, "in/b.safetensors: expected the 2 tensors that the index has in it, found 1"));
  // Headers that lie about lengths, offsets and shapes.
  for (const std::string& shard :
       {safetensors("{}", "").substr(0, 5), std::string(8, '\xFF'), std::string(16, '\0'),
        safetensors(R"({"b":{"dtype":"BF16","shape":[2],"data_offsets":[0,400]}})", "1234"),
        safetensors(R"({"b":{"dtype":"BF16","shape":[9223372036854775807,4],"data_offsets":[0,4]}})", "1234"),
        safetensors(R"({"b":{"dtype":"BF16","shape":[2],"data_offsets":[4,0]}})", "1234")}) {
    run = convert_index(index, tensor("a"), shard);
    CHECK(run.code == 1);
    CHECK(says(run, "in/b.safetensors: "));
  }
}
