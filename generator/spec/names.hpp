// How names and versions look.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/user_facing.hpp"

namespace castforge::spec {

std::string lower_case(std::string_view text);  // ASCII only
/// Below U+0020, or U+007F.
bool is_control(char c);
/// [a-z][a-z0-9_]*
bool is_plain_name(std::string_view text);
/// [a-z][a-z0-9-]*
bool is_opset_name(std::string_view text);
/// [0-9]+([.-][0-9]+)*
bool is_version(std::string_view text);
/// [0-9]+
bool is_whole_number(std::string_view text);
using castforge::is_user_facing;
/// Whether a text is a number from `least` to `most` as it is printed, without leading zeros; `least` is at least 0.
bool is_number_in(std::string_view text, std::int64_t least, std::int64_t most);
/// Negative, zero or positive; the numbers in a version are compared one by one ("8.5.0" < "2026-03").
int compare_versions(std::string_view a, std::string_view b);

}  // namespace castforge::spec
