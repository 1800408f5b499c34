// Every type spec that must be refused, with the complete message.
#include <catch2/catch_all.hpp>

#include <sys/stat.h>

#include "scratch.hpp"

using castforge::test::Scratch;

namespace {

/// A good float spec with one line replaced: `line` starts with the key whose line it takes; an empty `line` drops it.
std::string float_spec(const std::string& key, const std::string& line) {
  const std::vector<std::pair<std::string, std::string>> lines = {{"name", R"("name": "example")"},
                                                                  {"kind", R"("kind": "float", "id": 1000)"},
                                                                  {"signed", R"("signed": true)"},
                                                                  {"exponent_bits", R"("exponent_bits": 4)"},
                                                                  {"mantissa_bits", R"("mantissa_bits": 3)"},
                                                                  {"exponent_bias", R"("exponent_bias": 7)"},
                                                                  {"subnormals", R"("subnormals": true)"},
                                                                  {"infinity", R"("infinity": false)"},
                                                                  {"nan", R"("nan": "top")"},
                                                                  {"storage_bits", R"("storage_bits": 8)"}};
  std::string text = "{";
  std::string separator = "\n  ";
  const auto add = [&](const std::string& one) {
    if (one.empty()) return;
    text += separator + one;
    separator = ",\n  ";
  };
  bool replaced = false;
  for (const auto& [name, good] : lines) {
    add(name == key ? line : good);
    replaced = replaced || name == key;
  }
  if (!replaced) add(line);
  return text + "\n}\n";
}

std::string refuse_as_is(const std::string& json) { return Scratch{{"types/x.json", json}}.errors(); }

const std::string kMayShare = R"(; where several types may have such a name, its system says so: "shared_prefixes")";

std::vector<std::filesystem::path> systems() { return {castforge::test::shipped_specs() / "systems"}; }

/// The spec gets a number, at its end, where it moves nothing.
std::string refuse_type(std::string json) {
  const std::size_t end = json.rfind('}');
  if (end != std::string::npos && json.find("\"id\"") == std::string::npos) json.insert(end, ",\"id\":1000");
  return refuse_as_is(json);
}
std::string refuse_float(const std::string& key, const std::string& line) {
  return refuse_as_is(float_spec(key, line));
}
std::string at_type(const std::string& position, const std::string& message) {
  return "types/x.json:" + position + ": error: " + message;
}

}  // namespace

TEST_CASE("the spec that the rejections vary is good") { CHECK(refuse_float("", "") == ""); }

TEST_CASE("documents that are no spec") {
  CHECK(refuse_as_is("[]") == at_type("1:1", "/: expected an object, found an empty array"));
  CHECK(refuse_as_is("7") == at_type("1:1", "/: expected an object, found 7"));
  CHECK(refuse_as_is("{\n  \"name\": \"a\",\n  \"name\": \"b\"\n}") == at_type("3:3", "/name: duplicate key \"name\""));
  CHECK_THAT(
      refuse_as_is("{\n  \"name\": tru\n}"),
      Catch::Matchers::StartsWith(at_type("2:14", "/name: expected JSON, found a syntax error while parsing value")));
  CHECK_THAT(refuse_as_is(""), Catch::Matchers::StartsWith(at_type("1:1", "/: expected JSON, found a syntax error")));
  CHECK_THAT(refuse_as_is("{\"name\": \"a\"} x"),
             Catch::Matchers::StartsWith("types/x.json:1:15: error: /: expected JSON, found a syntax error"));
  CHECK(refuse_as_is(std::string(40, '[') + std::string(40, ']')) ==
        at_type("1:33", std::string([] {
                          std::string p;
                          for (int i = 0; i < 32; ++i) p += "/0";
                          return p;
                        }()) +
                            ": nested more than 32 levels deep"));
}

TEST_CASE("numbers of types") {
  const auto spec = [](const std::string& id) { return R"({"name":"x","kind":"bool","storage_bits":8)" + id + "}"; };
  CHECK(refuse_as_is(spec("")) == at_type("1:1", R"(/: missing key "id" for kind bool)"));
  CHECK(refuse_as_is(spec(R"(,"id":0)")) == "");
  CHECK(refuse_as_is(spec(R"(,"id":32767)")) == "");
  CHECK(refuse_as_is(spec(R"(,"id":-1)")) == at_type("1:49", R"(/id: "id" must be 0..32767 (got -1))"));
  CHECK(refuse_as_is(spec(R"(,"id":32768)")) == at_type("1:49", R"(/id: "id" must be 0..32767 (got 32768))"));
  CHECK(refuse_as_is(spec(R"(,"id":"7")")) == at_type("1:49", R"(/id: "id" must be 0..32767 (got "7"))"));
  const std::string other = R"({"name":"y","id":7,"kind":"bool","storage_bits":8})";
  CHECK(Scratch{{"types/x.json", spec(R"(,"id":7)")}, {"types/y.json", other}}.errors() ==
        "types/y.json:1:1: error: /: \"id\" 7 is the number of type \"x\" (types/x.json:1); 1000 is free");
  CHECK(Scratch{{"types/x.json", spec(R"(,"id":7)")},
                {"types/y.json", other},
                {"types/z.json", R"({"name":"z","id":1005,"kind":"string"})"}}
            .errors() ==
        "types/y.json:1:1: error: /: \"id\" 7 is the number of type \"x\" (types/x.json:1); 1006 is free");
  CHECK(Scratch{{"types/x.json", spec(R"(,"id":7)")},
                {"types/y.json", other},
                {"types/z.json", R"({"name":"z","id":32767,"kind":"string"})"}}
            .errors() ==
        "types/y.json:1:1: error: /: \"id\" 7 is the number of type \"x\" (types/x.json:1); 1000 is free");
}

