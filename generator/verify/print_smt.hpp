// Prints a program as SMT-LIB definitions over bit-vectors, from the terms of its operations (ir/operations.def).
#pragma once

#include <string>
#include <vector>

#include "ir/program.hpp"

namespace castforge::verify {

struct SmtProgram {
  std::string bindings;             // one `let` per node, left open (smt::close_bindings)
  std::string result;               // name of the last node: a bit-vector of the destination's storage unit
  std::vector<std::string> domain;  // what operations ask of their operands (Bool terms)
};

/// `input` is a term for the source element, zero-extended to its storage unit.
SmtProgram print_smt(const ir::Program& program, const std::string& input);

}  // namespace castforge::verify
