// A temporary folder of spec files, and the model or the errors that come of loading it.
#pragma once

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "spec/loader.hpp"

namespace castforge::test {

namespace fs = std::filesystem;

inline fs::path shipped_specs() { return fs::path(CASTFORGE_SOURCE_DIR) / "specs"; }

class Scratch {
 public:
  Scratch() {
    static int count = 0;
    root_ =
        fs::temp_directory_path() / ("castforge-spec-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    fs::create_directories(root_);
  }
  Scratch(std::initializer_list<std::pair<std::string, std::string>> files) : Scratch() {
    for (const auto& [name, text] : files) write(name, text);
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const fs::path& root() const { return root_; }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
  }

  /// What load() throws, without the folder's own path; "" when it succeeds.
  std::string errors(std::vector<fs::path> others = {}) const {
    others.push_back(root_);
    try {
      spec::load(others);
      return {};
    } catch (const spec::SpecError& error) {
      std::string text = error.what();
      const std::string prefix = root_.generic_string() + "/";
      for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
        text.erase(at, prefix.size());
      }
      return text;
    }
  }

 private:
  fs::path root_;
};

/// Shipped types and rounding modes, for op-set specs under test.
inline std::vector<fs::path> shipped_types() {
  return {shipped_specs() / "types", shipped_specs() / "roundings", shipped_specs() / "systems"};
}

}  // namespace castforge::test
