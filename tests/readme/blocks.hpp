// Fenced blocks of a Markdown text, and running them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace castforge::readme {

struct Block {
  std::string language;  // the word after the fence
  std::string text;
  int line = 0;         // of the fence, from 1
  std::string not_run;  // the reason in `<!-- not run: reason -->` right above
};

/// Throws std::runtime_error for a fence without an end and for a `not run` without a reason.
std::vector<Block> blocks(const std::string& markdown);

std::string read(const std::filesystem::path& path);

struct Run {
  int code = 0;
  std::string output;  // both streams
};
/// A shell script in `folder`, with the built programs on PATH. The first command that fails ends it, also one inside a
/// pipeline, and its code is the result.
Run run_script(const std::filesystem::path& folder, const std::string& script);

/// Compiles a C++ program against the library in `folder` and runs it.
Run run_program(const std::filesystem::path& folder, const std::string& source);

/// A folder of its own for a test; gone with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace castforge::readme
