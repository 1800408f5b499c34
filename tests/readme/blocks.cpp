#include "blocks.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace castforge::readme {
namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Block> blocks(const std::string& markdown) {
  constexpr std::string_view kFence = "```", kNotRun = "<!-- not run:", kEnd = "-->";
  std::vector<Block> found;
  std::istringstream stream(markdown);
  std::string reason;
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (inside) {
      if (line.starts_with(kFence)) inside = false;
      else found.back().text += line + "\n";
      continue;
    }
    if (line.starts_with(kFence)) {
      found.push_back({line.substr(kFence.size()), "", number, reason});
      reason.clear();
      inside = true;
    } else if (line.starts_with(kNotRun)) {
      const std::size_t end = line.find(kEnd);
      reason = end == std::string::npos ? "" : line.substr(kNotRun.size(), end - kNotRun.size());
      reason.erase(0, reason.find_first_not_of(' '));
      reason.erase(reason.find_last_not_of(' ') + 1);
      if (reason.empty())
        throw std::runtime_error("line " + std::to_string(number) +
                                 ": `not run` needs a reason and an end on its line");
    } else if (!line.empty()) {
      reason.clear();
    }
  }
  if (inside) throw std::runtime_error("line " + std::to_string(found.back().line) + ": a fence without an end");
  return found;
}

Folder::Folder() {
  static int number = 0;
  path_ =
      fs::temp_directory_path() / ("castforge-readme-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
  fs::create_directories(path_);
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Run run_script(const fs::path& folder, const std::string& script) {
  const Folder aside;
  const fs::path file = aside.path() / "script", output = aside.path() / "output";
  std::ofstream(file) << script;
  const std::string programs = fs::path(CASTFORGE_GEN).parent_path().string();
  const std::string line = "cd '" + folder.string() + "' && PATH='" + programs +
                           "':\"$PATH\" bash -e -u -o pipefail '" + file.string() + "' > '" + output.string() +
                           "' 2>&1 < /dev/null";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, read(output)};
}

Run run_program(const fs::path& folder, const std::string& source) {
  std::ofstream(folder / "sample.cpp") << source;
  const std::string include = "'" CASTFORGE_SOURCE_DIR "/runtime/include' -I '" CASTFORGE_GENERATED "/include'";
  const std::string library_folder = fs::path(CASTFORGE_LIBRARY).parent_path().string();
  return run_script(folder, "'" CASTFORGE_CXX "' " CASTFORGE_CXX_OPTIONS " -std=c++20 -Wall -Wextra -I " + include +
                                " sample.cpp '" CASTFORGE_LIBRARY
                                "' -o sample\n"
                                "LD_LIBRARY_PATH='" +
                                library_folder + "' ./sample\n");
}

}  // namespace castforge::readme
