// The options of op-sets, as JSON says them; the list of them is the library's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/json_tree.hpp"
#include "src/opset_options.hpp"

namespace castforge::spec {

using Option = OptionDefinition;

/// Null when there is none of that name.
const Option* find_option(std::string_view name);

std::vector<std::string> option_names();

/// The value as the model keeps it: "4", "true", "multiply", "stash_type". Empty when it is none that the option may
/// have.
std::string option_value(const Option& option, const Node& value);

/// For messages: "a number from 0 to 2^63 - 1", "true or false", "one of any, same".
std::string expected_value(const Option& option);

}  // namespace castforge::spec
