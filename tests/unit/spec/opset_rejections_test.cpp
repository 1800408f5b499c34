// Every op-set spec that must be refused, with the complete message.
#include <catch2/catch_all.hpp>

#include "scratch.hpp"

using castforge::test::Scratch;
using castforge::test::shipped_types;

namespace {

/// A good op-set whose rules and other members can be varied.
std::string opset(const std::string& rules, const std::string& more = "") {
  return R"({"opset":"a","version":1,"operation":"cast","pairs":"all",
"types":{"add":["float16","float32","int8"]},
)" + more +
         R"("rules":[
)" + rules +
         "]}\n";
}

const std::string kSame = R"({"id":"same","src":"any","dst":"same","set":{"same_type":"copy"}})";
const std::string kFloat =
    R"({"id":"float","src":"any","dst":"float","set":{"round":"nearest_even","overflow":"infinity","inf":"infinity",)"
    R"("nan":"nan"}})";
const std::string kInteger =
    R"({"id":"integer","src":"any","dst":"integer","set":{"round":"toward_zero","overflow":"wrap","inf":"zero",)"
    R"("nan":"zero"}})";
const std::string kGood = kSame + ",\n" + kFloat + ",\n" + kInteger;

std::string refuse(const std::string& json) { return Scratch{{"opsets/x.json", json}}.errors(shipped_types()); }
std::string refuse_rule(const std::string& rule, const std::string& more = "") {
  return refuse(opset(kGood + ",\n" + rule, more));  // the rule stands in line 7
}
std::string at(const std::string& position, const std::string& message) {
  return "opsets/x.json:" + position + ": error: " + message;
}

const std::string kFlag = "\"attributes\":{\"soft\":{\"type\":\"flag\",\"default\":1}},";

}  // namespace

TEST_CASE("the op-set that the rejections vary is good") {
  CHECK(refuse(opset(kGood)) == "");
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"float16","attr":{"soft":0},"set":{"overflow":"max"}})", kFlag) ==
        "");
}

TEST_CASE("keys of op-sets") {
  CHECK(refuse("[]") == at("1:1", "/: expected an object, found an empty array"));
  CHECK(refuse(R"({"version":1})") ==
        at("1:1", R"(/: missing key "opset" for an op-set)") + "\n" +
            at("1:1", R"(/: missing key "operation" for an op-set without "extends")") + "\n" +
            at("1:1", R"(/: missing key "types" for an op-set without "extends")") + "\n" +
            at("1:1", R"(/: missing key "pairs" for an op-set without "extends")") + "\n" +
            at("1:1", R"(/: missing key "rules" for an op-set without "extends")"));
  CHECK(refuse(opset(kGood, R"("colour":"red",)")) == at("3:1", R"(/colour: unknown key "colour" for an op-set)"));
  CHECK(refuse(opset(kGood, R"("version":2,)")) == at("3:1", R"(/version: duplicate key "version")"));
  CHECK(refuse(R"({"opset":"A b","version":1.0,"extends":"b@"})") ==
        at("1:10", R"(/opset: "opset" must match [a-z][a-z0-9-]* (got "A b"))") + "\n" +
            at("1:26", R"(/version: "version" must be a number or a string like "8.5.0" (got 1.0))") + "\n" +
            at("1:40", R"(/extends: "extends" must be a version or NAME@VERSION (got "b@"))"));
  CHECK_THAT(refuse(R"({"opset":"b","version":1,"extends":"a@01"})"),
             Catch::Matchers::ContainsSubstring(
                 R"(/extends: "extends" must be a version without leading zeros (got "a@01"))"));
  CHECK(refuse(R"({"opset":"b","version":"1..2","extends":true})") ==
        at("1:24", R"(/version: "version" must be a number or a string like "8.5.0" (got "1..2"))") + "\n" +
            at("1:41", R"(/extends: "extends" must be a number or a string like "8.5.0" (got true))"));
  CHECK(refuse(
            R"({"opset":"b","version":2,"extends":1,"operation":"sum","types":[],"pairs":["a"],"rules":{},"options":1,)"
            R"("attributes":[]})") ==
        at("1:50", R"(/operation: "operation" must be one of cast, bitcast, range (got "sum"))") + "\n" +
            at("1:64", R"(/types: "types" must be an object with "add" and "remove" (got an empty array))") + "\n" +
            at("1:75", R"(/pairs: "pairs" must be "all" or an object of source: [destinations] (got an array))") +
            "\n" + at("1:89", R"(/rules: "rules" must be an array of rules (got an empty object))") + "\n" +
            at("1:102", R"(/options: "options" must be an object (got 1))") + "\n" +
            at("1:117", R"(/attributes: "attributes" must be an object (got an empty array))"));
  CHECK(refuse(opset(kGood, R"("options":{"a":[1],"B":2},)")) ==
        at("3:12", R"(/options/a: unknown option "a"; specs/FIELDS.md lists the options)") + "\n" +
            at("3:20", R"(/options/B: unknown option "B"; specs/FIELDS.md lists the options)"));
}

TEST_CASE("versions and names of op-sets") {
  const auto version = [](const std::string& text) {
    return refuse(R"({"opset":"b","version":)" + text + R"(,"extends":1})");
  };
  CHECK(version("\"0001\"") ==
        at("1:24", R"(/version: "version" must be a version without leading zeros (got "0001"))"));
  CHECK(version("\"00\"") == at("1:24", R"(/version: "version" must be a version without leading zeros (got "00"))"));
  const std::string digits(29, '9');
  CHECK(version(digits) == at("1:24", R"(/version: "version" must be at most 2^63 - 1 (got )" + digits + ")"));
  CHECK(version("\"" + digits + "\"") ==
        at("1:24", R"(/version: "version" must be at most 2^63 - 1 (got ")" + digits + "\")"));
  CHECK(version("9223372036854775808") ==
        at("1:24", R"(/version: "version" must be at most 2^63 - 1 (got 9223372036854775808))"));
  CHECK(version("-1") == at("1:24", R"(/version: "version" must be a number or a string like "8.5.0" (got -1))"));
  CHECK(version("\"" + std::string(64, '1') + ".1\"") ==
        at("1:24", R"(/version: "version" must have at most 64 characters (got 66))"));
  for (const std::string good : {"0", "9223372036854775807", "\"12\"", "\"2026-03\"", "\"4.0\""}) {
    std::string whole = opset(kGood);
    whole.replace(whole.find(":1,"), 3, ":" + good + ",");
    CHECK(refuse(whole) == "");
  }
  CHECK(refuse(R"({"opset":")" + std::string(65, 'a') + R"(","version":1,"extends":1})") ==
        at("1:10", R"(/opset: "opset" must have at most 64 characters (got 65))"));
}

