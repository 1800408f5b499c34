// Scripts by which shells complete a command line.
#pragma once

#include "cli/terminal/command_facts.hpp"

#include <string>

namespace castforge::terminal {

/// bash, zsh, fish
const std::vector<std::string>& completion_shells();

/// The script for a shell of completion_shells().
std::string completion_script(const CommandFacts& program, const std::string& shell);

}  // namespace castforge::terminal
