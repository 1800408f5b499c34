#include "spec/options.hpp"

#include <algorithm>

#include "spec/words.hpp"

namespace castforge::spec {

std::span<const Option> all_options() {
  using enum Option::Kind;
  static const std::vector<Option> options = {
      {"min_rank", "cast", number, {}, false},
      {"max_rank", "cast", number, {}, false},
      {"max_elements", "cast", number, {}, false},
      {"reject_empty", "cast", truth, {}, false},
      {"bool_words", "cast", truth, {}, false},
      {"operand_types", "range", word, {"any", "same"}, true},
      {"operand_rounding", "range", word, {"toward_zero"}, true},
      {"integer_arithmetic", "range", word, {"exact", "float64"}, true},
      {"accumulator", "range", word, {"float64", "result_at_least_float32"}, true},
      {"narrow_accumulator", "range", attribute, {"float32", "float64"}, false},
      {"form", "range", word, {"multiply"}, true},
      {"fma", "range", truth, {}, true},
      {"count_limit", "range", number, {}, true},
      {"non_finite", "range", word, {"error"}, true},
      {"step_zero", "range", word, {"error"}, true},
  };
  return options;
}

const Option* find_option(std::string_view name) {
  const std::span<const Option> options = all_options();
  const auto found = std::find_if(options.begin(), options.end(), [&](const Option& one) { return one.name == name; });
  return found == options.end() ? nullptr : &*found;
}

std::vector<std::string> option_names(std::string_view operation) {
  std::vector<std::string> names;
  for (const Option& option : all_options()) {
    if (operation.empty() || option.operation == operation) names.emplace_back(option.name);
  }
  return names;
}

std::string option_value(const Option& option, const Node& value) {
  switch (option.kind) {
    case Option::Kind::number: return value.is_integer_in(0, INT64_MAX) ? std::to_string(value.integer()) : "";
    case Option::Kind::truth: return value.kind == Node::Kind::boolean ? value.describe() : "";
    case Option::Kind::word: {
      const bool known = std::find(option.words.begin(), option.words.end(), value.text) != option.words.end();
      return value.kind == Node::Kind::string && known ? value.text : "";
    }
    case Option::Kind::attribute: return value.kind == Node::Kind::string ? value.text : "";
  }
  return "";
}

std::string expected_value(const Option& option) {
  switch (option.kind) {
    case Option::Kind::number: return "a number from 0 to 2^63 - 1";
    case Option::Kind::truth: return "true or false";
    case Option::Kind::word:
      return option.words.size() == 1 ? std::string(option.words[0]) : "one of " + join(option.words);
    case Option::Kind::attribute: return "the name of an attribute whose values are words among " + join(option.words);
  }
  return "";
}

}  // namespace castforge::spec
