// generate and check: the files of generated/, written or compared.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "cli/io/failure.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/output_file.hpp"
#include "command/command.hpp"
#include "emit/files.hpp"
#include "emit/kernel_file.hpp"

namespace castforge::command {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::optional<std::string> read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Every file below `out`, relative, with forward slashes.
std::set<std::string> present(const fs::path& out) {
  std::set<std::string> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator it(out, error), end; !error && it != end; it.increment(error)) {
    // What another run is writing, or one that was killed, is no file of the tree.
    if (it->is_regular_file() && !cli::is_temporary_name(it->path().filename().string()))
      paths.insert(it->path().lexically_relative(out).generic_string());
  }
  return paths;
}

/// Removes what runs that were killed left of their temporary files.
void remove_abandoned_files(const fs::path& out) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(out, error), end; !error && it != end; it.increment(error)) {
    if (cli::is_temporary_name(it->path().filename().string())) cli::remove_if_abandoned(it->path().string());
  }
}

/// Whether a file of the kernel's pair (kernels/DST/from_SRC.hpp, or its parts from_SRC__*.hpp) is among `paths`.
bool is_written_to(const driver::Kernel& kernel, const std::set<std::string>& paths) {
  const std::string file = emit::pair_path(kernel.meaning);
  if (paths.contains(file)) return true;
  const std::string part = file.substr(0, file.rfind('.')) + "__";
  const auto first = paths.lower_bound(part);
  return first != paths.end() && first->starts_with(part);
}

}  // namespace

/// No file is written whose kernels have not been verified; what is there already with the same text has been.
int generate(const Places& places, bool json) {
  Loaded loaded = load_to_emit(places);
  const emit::FileSet files =
      emit::emit_all(loaded.catalogue, load_evidence(places), emit::Templates(places.templates));
  std::set<std::string> changes;
  for (const auto& [path, content] : files) {
    if (read(places.out / path) != content) changes.insert(path);
  }
  std::vector<driver::Kernel*> unverified;
  for (driver::Kernel& kernel : loaded.catalogue.kernels) {
    if (is_written_to(kernel, changes)) unverified.push_back(&kernel);
  }
  verify_kernels(unverified);
  std::set<std::string> orphans = present(places.out);
  if (!orphans.empty() && !orphans.contains("MANIFEST.tsv")) {
    std::fprintf(stderr,
                 "%s: error: this folder holds files but no MANIFEST.tsv, so it is not a generated folder; "
                 "choose an empty or new folder with --out\n",
                 cli::printable(places.out.string()).c_str());
    return kInputOutput;
  }
  remove_abandoned_files(places.out);
  Json fresh = Json::array(), changed = Json::array(), removed = Json::array();
  for (const auto& [path, content] : files) {
    orphans.erase(path);
    if (!changes.contains(path)) continue;
    const fs::path target = places.out / path;
    const bool old = fs::exists(target);
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    cli::write_file(target.string(), content, cli::OutputFile::Last::maybe);
    (old ? changed : fresh).push_back(path);
    if (!json) std::printf("%s %s\n", old ? "changed" : "new    ", path.c_str());
  }
  for (const std::string& path : orphans) {
    std::error_code error;
    if (!fs::remove(places.out / path, error)) {
      throw cli::io_error(cli::printable((places.out / path).string()), "cannot remove the orphaned file",
                          error.value());
    }
    fs::path folder = (places.out / path).parent_path();
    while (folder != places.out && fs::is_empty(folder, error) && fs::remove(folder, error))
      folder = folder.parent_path();
    removed.push_back(path);
    if (!json) std::printf("removed %s\n", cli::printable(path).c_str());
  }
  const std::size_t written = fresh.size() + changed.size();
  if (written != 0) cli::sync_file_system(places.out.string());  // once for all files
  if (json) {
    const Json out = {{"files", files.size()}, {"new", fresh}, {"changed", changed}, {"removed", removed}};
    std::printf("%s\n", cli::json_text(out, 2).c_str());
    return kOk;
  }
  std::printf("%zu files: %zu written, %zu removed, %zu already current\n", files.size(), written, removed.size(),
              files.size() - written);
  return kOk;
}

int check(const Places& places, bool json) {
  Loaded loaded = load_to_emit(places);
  std::vector<driver::Kernel*> kernels;
  for (driver::Kernel& kernel : loaded.catalogue.kernels) kernels.push_back(&kernel);
  verify_kernels(kernels);
  const emit::FileSet files =
      emit::emit_all(loaded.catalogue, load_evidence(places), emit::Templates(places.templates));
  std::set<std::string> orphans = present(places.out);
  Json drift = {{"missing", Json::array()}, {"changed", Json::array()}, {"orphaned", Json::array()}};
  std::size_t drifted = 0;
  const auto report = [&](const char* kind, const std::string& path, const char* more = "") {
    drift[kind].push_back(path);
    ++drifted;
    if (!json) std::fprintf(stderr, "%s: %s%s\n", cli::printable((places.out / path).string()).c_str(), kind, more);
  };
  for (const auto& [path, content] : files) {
    orphans.erase(path);
    const auto old = read(places.out / path);
    if (!old) report("missing", path);
    else if (*old != content) report("changed", path);
  }
  for (const std::string& path : orphans) report("orphaned", path, ": nothing generates it");
  if (json) {
    const Json out = {{"files", files.size()}, {"current", drifted == 0}, {"drift", drift}};
    std::printf("%s\n", cli::json_text(out, 2).c_str());
    return drifted == 0 ? kOk : kDrift;
  }
  if (drifted != 0) {
    std::fprintf(stderr,
                 "error: %zu of %zu files differ from what the specs say; run `castforge-gen generate` and review the "
                 "difference\n",
                 drifted, files.size());
    return kDrift;
  }
  std::printf("%zu files are exactly what the specs say\n", files.size());
  return kOk;
}

}  // namespace castforge::command
