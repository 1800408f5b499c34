// Where the specs and templates are that a command works on.
#pragma once

#include "command/command.hpp"

namespace castforge::command {

/// The shipped ones; arguments as for spec::shipped_data.
Places default_places(const char* program, const char* source_dir, const char* data_dir);

/// The speeds that are shipped: tests/bench/speeds.tsv of a source tree; empty where there are none.
std::filesystem::path shipped_speeds(const char* program, const char* source_dir, const char* data_dir);

/// The shipped folders and the given ones; a given folder that is a whole spec tree of its own (types/, roundings/ and
/// opsets/) takes the place of the shipped ones.
std::vector<std::filesystem::path> merged_specs(const std::vector<std::filesystem::path>& shipped,
                                                const std::vector<std::filesystem::path>& given);

/// Those of them that are whole spec trees: what a library is generated from, without a user's own additions.
std::vector<std::filesystem::path> whole_specs(const std::vector<std::filesystem::path>& shipped,
                                               const std::vector<std::filesystem::path>& given);

}  // namespace castforge::command