TEST_CASE("texts of op-sets that comments and tables cannot hold") {
  const std::string control = "expected text without control characters, found ";
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"int8","set":{"nan":"zero"},"basis":"see\n"})") ==
        at("7:65", "/rules/3/basis: " + control + R"("\n")"));
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"int8","set":{"nan":"zero"},"basis":"see\\"})") ==
        at("7:65", "/rules/3/basis: expected no word that ends in a backslash, which joins two lines of C++"));
  CHECK(refuse(opset(kGood, R"("notation":"{src}\n{dst}",)")) == at("3:12", "/notation: " + control + R"("\n")"));
  for (const char last : std::string("=/'()!<>-")) {
    const std::string trigraph = std::string("?") + "?" + last;
    CHECK(refuse(opset(kGood, R"("doc":"what)" + trigraph + R"( no",)")) ==
          at("3:7", "/doc: expected no trigraph of C, found \"" + trigraph + "\""));
  }
  const std::string question = std::string("?") + "?";
  CHECK(refuse(opset(kGood, R"("notation":"{src}?)" + question + R"(/{dst}",)")) ==
        at("3:12", "/notation: expected no trigraph of C, found \"" + question + "/\""));
  CHECK(refuse(opset(
            kGood, R"("attributes":{"a":{"type":"string","values":["x","y)" + question + R"(!"],"default":"x"}},)")) ==
        at("3:50", "/attributes/a/values/1: expected no trigraph of C, found \"" + question + "!\""));
  CHECK(refuse(opset(kGood, R"("doc":["is it)" + question + R"(","/ so? / ?)" + question + R"("],)")) == "");
  CHECK(Scratch{{"systems/x.json", R"({"system":"box","other_elements":{"":64}})"}}.errors(shipped_types()) ==
        "systems/x.json:1:35: error: /other_elements/: expected a name of printable ASCII characters, found an "
        "empty one");
}

TEST_CASE("options are a closed list with types") {
  const auto options = [](const std::string& text) { return refuse(opset(kGood, "\"options\":{" + text + "},")); };
  CHECK(options(
            R"("min_rank":0,"max_rank":4,"max_elements":9223372036854775807,"reject_empty":true,"bool_words":false)") ==
        "");
  CHECK(options(R"("min_rank":5,"max_rank":3)") ==
        at("3:12", R"(/options/min_rank: "min_rank" 5 is above "max_rank" 3: no tensor could be converted)"));
  CHECK(options(R"("max_rnak":4)") ==
        at("3:12",
           R"(/options/max_rnak: unknown option "max_rnak": did you mean "max_rank"? specs/FIELDS.md lists the )"
           R"(options)"));
  CHECK(options(R"("max_rank":-1)") ==
        at("3:23", R"(/options/max_rank: option "max_rank" must be a number from 0 to 2^63 - 1 (got -1))"));
  CHECK(options(R"("max_rank":"4")") ==
        at("3:23", R"(/options/max_rank: option "max_rank" must be a number from 0 to 2^63 - 1 (got "4"))"));
  CHECK(options(R"("reject_empty":1)") ==
        at("3:27", R"(/options/reject_empty: option "reject_empty" must be true or false (got 1))"));
  CHECK(options(R"("form":"multiply")") ==
        at("3:12", R"(/options/form: option "form" is one of the operation range, not of cast)"));
  CHECK(options(R"("accumulator":"float80")") ==
        at("3:26", R"(/options/accumulator: option "accumulator" must be one of float64, result_at_least_float32 (got )"
                   R"("float80"))"));
  const std::string range =
      R"("operand_types":"any","operand_rounding":"toward_zero","integer_arithmetic":"exact",)"
      R"("accumulator":"float64","form":"multiply","fma":false,"count_limit":10,"non_finite":"error")";
  const auto as_range = [&](const std::string& text) {
    std::string whole = opset(kGood, "\"options\":{" + text + "},");
    whole.replace(whole.find("\"cast\""), 6, "\"range\"");
    return refuse(whole);
  };
  CHECK(as_range(range + R"(,"step_zero":"error")") == "");
  const std::string expected =
      "option \"narrow_accumulator\" must be the name of an attribute whose values are words "
      "among float32, float64 (got ";
  CHECK(as_range(range + R"(,"step_zero":"error","narrow_accumulator":"stash")").find(expected + "\"stash\")") !=
        std::string::npos);
  CHECK(as_range(range + R"(,"step_zero":"error","narrow_accumulator":1)").find(expected + "1)") != std::string::npos);
  const auto with_stash = [&](const std::string& values) {
    std::string whole = opset(kGood, "\"attributes\":{\"stash\":{\"type\":\"enumeration\",\"values\":" + values +
                                         ",\"default\":\"float32\"}},\"options\":{" + range +
                                         R"(,"step_zero":"error","narrow_accumulator":"stash"},)");
    whole.replace(whole.find("\"cast\""), 6, "\"range\"");
    return refuse(whole);
  };
  CHECK(with_stash(R"({"float32":1,"float64":11})") == "");
  CHECK(with_stash(R"({"float32":1,"float80":11})").find(expected + "\"stash\")") != std::string::npos);
  CHECK(as_range(range) == at("1:1", R"(/: missing option "step_zero" of the operation range: error)"));
}

