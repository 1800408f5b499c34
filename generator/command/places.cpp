#include "command/places.hpp"

#include <algorithm>

namespace castforge::command {

Places default_places(const char* program, const char* source_dir, const char* data_dir) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) self = program;
  const fs::path installed = (self.parent_path() / data_dir).lexically_normal();
  const fs::path root = fs::exists(installed / "specs", error) ? installed : fs::path(source_dir);
  return {{root / "specs"}, root / "templates", root / "generated"};
}

std::vector<std::filesystem::path> merged_specs(const std::vector<std::filesystem::path>& shipped,
                                                const std::vector<std::filesystem::path>& given) {
  namespace fs = std::filesystem;
  const auto whole = [](const fs::path& path) {
    return fs::is_directory(path / "types") && fs::is_directory(path / "roundings") &&
           fs::is_directory(path / "opsets");
  };
  std::vector<fs::path> merged;
  if (std::none_of(given.begin(), given.end(), whole)) merged = shipped;
  merged.insert(merged.end(), given.begin(), given.end());
  return merged;
}

}  // namespace castforge::command
