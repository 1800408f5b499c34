// Command lines that cannot be understood: what was probably meant.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "cli/io/failure.hpp"
#include "cli/terminal/parse_message.hpp"
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

/// A file that there is; another path is an input/output error, as everywhere.
inline CLI::Validator existing_file() {
  return CLI::Validator(
      [](const std::string& given) {
        std::error_code error;
        const std::filesystem::file_status status = std::filesystem::status(given, error);
        const char* const problem = !std::filesystem::exists(status)        ? "no such file"
                                    : std::filesystem::is_directory(status) ? "expected a file, found a folder"
                                                                            : nullptr;
        if (problem != nullptr) throw cli::Failure(cli::ExitCode::input_output, given + ": " + problem);
        return std::string();
      },
      "");
}

inline CLI::Validator existing_folder() {
  return CLI::Validator(
      [](const std::string& given) {
        std::error_code error;
        if (!std::filesystem::is_directory(given, error))
          throw cli::Failure(cli::ExitCode::input_output, given + ": no such folder");
        return std::string();
      },
      "");
}

/// Words with commas between them, none empty, such as SRC:DST,SRC:DST; take_apart() makes single words of them.
inline CLI::Validator comma_list(const std::string& form) {
  return CLI::Validator(
      [form](const std::string& given) {
        const std::string closed = "," + given + ",";
        if (closed.find(",,") == std::string::npos) return std::string();
        return "expected " + form + ", found \"" + given + "\"";
      },
      "");
}

inline void take_apart(std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (const std::string& list : lists) {
    std::istringstream in(list);
    for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  }
  lists.swap(words);
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
  return terminal::in_plain_words(what) + "\nRun with --help for more information.";
}

}  // namespace castforge::command
