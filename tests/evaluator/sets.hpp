// Which instruction sets run which plan of a kernel.
#pragma once

#include <string>
#include <vector>

#include "operations.hpp"
#include "syntax.hpp"

namespace castforge::evaluator {

struct InstructionSet {
  std::string name;
  std::vector<std::string> has;  // enumerators of lane::Needs
};

/// The least capable first.
const std::vector<InstructionSet>& instruction_sets();

bool offers(const InstructionSet& set, const std::string& feature);

/// For each plan of the kernel, in order, the instruction sets that run it: those that meet its needs and no earlier
/// plan's.
std::vector<std::vector<InstructionSet>> runners(const Kernel& kernel);

/// The domains that hold on those instruction sets.
World world_of(const std::vector<InstructionSet>& sets);

}  // namespace castforge::evaluator