TEST_CASE("keys of type specs") {
  CHECK(refuse_float("kind", R"("kind": "complex")") ==
        at_type("3:11", R"(/kind: "kind" must be one of float, integer, bool, string (got "complex"))"));
  CHECK(refuse_float("kind", "") == at_type("1:1", R"(/: missing key "kind")"));
  CHECK(refuse_float("name", R"("name": "Float8")") ==
        at_type("2:11", R"(/name: "name" must match [a-z][a-z0-9_]* (got "Float8"))"));
  CHECK(refuse_float("name", R"("name": 8)") == at_type("2:11", R"(/name: "name" must match [a-z][a-z0-9_]* (got 8))"));
  CHECK(refuse_float("name", R"("name": "small")") ==
        at_type("2:11", R"(/name: "name" "small" is a class word of rules and cannot name a type)"));
  CHECK(refuse_float("colour", R"("colour": "red")") ==
        at_type("12:3", R"(/colour: unknown key "colour" for kind float)"));
  CHECK(refuse_float("a/b", R"("a/b~": 1)") == at_type("12:3", R"(/a~1b~0: unknown key "a/b~" for kind float)"));
  CHECK(refuse_float("bits", R"("bits": 8)") == at_type("12:3", R"(/bits: unknown key "bits" for kind float)"));
  for (const std::string key : {"name", "signed", "exponent_bits", "mantissa_bits", "exponent_bias", "subnormals",
                                "infinity", "nan", "storage_bits"}) {
    CAPTURE(key);
    CHECK(refuse_float(key, "") == at_type("1:1", "/: missing key \"" + key + "\" for kind float"));
  }
  CHECK(refuse_float("doc", R"("doc": 3)") ==
        at_type("12:10", R"(/doc: "doc" must be a string or an array of strings (got 3))"));
  CHECK(refuse_float("doc", R"("doc": ["a", 3])") == at_type("12:16", R"(/doc/1: "doc" must hold strings (got 3))"));
  CHECK(refuse_float("cites", R"("cites": "OCP")") ==
        at_type("12:12", R"(/cites: "cites" must be an array of strings (got "OCP"))"));
  CHECK(refuse_float("cites", R"("cites": ["OCP", 1])") ==
        at_type("12:20", R"(/cites/1: "cites" must hold strings (got 1))"));
}

TEST_CASE("values of float specs") {
  CHECK(refuse_float("exponent_bits", R"("exponent_bits": true)") ==
        at_type("5:20", R"(/exponent_bits: "exponent_bits" must be 1..11 (got true))"));
  CHECK(refuse_float("exponent_bits", R"("exponent_bits": 0)") ==
        at_type("5:20", R"(/exponent_bits: "exponent_bits" must be 1..11 (got 0))"));
  CHECK(refuse_float("exponent_bits", R"("exponent_bits": 12)") ==
        at_type("5:20", R"(/exponent_bits: "exponent_bits" must be 1..11 (got 12))"));
  CHECK(refuse_float("mantissa_bits", R"("mantissa_bits": 1.5)") ==
        at_type("6:20", R"(/mantissa_bits: "mantissa_bits" must be 0..52 (got 1.5))"));
  CHECK(refuse_float("mantissa_bits", R"("mantissa_bits": 3.0)") ==
        at_type("6:20", R"(/mantissa_bits: "mantissa_bits" must be 0..52 (got 3.0))"));
  CHECK(refuse_float("mantissa_bits", R"("mantissa_bits": -1)") ==
        at_type("6:20", R"(/mantissa_bits: "mantissa_bits" must be 0..52 (got -1))"));
  CHECK(refuse_float("mantissa_bits", R"("mantissa_bits": 99999999999999999999)") ==
        at_type("6:20", R"(/mantissa_bits: "mantissa_bits" must be 0..52 (got 99999999999999999999))"));
  CHECK(refuse_float("signed", R"("signed": 1)") ==
        at_type("4:13", R"(/signed: "signed" must be true or false (got 1))"));
  CHECK(refuse_float("subnormals", R"("subnormals": "yes")") ==
        at_type("8:17", R"(/subnormals: "subnormals" must be true or false (got "yes"))"));
  CHECK(refuse_float("infinity", R"("infinity": null)") ==
        at_type("9:15", R"(/infinity: "infinity" must be true or false (got null))"));
  CHECK(refuse_float("nan", R"("nan": "some")") ==
        at_type("10:10", R"(/nan: "nan" must be one of ieee, top, negative_zero, none (got "some"))"));
  CHECK(refuse_float("nan", R"("nan": 1)") ==
        at_type("10:10", R"(/nan: "nan" must be one of ieee, top, negative_zero, none (got 1))"));
  CHECK(refuse_float("exponent_bias", R"("exponent_bias": 5000)") ==
        at_type("7:20", R"(/exponent_bias: "exponent_bias" must be -1022..1075 (got 5000))"));
  CHECK(refuse_float("exponent_bias", R"("exponent_bias": -1023)") ==
        at_type("7:20", R"(/exponent_bias: "exponent_bias" must be -1022..1075 (got -1023))"));
}

