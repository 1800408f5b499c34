#include "cli/commands/kernel_files.hpp"

#include "cli/io/failure.hpp"

#include <castforge/interface.hpp>

#include <dlfcn.h>

#include <filesystem>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#if CASTFORGE_READS_SPECS
#include "spec/diagnostics.hpp"
#include "spec/shelf.hpp"
#include "spec/shipped.hpp"
#include "tabulate/make.hpp"
#endif

namespace castforge::cli {
namespace {

/// Adds the kernels of one shared object, which stays open until the program ends.
void add_kernels_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::path file =
      std::filesystem::absolute(path, error);  // a name alone would be searched for elsewhere
  if (!std::filesystem::exists(file, error)) throw Failure(ExitCode::input_output, text(path, ": no such file"));
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

#if CASTFORGE_READS_SPECS
std::filesystem::path shipped_specs() {
  return spec::shipped_data("castforge", CASTFORGE_SOURCE_DIR, CASTFORGE_INSTALL_DATADIR) / "specs";
}

/// The op-sets that the library was built with; none where they are those that the specs say.
std::vector<std::string> opsets_of_library() {
  std::vector<std::string> names;
  std::istringstream list(CASTFORGE_OPSETS);
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return names;
}
#endif

/// The file that a text names: a path, or where there is none the name of a shipped spec.
std::string spec_named(const std::string& text) {
#if CASTFORGE_READS_SPECS
  try {
    return spec::named_spec(shipped_specs(), text).string();
  } catch (const std::invalid_argument& error) {
    throw Failure(ExitCode::input_output, error.what());
  } catch (const spec::SpecError& error) {
    throw Failure(ExitCode::bad_data, error.what());
  }
#else
  std::error_code error;
  if (!std::filesystem::exists(text, error))
    throw Failure(ExitCode::input_output, castforge::cli::text(text, ": no such file"));
  return text;
#endif
}

/// Bytes that `castforge-gen tables` would write for a spec file, beside what was loaded before it; none where
/// all of it
/// is known.
std::string tables_of([[maybe_unused]] const std::string& path) {
#if CASTFORGE_READS_SPECS
  static std::vector<std::filesystem::path> known = {shipped_specs()};
  // The reader of the file holds every table against the exact arithmetic of the library: random codes add little.
  constexpr std::size_t kRandomCodes = 1000;
  try {
    std::string file = tabulate::make({.library = known,
                                       .own = {path},
                                       .library_opsets = opsets_of_library(),
                                       .opsets = {},
                                       .pairs = {},
                                       .random_codes = kRandomCodes})
                           .file;
    known.emplace_back(path);
    return file;
  } catch (const tabulate::NothingNew&) {
    return "";
  } catch (const spec::SpecError& error) {
    throw Failure(ExitCode::bad_data, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    throw Failure(ExitCode::input_output, text(path, ": cannot be read: ", error.code().message()));
  } catch (const std::invalid_argument& error) {
    throw Failure(ExitCode::bad_data, text(path, ": ", error.what()));
  }
#else
  throw usage_error(text(path,
                         ": this program was built without the generator and cannot read specs; `castforge-gen "
                         "tables` makes a .cft file of them"));
#endif
}

/// Formats and rules from a spec, or from tables made of one.
void load_file(const std::string& named) {
  const std::string path = spec_named(named);
  Status status;
  if (path.ends_with(".json") || path.find(".json#") != std::string::npos) {
    const std::string file = tables_of(path);
    if (!file.empty()) status = load(std::as_bytes(std::span(file)));
  } else if (path.ends_with(".cft")) {
    status = load(path.c_str());
  } else {
    throw usage_error(text("--load: expected a file named *.json (a spec) or *.cft (tables), found ", in_quotes(path)));
  }
  if (!status) throw Failure(ExitCode::bad_data, text(named, ": ", status.message()));
}

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
      "(shelf/binary8p3ue, ieee754@2019). No compiler is needed; may be repeated, what a file refers to "
      "first");
  add_files_option(program, "--kernels", &add_kernels_of,
                   "Shared object with formats, rules and kernels of your own, beside the program's; may be repeated. "
                   "The CMake function castforge_add_kernels(MODULE ...) builds it");
}

}  // namespace castforge::cli
