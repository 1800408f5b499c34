// How names and versions look.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/user_facing.hpp"
#include "src/versions.hpp"

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
using castforge::compare_versions;
using castforge::is_whole_version;

}  // namespace castforge::spec