TEST_CASE("storage of floats") {
  CHECK(refuse_float("exponent_bits", R"("exponent_bits": 5)") ==
        at_type("11:19", "/storage_bits: sign 1 + exponent 5 + mantissa 3 = 9 bits do not fit in storage_bits 8"));
  CHECK(refuse_type(float_spec("mantissa_bits", R"("mantissa_bits": 4, "x": 0)")) ==
        at_type("6:23", "/x: unknown key \"x\" for kind float") + "\n" +
            at_type("11:19", "/storage_bits: sign 1 + exponent 4 + mantissa 4 = 9 bits do not fit in storage_bits 8"));
  CHECK(refuse_float("storage_bits", R"("storage_bits": 12)") ==
        at_type("11:19",
                "/storage_bits: sign 1 + exponent 4 + mantissa 3 = 8 bits do not fill storage_bits 12: elements that "
                "are not 8, 16, 32 or 64 bits wide must use all of their bits"));
  CHECK(refuse_float("storage_bits", R"("storage_bits": 65)") ==
        at_type("11:19", R"(/storage_bits: "storage_bits" must be 1..64 (got 65))"));
  CHECK(refuse_float("storage_bits", R"("storage_bits": 0)") ==
        at_type("11:19", R"(/storage_bits: "storage_bits" must be 1..64 (got 0))"));
  CHECK(refuse_float("storage_bits", R"("storage_bits": 4)") ==
        at_type("11:19", "/storage_bits: sign 1 + exponent 4 + mantissa 3 = 8 bits do not fit in storage_bits 4"));
  CHECK(
      refuse_type(R"({"name":"x","kind":"float","signed":true,"exponent_bits":2,"mantissa_bits":0,"exponent_bias":1,
"subnormals":true,"infinity":false,"nan":"none","storage_bits":4})") ==
      at_type("2:64",
              "/storage_bits: sign 1 + exponent 2 + mantissa 0 = 3 bits do not fill storage_bits 4: elements that are "
              "not 8, 16, 32 or 64 bits wide must use all of their bits"));
  CHECK(refuse_float("storage_align", R"("storage_align": "middle")") ==
        at_type("12:20", R"(/storage_align: "storage_align" must be one of low, high (got "middle"))"));
}

TEST_CASE("special codes that contradict each other") {
  CHECK(refuse_float("nan", R"("nan": "ieee")") ==
        at_type("10:10",
                R"(/nan: "nan": "ieee" needs "infinity": true (exponent all ones, mantissa 0 would be a stray finite )"
                R"(value))"));
  CHECK(refuse_type(R"({"name":"x","kind":"float","signed":true,"exponent_bits":7,"mantissa_bits":0,"exponent_bias":63,
"subnormals":true,"infinity":true,"nan":"ieee","storage_bits":8})") ==
        at_type("2:41",
                R"(/nan: "nan": "ieee" needs mantissa_bits of at least 1 (beside infinity no code is left for NaN))"));
  CHECK(refuse_type(R"({"name":"x","kind":"float","signed":true,"exponent_bits":1,"mantissa_bits":6,"exponent_bias":1,
"subnormals":true,"infinity":true,"nan":"ieee","storage_bits":8})") ==
        at_type("2:41",
                R"(/nan: "nan": "ieee" needs exponent_bits of at least 2 (the only other one is that of subnormals))"));
  CHECK(refuse_type(R"({"name":"x","kind":"float","signed":false,"exponent_bits":5,"mantissa_bits":3,"exponent_bias":15,
"subnormals":true,"infinity":false,"nan":"negative_zero","storage_bits":8})") ==
        at_type("2:42", R"(/nan: "nan": "negative_zero" needs a signed type)"));
  CHECK(refuse_type(R"({"name":"x","kind":"float","signed":true,"exponent_bits":7,"mantissa_bits":0,"exponent_bias":63,
"subnormals":false,"infinity":false,"nan":"negative_zero","storage_bits":8})") ==
        at_type("2:43", R"(/nan: "nan": "negative_zero" needs a type with zero)"));
  CHECK(refuse_type(R"({"name":"x","kind":"float","signed":true,"exponent_bits":7,"mantissa_bits":0,"exponent_bias":63,
"subnormals":false,"infinity":false,"nan":"none","storage_bits":8})") ==
        at_type("1:37", "/signed: a signed type without zero is not supported"));
  CHECK(refuse_float("subnormals", R"("subnormals": false)") == "");
  CHECK(
      refuse_type(R"({"name":"x","kind":"float","signed":true,"exponent_bits":11,"mantissa_bits":4,"exponent_bias":1022,
"subnormals":false,"infinity":true,"nan":"ieee","storage_bits":16})") ==
      at_type("1:95",
              R"(/exponent_bias: "subnormals": false needs an exponent_bias of at most 1021 beside a mantissa: )"
              "half of the smallest number has to be a normal float64"));
  const std::string tiny = "/: fewer than two finite nonzero values are left after the special codes";
  CHECK(refuse_type(R"({"name":"x","kind":"float","signed":false,"exponent_bits":1,"mantissa_bits":0,"exponent_bias":0,
"subnormals":true,"infinity":false,"nan":"none","storage_bits":1,"packing":"low_first"})") == at_type("1:1", tiny));
  CHECK(refuse_type(R"({"name":"x","kind":"float","signed":false,"exponent_bits":2,"mantissa_bits":0,"exponent_bias":0,
"subnormals":true,"infinity":true,"nan":"top","storage_bits":2})") == at_type("1:1", tiny));
  CHECK(refuse_type(R"({"name":"x","kind":"float","signed":true,"exponent_bits":1,"mantissa_bits":0,"exponent_bias":0,
"subnormals":true,"infinity":true,"nan":"negative_zero","storage_bits":2})") == at_type("1:1", tiny));
}

