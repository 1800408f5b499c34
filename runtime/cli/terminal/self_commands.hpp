// The commands `completion` and `manual`, by which a program describes its own command line.
#pragma once

#include "cli/terminal/command_facts.hpp"

#include <functional>
#include <string>

namespace castforge::terminal {

/// What the two commands print or write; `words` is asked when it is needed.
struct SelfCommands {
  CLI::App& program;
  std::string version;
  std::function<ValueWords()> words;
  /// Writes text to a file whole or not at all, or throws what the program makes an error message of.
  std::function<void(const std::string& path, const std::string& text)> write_file;
};

/// Adds them. They do their work when the command line is parsed.
void add_self_commands(SelfCommands commands);

}  // namespace castforge::terminal
