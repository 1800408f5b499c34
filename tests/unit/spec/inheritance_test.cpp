// How a later op-set version takes over, replaces and adds.
#include <catch2/catch_all.hpp>

#include "meanings.hpp"

using castforge::test::Meanings;
using castforge::test::Scratch;

namespace {

const std::string kParent = R"({"opset":"a","version":1,"operation":"cast","doc":"first",
"types":{"add":["float32","float16","int8"]},"pairs":"all","options":{"min_rank":1,"reject_empty":true},
"attributes":{"m":{"type":"enumeration","values":{"UP":3,"DOWN":7},"default":"DOWN"}},
"rules":[
{"id":"same","src":"any","dst":"same","set":{"same_type":"copy"}},
{"id":"float","src":"any","dst":"float",
"set":{"round":"nearest_even","overflow":"infinity","inf":"infinity","nan":"nan"}},
{"id":"up","src":"any","dst":"float","attr":{"m":3},"set":{"round":"ceil"}},
{"id":"integer","src":"any","dst":"integer",
"set":{"round":"toward_zero","overflow":"wrap","inf":"zero","nan":"zero"}}]})";

std::vector<std::filesystem::path> with_types(const Scratch& scratch) {
  std::vector<std::filesystem::path> paths = castforge::test::shipped_types();
  paths.push_back(scratch.root());
  return paths;
}

}  // namespace

TEST_CASE("a child replaces rules in place, by id, and appends the others") {
  const Scratch scratch{{"a1.json", kParent}, {"a2.json", R"({"opset":"a","version":2,"extends":1,"rules":[
{"id":"late","src":"any","dst":"float16","set":{"overflow":"max"}},
{"id":"float","src":"any","dst":"float","set":{"round":"odd","overflow":"nan","inf":"nan","nan":"nan"}}]})"}};
  const Meanings meanings(with_types(scratch));
  std::string ids;
  for (const auto& rule : meanings.model().find_opset("a@2")->rules) ids += rule.id + " ";
  CHECK(ids == "same float up integer late ");
  CHECK(meanings.says("a@2", "float32", "float16") == "round odd, overflow max, inf nan, nan nan");
  // "up" still comes after the replaced "float".
  CHECK(meanings.says("a@2", "float32", "float16", {{"m", "UP"}}) == "round ceil, overflow max, inf nan, nan nan");
  CHECK(meanings.says("a@1", "float32", "float16") == "round nearest_even, overflow infinity, inf infinity, nan nan");
}

TEST_CASE("what a child inherits and what it says anew") {
  const Scratch scratch{{"a1.json", kParent},
                        {"b.json",
                         R"({"opset":"b","version":"1.0","extends":"a@1","types":{"add":["int4"],"remove":["int8"]},
"options":{"min_rank":2},"attributes":{"n":{"type":"flag","default":0}},
"rules":[{"id":"int4","src":"any","dst":"int4","attr":{"n":1},"set":{"overflow":"saturate"}}]})"}};
  const Meanings meanings(with_types(scratch));
  const auto& child = *meanings.model().find_opset("b@1.0");
  CHECK(child.operation == "cast");
  CHECK(child.doc.empty());
  CHECK(child.options.at("min_rank") == "2");
  CHECK(child.options.at("reject_empty") == "true");
  std::string types;
  for (const auto* type : child.types) types += type->name + " ";
  CHECK(types == "float32 float16 int4 ");
  CHECK(child.pairs.size() == 9);
  REQUIRE(child.attributes.size() == 2);
  CHECK(child.attributes[0].name == "m");
  CHECK(child.attributes[0].numbers == std::vector<std::int64_t>{3, 7});
  CHECK(castforge::spec::print(child.attributes[0].values[child.attributes[0].default_index]) == "DOWN");
  CHECK(meanings.says("b@1.0", "float32", "int4") == "round toward_zero, overflow wrap, inf zero, nan zero");
  CHECK(meanings.says("b@1.0", "float32", "int4", {{"n", "1"}}) ==
        "round toward_zero, overflow saturate, inf zero, nan zero");
}

TEST_CASE("combinations of attribute values: the last attribute varies fastest") {
  const auto& onnx = *castforge::test::shipped().model().find_opset("onnx@25");
  CHECK(castforge::spec::combination_count(onnx) == 6);
  CHECK(castforge::spec::print_combination(onnx, 0) == "{saturate: 0, round_mode: up}");
  CHECK(castforge::spec::print_combination(onnx, 2) == "{saturate: 0, round_mode: nearest}");
  CHECK(castforge::spec::print_combination(onnx, 3) == "{saturate: 1, round_mode: up}");
  CHECK(castforge::spec::print_combination(*castforge::test::shipped().model().find_opset("onnx@13"), 0) == "{}");
}