TEST_CASE("values that float64 cannot hold") {
  CHECK(refuse_float("exponent_bias", R"("exponent_bias": 1075)") ==
        at_type("7:20",
                "/exponent_bias: not exactly representable in float64: the smallest value above zero is 2^-1077, below "
                "2^-1074"));
  CHECK(
      refuse_float("exponent_bias", R"("exponent_bias": -1010)") ==
      at_type(
          "7:20",
          "/exponent_bias: not exactly representable in float64: the largest value is at least 2^1025, beyond 2^1023"));
  CHECK(refuse_float("exponent_bias", R"("exponent_bias": 1072)") == "");   // unit 2^-1074
  CHECK(refuse_float("exponent_bias", R"("exponent_bias": -1008)") == "");  // top binade 2^1023
  // P3109 binary16p1: exponents beyond float64.
  CHECK(refuse_type(
            R"({"name":"x","kind":"float","signed":true,"exponent_bits":15,"mantissa_bits":0,"exponent_bias":16384,
"subnormals":true,"infinity":true,"nan":"negative_zero","storage_bits":16})") ==
        at_type("1:58", R"(/exponent_bits: "exponent_bits" must be 1..11 (got 15))") + "\n" +
            at_type("1:95", R"(/exponent_bias: "exponent_bias" must be -1022..1075 (got 16384))"));
}

TEST_CASE("facts that the encoding does not bear out") {
  CHECK(refuse_float("facts", R"("facts": {"max_finite": "480"})") ==
        at_type("12:27", R"(/facts/max_finite: fact "max_finite" says 480 but the encoding gives 448)"));
  CHECK(refuse_float("facts", R"("facts": {"max_finite": 480})") ==
        at_type("12:27", R"(/facts/max_finite: fact "max_finite" says 480 but the encoding gives 448)"));
  CHECK(refuse_float("facts", R"("facts": {"max_finite": 448, "min_positive": "0x1p-9", "value_bits": 8})") == "");
  CHECK(refuse_float("facts", R"("facts": {"max_finite": "4.48e2", "min_positive": 0.001953125})") == "");
  CHECK(refuse_float("facts", R"("facts": {"min_positive": "0x1p-10"})") ==
        at_type("12:29", R"(/facts/min_positive: fact "min_positive" says 0x1p-10 but the encoding gives 0x1p-9)"));
  CHECK(refuse_float("facts", R"("facts": {"value_bits": 7})") ==
        at_type("12:27", R"(/facts/value_bits: fact "value_bits" says 7 but the encoding gives 8)"));
  CHECK(refuse_float("facts", R"("facts": {"max": 448})") ==
        at_type("12:13", R"(/facts/max: unknown fact "max" for kind float)"));
  CHECK(
      refuse_float("facts", R"("facts": {"max_finite": "448x"})") ==
      at_type(
          "12:27",
          R"(/facts/max_finite: fact "max_finite" must be a number or a string like "448" or "0x1p-9" (got "448x"))"));
  CHECK(refuse_float("facts", R"("facts": [448])") ==
        at_type("12:12", R"(/facts: "facts" must be an object (got an array))"));
}

TEST_CASE("canonical NaN codes") {
  CHECK(refuse_float("canonical_nan", R"("canonical_nan": "0x78")") ==
        at_type("12:20", R"(/canonical_nan: "canonical_nan" 0x78 is not a NaN code of this type)"));
  CHECK(refuse_float("canonical_nan", R"("canonical_nan": 120)") ==
        at_type("12:20", R"(/canonical_nan: "canonical_nan" 0x78 is not a NaN code of this type)"));
  CHECK(refuse_float("canonical_nan", R"("canonical_nan": "0xFF")") ==
        at_type("12:20", R"(/canonical_nan: "canonical_nan" 0xFF is not a positive NaN code of this type)"));
  CHECK(refuse_float("canonical_nan", R"("canonical_nan": "7F")") ==
        at_type("12:20", R"(/canonical_nan: "canonical_nan" must be a code, as a number or as "0x7F" (got "7F"))"));
  CHECK(refuse_float("canonical_nan", R"("canonical_nan": "0x7F")") == "");
  CHECK(refuse_type(R"({"name":"x","kind":"float","signed":true,"exponent_bits":2,"mantissa_bits":1,"exponent_bias":1,
"subnormals":true,"infinity":false,"nan":"none","storage_bits":4,"canonical_nan":"0x7"})") ==
        at_type("2:82", R"(/canonical_nan: "canonical_nan" needs a type with NaN)"));
}

