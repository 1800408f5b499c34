// Command lines that cannot be understood: what was probably meant.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include "spec/nearest.hpp"

namespace castforge::command {

/// Like CLI::IsMember, and names the nearest of the words.
inline CLI::Validator one_of(const std::vector<std::string>& words) {
  const std::string set = CLI::detail::generate_set(words);
  return CLI::Validator(
      [words, set](const std::string& given) {
        if (std::find(words.begin(), words.end(), given) != words.end()) return std::string();
        return given + " not in " + set + spec::did_you_mean(given, words);
      },
      set);
}

/// A whole number of decimal digits between two limits, and nothing else.
inline CLI::Validator number_from(std::int64_t least, std::int64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  return CLI::Validator(
      [=](std::string& given) {
        std::int64_t number = 0;
        const char* const end = given.data() + given.size();
        const auto [rest, error] = std::from_chars(given.data(), end, number);
        if (error != std::errc() || rest != end || number < least || number > most)
          return "expected a number from " + range + ", found \"" + given + "\"";
        given = std::to_string(number);  // leading zeros would mean base 8 to what reads it next
        return std::string();
      },
      range);
}

/// The path of a file or folder: any word but none.
inline CLI::Validator not_empty() {
  return CLI::Validator([](const std::string& given) { return given.empty() ? "expected a path, found \"\"" : ""; },
                        "");
}

/// What to print for a command line that `app` refuses with the message `what`.
inline std::string complaint(const CLI::App& app, int argc, const char* const* argv, const std::string& what) {
  const CLI::App* sub = nullptr;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (sub == nullptr && !word.starts_with('-')) {
      std::vector<std::string> names;
      for (const CLI::App* known : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(known->get_name());
        if (known->get_name() == word) sub = known;
      }
      if (sub != nullptr) continue;
      return "\"" + word + "\" is no subcommand" + spec::did_you_mean(word, names) +
             "\nRun with --help for the list of them.";
    }
    if (!word.starts_with("--") || word == "--") continue;
    const CLI::App& scope = sub == nullptr ? app : *sub;
    const std::string name = word.substr(0, word.find('='));
    if (scope.get_option_no_throw(name) != nullptr) continue;
    std::vector<std::string> names;
    for (const CLI::Option* option : scope.get_options()) {
      for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
    }
    const std::string meant = spec::did_you_mean(name, names);
    if (!meant.empty()) return "\"" + name + "\" is no option" + meant + "\nRun with --help for the list of them.";
  }
  return what + "\nRun with --help for more information.";
}

}  // namespace castforge::command
