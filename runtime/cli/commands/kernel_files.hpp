// --load and --kernels: what comes beside the library's own.
#pragma once

namespace CLI {
class App;
}

namespace castforge::cli {

/// Adds the options to the program itself, before the commands. A file is opened as soon as its option is read, so that
/// whatever follows on the command line may use its names.
void add_kernel_files_options(CLI::App& program);

}  // namespace castforge::cli
