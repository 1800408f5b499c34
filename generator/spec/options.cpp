#include "spec/options.hpp"

#include <algorithm>

#include "spec/words.hpp"

namespace castforge::spec {

const Option* find_option(std::string_view name) {
  const auto found = std::ranges::find(kOptionDefinitions, name, &Option::name);
  return found == std::end(kOptionDefinitions) ? nullptr : found;
}

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const Option& option : kOptionDefinitions) names.emplace_back(option.name);
  return names;
}

std::string option_value(const Option& option, const Node& value) {
  switch (option.kind) {
    case Option::Kind::number: return value.is_integer_in(0, INT64_MAX) ? std::to_string(value.integer()) : "";
    case Option::Kind::word: {
      const bool has_kind = value.kind == (option.is_truth() ? Node::Kind::boolean : Node::Kind::string);
      const std::string word = option.is_truth() ? value.describe() : value.text;
      return has_kind && std::ranges::count(option.all_words(), word) != 0 ? word : "";
    }
    case Option::Kind::attribute: return value.kind == Node::Kind::string ? value.text : "";
  }
  return "";
}

std::string expected_value(const Option& option) {
  switch (option.kind) {
    case Option::Kind::number: return "a number from 0 to 2^63 - 1";
    case Option::Kind::word:
      if (option.is_truth()) return "true or false";
      return option.all_words().size() == 1 ? std::string(option.words[0]) : "one of " + join(option.all_words());
    case Option::Kind::attribute:
      return "the name of an attribute whose values are words among " + join(option.all_words());
  }
  return "";
}

}  // namespace castforge::spec