TEST_CASE("integers, bool and string") {
  const auto integer = [](const std::string& rest) {
    return refuse_type(R"({"name":"x","kind":"integer",)" + rest + "}");
  };
  CHECK(integer(R"("signed":true,"bits":4,"storage_bits":4)") == "");
  CHECK(integer(R"("signed":true,"bits":9,"storage_bits":8)") ==
        at_type("1:68", "/storage_bits: 9 bits do not fit in storage_bits 8"));
  CHECK(integer(R"("signed":true,"bits":0,"storage_bits":8)") ==
        at_type("1:51", R"(/bits: "bits" must be 1..64 (got 0))"));
  CHECK(integer(R"("signed":true,"bits":65,"storage_bits":64)") ==
        at_type("1:51", R"(/bits: "bits" must be 1..64 (got 65))"));
  CHECK(integer(R"("signed":true,"bits":1,"storage_bits":8)") ==
        at_type("1:51", "/bits: a signed integer needs at least 2 bits"));
  CHECK(
      integer(R"("signed":true,"bits":3,"storage_bits":4)") ==
      at_type(
          "1:68",
          "/storage_bits: 3 bits do not fill storage_bits 4: elements that are not 8, 16, 32 or 64 bits wide must use "
          "all of their bits"));
  CHECK(integer(R"("signed":true,"bits":3,"storage_bits":3)") == "");
  CHECK(integer(R"("signed":true,"bits":24,"storage_bits":24)") == "");
  CHECK(integer(R"("signed":true,"bits":63,"storage_bits":63)") == "");
  CHECK(integer(R"("signed":true,"bits":6,"storage_bits":0)") ==
        at_type("1:68", R"(/storage_bits: "storage_bits" must be 1..64 (got 0))"));
  CHECK(integer(R"("signed":true,"bits":6,"storage_bits":65)") ==
        at_type("1:68", R"(/storage_bits: "storage_bits" must be 1..64 (got 65))"));
  CHECK(integer(R"("signed":false,"bits":1,"storage_bits":1,"packing":"high_first")") == "");
  CHECK(integer(R"("signed":false,"bits":1,"storage_bits":1)") ==
        at_type("1:1", R"(/: missing key "packing" for kind integer)"));
  CHECK(integer(R"("signed":false,"bits":1,"storage_bits":1,"packing":"low_first")") == "");
  const std::string one_bit =
      R"({"name":"f1","id":1000,"kind":"float","signed":false,"exponent_bits":1,)"
      R"("mantissa_bits":0,"exponent_bias":0,"subnormals":false,"infinity":false,"nan":"none",)";
  CHECK(refuse_as_is(one_bit + R"("storage_bits":1})") == at_type("1:1", R"(/: missing key "packing" for kind float)"));
  CHECK(refuse_as_is(one_bit + R"("storage_bits":1,"packing":"low_first"})") == "");
  CHECK(integer(R"("signed":false,"bits":2,"storage_bits":2,"packing":"low_first")") == "");
  CHECK(integer(R"("signed":false,"bits":2,"storage_bits":2,"packing":"high_first")") == "");
  CHECK(integer(R"("signed":false,"bits":4,"storage_bits":4,"packing":"high_first")") == "");
  CHECK(integer(R"("signed":false,"bits":6,"storage_bits":6,"packing":"low_first")") == "");
  CHECK(integer(R"("signed":false,"bits":6,"storage_bits":6,"packing":"high_first")") ==
        at_type("1:81",
                R"(/packing: "packing" "high_first" needs storage_bits 1, 2 or 4, as other elements reach from one )"
                "byte into the next (got 6)"));
  CHECK(integer(R"("signed":false,"bits":8,"storage_bits":8,"packing":"low_first")") ==
        at_type("1:81", R"(/packing: "packing" needs elements that share bytes: storage_bits other than 8, 16, 32, 64 )"
                        "(got 8)"));
  CHECK(integer(R"("signed":false,"bits":1,"storage_bits":1,"packing":"msb")") ==
        at_type("1:81", R"(/packing: "packing" must be one of low_first, high_first (got "msb"))"));
  CHECK(integer(R"("signed":false,"bits":6,"storage_bits":8,"storage_fill":"sign")") ==
        at_type("1:86", R"(/storage_fill: "storage_fill": "sign" needs a signed type)"));
  CHECK(integer(R"("signed":true,"bits":6,"storage_bits":8,"storage_fill":"one")") ==
        at_type("1:85", R"(/storage_fill: "storage_fill" must be one of sign, zero (got "one"))"));
  CHECK(integer(R"("signed":true,"bits":6,"storage_bits":8,"storage_fill":"sign","storage_align":"high")") ==
        at_type("1:85", R"(/storage_fill: "storage_fill": "sign" needs "storage_align": "low")"));
  CHECK(integer(R"("signed":true,"bits":8,"storage_bits":8,"mantissa_bits":3)") ==
        at_type("1:70", R"(/mantissa_bits: unknown key "mantissa_bits" for kind integer)"));
  CHECK(integer(R"("signed":true,"storage_bits":8)") == at_type("1:1", R"(/: missing key "bits" for kind integer)"));
  CHECK(integer(R"("signed":true,"bits":8,"storage_bits":8,"facts":{"max_finite":127,"min_positive":"1"})") == "");
  CHECK(integer(R"("signed":true,"bits":64,"storage_bits":64,"facts":{"max_finite":"9223372036854775807"})") == "");
  CHECK(integer(R"("signed":true,"bits":64,"storage_bits":64,"facts":{"max_finite":"9223372036854775808"})") ==
        at_type("1:94", R"(/facts/max_finite: fact "max_finite" says 9223372036854775808 but the encoding gives )"
                        "9223372036854775807"));
  CHECK(integer(R"("signed":true,"bits":8,"storage_bits":8,"facts":{"min_positive":1.5})") ==
        at_type("1:94", R"(/facts/min_positive: fact "min_positive" must be a whole number, digits alone (got 1.5))"));
  CHECK(refuse_type(R"({"name":"x","id":1002,"kind":"bool","storage_bits":8,"facts":{"max_finite":1}})") ==
        at_type("1:63", R"(/facts/max_finite: unknown fact "max_finite" for kind bool)"));
  CHECK(refuse_type(R"({"name":"x","kind":"bool","storage_bits":1})") ==
        at_type("1:42", R"(/storage_bits: "storage_bits" must be 8 for kind bool (got 1))"));
  CHECK(refuse_type(R"({"name":"x","kind":"bool","storage_bits":8,"signed":true})") ==
        at_type("1:44", R"(/signed: unknown key "signed" for kind bool)"));
  CHECK(refuse_type(R"({"name":"x","kind":"string","storage_bits":8})") ==
        at_type("1:29", R"(/storage_bits: unknown key "storage_bits" for kind string)"));
}

