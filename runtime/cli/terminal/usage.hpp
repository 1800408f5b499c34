// What a word of the command line may be, and what to say of a command line that cannot be understood.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace castforge::terminal {

/// Like CLI::IsMember, and names the nearest of the words.
CLI::Validator one_of(const std::vector<std::string>& words);

/// A whole number of decimal digits between two limits, and nothing else.
CLI::Validator number_from(std::int64_t least, std::int64_t most);

/// --threads of a command; `what` says what they do.
void add_threads(CLI::App& command, unsigned& threads, const std::string& what, int most);

/// Any word but none; `what` says what is expected.
CLI::Validator not_empty(const std::string& what);

inline CLI::Validator file_path() { return not_empty("the path of a file"); }
inline CLI::Validator folder_path() { return not_empty("the path of a folder"); }

/// Lets no option or operand of a program and its commands be empty: to the commands an empty value is as good as none
/// given, which somebody who wrote it did not mean. To be called last; checks that options have already say more.
void refuse_empty_values(CLI::App& program);

/// What to say of a command line that `program` refuses with the message `what`.
std::string complaint(const CLI::App& program, int argc, const char* const* argv, const std::string& what);

}  // namespace castforge::terminal
