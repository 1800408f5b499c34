// fuzz_replay FOLDER: the inputs in FOLDER/TARGET/ through each target, without a fuzzer. A finding ends the program.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/target.hpp"

namespace fs = std::filesystem;
using namespace castforge;

namespace {

std::size_t replay(const fuzz::Target& target, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  const std::size_t before = fuzz::accepted_so_far();
  for (const fs::path& path : files) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::fprintf(stderr, "%s\n", path.c_str());  // which one it was, should the program end here
    target.run({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  }
  fuzz::require(fuzz::accepted_so_far() != before, "every input is refused of " + std::string(target.name));
  return files.size();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: fuzz_replay FOLDER\n"), 2;
  std::size_t inputs = 0;
  for (const fuzz::Target& target : fuzz::targets()) {
    const fs::path folder = fs::path(argv[1]) / target.name;
    fuzz::require(fs::is_directory(folder), "no inputs for " + std::string(target.name));
    const std::size_t count = replay(target, folder);
    fuzz::require(count != 0, "no inputs for " + std::string(target.name));
    inputs += count;
    target.run({});
  }
  for (const auto& entry : fs::directory_iterator(argv[1])) {
    const std::string name = entry.path().filename().string();
    const bool known = std::any_of(fuzz::targets().begin(), fuzz::targets().end(),
                                   [&](const fuzz::Target& target) { return target.name == name; });
    fuzz::require(known, "inputs for no target: " + name);
  }
  std::printf("%zu inputs, %zu targets\n", inputs, fuzz::targets().size());
}
