// amalgamate: kernels as one header and one source in C.
#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "amalgam/amalgam.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/output_file.hpp"
#include "command/command.hpp"
#include "spec/canonical.hpp"
#include "spec/lookup.hpp"
#include "spec/nearest.hpp"
#include "spec/words.hpp"

namespace castforge::command {
namespace {

namespace fs = std::filesystem;

/// As a word of a shell's command line.
std::string as_word(const std::string& text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./@#:,+=-";
  return text.find_first_not_of(kPlain) == text.npos ? text : cli::in_single_quotes(cli::printable(text));
}

/// Every combination of the settings, of which several may be about one attribute: "saturate=0", "saturate=1".
std::vector<std::vector<std::string>> combinations(const std::vector<std::string>& settings) {
  std::vector<std::vector<std::string>> groups;
  for (const std::string& setting : settings) {
    const std::string name = setting.substr(0, setting.find('='));
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return group.front().substr(0, group.front().find('=')) == name;
    });
    if (same == groups.end()) groups.push_back({setting});
    else same->push_back(setting);
  }
  std::vector<std::vector<std::string>> all = {{}};
  for (const auto& group : groups) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& chosen : all) {
      for (const std::string& setting : group) {
        longer.push_back(chosen);
        longer.back().push_back(setting);
      }
    }
    all.swap(longer);
  }
  return all;
}

/// The kernels that the request names, each once. Throws std::invalid_argument with advice.
std::vector<driver::Kernel*> kernels_of(const AmalgamRequest& request, Loaded& loaded) {
  std::vector<driver::Kernel*> kernels;
  for (const std::string& pair : request.pairs) {
    const auto [src, dst] = spec::pair_named(loaded.model, pair);
    for (const auto& attributes : combinations(request.attributes)) {
      const Selected selected = select_cell(loaded.model, {src->name, dst->name, request.opset, attributes});
      const spec::Meaning canonical = spec::canonical(selected.meaning);
      if (canonical.src->kind == spec::Kind::string || canonical.dst->kind == spec::Kind::string)
        throw std::invalid_argument(pair + ": text is converted by the library, there is no kernel to write out");
      const std::string text = driver::meaning_text(canonical);
      const auto found = std::find_if(loaded.catalogue.kernels.begin(), loaded.catalogue.kernels.end(),
                                      [&](const driver::Kernel& kernel) { return kernel.text == text; });
      if (found == loaded.catalogue.kernels.end()) throw std::logic_error("no kernel has this meaning: " + text);
      if (std::find(kernels.begin(), kernels.end(), &*found) == kernels.end()) kernels.push_back(&*found);
    }
  }
  return kernels;
}

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// Both files appear whole, or none does: what could keep one from being replaced, a folder of its name for one, is
/// found before the first one is.
void write_both(const fs::path& folder, const amalgam::Amalgam& made) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw cli::io_error(cli::printable(folder.string()), "cannot make the folder", error.value());
  cli::OutputFile header((folder / made.header.name).string()), source((folder / made.source.name).string());
  header.write(made.header.text);
  source.write(made.source.text);
  source.commit();
  header.commit();
}

}  // namespace

int amalgamate(const Places& places, const AmalgamRequest& request) {
  const std::vector<std::string> known = amalgam::known_sets(places.templates);
  std::vector<std::string> sets = request.sets.empty() ? known : request.sets;
  std::erase(sets, "portable");  // which is always there
  for (const std::string& set : sets) {
    if (std::find(known.begin(), known.end(), set) != known.end()) continue;
    throw std::invalid_argument("no instruction set is called \"" + set + "\"" +
                                spec::did_you_mean(set, known, "there are portable, " + spec::join(known, ", ")));
  }
  if (!is_identifier(request.name))
    throw std::invalid_argument("--name expects an identifier of C, found \"" + request.name + "\"");
  Loaded loaded = load_unplanned(places);
  const std::vector<driver::Kernel*> kernels = kernels_of(request, loaded);
  driver::plan_some(kernels);
  verify_kernels(kernels);

  const bool cpp = request.language == "c++";
  amalgam::Request wanted{.kernels = {kernels.begin(), kernels.end()},
                          .sets = sets,
                          .name = request.name,
                          .extension = cpp ? ".cpp" : ".c",
                          .language = cpp ? "C++17" : "C99",
                          .manifest = driver::manifest_hash(loaded.catalogue),
                          .command = "castforge-gen amalgamate"};
  wanted.command += " --pairs " + spec::join(request.pairs, ",");
  if (!request.opset.empty()) wanted.command += " --opset " + request.opset;
  for (const std::string& setting : request.attributes) wanted.command += " --attr " + setting;
  for (const std::string& path : request.specs) wanted.command += " --specs " + as_word(path);
  if (!request.sets.empty()) wanted.command += " --isa " + spec::join(request.sets, ",");
  if (cpp) wanted.command += " --lang c++";
  if (request.name != amalgam::Request().name) wanted.command += " --name " + request.name;

  const amalgam::Amalgam made = amalgam::amalgamate(wanted, places.templates);
  for (const std::string& note : made.notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  write_both(request.out, made);
  for (const amalgam::File* file : {&made.header, &made.source})
    std::printf("%s: %zu bytes\n", cli::printable((request.out / file->name).string()).c_str(), file->text.size());
  for (const driver::Kernel* kernel : kernels) {
    std::printf("  %s  %s\n", amalgam::function_name(*kernel).c_str(),
                driver::meaning_summary(kernel->meaning).c_str());
  }
  return kOk;
}

}  // namespace castforge::command
