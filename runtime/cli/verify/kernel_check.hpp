// One kernel on several instruction sets against the reference.
#pragma once

#include <castforge/interface.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace castforge::cli {

struct Disagreement {
  std::string isa;
  std::uint64_t source = 0, expected = 0, found = 0;  // codes
};

struct KernelCheck {
  std::string kernel;
  bool complete = false;            // every source code was tried
  std::uint64_t codes = 0;          // tried, per instruction set
  std::uint64_t wrong = 0;          // on all instruction sets together
  std::string problem;              // the rule states no result for a code
  std::vector<Disagreement> first;  // the first few
};

/// Checks one kernel, as compiled for several instruction sets, against a rule. `kernels` is not empty.
KernelCheck check_kernel(const std::vector<Kernel>& kernels, const Rule& rule, bool all32);

/// The same for kernel `index` of the library, by its own rule.
KernelCheck check_kernel(std::size_t index, const std::vector<std::string>& isas, bool all32);

}  // namespace castforge::cli
