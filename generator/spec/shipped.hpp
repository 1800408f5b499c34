// Where the files that castforge ships are: specs/ and templates/.
#pragma once

#include <filesystem>

namespace castforge::spec {

/// Beside the sources for a program in the build tree, under share/ for an installed one. `program`: argv[0], where the
/// system does not tell the program's path; `source_dir`: the source tree, absolute or relative to the
/// program's folder; `data_dir`: the installed data folder, relative to the program's folder.
std::filesystem::path shipped_data(const char* program, const char* source_dir, const char* data_dir);

}  // namespace castforge::spec