TEST_CASE("how versions stand in their families") {
  const auto standing = [](const std::string& first, const std::string& second) {
    return Scratch{{"opsets/x.json", opset(kGood, first)},
                   {"opsets/y.json", R"({"opset":"a","version":4,"extends":1)" + second + "}"}}
        .errors(shipped_types());
  };
  CHECK(standing(R"("valid_through":3,)", R"(,"valid_through":9,"default":true)") == "");
  CHECK(standing(R"("valid_through":4,)", "") ==
        at("3:17", R"(/valid_through: "valid_through" 4 is not below the next version, 4)"));
  CHECK(standing(R"("valid_through":0,)", "") ==
        at("3:17", R"(/valid_through: "valid_through" 0 is below the version itself, 1)"));
  CHECK(standing(R"("valid_through":"4",)", "") ==
        at("3:17", R"(/valid_through: "valid_through" must be a whole number (got "4"))"));
  CHECK(standing(R"("default":1,)", "") ==
        at("3:11", R"(/default: "default" must be true, false or "fallback" (got 1))"));
  CHECK(standing(R"("cast_like_of":"b",)", "") ==
        at("3:16", R"(/cast_like_of: "cast_like_of" names "b", of which no version is loaded)"));
  CHECK(Scratch{{"opsets/x.json", opset(kGood, R"("default":true,)")},
                {"opsets/y.json", R"({"opset":"b","version":1,"extends":"a@1","default":true})"}}
            .errors(shipped_types()) ==
        "opsets/y.json:1:52: error: /default: the default for cast is a already (opsets/x.json:3)");
  CHECK(standing(R"("default":"first",)", "") ==
        at("3:11", R"(/default: "default" must be true, false or "fallback" (got "first"))"));
  CHECK(Scratch{{"opsets/x.json", opset(kGood, R"("default":"fallback",)")},
                {"opsets/y.json", R"({"opset":"b","version":1,"extends":"a@1","default":"fallback"})"}}
            .errors(shipped_types()) ==
        "opsets/y.json:1:52: error: /default: the fallback for cast is a already (opsets/x.json:3)");
  CHECK(
      Scratch{{"opsets/x.json", opset(kGood)},
              {"opsets/y.json", R"({"opset":"a","version":"1.5","extends":1,"valid_through":2})"}}
          .errors(shipped_types()) ==
      R"(opsets/y.json:1:58: error: /valid_through: "valid_through" is for families whose versions are whole numbers)");
}

TEST_CASE("systems") {
  const auto system = [](const std::string& text) { return Scratch{{"systems/x.json", text}}.errors(shipped_types()); };
  CHECK(system(R"({"system":"box"})") == "");
  CHECK(system(R"({"system":"box","other_elements":{"C64":64},"shared_prefixes":["x"],)"
               R"("names":{"parts":["ab",{"from":0,"to":9}],"expected":"a or b and a digit"}})") == "");
  CHECK(system(R"({"system":"Box","other_elements":{"C64":0},"colour":1})") ==
        "systems/x.json:1:11: error: /system: \"system\" must match [a-z][a-z0-9_]* (got \"Box\")\n"
        "systems/x.json:1:41: error: /other_elements/C64: the bits of an element must be 1..1024 (got 0)\n"
        "systems/x.json:1:44: error: /colour: unknown key \"colour\" for a system");
  CHECK(system(R"({"system":"numpy"})").find("system \"numpy\" is already defined at ") != std::string::npos);
  const auto names = [&](const std::string& text) { return system(R"({"system":"box","names":)" + text + "}"); };
  CHECK(names("[]") == R"(systems/x.json:1:25: error: /names: "names" must be an object (got an empty array))");
  CHECK(names("{}") ==
        "systems/x.json:1:25: error: /names: missing key \"parts\" in \"names\"\n"
        "systems/x.json:1:25: error: /names: missing key \"expected\" in \"names\"");
  CHECK(names(R"({"parts":[],"expected":""})") ==
        "systems/x.json:1:34: error: /names/parts: \"parts\" must be an array of characters and ranges (got an empty "
        "array)\n"
        "systems/x.json:1:48: error: /names/expected: \"expected\" must be a text (got \"\")");
  CHECK(
      names(R"({"parts":["",1,{"from":2,"to":1},{"from":-1,"to":1},{"from":0}],"expected":"x"})") ==
      "systems/x.json:1:35: error: /names/parts/0: expected a name of printable ASCII characters, found an empty one\n"
      "systems/x.json:1:38: error: /names/parts/1: a part must be characters or a range such as {\"from\": 0, \"to\": "
      "255} (got 1)\n"
      "systems/x.json:1:40: error: /names/parts/2: a range must be from a whole number to one that is not smaller "
      "(got 2 and 1)\n"
      "systems/x.json:1:58: error: /names/parts/3: a range must be from a whole number to one that is not smaller "
      "(got -1 and 1)\n"
      "systems/x.json:1:77: error: /names/parts/4: missing key \"to\" in a range");
  CHECK(names(R"({"parts":[{"from":0,"to":9},{"from":0,"to":9}],"expected":"x"})") ==
        "systems/x.json:1:34: error: /names/parts: behind a range must come characters without digits, as it takes all "
        "digits that follow");
  CHECK(names(R"({"parts":[{"from":0,"to":9},"a1"],"expected":"x"})").find("behind a range") != std::string::npos);
  CHECK(system(R"({"system":"box","shared_prefixes":[""]})") ==
        "systems/x.json:1:35: error: /shared_prefixes: expected a name of printable ASCII characters, found an empty "
        "one");
  // Of systems that the types named here have aliases of.
  const auto known = [](const std::string& text) {
    return Scratch{{"systems/x.json", text}}.errors({castforge::test::shipped_specs() / "types"});
  };
  CHECK(known(R"({"system":"safetensors","other_elements":{"F32":32}})")
            .find("element \"F32\" of safetensors is the type float32") != std::string::npos);
  CHECK(known(R"({"system":"llvm","names":{"parts":["i",{"from":1,"to":64}],"expected":"an integer"}})")
            .find("an alias of llvm must be an integer (got \"half\")") != std::string::npos);
  // A name in a file means one type; 8X is none that a user types.
  const auto type = [](const std::string& name, int id) {
    return R"({"name":")" + name + R"(","kind":"integer","signed":true,"bits":8,"storage_bits":8,"id":)" +
           std::to_string(id) + R"(,
"aliases":{"box":"8X"}})";
  };
  CHECK(Scratch{{"types/a.json", type("a", 1000)},
                {"types/b.json", type("b", 1001)},
                {"systems/x.json", R"({"system":"box","other_elements":{"C64":64}})"}}
            .errors() ==
        "types/b.json:2:18: error: /aliases/box: alias \"8X\" of box already names type \"a\" (types/a.json:1); where "
        "several types may have such a name, its system says so: \"shared_prefixes\"");
  CHECK(Scratch{{"types/a.json", type("a", 1000)},
                {"types/b.json", type("b", 1001)},
                {"systems/x.json", R"({"system":"box","shared_prefixes":["8"]})"}}
            .errors() == "");
}

