#include "support.hpp"

#include <catch2/catch_test_macros.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace castforge::generating {

Folder::Folder() {
  static int number = 0;
  path_ = fs::temp_directory_path() /
          ("castforge-generating-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
  fs::create_directories(path_);
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  INFO(path.string());
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

void edit(const fs::path& path, const std::string& from, const std::string& to) {
  std::string text = read(path);
  const std::size_t at = text.find(from);
  INFO(path.string() << ": " << from);
  REQUIRE(at != std::string::npos);
  REQUIRE(text.find(from, at + 1) == std::string::npos);
  write(path, text.replace(at, from.size(), to));
}

Tree tree(const fs::path& folder) {
  Tree files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[entry.path().lexically_relative(folder).generic_string()] = read(entry.path());
  }
  return files;
}

std::vector<std::string> differences(const Tree& a, const Tree& b) {
  std::vector<std::string> paths;
  for (const auto& [path, content] : a) {
    const auto other = b.find(path);
    if (other == b.end() || other->second != content) paths.push_back(path);
  }
  for (const auto& [path, content] : b) {
    if (!a.contains(path)) paths.push_back(path);
  }
  return paths;
}

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

Run shell(const fs::path& folder, const std::string& command) {
  const Folder captured;
  const std::string line = "cd " + quoted(folder) + " && { " + command + "\n} > " + quoted(captured / "out") + " 2> " +
                           quoted(captured / "err") + " < /dev/null";
  const int status = std::system(line.c_str());
  REQUIRE(WIFEXITED(status));
  return {WEXITSTATUS(status), read(captured / "out"), read(captured / "err")};
}

Run gen(const fs::path& folder, const std::string& arguments, const std::string& environment) {
  return shell(folder, "env " + environment + " '" CASTFORGE_GEN "' " + arguments);
}

fs::path source_tree() { return CASTFORGE_SOURCE_DIR; }

fs::path small_specs(const Folder& folder) {
  const fs::path specs = folder / "specs", shipped = source_tree() / "specs";
  for (const std::string name : {"float32", "float16", "float8e4m3fn", "int8"}) {
    write(specs / "types" / (name + ".json"), read(shipped / "types" / (name + ".json")));
  }
  fs::create_directories(specs / "roundings");
  fs::copy(shipped / "roundings", specs / "roundings");
  write(specs / "opsets" / "mini-1.json", R"({
  "opset": "mini", "version": 1, "operation": "cast",
  "doc": "A few conversions.",
  "types": { "add": ["float32", "float16", "float8e4m3fn", "int8"] },
  "pairs": "all",
  "attributes": { "saturate": { "type": "flag", "default": 1 } },
  "rules": [
    { "id": "same", "src": "any", "dst": "same", "set": { "same_type": "copy" }, "basis": "a copy" },
    { "id": "to-float", "src": "any", "dst": "float",
      "set": { "round": "nearest_even", "overflow": "infinity", "inf": "infinity", "nan": "nan" },
      "basis": "IEEE 754" },
    { "id": "to-integer", "src": "float", "dst": "integer",
      "set": { "round": "toward_zero", "overflow": "wrap", "inf": "zero", "nan": "zero" }, "basis": "low bits" },
    { "id": "f8-saturate", "src": "any", "dst": "float8e4m3fn", "attr": { "saturate": 1 },
      "set": { "overflow": "max", "inf": "max" }, "basis": "saturating" }
  ]
}
)");
  write(specs / "opsets" / "mini-2.json", R"({
  "opset": "mini", "version": 2, "extends": 1,
  "doc": "Floats to int8 saturate.",
  "rules": [
    { "id": "to-integer", "src": "float", "dst": "integer",
      "set": { "round": "nearest_even", "overflow": "saturate", "inf": "saturate", "nan": "zero" }, "basis": "clamped" }
  ]
}
)");
  return specs;
}

}  // namespace castforge::generating
