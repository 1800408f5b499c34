// What a program's command line admits, read from its CLI11 definitions: what completion and manual pages are made of.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace castforge::terminal {

/// Words that a value may be, by the name of the value in the help: {"TYPE", {"float32", ...}}. Where options have
/// values of one name that may be different words, by option and name: {"--round-mode VALUE", {"up", ...}}; where the
/// same option of commands has, by command, option and name: {"range --opset OPSET", ...}.
using ValueWords = std::map<std::string, std::vector<std::string>>;

struct ArgumentFacts {
  std::vector<std::string> names;  // "-o", "--out"; one without dashes for a positional
  std::string value;               // name of its value, "TYPE"; empty: a flag
  std::string admitted;            // what values its checks admit, as they say it; may be empty
  std::string help, preset;        // `preset`: the value where none is given
  std::vector<std::string> words;  // that its value may be, where they are known
  bool is_path = false, required = false, repeats = false;

  /// The longest name.
  const std::string& name() const { return names.back(); }
};

struct CommandFacts {
  std::string name, description, footer;
  std::vector<ArgumentFacts> positionals, options;  // in the order of the help
  std::vector<CommandFacts> commands;
};

/// Everything that is not hidden.
CommandFacts command_facts(const CLI::App& app, const ValueWords& words);

}  // namespace castforge::terminal