TEST_CASE("inheritance") {
  CHECK(refuse(R"({"opset":"b","version":2,"extends":1})") ==
        at("1:36", R"(/extends: "extends" names b@1, which is not loaded)"));
  CHECK(refuse(R"({"opset":"b","version":2,"extends":2})") ==
        at("1:36", R"(/extends: "extends" must name a version below 2 (got 2))"));
  CHECK(refuse(R"({"opset":"b","version":"2.1","extends":"2.10"})") ==
        at("1:40", R"(/extends: "extends" must name a version below 2.1 (got 2.10))"));
  CHECK(refuse(R"({"opset":"b","version":2,"extends":"c@1"})") ==
        at("1:36", R"(/extends: "extends" names c@1, which is not loaded)"));
  CHECK(Scratch{{"opsets/a.json", R"({"opset":"a","version":1,"extends":"c@1"})"},
                {"opsets/b.json", R"({"opset":"b","version":1,"extends":"a@1"})"},
                {"opsets/c.json", R"({"opset":"c","version":1,"extends":"b@1"})"}}
            .errors(shipped_types()) ==
        "opsets/b.json:1:36: error: /extends: inheritance cycle: a@1 -> c@1 -> b@1 -> a@1");
  CHECK(Scratch{{"opsets/a.json", opset(kGood)}, {"opsets/b.json", opset(kGood)}}.errors(shipped_types()) ==
        "opsets/b.json:1:1: error: /: op-set a@1 is already defined at opsets/a.json:1");
  // What is wrong with a parent is said once.
  CHECK(Scratch{{"opsets/x.json", opset(kGood, R"("colour":1,)")},
                {"opsets/y.json", R"({"opset":"a","version":2,"extends":1})"}}
            .errors(shipped_types()) == at("3:1", R"(/colour: unknown key "colour" for an op-set)"));
  CHECK(Scratch{{"opsets/x.json", opset(kSame + "," + kFloat)},
                {"opsets/y.json", R"({"opset":"a","version":2,"extends":1})"}}
            .errors(shipped_types()) ==
        at("1:1", R"(/: float16 -> int8 {}: no rule sets "inf" (and 1 more like it))") + "\n" +
            at("1:1", R"(/: float16 -> int8 {}: no rule sets "nan" (and 1 more like it))") + "\n" +
            at("1:1", R"(/: float16 -> int8 {}: no rule sets "overflow" (and 1 more like it))") + "\n" +
            at("1:1", R"(/: float16 -> int8 {}: no rule sets "round" (and 1 more like it))"));
}

TEST_CASE("types and pairs") {
  const auto child = [](const std::string& text) {
    const std::string errors = Scratch{
        {"opsets/x.json", opset(kGood)},
        {"opsets/y.json", R"({"opset":"a","version":2,"extends":1,)" + text +
                              "}"}}.errors(shipped_types());
    const std::string prefix = "opsets/y.json:1:";
    return errors.starts_with(prefix) ? errors.substr(prefix.size()) : errors;
  };
  CHECK(child(R"("types":{"add":["half"]})") ==
        R"(54: error: /types/add/0: unknown type "half": op-sets name types by their names, here "float16")");
  CHECK(child(R"("types":{"add":["float17"]})") ==
        R"(54: error: /types/add/0: unknown type "float17": did you mean "float16"?)");
  CHECK(child(R"("types":{"add":[17]})") == R"(54: error: /types/add/0: expected a type name, found 17)");
  CHECK(child(R"("types":{"add":["int16","int8"]})") == R"(62: error: /types/add/1: type "int8" is already admitted)");
  CHECK(child(R"("types":{"remove":["int16"]})") ==
        R"(57: error: /types/remove/0: removes type "int16", which is not admitted)");
  CHECK(child(R"("types":{"plus":["int16"]})") == R"(47: error: /types/plus: unknown key "plus" in "types")");
  CHECK(child(R"("types":{"add":"everything"})") ==
        R"(53: error: /types/add: "add" must be an array of type names, "all" or {"named_in": a system of aliases} )"
        R"((got "everything"))");
  CHECK(child(R"("types":{"remove":"int8"})") ==
        R"(56: error: /types/remove: "remove" must be an array of type names (got "int8"))");
  CHECK(child(R"("types":{"remove":["int8"],"add":["int8"]})") == "");
  const auto named_in = [](const std::string& system) {
    return Scratch{
        {"types/own.json", R"({"name":"own","id":1000,"kind":"bool","storage_bits":8,"aliases":{"mine":"X1"}})"},
        {"opsets/x.json", R"({"opset":"a","version":1,"operation":"cast","pairs":"all",)"
                          R"("types":{"add":{"named_in":")" +
                              system + R"("}},"rules":[)" + kSame + "," + kFloat + "]}"}}
        .errors(shipped_types());
  };
  CHECK(named_in("mine") == "");
  CHECK(named_in("intel") == "");
  CHECK(named_in("zzzzzzzz") ==
        at("1:86", R"(/types/add/named_in: "named_in" names "zzzzzzzz", a system that no spec describes and no type )"
                   R"(has an alias of)"));
  CHECK(named_in("p3019") ==
        at("1:86", R"(/types/add/named_in: "named_in" names "p3019", a system that no spec describes and no type has )"
                   R"(an alias of: did you mean "p3109"?)"));
  CHECK(child(R"("pairs":{"int8":["float64"]})") ==
        R"(55: error: /pairs/int8/0: type "float64" is not admitted by a@2)");
  CHECK(child(R"("pairs":{"int9":["int8"]})") ==
        R"(47: error: /pairs/int9: unknown type "int9": did you mean "int2"?)");
  CHECK(child(R"("pairs":{"int8":"all"})") ==
        R"(54: error: /pairs/int8: expected an array of destination types, found "all")");
  CHECK(child(R"("pairs":{"int8":[1]})") == R"(55: error: /pairs/int8/0: expected a type name, found 1)");
  CHECK(child(R"("pairs":{"int8":["int8","int8"]})") ==
        R"(62: error: /pairs/int8/1: pair int8 -> int8 is listed twice)");
}

