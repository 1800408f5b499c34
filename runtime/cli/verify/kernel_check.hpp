// One kernel on several instruction sets against the reference.
#pragma once

#include <castforge/interface.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace castforge::cli {

struct Disagreement {
  std::string isa;
  std::uint64_t source = 0;               // code
  std::uint64_t expected = 0, found = 0;  // elements as stored
};

struct KernelCheck {
  std::string kernel;
  bool complete = false;            // every source code was tried
  std::uint64_t codes = 0;          // tried, per instruction set
  std::uint64_t wrong = 0;          // on all instruction sets together
  std::string problem;              // the rule states no result for a code
  std::vector<Disagreement> first;  // the first few

  // At the level exhaustive: what it took.
  std::vector<double> seconds;  // of each instruction set
  double exact_seconds = 0;     // of the exact results

  void add(const Disagreement& one);
};

enum class Level {
  quick,       // all codes of sources up to 16 bits, representative ones of wider sources
  exhaustive,  // all codes of sources up to 32 bits too
};

/// Checks one kernel, as compiled for several instruction sets, against a rule. `kernels` is not empty.
KernelCheck check_kernel(const std::vector<Kernel>& kernels, const Rule& rule, Level level);

/// The same for kernel `index` of the library, by its own rule.
KernelCheck check_kernel(std::size_t index, const std::vector<std::string>& isas, Level level);

}  // namespace castforge::cli
