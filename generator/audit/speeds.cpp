#include "audit/speeds.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>

#include "cli/io/failure.hpp"

namespace castforge::audit {
namespace {

constexpr const char* kHead = "kernel\tisa\telements\telements_per_second\tof_memcpy";

}  // namespace

Speeds read_speeds(const std::filesystem::path& path) {
  const std::string name = cli::printable(path.string());
  std::ifstream file(path, std::ios::binary);
  if (!file) throw cli::io_error(name, "cannot read", errno);
  Speeds speeds;
  std::size_t number = 0;
  double size = 0;  // elements, of what is kept
  bool head = false;
  const auto fail = [&](const std::string& message) {
    return cli::bad_file(name + ":" + std::to_string(number), message);
  };
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.starts_with("# ")) {
      speeds.conditions.push_back(line.substr(2));
      continue;
    }
    if (!head) {
      if (line != kHead) throw fail(std::string("expected the columns \"") + kHead + "\"");
      head = true;
      continue;
    }
    std::istringstream cells(line);
    std::string kernel;
    Speed speed;
    double elements = 0;
    if (!(cells >> kernel >> speed.isa >> elements >> speed.elements_per_second >> speed.of_memcpy))
      throw fail("expected a kernel, an instruction set and three numbers");
    if (size != 0 && elements > size) continue;
    if (elements < size) speeds.kernels.clear();
    size = elements;
    speeds.kernels[kernel].push_back(speed);
  }
  if (!head) throw cli::bad_file(name, "expected a table of speeds, found none");
  for (auto& [kernel, list] : speeds.kernels) {
    std::sort(list.begin(), list.end(),
              [](const Speed& a, const Speed& b) { return a.elements_per_second < b.elements_per_second; });
  }
  return speeds;
}

}  // namespace castforge::audit