TEST_CASE("attributes") {
  const auto declare = [](const std::string& attribute) {
    const std::string errors = refuse(opset(kGood, "\"attributes\":{" + attribute + "},"));
    const std::string prefix = "opsets/x.json:3:";
    return errors.starts_with(prefix) ? errors.substr(prefix.size()) : errors;
  };
  CHECK(declare(R"("m":{"type":"string","values":["up","down"],"default":"up"})") == "");
  CHECK(declare(R"("m":{"type":"string","values":["up","down"],"default":"left"})") ==
        R"(69: error: /attributes/m/default: "default": "left" is not among the values of attribute "m": up, down)");
  CHECK(declare(R"("m":{"type":"flag","default":2})") ==
        R"(44: error: /attributes/m/default: "default": 2 is not among the values of attribute "m": 0, 1)");
  CHECK(declare(R"("m":{"type":"flag","default":true})") ==
        R"(44: error: /attributes/m/default: "default": true is not among the values of attribute "m": 0, 1)");
  CHECK(declare(R"("m":{"type":"flag"})") == R"(19: error: /attributes/m: missing key "default" for attribute "m")");
  CHECK(declare(R"("m":{"type":"flag","values":[0,1],"default":1})") ==
        R"(43: error: /attributes/m/values: a flag has the values 0 and 1; leave "values" out)");
  CHECK(declare(R"("m":{"type":"colour","default":1})") ==
        R"(27: error: /attributes/m/type: "type" must be one of flag, integer, string, enumeration (got "colour"))");
  CHECK(declare(R"("m":{"type":"string","values":["a",1],"default":"a"})") ==
        R"(50: error: /attributes/m/values/1: "values" must hold strings (got 1))");
  CHECK(declare(R"("m":{"type":"integer","values":[1,1],"default":1})") ==
        R"(49: error: /attributes/m/values/1: a value is listed twice (got 1))");
  CHECK(declare(R"("m":{"type":"integer","values":[],"default":1})") ==
        R"(46: error: /attributes/m/values: "values" must be an array of integers (got an empty array))");
  CHECK(declare(R"("m":{"type":"enumeration","values":["A"],"default":"A"})") ==
        R"(50: error: /attributes/m/values: "values" of an enumeration must be an object of word: number (got an )"
        R"(array))");
  CHECK(declare(R"("m":{"type":"enumeration","values":{"A":"0"},"default":"A"})") ==
        R"(55: error: /attributes/m/values/A: the number of "A" must be an integer (got "0"))");
  CHECK(declare(R"("m":{"type":"enumeration","values":{"A":0,"B":0},"default":"A"})") ==
        R"(61: error: /attributes/m/values/B: the number of "B" is that of another value (got 0))");
  CHECK(declare(R"("m":{"type":"enumeration","values":{"A":1,"1":2},"default":"A"})") ==
        R"(57: error: /attributes/m/values/1: the word "1" is the number of another value)");
  CHECK(declare(R"("m":{"type":"enumeration","values":{"2":2,"1":1},"default":"1"})") == "");
  CHECK(declare(R"("m":{"type":"flag","default":1,"checked_where_used":1})") ==
        R"(67: error: /attributes/m/checked_where_used: "checked_where_used" must be true or false (got 1))");
  CHECK(declare(R"("m":{"type":"flag","default":1,"colour":1})") ==
        R"(46: error: /attributes/m/colour: unknown key "colour" for attribute "m")");
  for (const std::string name : {"src", "dst"}) {
    CHECK(declare("\"" + name + R"(":{"type":"flag","default":1})") ==
          "15: error: /attributes/" + name + ": expected another name than \"" + name +
              "\", which is a type of the conversion in \"notation\"");
  }
  CHECK(declare(R"("source":{"type":"flag","default":1})") == "");
  CHECK(declare(R"("M":{"type":"flag","default":1})") ==
        R"(15: error: /attributes/M: an attribute must match [a-z][a-z0-9_]* (got "M"))");
  // Words that tables of kernels have no place for.
  CHECK(declare(R"("m":{"type":"string","values":["",1],"default":"a"})") ==
        "46: error: /attributes/m/values/0: expected a name of printable ASCII characters, found an empty one");
  CHECK(declare(R"("m":{"type":"string","values":["x\ny"],"default":"a"})") ==
        R"(46: error: /attributes/m/values/0: expected text without control characters, found "\n")");
  CHECK(declare(R"("m":{"type":"enumeration","values":{"":1},"default":1})") ==
        "51: error: /attributes/m/values/: expected a name of printable ASCII characters, found an empty one");
  CHECK(declare(R"("m":{"type":"string","values":["a b"],"default":"a b"})") == "");
  std::string numbers = "0";
  for (int i = 1; i < 256; ++i) numbers += "," + std::to_string(i);
  CHECK(declare(R"("m":{"type":"integer","values":[)" + numbers + R"(],"default":1})") ==
        "46: error: /attributes/m/values: expected at most 255 values, found 256");
  const std::string forty = [] {
    std::string list = "0";
    for (int i = 1; i < 40; ++i) list += "," + std::to_string(i);
    return R"({"type":"integer","values":[)" + list + R"(],"default":0})";
  }();
  CHECK(refuse(opset(kGood, R"("attributes":{"a":)" + forty + R"(,"b":)" + forty + "},")) ==
        at("1:1", "/: more than 16 attributes or 1024 combinations of their values"));
  std::string many;
  for (char c = 'a'; c <= 'q'; ++c)
    many += (many.empty() ? "\"" : ",\"") + std::string(1, c) + R"(":{"type":"integer","values":[1],"default":1})";
  CHECK(refuse(opset(kGood, "\"attributes\":{" + many + "},")) ==
        at("1:1", "/: more than 16 attributes or 1024 combinations of their values"));
  CHECK(declare(R"("m":1)") == R"(19: error: /attributes/m: attribute "m" must be an object (got 1))");
}

