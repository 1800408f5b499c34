// audit: the report of every pair, written to a folder.
#include <cstdio>
#include <fstream>
#include <set>
#include <stdexcept>

#include "audit/report.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/step_progress.hpp"
#include "command/command.hpp"
#include "driver/sha256.hpp"
#include "spec/loader.hpp"

namespace castforge::command {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSums = "SHA256SUMS";  // of every other file, as sha256sum writes and checks them
constexpr const char* kOfEveryReport[] = {"index.html", "search.js", "style.css"};
constexpr const char* kPairs = "pairs";  // the folder of all other pages

/// The files of a report that is there; none where the folder is empty or missing. Throws where it is something else,
/// the list of another program's files for instance.
std::set<std::string> earlier_files(const fs::path& folder) {
  std::set<std::string> files;
  std::error_code error;
  if (!fs::exists(folder, error)) return files;
  const auto refused = [&](const std::string& why) {
    return std::invalid_argument(folder.string() + ": " + why + "; choose an empty or new folder with -o");
  };
  if (!fs::is_directory(folder, error)) throw refused("is no folder");
  bool is_empty = true;  // but for what is left of a list that was being written
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    is_empty = is_empty && cli::is_temporary_name(entry.path().filename().string());
  if (is_empty && !error) return files;
  std::ifstream sums(folder / kSums);
  if (!sums) throw refused(std::string("holds files but no ") + kSums + ", so it is no report");
  constexpr std::size_t kDigits = 64;
  for (std::string line; std::getline(sums, line);) {
    if (line.size() > kDigits + 2) files.insert(line.substr(kDigits + 2));
  }
  for (const char* const page : kOfEveryReport) {
    if (!files.contains(page))
      throw refused(std::string("its ") + kSums + " lists no " + page + ", so it is no report");
  }
  return files;
}

/// What a report has and another may lack. Only such files are removed: the list may have been changed.
bool is_page_of_pair(const std::string& path) {
  const fs::path page = path;
  return page.parent_path() == kPairs && page.extension() == ".html";
}

}  // namespace

int audit(const Places& places, const AuditRequest& request) {
  const std::set<std::string> earlier = earlier_files(request.out);
  audit::Known known{load_evidence(places), {}, {}};
  if (!request.speeds.empty()) known.speeds = audit::read_speeds(request.speeds);
  Loaded loaded = load(places);
  known.processors = loaded.processors;
  std::vector<driver::Kernel*> kernels;
  for (driver::Kernel& kernel : loaded.catalogue.kernels) kernels.push_back(&kernel);
  verify_kernels(kernels);
  cli::StepProgress progress(kQuiet);
  const auto files =
      audit::report(loaded.catalogue, emit::Templates(places.templates), known,
                    [&](std::size_t done, std::size_t all) { progress.begin(done, all, "pages of the report"); });
  std::string sums;
  std::size_t bytes = 0;
  for (const auto& [path, text] : files) {
    sums += driver::sha256(text) + "  " + path + "\n";
    bytes += text.size();
  }
  // What is left of a report that was interrupted is known by its list, which therefore is old until nothing is there
  // that only it names, and new before anything is there that only the new one names.
  for (const std::string& path : earlier) {
    std::error_code error;
    if (!files.contains(path) && is_page_of_pair(path)) fs::remove(request.out / path, error);
  }
  std::error_code error;
  fs::create_directories(request.out, error);
  cli::write_file((request.out / kSums).string(), sums);
  fs::create_directory(request.out / kPairs, error);
  for (const auto& [path, text] : files)
    cli::write_file((request.out / path).string(), text, cli::OutputFile::Last::maybe);
  cli::sync_file_system(request.out.string());
  std::printf("%s: %zu files, %.1f MB, %zu kernels equal the exact semantics; open %s\n",
              cli::printable(request.out.string()).c_str(), files.size() + 1, static_cast<double>(bytes) / 1e6,
              kernels.size(), cli::printable((request.out / "index.html").string()).c_str());
  return kOk;
}

int check_manifest(const Places& places, const std::string& hash, bool json) {
  const std::string own = driver::manifest_hash(driver::resolve_catalogue(places.model()));
  const bool same = own == hash;
  if (json) {
    std::printf("{\n  \"manifest\": \"%s\",\n  \"same\": %s\n}\n", own.c_str(), same ? "true" : "false");
  } else if (same) {
    std::printf("%s: a library with this manifest was generated from what these specs say\n", own.c_str());
  } else {
    std::fprintf(stderr,
                 "error: these specs give the manifest %s: a library with another one was generated from other specs, "
                 "or by another version of castforge-gen\n",
                 own.c_str());
  }
  return same ? kOk : kDrift;
}

}  // namespace castforge::command
