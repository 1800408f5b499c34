// Measured speeds of kernels.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace castforge::audit {

struct Speed {
  std::string isa;
  double elements_per_second = 0, of_memcpy = 0;  // the rate over that of std::memcpy for as many bytes
};

struct Speeds {
  std::vector<std::string> conditions;                // how it was measured, a line each
  std::map<std::string, std::vector<Speed>> kernels;  // by name; the slowest first
};

/// A file that `castforge bench --tsv` wrote; of several sizes the smallest, which fits the caches. Throws a
/// cli::Failure, which names the line where one is wrong.
Speeds read_speeds(const std::filesystem::path& path);

}  // namespace castforge::audit