TEST_CASE("rules") {
  const std::string classes =
      "classes are any, same, float, integer, bool, string, signed, unsigned, small, with_nan, without_nan, "
      "with_infinity, "
      "without_infinity, with_zero, without_zero";
  CHECK(refuse_rule("7") == at("7:1", "/rules/3: expected a rule, found 7"));
  CHECK(refuse_rule("{}") == at("7:1", R"(/rules/3: missing key "id" for a rule)") + "\n" +
                                 at("7:1", R"(/rules/3: missing key "src" for a rule)") + "\n" +
                                 at("7:1", R"(/rules/3: missing key "dst" for a rule)") + "\n" +
                                 at("7:1", R"(/rules/3: missing key "set" for a rule)"));
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"any","set":{"nan":"zero"},"when":1})") ==
        at("7:56", R"(/rules/3/when: unknown key "when" for a rule)"));
  CHECK(refuse_rule(R"({"id":"X","src":"any","dst":"int8","set":{"nan":"zero"}})") ==
        at("7:7", R"(/rules/3/id: "id" must match [a-z][a-z0-9-]* (got "X"))"));
  CHECK(refuse_rule(R"({"id":"float","src":"any","dst":"int8","set":{"nan":"zero"}})") ==
        at("7:7", R"(/rules/3/id: rule "float" is already defined in this file)"));
  CHECK(
      refuse_rule(R"({"id":"x","src":"any","dst":"int8","set":{"colour":"red"}})") ==
      at("7:43",
         R"(/rules/3/set/colour: unknown property "colour"; properties are round, overflow, saturate_first, inf, nan, )"
         "negative, negative_test, negative_inf, zero_sign, zero, underflow, same_type, bits, parse, "
         "format"));
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"int8","set":{"overflow":"explode"}})") ==
        at("7:54", R"(/rules/3/set/overflow: "overflow" must be one of infinity, max, nan, ieee, wrap, saturate, )"
                   R"(indefinite (got "explode"))"));
  CHECK(
      refuse_rule(R"({"id":"x","src":"any","dst":"int8","set":{"round":"sideways"}})") ==
      at("7:51",
         R"(/rules/3/set/round: "round" must be one of ceil, floor, nearest_away, nearest_even, odd, toward_zero (got )"
         R"("sideways"))"));
  CHECK(
      refuse_rule(R"({"id":"x","src":"any","dst":"int8","set":{"inf":1}})") ==
      at("7:49", R"(/rules/3/set/inf: "inf" must be one of infinity, max, nan, zero, as_overflow, saturate (got 1))"));
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"int8","set":{}})") ==
        at("7:42", R"(/rules/3/set: "set" must be an object of property: word (got an empty object))"));
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"int9","set":{"nan":"zero"}})") ==
        at("7:29", R"(/rules/3/dst: unknown type or class "int9": did you mean "int2"? )" + classes));
  CHECK(refuse_rule(R"({"id":"x","src":["float16","int16"],"dst":"int8","set":{"nan":"zero"}})") ==
        at("7:28", R"(/rules/3/src/1: type "int16" is not admitted by a@1)"));
  CHECK(refuse_rule(R"({"id":"x","src":"same","dst":"int8","set":{"nan":"zero"}})") ==
        at("7:17", R"(/rules/3/src: "same" belongs into "dst")"));
  CHECK(refuse_rule(R"({"id":"x","src":"tiny float","dst":"int8","set":{"nan":"zero"}})") ==
        at("7:17", R"(/rules/3/src: unknown class word "tiny"; )" + classes));
  CHECK(refuse_rule(R"({"id":"x","src":[],"dst":"int8","set":{"nan":"zero"}})") ==
        at("7:17", R"(/rules/3/src: "src" is empty)"));
  CHECK(refuse_rule(R"({"id":"x","src":"","dst":"int8","set":{"nan":"zero"}})") ==
        at("7:17", R"(/rules/3/src: expected a type, class or any, found "")"));
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":["int8",""],"set":{"nan":"zero"}})") ==
        at("7:37", R"(/rules/3/dst/1: expected a type, class or any, found "")"));
  CHECK(refuse_rule(R"({"id":"x","src":3,"dst":"int8","set":{"nan":"zero"}})") ==
        at("7:17", R"(/rules/3/src: "src" must hold type names and class words (got 3))"));
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"int8","attr":{"soft":1},"set":{"nan":"zero"}})") ==
        at("7:44", R"(/rules/3/attr/soft: rule "x" tests attribute "soft", which a@1 does not have)"));
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"int8","attr":{"soft":2},"set":{"nan":"zero"}})", kFlag) ==
        at("7:51", R"(/rules/3/attr/soft: 2 is not a value of attribute "soft"; its values are 0, 1)"));
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"int8","attr":1,"set":{"nan":"zero"}})") ==
        at("7:43", R"(/rules/3/attr: "attr" must be an object of attribute: value (got 1))"));
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"int8","set":{"nan":"zero"},"doc":5})") ==
        at("7:63", R"(/rules/3/doc: "doc" must be a string or an array of strings (got 5))"));
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"int8","set":{"nan":"zero"},"doc":"what"})") == "");
  CHECK(refuse_rule(R"({"id":"x","src":"any","dst":"int8","set":{"nan":"zero"},"basis":[]})") ==
        at("7:65", R"(/rules/3/basis: "basis" must hold a text (got an empty array))"));
  CHECK(refuse(opset(kGood, R"("doc":[],)")) == at("3:7", R"(/doc: "doc" must hold a text (got an empty array))"));
  CHECK(refuse_rule(R"({"id":"dead","src":"float","dst":"bool","set":{"nan":"zero"}})") ==
        at("7:1", R"(/rules/3: rule "dead" matches no admitted pair)"));
  CHECK(refuse_rule(R"({"id":"idle","src":"float","dst":"int8","set":{"zero":"min"}})") ==
        at("7:55", R"(/rules/3/set/zero: rule "idle" sets "zero", which none of its pairs has)"));
}