TEST_CASE("names and aliases across files") {
  const auto spec = [](const std::string& name, const std::string& aliases) {
    return R"({"name":")" + name + R"(","kind":"integer","signed":true,"bits":8,"storage_bits":8,
"aliases":)" +
           aliases + (name == "a" ? R"(,"id":1000})" : R"(,"id":1001})");
  };
  CHECK(Scratch{{"types/a.json", spec("a", "{}")}, {"types/b.json", spec("a", "{}")}}.errors() ==
        "types/b.json:1:1: error: /: type \"a\" is already defined at types/a.json:1");
  CHECK(Scratch{{"types/a.json", spec("a", R"({"s":"Short"})")}, {"types/b.json", spec("b", R"({"t":["x","SHORT"]})")}}
            .errors() ==
        "types/b.json:2:21: error: /aliases/t/1: alias \"SHORT\" already names type \"a\" (types/a.json:1)");
  CHECK(Scratch{{"types/a.json", spec("a", "{}")}, {"types/b.json", spec("b", R"({"t":"A"})")}}.errors() ==
        "types/b.json:2:16: error: /aliases/t: alias \"A\" already names type \"a\" (types/a.json:1)");
  // Descriptors and numbers are not names that a user types; they may repeat where no spec describes their system.
  CHECK(Scratch{{"types/a.json", spec("a", R"({"numpy":"<V1","e":3})")},
                {"types/b.json", spec("b", R"({"numpy":"<V1","e":3})")}}
            .errors() == "");
  CHECK(refuse_type(spec("a", R"({"s":1.5})")) ==
        at_type("2:16", "/aliases/s: an alias must be a name or a number (got 1.5)"));
  CHECK(refuse_type(spec("a", R"({"S":"x"})")) ==
        at_type("2:12", R"(/aliases/S: a system of aliases must match [a-z][a-z0-9_]* (got "S"))"));
  CHECK(refuse_type(spec("a", "7")) ==
        at_type("2:11", R"(/aliases: "aliases" must be an object of system: name (got 7))"));
}

TEST_CASE("texts that comments and tables cannot hold") {
  const std::string control = "expected text without control characters, found ";
  const std::string backslash = "expected no word that ends in a backslash, which joins two lines of C++";
  CHECK(refuse_float("doc", R"("doc": "a\u0001b")") == at_type("12:10", "/doc: " + control + R"("\u0001")"));
  CHECK(refuse_float("doc", R"("doc": ["a", "b\nc"])") == at_type("12:16", "/doc/1: " + control + R"("\n")"));
  CHECK(refuse_float("cites", R"("cites": ["OCP", "\u007F"])") ==
        at_type("12:20", "/cites/1: " + control + R"("\u007F")"));
  CHECK(refuse_float("aliases", R"("aliases": {"s": "a\tb"})") ==
        at_type("12:20", "/aliases/s: " + control + R"("\u0009")"));
  CHECK(refuse_float("aliases", "\"aliases\": {\"s\": \"\xC3\xBC\"}") ==
        at_type("12:20", "/aliases/s: expected a name of printable ASCII characters, found others"));
  CHECK(refuse_float("doc", R"("doc": "a\\")") == at_type("12:10", "/doc: " + backslash));
  CHECK(refuse_float("doc", R"("doc": ["a\\ b", "c"])") == at_type("12:11", "/doc/0: " + backslash));
  CHECK(refuse_float("doc", "\"doc\": \"a\\\\b \xC3\xBC\"") == "");
}

TEST_CASE("what is quoted ends and breaks no message") {
  CHECK(refuse_float("name", R"("name": "a\u0000b", "colour\n": 1, "colour\u001b": 2)") ==
        at_type("2:11", R"(/name: "name" must match [a-z][a-z0-9_]* (got "a\u0000b"))") + "\n" +
            at_type("2:23", R"(/colour\n: unknown key "colour\n" for kind float)") + "\n" +
            at_type("2:38", R"(/colour\u001B: unknown key "colour\u001B" for kind float)"));
  // Paths as everywhere: whatever acts on a terminal, such as what turns the direction of writing, is bytes.
  CHECK(Scratch{{"types/a\nb.json", "[]"}, {"types/c\x1b.json", "[]"}, {"types/d\u202e\u202c.json", "[]"}}.errors() ==
        "types/a\\x0Ab.json:1:1: error: /: expected an object, found an empty array\n"
        "types/c\\x1B.json:1:1: error: /: expected an object, found an empty array\n"
        "types/d\\xE2\\x80\\xAE\\xE2\\x80\\xAC.json:1:1: error: /: expected an object, found an empty array");
}

TEST_CASE("names that files and kernels cannot have") {
  const auto name = [](const std::string& name) { return refuse_float("name", "\"name\": \"" + name + "\""); };
  CHECK(name(std::string(64, 'a')) == "");
  CHECK(name(std::string(65, 'a')) == at_type("2:11", R"(/name: "name" must have at most 64 characters (got 65))"));
  CHECK(name("bool_") ==
        at_type("2:11", R"(/name: "name" must not end in "_", as names do that C++ has taken (got "bool_"))"));
  for (const std::string bad : {"a_to_b", "to_b", "a_to", "to"}) {
    CHECK(name(bad) ==
          at_type("2:11", R"(/name: "name" must not have the word "to", as kernels are called SRC_to_DST (got ")" +
                              bad + "\")"));
  }
  // Its kernels would have the names and files of others: a__rne_to_b__max, from_a__wrapping.hpp.
  for (const std::string bad : {"a__b", "float32__exact", "a___b"}) {
    CHECK(name(bad) ==
          at_type("2:11",
                  R"(/name: "name" must not have "__", as kernels are called SRC_to_DST__RULE (got ")" + bad + "\")"));
  }
  for (const std::string good : {"tomato", "a_too", "into_b", "a_b_c"}) CHECK(name(good) == "");
}

