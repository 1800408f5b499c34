#include "cli/bench/machine.hpp"

#include <castforge/interface.hpp>

#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

namespace castforge::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Value of "KEY : VALUE" in /proc/cpuinfo.
std::string cpuinfo(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || !line.starts_with(key) || colon + 2 > line.size()) continue;
    return line.substr(colon + 2);
  }
  return {};
}

/// CPUs in a list like "0-3,8".
int cpus_in(const std::string& list) {
  int count = 0;
  for (const char* at = list.c_str(); *at != '\0';) {
    char* end = nullptr;
    const long first = std::strtol(at, &end, 10);
    if (end == at) break;
    const long last = *end == '-' ? std::strtol(end + 1, &end, 10) : first;
    count += static_cast<int>(last - first + 1);
    at = *end == ',' ? end + 1 : end;
  }
  return count;
}

Json caches() {
  Json list = Json::array();
  for (int i = 0;; ++i) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
    const std::string size = first_line(folder + "size");
    if (size.empty()) return list;
    const long factor = size.back() == 'K' ? 1024 : size.back() == 'M' ? 1024 * 1024 : 1;
    list.push_back({{"type", first_line(folder + "type")},
                    {"level", std::atoi(first_line(folder + "level").c_str())},
                    {"size", std::atol(size.c_str()) * factor},
                    {"num_sharing", cpus_in(first_line(folder + "shared_cpu_list"))}});
  }
}

std::string local_date() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &parts);
  std::string date = text;
  if (date.size() > 5) date.insert(date.size() - 2, ":");  // +01:00
  return date;
}

}  // namespace

std::string cpu_name() {
  const std::string name = cpuinfo("model name");
  return name.empty() ? "unknown" : name;
}

Json benchmark_context() {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  Json load = Json::array();
  double averages[3];
  for (int i = 0, count = ::getloadavg(averages, 3); i < count; ++i) load.push_back(averages[i]);
  const std::string governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
#ifdef NDEBUG
  const char* build_type = "release";
#else
  const char* build_type = "debug";
#endif
  return {{"date", local_date()},
          {"host_name", host},
          {"executable", "castforge"},
          {"num_cpus", std::thread::hardware_concurrency()},
          {"mhz_per_cpu", static_cast<int>(std::atof(cpuinfo("cpu MHz").c_str()))},
          {"cpu_scaling_enabled", !governor.empty() && governor != "performance"},
          {"caches", caches()},
          {"load_avg", load},
          {"library_build_type", build_type},
          {"cpu_name", cpu_name()},
          {"castforge_version", version()},
          {"castforge_manifest", manifest_hash()}};
}

std::string short_count(std::size_t count) {
  constexpr std::size_t kMi = 1 << 20, kKi = 1 << 10;
  if (count >= kMi && count % kMi == 0) return std::to_string(count / kMi) + " Mi";
  if (count >= kKi && count % kKi == 0) return std::to_string(count / kKi) + " Ki";
  return std::to_string(count);
}

}  // namespace castforge::cli
