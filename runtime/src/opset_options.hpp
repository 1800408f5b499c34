// The closed list of op-set options: settings of an operation as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace castforge {

struct OptionDefinition {
  enum class Kind : std::uint8_t {
    number,
    word,
    attribute,  // the name of an enumeration among the op-set's attributes
  };
  std::string_view name;
  std::string_view operation;  // the operation that has it
  Kind kind;
  bool required;              // every op-set of the operation says it
  std::string_view words[2];  // word: what it may say; attribute: what its values may be

  constexpr std::span<const std::string_view> all_words() const noexcept {
    return {words, static_cast<std::size_t>(!words[0].empty()) + !words[1].empty()};
  }
  /// JSON has words of its own for it.
  constexpr bool is_truth() const noexcept { return words[0] == "false"; }
};

/// In the order of messages and of specs/FIELDS.md.
inline constexpr OptionDefinition kOptionDefinitions[] = {
    {"min_rank", "cast", OptionDefinition::Kind::number, false, {}},
    {"max_rank", "cast", OptionDefinition::Kind::number, false, {}},
    {"max_elements", "cast", OptionDefinition::Kind::number, false, {}},
    {"reject_empty", "cast", OptionDefinition::Kind::word, false, {"false", "true"}},
    {"bool_words", "cast", OptionDefinition::Kind::word, false, {"false", "true"}},
    {"operand_types", "range", OptionDefinition::Kind::word, true, {"any", "same"}},
    {"operand_rounding", "range", OptionDefinition::Kind::word, true, {"toward_zero"}},
    {"integer_arithmetic", "range", OptionDefinition::Kind::word, true, {"exact", "float64"}},
    {"accumulator", "range", OptionDefinition::Kind::word, true, {"float64", "result_at_least_float32"}},
    {"narrow_accumulator", "range", OptionDefinition::Kind::attribute, false, {"float32", "float64"}},
    {"form", "range", OptionDefinition::Kind::word, true, {"multiply"}},
    {"fma", "range", OptionDefinition::Kind::word, true, {"false", "true"}},
    {"count_limit", "range", OptionDefinition::Kind::number, true, {}},
    {"non_finite", "range", OptionDefinition::Kind::word, true, {"error"}},
    {"step_zero", "range", OptionDefinition::Kind::word, true, {"error"}},
};

}  // namespace castforge
