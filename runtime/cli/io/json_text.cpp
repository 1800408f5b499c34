#include "cli/io/json_text.hpp"

#include <nlohmann/json.hpp>

namespace castforge::cli {

using nlohmann::ordered_json;

std::string json_text(const ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

std::string json_text(const std::string& value) { return json_text(ordered_json(value)); }

ordered_json parse_json(std::string_view text) { return ordered_json::parse(text, nullptr, false); }

}  // namespace castforge::cli
