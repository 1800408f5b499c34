#include "command/places.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "spec/shipped.hpp"

namespace castforge::command {
namespace {

/// Where something is in a source tree, or installed; empty where it is in neither.
std::filesystem::path first_there(const std::filesystem::path& root, std::initializer_list<const char*> places) {
  for (const char* place : places) {
    std::error_code error;
    if (std::filesystem::exists(root / place, error)) return root / place;
  }
  return {};
}

}  // namespace

Places default_places(const char* program, const char* source_dir, const char* data_dir) {
  const std::filesystem::path root = spec::shipped_data(program, source_dir, data_dir);
  Places places;
  places.specs = places.library = {root / "specs"};
  places.templates = root / "templates";
  places.evidence = first_there(root, {"tests/evidence", "evidence"});
  // An installation holds no generated tree, and nothing is to be written into it.
  places.out = first_there(root, {"generator"}).empty() ? "generated" : root / "generated";
  return places;
}

std::filesystem::path shipped_speeds(const char* program, const char* source_dir, const char* data_dir) {
  return first_there(spec::shipped_data(program, source_dir, data_dir), {"tests/bench/speeds.tsv", "speeds.tsv"});
}

namespace {

bool is_whole(const std::filesystem::path& path) {
  return std::filesystem::is_directory(path / "types") && std::filesystem::is_directory(path / "roundings") &&
         std::filesystem::is_directory(path / "opsets");
}

}  // namespace

std::vector<std::filesystem::path> whole_specs(const std::vector<std::filesystem::path>& shipped,
                                               const std::vector<std::filesystem::path>& given) {
  std::vector<std::filesystem::path> whole;
  std::copy_if(given.begin(), given.end(), std::back_inserter(whole), is_whole);
  return whole.empty() ? shipped : whole;
}

std::vector<std::filesystem::path> merged_specs(const std::vector<std::filesystem::path>& shipped,
                                                const std::vector<std::filesystem::path>& given) {
  std::vector<std::filesystem::path> merged;
  if (std::none_of(given.begin(), given.end(), is_whole)) merged = shipped;
  merged.insert(merged.end(), given.begin(), given.end());
  return merged;
}

}  // namespace castforge::command
