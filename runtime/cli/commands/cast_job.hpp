// The work of `castforge cast`: from files to files.
#pragma once

#include "cli/formats/file_format.hpp"
#include "cli/selection/kernel_options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace castforge::cli {

struct CastJob {
  std::string input, output;
  FileFormat input_format = FileFormat::raw, output_format = FileFormat::raw;
  Type to{};
  std::optional<Type> from;
  std::optional<std::uint64_t> count;  // raw input
  std::vector<std::string> tensors;    // safetensors input: patterns of names
  KernelOptions kernels;
  unsigned threads = 1;
  bool verbose = false;  // a line per tensor on standard error
};

/// Does the job. The output appears whole or, where a Failure is thrown, not at all.
void run(const CastJob& job);

}  // namespace castforge::cli