TEST_CASE("aliases that programs read") {
  const auto spec = [](const std::string& name, const std::string& aliases) {
    return R"({"name":")" + name + R"(","kind":"integer","signed":true,"bits":8,"storage_bits":8,
"aliases":{)" +
           aliases + (name == "a" ? R"(},"id":1000})" : R"(},"id":1001})");
  };
  const auto alias = [&](const std::string& aliases) {
    return Scratch{{"types/x.json", spec("a", aliases)}}.errors(systems());
  };
  const std::string number = "must be a number 0..2147483647 (got ";
  CHECK(alias(R"("onnx_enum":[0,2147483647],"pypto_enum":90,"numpy":["<f4","|V1","<V16","<U8"],"dlpack":"17,255")") ==
        "");
  CHECK(alias(R"("onnx_enum":99999999999)") ==
        at_type("2:24", "/aliases/onnx_enum: an alias of onnx_enum " + number + "\"99999999999\")"));
  CHECK(alias(R"("onnx_enum":"FLOAT")") ==
        at_type("2:24", "/aliases/onnx_enum: an alias of onnx_enum " + number + "\"FLOAT\")"));
  CHECK(alias(R"("pypto_enum":"01")") ==
        at_type("2:25", "/aliases/pypto_enum: an alias of pypto_enum " + number + "\"01\")"));
  for (const std::string bad : {"garbage", "f4", ">f4", "<f", "<f0", "<x4", "<f4 ", "<V123456789"}) {
    CHECK(alias("\"numpy\":\"" + bad + "\"") ==
          at_type("2:20", R"(/aliases/numpy: an alias of numpy must be a type of NumPy such as "<f4" or "|V1" (got ")" +
                              bad + "\")"));
  }
  for (const std::string bad : {"2", "2,", ",8", "2,0", "256,8", "2,256", "2,8,1", "2, 8"}) {
    CHECK(alias("\"dlpack\":\"" + bad + "\"") ==
          at_type("2:21",
                  R"(/aliases/dlpack: an alias of dlpack must be code and bits such as "2,32", both below 256 (got ")" +
                      bad + "\")"));
  }
  // One type each, but for the bytes of numpy.
  const auto both = [&](const std::string& aliases) {
    return Scratch{{"types/a.json", spec("a", aliases)}, {"types/b.json", spec("b", aliases)}}.errors(systems());
  };
  CHECK(both(R"("onnx_enum":99)") ==
        R"(types/b.json:2:24: error: /aliases/onnx_enum: alias "99" of onnx_enum already names type "a" )"
        "(types/a.json:1)" +
            kMayShare);
  CHECK(both(R"("numpy":"<i1")") ==
        R"(types/b.json:2:20: error: /aliases/numpy: alias "<i1" of numpy already names type "a" (types/a.json:1))" +
            kMayShare);
  CHECK(both(R"("dlpack":"99,8")").find(R"(alias "99,8" of dlpack already names type "a")") != std::string::npos);
  CHECK(both(R"("pypto_enum":99)").find(R"(alias "99" of pypto_enum already names type "a")") != std::string::npos);
  CHECK(both(R"("numpy":["<V1","|V1"])") == "");
  // What is added is to blame, not what is known to be good.
  const Scratch own{{"types/a.json", spec("a", R"("onnx_enum":16)")}};
  CHECK_THROWS_WITH(
      castforge::spec::load({castforge::test::shipped_specs(), own.root()}, {}, 1),
      Catch::Matchers::ContainsSubstring("types/a.json:2:24: error: /aliases/onnx_enum: alias \"16\" of onnx_enum "
                                         "already names type \"bfloat16\""));
}

TEST_CASE("what is called like a spec and is no file") {
  const Scratch scratch{{"types/x.json", R"({"name":"x","id":1000,"kind":"bool","storage_bits":8})"}};
  const auto is_refused = [&](const std::string& name, const std::string& found) {
    const auto path = scratch.root() / "types" / name;
    CHECK_THROWS_WITH(scratch.errors(), path.string() + ": expected a spec, found " + found);
    std::filesystem::remove(path);
    CHECK(scratch.errors() == "");
  };
  std::filesystem::create_directory(scratch.root() / "types/dir.json");
  is_refused("dir.json", "a folder");
  std::filesystem::create_symlink("nowhere", scratch.root() / "types/gone.json");
  is_refused("gone.json", "a link that leads nowhere");
  std::filesystem::create_symlink("self.json", scratch.root() / "types/self.json");
  is_refused("self.json", "a link that leads nowhere");
  REQUIRE(::mkfifo((scratch.root() / "types/pipe.json").c_str(), 0600) == 0);
  is_refused("pipe.json", "no regular file");
  // Other names are none of ours, nor are the marks of editors.
  std::filesystem::create_directory(scratch.root() / "types/dir");
  std::filesystem::create_symlink("who@where.1", scratch.root() / "types/.#x.json");
  CHECK(scratch.errors() == "");
  std::filesystem::create_symlink("x.json", scratch.root() / "types/y.json");  // the same file again
  CHECK(scratch.errors() == "");
  const Scratch loud{{"types/X.JSON", "[]"}};
  CHECK_THROWS_WITH(loud.errors(),
                    (loud.root() / "types/X.JSON").string() + ": the names of specs end in .json, in small letters");
}

