// JSON and its text. The parser and the serializer are compiled here once, not in every file that prints a value, which
// would take a second or two for each.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace castforge::cli {

/// On one line, or with `indent` spaces for each level. Bytes that are no UTF-8, which names of files may hold, become
/// U+FFFD.
std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

/// A string in its quotes.
std::string json_text(const std::string& value);

/// The value of a text; one that is_discarded() where the text is no JSON.
nlohmann::ordered_json parse_json(std::string_view text);

}  // namespace castforge::cli