TEST_CASE("what is compiled of an op-set") {
  const auto compiled = [](const std::string& attributes) {
    const std::string errors = refuse(
        opset(kGood,
              R"("attributes":{"m":{"type":"string","values":["a","b","c"],"default":"a"}},"compiled":{"attributes":)" +
                  attributes + "},"));
    const std::string prefix = "opsets/x.json:3:";
    return errors.starts_with(prefix) ? errors.substr(prefix.size()) : errors;
  };
  CHECK(compiled(R"({"m":["b","a"]})") == "");
  CHECK(compiled(R"({"m":["a","b","b"]})") ==
        R"(114: error: /compiled/attributes/m/2: a value is listed twice (got "b"))");
  CHECK(compiled(R"({"m":"a"})") ==
        R"(105: error: /compiled/attributes/m: "m" must be a list of its values (got "a"))");
  CHECK(compiled(R"({"m":["b"]})") ==
        R"(101: error: /compiled/attributes/m: the default of attribute "m" has to be among them)");
}

TEST_CASE("an attribute declared again keeps the values that inherited rules test") {
  const std::string tested = R"({"id":"x","src":"any","dst":"float16","attr":{"soft":0},"set":{"overflow":"max"}})";
  const auto child = [&](const std::string& soft, const std::string& rules = "") {
    return Scratch{{"opsets/x.json", opset(kGood + ",\n" + tested, kFlag)},
                   {"opsets/y.json", R"({"opset":"a","version":2,"extends":1,"attributes":{"soft":)" + soft + "}" +
                                         (rules.empty() ? "" : ",\"rules\":[" + rules + "]") + "}"}}
        .errors(shipped_types());
  };
  const std::string words = R"({"type":"string","values":["yes","no"],"default":"yes"})";
  CHECK(child(R"({"type":"flag","default":0})") == "");
  CHECK(child(R"({"type":"integer","values":[2,0],"default":2})") == "");
  CHECK(child(words) ==
        "opsets/y.json:1:52: error: /attributes/soft: attribute \"soft\" has no value 0, which the inherited rule "
        "\"x\" tests; its values are yes, no");
  CHECK(child(R"({"type":"integer","values":[2,1],"default":2})")
            .ends_with(R"(has no value 0, which the inherited rule "x" tests; its values are 2, 1)"));
  // A rule that takes the place of the inherited one tests what there is now.
  CHECK(child(words, R"({"id":"x","src":"any","dst":"float16","attr":{"soft":"no"},"set":{"overflow":"max"}})") == "");
  const Scratch onnx{
      {"mine.json", R"({"opset":"mine","version":1,"extends":"onnx@23","attributes":{"saturate":)" + words + "}}"}};
  CHECK(onnx.errors({castforge::test::shipped_specs()})
            .find("error: /attributes/saturate: attribute \"saturate\" has no value ") != std::string::npos);
}

TEST_CASE("undecided properties") {
  CHECK(refuse(opset(kSame + "," + kInteger + "," +
                     R"({"id":"f","src":"any","dst":"float","set":{"round":"nearest_even","overflow":"infinity",)"
                     R"("inf":"infinity"}})")) ==
        at("1:1", R"(/: float16 -> float32 {}: no rule sets "nan" (and 1 more like it))"));
  CHECK(refuse(opset(kFloat + "," + kInteger)) ==
        at("1:1", R"(/: float16 -> float16 {}: no rule sets "same_type" (and 2 more like it))"));
  CHECK(refuse(opset(kSame + "," + kFloat + "," +
                         R"({"id":"i","src":"float","dst":"integer","attr":{"soft":0},)"
                         R"("set":{"round":"toward_zero","overflow":"wrap","inf":"zero","nan":"zero"}})",
                     kFlag)) ==
        at("1:1", R"(/: float16 -> int8 {soft: 1}: no rule sets "inf" (and 1 more like it))") + "\n" +
            at("1:1", R"(/: float16 -> int8 {soft: 1}: no rule sets "nan" (and 1 more like it))") + "\n" +
            at("1:1", R"(/: float16 -> int8 {soft: 1}: no rule sets "overflow" (and 1 more like it))") + "\n" +
            at("1:1", R"(/: float16 -> int8 {soft: 1}: no rule sets "round" (and 1 more like it))"));
  const std::string unsigned_scale = R"({"opset":"a","version":1,"operation":"cast","pairs":{"float32":["float8e8m0"]},
"types":{"add":["float32","float8e8m0"]},"rules":[)" +
                                     kFloat + "]}";
  CHECK(refuse(unsigned_scale) == at("1:1", R"(/: float32 -> float8e8m0 {}: no rule sets "negative")") + "\n" +
                                      at("1:1", R"(/: float32 -> float8e8m0 {}: no rule sets "underflow")") + "\n" +
                                      at("1:1", R"(/: float32 -> float8e8m0 {}: no rule sets "zero")"));
  const std::string text =
      R"({"opset":"a","version":1,"operation":"cast","pairs":{"float32":["string"],"string":["bool"]},
"types":{"add":["float32","string","bool"]},"rules":[]})";
  CHECK(refuse(text) == at("1:1", R"(/: float32 -> string {}: no rule sets "format")") + "\n" +
                            at("1:1", R"(/: string -> bool {}: no rule sets "parse")"));
}

TEST_CASE("kept bits, and which numbers are negative") {
  const auto pair = [](const std::string& src, const std::string& dst, const std::string& set) {
    const std::string types = src == dst ? "\"" + src + "\"" : "\"" + src + "\",\"" + dst + "\"";
    const std::string errors = refuse(R"({"opset":"a","version":1,"operation":"cast","pairs":{")" + src + R"(":[")" +
                                      dst + R"("]},"types":{"add":[)" + types + R"(]},"rules":[
{"id":"all","src":"any","dst":"any","set":{)" +
                                      set + "}}]}");
    return errors.empty() ? errors : errors.substr(errors.find("error"));
  };
  const auto differ = [](const std::string& src, const std::string& dst) {
    return R"(error: /rules/0/set/bits: "bits": "kept" but )" + src + " and " + dst +
           " do not have the same bits (a@1, " + src + " -> " + dst + ")";
  };
  CHECK(pair("float32", "int32", R"("bits":"kept")") == "");
  CHECK(pair("bool", "bool", R"("bits":"kept")") == "");
  CHECK(pair("float32", "float16", R"("bits":"kept")") == differ("float32", "float16"));
  CHECK(pair("int8", "int4", R"("bits":"kept")") == differ("int8", "int4"));
  CHECK(pair("string", "string", R"("bits":"kept")") == differ("string", "string"));
  CHECK(pair("int8", "uint8", R"("bits":"converted","overflow":"wrap")") == "");
  CHECK(pair("int8", "uint8", R"("bits":"lost")") ==
        R"(error: /rules/0/set/bits: "bits" must be one of converted, kept (got "lost"))");
  const std::string unsigned_float = R"("round":"nearest_even","overflow":"max","zero":"min")";
  CHECK(pair("int8", "float8e8m0", unsigned_float + R"(,"negative":"clamp","negative_test":"exact")") == "");
  CHECK(pair("int8", "float16", R"("round":"nearest_even","overflow":"max","negative_test":"exact")") ==
        R"(error: /rules/0/set/negative_test: rule "all" sets "negative_test", which none of its pairs has)");
}

