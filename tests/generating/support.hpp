// Scratch folders, a small spec tree, and runs of castforge-gen.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace castforge::generating {

namespace fs = std::filesystem;

/// A folder of its own for a test; gone with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// Without the line ends.
std::vector<std::string> lines(const std::string& text);
std::string read(const fs::path& path);
void write(const fs::path& path, std::string_view text);
/// Replaces the one occurrence of `from` in a file; fails the test when there is not exactly one.
void edit(const fs::path& path, const std::string& from, const std::string& to);

/// Every file below a folder: relative path with forward slashes -> content.
using Tree = std::map<std::string, std::string>;
Tree tree(const fs::path& folder);
/// Paths that are only in one of them, or differ.
std::vector<std::string> differences(const Tree& a, const Tree& b);

struct Run {
  int code = 0;
  std::string output, errors;
};
/// Runs `command` with a shell in `folder`.
Run shell(const fs::path& folder, const std::string& command);
/// castforge-gen with arguments as a shell reads them, after `environment` ("NAME=value ...").
Run gen(const fs::path& folder, const std::string& arguments, const std::string& environment = "");

/// A whole spec tree in `folder`/specs: float32, float16, float8e4m3fn and int8, the shipped rounding modes, and the
/// rule sets mini@1 (its attribute saturate acts on float8e4m3fn) and mini@2 (floats to int8 saturate).
fs::path small_specs(const Folder& folder);

/// "'path'": for the shell.
std::string quoted(const fs::path& path);

fs::path source_tree();

}  // namespace castforge::generating
