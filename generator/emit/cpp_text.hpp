// Texts and lists of C++ as the generated tables hold them.
#pragma once

#include <string>
#include <vector>

#include "emit/template.hpp"

namespace castforge::emit {

inline constexpr std::size_t kListWidth = 112;  // of lists and texts, before they are indented

/// A string literal.
std::string cpp_string(const std::string& text);

/// A text as string literals, one after the other on lines of their own.
std::string cpp_text(std::string text, std::size_t indent);

/// One line of a list per element: {{line}}. The text around a list of items in braces goes to its first and last line.
std::vector<Fields> wrapped(const std::vector<std::string>& items, const std::string& before = "",
                            const std::string& after = "");

}  // namespace castforge::emit
