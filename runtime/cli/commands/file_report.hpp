// What `castforge info FILE` prints.
#pragma once

#include "cli/inspect/tensor_list.hpp"
#include "cli/selection/kernel_options.hpp"

#include <optional>
#include <string>

namespace castforge::cli {

struct FileReport {
  std::string path;
  TensorListing listing;
  std::optional<Type> to;  // a cast to try
  KernelOptions kernels;   // its rules
  unsigned threads = 1;
  bool json = false;
};

/// Reads the whole file once and prints the report. Throws a Failure.
void report_file(const FileReport& report);

}  // namespace castforge::cli
