// The JSON Schemas for editors list the words that the loader knows, and describe every field.
#include <catch2/catch_all.hpp>

#include <nlohmann/json.hpp>

#include <regex>
#include <set>

#include "scratch.hpp"
#include "spec/options.hpp"
#include "spec/selectors.hpp"
#include "spec/words.hpp"

using nlohmann::json;

namespace {

json schema(const std::string& name) {
  std::ifstream file(castforge::test::shipped_specs() / "schema" / (name + ".schema.json"));
  return json::parse(file);
}

std::set<std::string> strings(const json& list) { return list.get<std::set<std::string>>(); }

template <class Range>
std::set<std::string> as_set(const Range& range) {
  std::set<std::string> set;
  for (const auto& word : range) set.emplace(word);
  return set;
}

/// Every entry of every "properties" has a title and a description.
void check_described(const json& node, const std::string& where) {
  if (!node.is_object()) return;
  for (const auto& [key, value] : node.items()) {
    if (key == "properties") {
      for (const auto& [name, property] : value.items()) {
        if (property.contains("const") || property.size() == 1) continue;  // a condition
        CAPTURE(where, name);
        CHECK((property.contains("title") && property.contains("description")));
      }
    }
    if (key != "if" && key != "then") check_described(value, where + "/" + key);
  }
}

}  // namespace

TEST_CASE("schemas describe every field") {
  for (const std::string name : {"type", "rounding", "opset", "system", "template"})
    check_described(schema(name), name);
}

TEST_CASE("a description may be a list of texts everywhere, but no empty one") {
  std::size_t found = 0;
  const auto check = [&](const auto& self, const json& node) -> void {
    if (!node.is_object()) return;
    for (const auto& [key, value] : node.items()) {
      self(self, value);
      if ((key != "doc" && key != "basis") || !value.contains("title")) continue;
      ++found;
      REQUIRE(value.contains("oneOf"));
      CHECK(value["oneOf"][0]["type"] == "string");
      CHECK(value["oneOf"][1]["type"] == "array");
      CHECK(value["oneOf"][1]["minItems"] == 1);
    }
  };
  for (const std::string name : {"type", "rounding", "opset", "system", "template"}) {
    INFO(name);
    check(check, schema(name));
  }
  CHECK(found >= 7);
}

TEST_CASE("the op-set schema has the properties and words of the loader") {
  const json properties = schema("opset")["properties"]["rules"]["items"]["properties"]["set"]["properties"];
  std::set<std::string> names;
  for (const auto& [name, property] : properties.items()) {
    names.insert(name);
    if (name == "round" || name == "saturate_first") continue;  // the words are names of loaded modes and types
    CAPTURE(name);
    CHECK(strings(property["enum"]) == as_set(castforge::spec::find_property(name)->words));
  }
  CHECK(names == as_set(castforge::spec::property_names()));
  const json words = schema("opset")["properties"]["rules"]["items"]["properties"]["dst"]["examples"];
  CHECK(strings(words) == as_set(castforge::spec::class_words()));
}

TEST_CASE("the op-set schema has the options of the loader") {
  const json options = schema("opset")["properties"]["options"]["properties"];
  std::set<std::string> listed;
  for (const auto& [name, option] : options.items()) {
    CAPTURE(name);
    listed.insert(name);
    const auto* known = castforge::spec::find_option(name);
    REQUIRE(known != nullptr);
    using Kind = castforge::spec::Option::Kind;
    if (known->kind == Kind::number) CHECK(option["type"] == "integer");
    if (known->kind == Kind::attribute) CHECK(option["type"] == "string");
    if (known->is_truth()) CHECK(option["type"] == "boolean");
    else if (known->kind == Kind::word) CHECK(strings(option["enum"]) == as_set(known->all_words()));
    CHECK(option["description"].get<std::string>().starts_with(std::string(known->operation) + ": "));
  }
  const std::vector<std::string> names = castforge::spec::option_names();
  CHECK(listed == std::set<std::string>(names.begin(), names.end()));
}

TEST_CASE("the field reference names every key, property and word") {
  std::ifstream file(castforge::test::shipped_specs() / "FIELDS.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto names = [&](std::string_view word) {
    return text.find("`" + std::string(word) + "`") != std::string::npos;
  };
  for (const std::string_view property : castforge::spec::property_names()) {
    CAPTURE(property);
    CHECK(names(property));
    for (const std::string_view word : castforge::spec::find_property(property)->words) {
      CAPTURE(word);
      CHECK(names(word));
    }
  }
  for (const std::string_view word : castforge::spec::class_words()) CHECK(names(word));
  for (const std::string& option : castforge::spec::option_names()) CHECK(names(option));
  for (const std::string name : {"type", "rounding", "opset", "system"}) {
    const json properties = schema(name).at("properties");
    REQUIRE(!properties.empty());
    for (const auto& [key, field] : properties.items()) {
      CAPTURE(name, key);
      CHECK(names(key));
    }
  }
}

TEST_CASE("the systems of shipped types are described") {
  const castforge::spec::SpecModel model = castforge::spec::load({castforge::test::shipped_specs()});
  std::set<std::string> named, described;
  for (const auto& type : model.types) {
    for (const auto& alias : type->aliases) named.insert(alias.system);
  }
  for (const auto& system : model.systems) described.insert(system.name);
  CHECK(named == described);
}

TEST_CASE("the type schema has the names of the loader") {
  const std::regex pattern(schema("type")["properties"]["name"]["pattern"].get<std::string>());
  for (const std::string name :
       {"a", "a8", "a_b", "tomato", "into_b", "a__b", "a_", "a___b", "a_to_b", "to_b", "a_to", "to", "_a", "A", "8a"}) {
    const castforge::test::Scratch scratch{
        {"types/x.json", R"({"name":")" + name + R"(","id":1000,"kind":"bool","storage_bits":8})"}};
    CAPTURE(name);
    CHECK(std::regex_match(name, pattern) == scratch.errors().empty());
  }
}

// The keys that the loader refuses are those that the type schema does not list for the kind.
TEST_CASE("the type schema lists the keys of each kind") {
  const json type = schema("type");
  std::set<std::string> all;
  for (const auto& [key, field] : type["properties"].items()) all.insert(key);
  int kinds = 0;
  for (const json& condition : type["allOf"]) {
    if (!condition["if"]["properties"].contains("kind")) continue;
    ++kinds;
    const std::string kind = condition["if"]["properties"]["kind"]["const"];
    const std::set<std::string> listed = strings(condition["then"]["propertyNames"]["enum"]);
    for (const std::string& key : all) {
      const castforge::test::Scratch scratch{
          {"types/x.json", "{\"kind\":\"" + kind + "\"" + (key == "kind" ? "" : ",\"" + key + "\":[[]]") + "}"}};
      const bool unknown = scratch.errors().find("unknown key \"" + key + "\"") != std::string::npos;
      CAPTURE(kind, key);
      CHECK(unknown == !listed.contains(key));
    }
  }
  CHECK(kinds == 4);
}
