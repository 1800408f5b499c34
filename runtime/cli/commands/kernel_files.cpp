#include "cli/commands/kernel_files.hpp"

#include "cli/io/failure.hpp"
#include "cli/selection/load_formats.hpp"

#include <castforge/interface.hpp>

#include <CLI/CLI.hpp>

#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <vector>

namespace castforge::cli {
namespace {

/// Adds the kernels of one shared object, which stays open until the program ends.
void add_kernels_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::path file =
      std::filesystem::absolute(path, error);  // a name alone would be searched for elsewhere
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw io_error(printable(path), "cannot open", error.value());
  if (!std::filesystem::is_regular_file(status))  // a pipe would be waited for
    throw usage_error(text("--kernels: expected a regular file, found ", in_quotes(path)));
  void* const object = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) {
    throw Failure(ExitCode::input_output, text(path, ": cannot be opened as a shared object: ", dlerror()));
  }
  using Kernels = const tables::Module* (*)();
  const auto kernels = reinterpret_cast<Kernels>(dlsym(object, kKernelsFunction));
  if (kernels == nullptr) {
    throw Failure(ExitCode::input_output,
                  text(path, ": no kernels of castforge: it lacks the function ", kKernelsFunction,
                       "; castforge_add_kernels(MODULE ...) of the CMake package builds such a file"));
  }
  if (const Status status = add_kernels(kernels()); !status) {
    throw Failure(ExitCode::input_output, text(path, ": ", status.message()));
  }
}

/// Formats and rules from a spec, or from tables made of one.
void load_file(const std::string& path) { load_formats(path, shipped_specs()); }

/// Calls `use` as soon as the option is read, so that whatever follows on the command line may use its names.
void add_files_option(CLI::App& program, const char* name, void (*use)(const std::string&), const char* help) {
  program
      .add_option_function<std::vector<std::string>>(
          name,
          [use](const std::vector<std::string>& paths) {
            for (const std::string& path : paths) use(path);
          },
          help)
      ->type_name("FILE")
      ->expected(1)
      ->trigger_on_parse();
}

}  // namespace

void add_kernel_files_options(CLI::App& program) {
  add_files_option(
      program, "--load", &load_file,
      "Format, rounding mode or op-set of your own, beside the program's: a spec (.json), or tables made of "
      "one (.cft, by `castforge-gen tables`), or the name of a shipped spec that the program lacks "
      "(shelf/binary8p3ue, ieee754@2019). No compiler is needed. May be repeated; a spec that refers to another "
      "file's type or rounding mode comes after that file, which is a spec too");
  add_files_option(program, "--kernels", &add_kernels_of,
                   "Shared object with formats, rules and kernels of your own, beside the program's; may be repeated. "
                   "The CMake function castforge_add_kernels(MODULE ...) builds it");
}

}  // namespace castforge::cli
