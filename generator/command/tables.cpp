// tables: kernels as data.
#include <array>
#include <castforge/loadable.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/io/failure.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/output_file.hpp"
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

/// Whoever mixes up the spec and the output keeps the spec.
void check_replaces_tables_only(const fs::path& out) {
  std::error_code ignored;
  if (!fs::is_regular_file(out, ignored) || fs::file_size(out, ignored) == 0) return;
  std::array<unsigned char, loadable::kMagic.size()> begin{};
  std::ifstream(out, std::ios::binary).read(reinterpret_cast<char*>(begin.data()), begin.size());
  if (begin == loadable::kMagic) return;
  throw cli::usage_error(cli::printable(out.string()) +
                         ": expected no file, or a .cft file to be replaced, found a file of another kind");
}

}  // namespace

int tables(const Places& places, const TablesRequest& request) {
  check_replaces_tables_only(request.out);
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
  Progress progress("tables:");
  const tabulate::Made made =
      tabulate::make(made_of, [&](std::size_t done, std::size_t all) { progress.show(done, all); });
  // Standard output is for what is said of the file.
  cli::write_file(request.out == "-" ? "./-" : request.out.string(), made.file);
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
