// The table of operations as kernels of one line: every operation at every width, with every kind of argument.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/program.hpp"

namespace castforge::test {

/// An operation on operands that are named constants a, b, .. of a program; its last node is the result.
struct Case {
  std::string name;  // of the struct: "shl_imm_32_by_7"
  ir::Op op = ir::Op::constant;
  int bits = 8;  // of an operand
  std::vector<std::string> operands;
  ir::Program program;
  unsigned needs = ir::kNeedsVector;  // of the form for vectors
  bool has_vector_form = true;

  int to() const { return program.result().bits; }
};

std::vector<Case> operation_cases();

/// Operands that tell operations apart, one column per operand: all there are for one or two bytes and one number of 16
/// bits, otherwise boundary values, crossed, and random ones; and the results. Tuples outside the operation's domain
/// are left out.
struct Tuples {
  std::vector<std::vector<std::uint64_t>> columns;
  std::vector<std::uint64_t> results;
  std::vector<std::vector<std::uint64_t>> outside;  // some of those left out, one vector per tuple
};
Tuples tuples_of(const Case& one);

/// The case with numbers for its operands.
ir::Program at(const Case& one, const std::vector<std::uint64_t>& operands);

}  // namespace castforge::test
