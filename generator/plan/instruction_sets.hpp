// The instruction sets that kernels are compiled for, by what they offer to programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ir/program.hpp"

namespace castforge::plan {

struct InstructionSet {
  const char* name;
  unsigned offers;  // ir::Needs
};

/// In the order in which the build names them.
std::span<const InstructionSet> instruction_sets();

inline bool runs(const InstructionSet& set, const ir::Program& program) { return (program.needs & ~set.offers) == 0; }

/// The names of the instruction sets whose first program that they can run is number `index`.
std::vector<std::string> chosen_on(std::span<const ir::Program> programs, std::size_t index);

/// Leaves out programs that no instruction set would choose; the last one, which runs everywhere, stays.
void keep_chosen(std::vector<ir::Program>& programs);

}  // namespace castforge::plan
