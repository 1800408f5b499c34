// --kernels: shared objects with kernels beside the library's own.
#pragma once

#include <CLI/CLI.hpp>

namespace castforge::cli {

/// Adds the option to the program itself, before the commands. A file is opened as soon as the option is read, so that
/// whatever follows on the command line may use its names.
void add_kernel_files_option(CLI::App& program);

}  // namespace castforge::cli
