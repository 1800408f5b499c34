// Manual pages.
#pragma once

#include "cli/terminal/command_facts.hpp"

#include <map>
#include <string>

namespace castforge::terminal {

/// The pages of section 1, in the language of man(7), by file name: "castforge.1" and, for each of its commands,
/// "castforge-cast.1".
std::map<std::string, std::string> manual_pages(const CommandFacts& program, const std::string& version);

}  // namespace castforge::terminal