TEST_CASE("several mistakes are reported together, in order of place") {
  CHECK(refuse_type("{\n\"name\": \"X\",\n\"kind\": \"float\",\n\"bogus\": 1}") ==
        at_type("1:1", R"(/: missing key "signed" for kind float)") + "\n" +
            at_type("1:1", R"(/: missing key "exponent_bits" for kind float)") + "\n" +
            at_type("1:1", R"(/: missing key "mantissa_bits" for kind float)") + "\n" +
            at_type("1:1", R"(/: missing key "exponent_bias" for kind float)") + "\n" +
            at_type("1:1", R"(/: missing key "subnormals" for kind float)") + "\n" +
            at_type("1:1", R"(/: missing key "infinity" for kind float)") + "\n" +
            at_type("1:1", R"(/: missing key "nan" for kind float)") + "\n" +
            at_type("1:1", R"(/: missing key "storage_bits" for kind float)") + "\n" +
            at_type("2:9", R"(/name: "name" must match [a-z][a-z0-9_]* (got "X"))") + "\n" +
            at_type("4:1", R"(/bogus: unknown key "bogus" for kind float)"));
}

TEST_CASE("rounding modes") {
  const auto rounding = [](const std::string& text) { return Scratch{{"roundings/r.json", text}}.errors(); };
  const auto where = [](const std::string& position, const std::string& message) {
    return "roundings/r.json:" + position + ": error: " + message;
  };
  CHECK(rounding(R"({"name":"away","short":"raz","carry":"0111 0111 0111 0111"})") == "");
  CHECK(rounding(R"({"name":"away","short":"raz","carry":"0111011101110111"})") ==
        where("1:38", R"(/carry: "carry" must be four groups of four digits 0 or 1 like "0001 0011 0001 0011" (got )"
                      R"("0111011101110111"))"));
  CHECK(rounding(R"({"name":"away","short":"raz","carry":"0111 0111 0111 0112"})") ==
        where("1:38",
              R"(/carry: "carry" must be four groups of four digits 0 or 1 like "0001 0011 0001 0011" (got "0111 0111 )"
              R"(0111 0112"))"));
  CHECK(rounding(R"({"name":"away","short":"raz","carry":"1111 0111 0111 0111"})") ==
        where("1:38",
              R"(/carry: "carry" moves exact values: the first digit of every group must be 0 (got "1111 0111 0111 )"
              R"(0111"))"));
  CHECK(rounding(R"({"name":"away","carry":"0111 0111 0111 0111"})") ==
        where("1:1", R"(/: missing key "short" for a rounding mode)"));
  CHECK(rounding(R"({"name":"Away","short":"exact","carry":"0111 0111 0111 0111","x":1})") ==
        where("1:9", R"(/name: "name" must match [a-z][a-z0-9_]* (got "Away"))") + "\n" +
            where("1:24", R"(/short: "short" "exact" is taken by conversions without rounding)") + "\n" +
            where("1:62", R"(/x: unknown key "x" for a rounding mode)"));
  for (const std::string taken : {"bits", "converted", "integral", "integralmax"}) {
    CHECK(rounding(R"({"name":"away","short":")" + taken + R"(","carry":"0111 0111 0111 0111"})") ==
          where("1:24", "/short: \"short\" \"" + taken + "\" is taken by other parts of kernels' names"));
  }
  CHECK(rounding(R"({"name":"away","short":"rne_max","carry":"0111 0111 0111 0111"})") ==
        where("1:24", R"(/short: "short" must match [a-z][a-z0-9]* (got "rne_max"))"));
  CHECK(rounding("{\"name\":\"" + std::string(65, 'a') + R"(","short":"raz","carry":"0111 0111 0111 0111"})") ==
        where("1:9", R"(/name: "name" must have at most 64 characters (got 65))"));
  const std::string other = R"({"name":"other","short":"away","carry":"0000 0000 0000 0000"})";
  CHECK(Scratch{{"roundings/a.json", R"({"name":"away","short":"raz","carry":"0111 0111 0111 0111"})"},
                {"roundings/b.json", other}}
            .errors() ==
        "roundings/b.json:1:1: error: /: rounding mode name \"away\" is already taken at roundings/a.json:1");
}

TEST_CASE("files directly in a folder are told apart by content") {
  CHECK(Scratch{{"x.json", R"({"name":"x","id":1000,"kind":"bool","storage_bits":8})"},
                {"y.json", R"({"name":"y","short":"ry","carry":"0000 0000 0000 0000"})"}}
            .errors() == "");
  CHECK(Scratch{{"x.json", "{}"}}.errors() ==
        "x.json:1:1: error: /: expected a spec: an object with the key \"kind\" (a type), \"carry\" (a rounding mode), "
        "\"opset\" or \"system\", found none of them");
  CHECK(Scratch{{"x.json", "[]"}}.errors() == "x.json:1:1: error: /: expected an object, found an empty array");
  CHECK_THROWS_AS(castforge::spec::load({"/nowhere/specs"}), castforge::spec::Unreadable);
  const Scratch empty;
  CHECK_THROWS_AS(castforge::spec::load({empty.root()}), castforge::spec::Unreadable);
}
