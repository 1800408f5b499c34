// The closed list of op-set options: settings of an operation as a whole.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/json_tree.hpp"

namespace castforge::spec {

struct Option {
  enum class Kind {
    number,
    truth,
    word,
    attribute,  // the name of an enumeration among the op-set's attributes
  };
  std::string_view name;
  std::string_view operation;  // the operation that has it
  Kind kind;
  std::vector<std::string_view> words;  // Kind::word: what it may say; Kind::attribute: what its values may be
  bool required;                        // every op-set of the operation says it
};

/// In the order of messages and of specs/FIELDS.md.
std::span<const Option> all_options();

/// Null when there is none of that name.
const Option* find_option(std::string_view name);

/// Names of the options of an operation; of all operations when it is empty.
std::vector<std::string> option_names(std::string_view operation = {});

/// The value as the model keeps it: "4", "true", "multiply", "stash_type". Empty when it is none that the option may
/// have.
std::string option_value(const Option& option, const Node& value);

/// For messages: "a number from 0 to 2^63 - 1", "true or false", "one of any, same".
std::string expected_value(const Option& option);

}  // namespace castforge::spec
