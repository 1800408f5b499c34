#include "audit/speeds.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace castforge::audit {
namespace {

constexpr const char* kHead = "kernel\tisa\telements\telements_per_second\tof_memcpy";

}  // namespace

Speeds read_speeds(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  Speeds speeds;
  std::size_t number = 0;
  double size = 0;  // elements, of what is kept
  bool head = false;
  const auto fail = [&](const std::string& message) {
    return std::runtime_error(path.string() + ":" + std::to_string(number) + ": " + message);
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
  if (!head) throw std::runtime_error(path.string() + ": expected a table of speeds, found none");
  for (auto& [kernel, list] : speeds.kernels) {
    std::sort(list.begin(), list.end(),
              [](const Speed& a, const Speed& b) { return a.elements_per_second < b.elements_per_second; });
  }
  return speeds;
}

}  // namespace castforge::audit