TEST_CASE("attributes are wider that have all values of others, with the same numbers and default") {
  namespace spec = castforge::spec;
  using Kind = spec::Attribute::Kind;
  const auto opset = [](Kind kind, std::vector<spec::AttributeValue> values, std::vector<std::int64_t> numbers) {
    spec::OpSet made;
    made.attributes.emplace_back();
    made.attributes[0].name = "mode";
    made.attributes[0].kind = kind;
    made.attributes[0].values = std::move(values);
    made.attributes[0].numbers = std::move(numbers);
    return made;
  };
  const spec::OpSet two = opset(Kind::enumeration, {"UP", "DOWN"}, {3, 7});
  CHECK(spec::is_wider(two, two));
  CHECK(spec::is_wider(two, opset(Kind::enumeration, {"UP", "ODD", "DOWN"}, {3, 5, 7})));
  CHECK_FALSE(spec::is_wider(opset(Kind::enumeration, {"UP", "ODD", "DOWN"}, {3, 5, 7}), two));
  CHECK_FALSE(spec::is_wider(two, opset(Kind::enumeration, {"UP", "DOWN", "ODD"}, {3, 8, 7})));  // another number
  CHECK_FALSE(spec::is_wider(two, opset(Kind::enumeration, {"DOWN", "UP"}, {7, 3})));            // another default
  CHECK_FALSE(spec::is_wider(two, opset(Kind::string, {"UP", "DOWN"}, {})));
  CHECK(spec::is_wider(opset(Kind::string, {"UP"}, {}), opset(Kind::string, {"UP", "DOWN"}, {})));
  CHECK_FALSE(spec::is_wider(two, spec::OpSet{}));
}

TEST_CASE("listed pairs are inherited without the types that are removed") {
  const Scratch scratch{
      {"a.json", R"({"opset":"p","version":2,"extends":"pypto@8.5.0","types":{"remove":["int8","int64"]}})"}};
  const Meanings meanings({castforge::test::shipped_specs(), scratch.root()});
  CHECK(meanings.model().find_opset("p@2")->pairs.size() == 30 - 3 - 5);  // with int8: 3 pairs, with int64: 5
  CHECK(meanings.cell("p@2", "float16", "int8") == nullptr);
  CHECK(meanings.cell("p@2", "float16", "uint8") != nullptr);
}

TEST_CASE("a new type file gets cells in the open op-set and nowhere else") {
  const std::string e3m4 =
      R"({"name":"float8e3m4","id":1000,"kind":"float","signed":true,"exponent_bits":3,"mantissa_bits":4,
"exponent_bias":3,"subnormals":true,"infinity":true,"nan":"ieee","storage_bits":8})";
  const std::string e5m6 =
      R"({"name":"float12e5m6","id":1001,"kind":"float","signed":true,"exponent_bits":5,"mantissa_bits":6,
"exponent_bias":15,"subnormals":true,"infinity":true,"nan":"ieee","storage_bits":16})";
  const std::string e3m2 =
      R"({"name":"mine6e3m2","id":1002,"kind":"float","signed":true,"exponent_bits":3,"mantissa_bits":2,
"exponent_bias":3,"subnormals":true,"infinity":false,"nan":"none","storage_bits":8})";
  const std::string unsigned_float =
      R"({"name":"ufloat8e5m3","id":1003,"kind":"float","signed":false,"exponent_bits":5,"mantissa_bits":3,
"exponent_bias":15,"subnormals":true,"infinity":true,"nan":"top","storage_bits":8})";
  const std::string i12 =
      R"({"name":"int12","id":1004,"kind":"integer","signed":true,"bits":12,"storage_bits":16,"storage_fill":"sign"})";
  const Scratch scratch{{"types/a.json", e3m4},
                        {"types/b.json", e5m6},
                        {"types/c.json", e3m2},
                        {"types/d.json", unsigned_float},
                        {"types/e.json", i12}};
  const Meanings meanings({castforge::test::shipped_specs(), scratch.root()});
  CHECK(meanings.model().find_opset("castforge@1")->types.size() == 32);
  CHECK(meanings.model().find_opset("castforge@1")->pairs.size() == 32 * 32);
  CHECK(meanings.model().find_opset("onnx@25")->types.size() == 24);
  const std::map<std::string, std::string> hard = {{"saturate", "0"}};
  const auto says = [&](const std::string& src, const std::string& dst,
                        const std::map<std::string, std::string>& attributes = {}) {
    return meanings.says("castforge@1", src, dst, attributes);
  };
  CHECK(says("float32", "float8e3m4") == "round nearest_even, overflow max, inf max, nan nan");
  CHECK(says("float32", "float8e3m4", hard) == "round nearest_even, overflow infinity, inf infinity, nan nan");
  CHECK(says("float32", "float12e5m6") == "round nearest_even, overflow infinity, inf infinity, nan nan");
  CHECK(says("float32", "mine6e3m2", hard) == "round nearest_even, overflow infinity, inf infinity, nan max");
  CHECK(says("float32", "ufloat8e5m3") ==
        "round nearest_even, overflow max, inf max, nan nan, negative clamp, "
        "negative_test rounded");
  CHECK(says("float32", "ufloat8e5m3", hard) ==
        "round nearest_even, overflow infinity, inf infinity, nan nan, negative nan, negative_test rounded");
  CHECK(says("float8e3m4", "int12") == "round toward_zero, overflow wrap, inf zero, nan zero");
  CHECK(says("int12", "float8e3m4") == "round nearest_even, overflow max");
  CHECK(says("float8e3m4", "float8e3m4") == "inf max, same_type copy");
  CHECK(says("string", "float8e3m4") == "round nearest_even, overflow max, inf max, nan nan, parse decimal");
}
