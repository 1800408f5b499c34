// Model values as the generated tables spell them: by name, never by number.
#pragma once

#include <string>
#include <vector>

#include "spec/model.hpp"

namespace castforge::emit {

/// The name, with an underscore behind words that C++ keeps for itself.
std::string identifier(const std::string& name);

/// "Type::float32".
std::string type_symbol(const spec::Type& type);

/// ".carry = carry::nearest_even", ".overflow = Overflow::max", ...: the properties that differ from the generated
/// Rule's own values, in its order.
std::vector<std::string> rule_items(const spec::Meaning& meaning);

/// ".kind = TypeKind::floating", ...: the parameters that differ from the public Format's own values, in its order.
std::vector<std::string> format_items(const spec::Type& type);

/// The items in lines of at most `width` characters, separated by commas; the last line ends without one.
std::vector<std::string> comma_lines(const std::vector<std::string>& items, std::size_t width);

}  // namespace castforge::emit
