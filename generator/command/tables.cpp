// tables: kernels as data.
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/io/failure.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/step_progress.hpp"
#include "command/command.hpp"
#include "tabulate/make.hpp"

namespace castforge::command {
namespace {

namespace fs = std::filesystem;

const char* word(loadable::Form form) {
  switch (form) {
    case loadable::Form::whole: return "by tables of all results";
    case loadable::Form::steps: return "by steps of the result";
    case loadable::Form::rule: return "by the rule alone, in exact arithmetic (slow)";
  }
  return "";
}

/// Whoever mixes up the specs and the output keeps the specs.
void check_is_no_spec(const fs::path& out, const std::vector<fs::path>& specs) {
  std::error_code ignored;
  const auto refuse_if_same = [&](const fs::path& spec) {
    if (!fs::equivalent(out, spec, ignored)) return;
    throw cli::usage_error(cli::printable(out.string()) + ": expected another file than the specs, found one of them");
  };
  if (!fs::exists(out, ignored)) return;
  for (const fs::path& path : specs) {
    refuse_if_same(path);
    if (!fs::is_directory(path, ignored)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, ignored))
      refuse_if_same(entry.path());
  }
}

/// Whoever loads the file has to name it, and is told what it is by its name.
void check_is_cft(const fs::path& out) {
  if (out.extension() == ".cft") return;
  throw cli::usage_error(cli::printable(out.string()) +
                         ": expected NAME.cft, the extension by which `castforge --load` knows tables");
}

}  // namespace

int tables(const Places& places, const TablesRequest& request) {
  check_is_no_spec(request.out, places.specs);
  check_is_cft(request.out);
  tabulate::Request made_of{.library = places.library,
                            .own = {},
                            .library_opsets = places.opsets,
                            .opsets = request.opsets,
                            .pairs = request.pairs};
  for (const fs::path& path : places.specs) {
    bool shipped = false;
    for (const fs::path& library : places.library) shipped = shipped || path == library;
    if (!shipped) made_of.own.push_back(path);
  }
  if (made_of.own.empty())
    throw cli::usage_error(
        "tables hold what a library lacks: expected files or folders of your own, found whole spec trees (types, "
        "roundings, op-sets), which take the library's place");
  cli::StepProgress progress(kQuiet);
  const tabulate::Made made =
      tabulate::make(made_of, [&](std::size_t done, std::size_t all) { progress.begin(done, all, "tables"); });
  cli::write_file(request.out.string(), made.file);
  if (request.json) {
    nlohmann::ordered_json conversions = nlohmann::ordered_json::array();
    for (const tabulate::Made::Kernel& kernel : made.kernels)
      conversions.push_back({{"name", kernel.name}, {"form", word(kernel.table.form)}});
    const nlohmann::ordered_json out = {{"file", request.out.string()},
                                        {"bytes", made.file.size()},
                                        {"types", made.types},
                                        {"opsets", made.opsets},
                                        {"conversions", conversions}};
    std::printf("%s\n", cli::json_text(out, 2).c_str());
    return kOk;
  }
  std::map<loadable::Form, std::size_t> forms;
  for (const tabulate::Made::Kernel& kernel : made.kernels) ++forms[kernel.table.form];
  std::printf("%s: %zu bytes, %zu types, %zu op-sets, %zu conversions\n", cli::printable(request.out.string()).c_str(),
              made.file.size(), made.types.size(), made.opsets.size(), made.kernels.size());
  for (const auto& [form, count] : forms) std::printf("  %zu %s\n", count, word(form));
  for (const tabulate::Made::Kernel& kernel : made.kernels) {
    if (kernel.table.form == loadable::Form::rule) std::printf("  slow: %s\n", kernel.name.c_str());
  }
  return kOk;
}

}  // namespace castforge::command
