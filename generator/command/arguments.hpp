// What words of the command line may be, beside terminal/usage.hpp.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "cli/io/failure.hpp"

namespace castforge::command {

/// A file that there is; another path is an input/output error, as everywhere, and none at all wrong usage, which
/// terminal::refuse_empty_values() says.
inline CLI::Validator existing_file() {
  return CLI::Validator(
      [](const std::string& given) {
        if (given.empty()) return std::string();
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
        if (!given.empty() && !std::filesystem::is_directory(given, error))
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
        // An empty list is complained of with the empty values of other options.
        if (given.empty() || closed.find(",,") == std::string::npos) return std::string();
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

}  // namespace castforge::command