TEST_CASE("a bitcast keeps the bits of every pair, under all attribute values") {
  const auto bitcast = [](const std::string& more, const std::string& rules) {
    return refuse(R"({"opset":"a","version":1,"operation":"bitcast","pairs":"all","types":{"add":["int8","uint8"]},)" +
                  more + R"("rules":[)" + rules + "]}");
  };
  const std::string kept = R"({"id":"kept","src":"any","dst":"any","set":{"bits":"kept"}})";
  const std::string wraps = R"({"id":"wraps","src":"any","dst":"any","set":{"overflow":"wrap","same_type":"copy"}})";
  CHECK(bitcast("", kept) == "");
  CHECK(bitcast("", wraps) ==
        at("1:1", R"(/: int8 -> int8 {}: the operation bitcast keeps all bits, but no rule sets "bits": "kept" (and 3 )"
                  R"(more like it))"));
  const std::string soft = R"({"id":"soft","src":"int8","dst":"uint8","attr":{"soft":0},"set":{"bits":"converted"}})";
  const std::string one_wraps = R"({"id":"one","src":"int8","dst":"uint8","set":{"overflow":"wrap"}})";
  CHECK(bitcast(kFlag, one_wraps + "," + kept + "," + soft) ==
        at("1:1",
           R"(/: int8 -> uint8 {soft: 0}: the operation bitcast keeps all bits, but no rule sets "bits": "kept")"));
  CHECK(Scratch{{"mine.json", R"({"opset":"mine","version":1,"extends":"onnx@25","operation":"bitcast"})"}}
            .errors({castforge::test::shipped_specs()})
            .starts_with("mine.json:1:1: error: /: "));
}

TEST_CASE("words that a float or an integer cannot follow") {
  const auto to = [](const std::string& dst, const std::string& rest) {
    const std::string errors = refuse(R"({"opset":"a","version":1,"operation":"cast","pairs":{"float32":[")" + dst +
                                      R"("]},
"types":{"add":["float32",")" + dst + R"("]},"rules":[
{"id":"all","src":"any","dst":"any","set":{"round":"nearest_even",)" +
                                      rest + "}}]}");
    const std::string prefix = "opsets/x.json:3:";
    return errors.starts_with(prefix) ? errors.substr(errors.find("error")) : errors;
  };
  const auto why = [](const std::string& property, const std::string& word, const std::string& why_not,
                      const std::string& dst) {
    return "error: /rules/0/set/" + property + ": \"" + property + "\": \"" + word + "\" " + why_not +
           " (a@1, float32 -> " + dst + ")";
  };
  CHECK(to("float4e2m1", R"("overflow":"max","inf":"max","nan":"nan")") ==
        why("nan", "nan", "but float4e2m1 has no NaN", "float4e2m1"));
  CHECK(to("float4e2m1", R"("overflow":"infinity","inf":"infinity","nan":"zero_opposite")") ==
        "");  // next best: the largest
  CHECK(to("float16", R"("overflow":"wrap","inf":"max","nan":"nan")") ==
        why("overflow", "wrap", "but float16 is a float type", "float16"));
  CHECK(to("float16", R"("overflow":"saturate","inf":"max","nan":"nan")") ==
        why("overflow", "saturate", "but float16 is a float type", "float16"));
  CHECK(to("float16", R"("overflow":"max","inf":"saturate","nan":"nan")") ==
        why("inf", "saturate", "but float16 is a float type", "float16"));
  CHECK(to("float8e4m3fnuz", R"("overflow":"max","inf":"max","nan":"zero_opposite")") ==
        why("nan", "zero_opposite", "but float8e4m3fnuz has no negative zero", "float8e4m3fnuz"));
  for (const std::string any : {"int8", "int32", "uint64"}) {
    CHECK(to(any, R"("saturate_first":"int32","overflow":"wrap","inf":"as_overflow","nan":"zero")") == "");
  }
  CHECK(to("float16", R"("saturate_first":"int32","overflow":"max","inf":"max","nan":"nan")") ==
        R"(error: /rules/0/set/saturate_first: rule "all" sets "saturate_first", which none of its pairs has)");
  CHECK(to("int8", R"("overflow":"max","inf":"zero","nan":"zero")") ==
        why("overflow", "max", "but int8 is an integer type", "int8"));
  CHECK(to("int8", R"("overflow":"wrap","inf":"infinity","nan":"zero")") ==
        why("inf", "infinity", "but int8 has no infinity", "int8"));
  CHECK(to("int8", R"("overflow":"wrap","inf":"nan","nan":"zero")") ==
        why("inf", "nan", "but int8 has no NaN", "int8"));
  CHECK(to("int8", R"("overflow":"wrap","inf":"max","nan":"zero")") ==
        why("inf", "max", "but the ends of the integer type int8 are called \"saturate\"", "int8"));
  CHECK(to("int8", R"("overflow":"wrap","inf":"zero","nan":"nan")") ==
        why("nan", "nan", "but int8 has no NaN", "int8"));
  CHECK(to("int8", R"("overflow":"wrap","inf":"zero","nan":"zero_opposite")") ==
        why("nan", "zero_opposite", "but int8 has no negative zero", "int8"));
  CHECK(to("float8e8m0",
           R"("overflow":"max","inf":"zero","nan":"zero","negative":"clamp","zero":"min","underflow":"min")") ==
        why("inf", "zero", "but float8e8m0 has no zero", "float8e8m0") +
            "\nopsets/x.json:3:103: " + why("nan", "zero", "but float8e8m0 has no zero", "float8e8m0"));
}
