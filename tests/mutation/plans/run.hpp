// The mutants of the sample against the comparison, and the table of those that survive.
#pragma once

#include <cstddef>
#include <filesystem>

namespace castforge::mutation {

struct Request {
  std::filesystem::path table;  // of survivors
  std::size_t part = 0, parts = 1;
  bool record = false, prove = false;
  int timeout_s = 120;  // for a proof
};

/// Prints what it finds, with progress on a terminal. True when every mutant is noticed or known to be the same
/// function.
bool run(const Request& request);

}  // namespace castforge::mutation
