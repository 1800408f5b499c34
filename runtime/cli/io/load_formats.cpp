#include "cli/io/load_formats.hpp"

#include "cli/io/failure.hpp"

#include <castforge/interface.hpp>

#include <mutex>
#include <span>
#include <stdexcept>
#include <vector>

#if CASTFORGE_READS_SPECS
#include "spec/diagnostics.hpp"
#include "spec/shipped.hpp"
#include "tabulate/make.hpp"
#endif

namespace castforge::cli {
namespace {

namespace fs = std::filesystem;

#if CASTFORGE_READS_SPECS

/// Adds what tables of a spec add, which castforge-gen would write for it beside what was loaded before.
Status load_spec(const std::string& path, const fs::path& shipped) {
  static std::mutex mutex;
  static std::vector<fs::path> loaded;
  const std::lock_guard guard(mutex);
  std::vector<fs::path> known = {shipped};
  known.insert(known.end(), loaded.begin(), loaded.end());
  // load() holds every table against the exact arithmetic of the library: random codes add little.
  constexpr std::size_t kRandomCodes = 1000;
  try {
    const std::string file =
        tabulate::make({.library = known, .own = {path}, .opsets = {}, .pairs = {}, .random_codes = kRandomCodes}).file;
    Status status = load(std::as_bytes(std::span(file)));
    if (status) loaded.emplace_back(fs::absolute(path));
    return status;
  } catch (const tabulate::NothingNew&) {
    return Status();
  } catch (const spec::SpecError& error) {
    throw Failure(ExitCode::bad_data, error.what());
  } catch (const fs::filesystem_error& error) {
    throw Failure(ExitCode::input_output, text(path, ": cannot be read: ", error.code().message()));
  } catch (const std::logic_error& error) {  // a name that is none, more than a file holds
    throw Failure(ExitCode::bad_data, text(path, ": ", error.what()));
  }
}

#else

Status load_spec(const std::string& path, const fs::path&) {
  throw usage_error(text(path, ": this program was built without the generator and cannot read specs; `castforge-gen "
                               "tables` makes a .cft file of them"));
}

#endif

}  // namespace

fs::path shipped_specs() {
#if CASTFORGE_READS_SPECS
  return spec::shipped_data("castforge", CASTFORGE_SOURCE_DIR, CASTFORGE_INSTALL_DATADIR) / "specs";
#else
  return {};
#endif
}

void load_formats(const std::string& path, const fs::path& shipped) {
  std::error_code error;
  if (!fs::exists(path, error)) throw Failure(ExitCode::input_output, text(path, ": no such file"));
  Status status;
  if (path.ends_with(".json")) {
    status = load_spec(path, shipped);
  } else if (path.ends_with(".cft")) {
    status = load(path.c_str());
  } else {
    throw usage_error(text("--load: expected a file named *.json (a spec) or *.cft (tables), found ", in_quotes(path)));
  }
  if (!status) throw Failure(ExitCode::bad_data, text(path, ": ", status.message()));
}

}  // namespace castforge::cli
