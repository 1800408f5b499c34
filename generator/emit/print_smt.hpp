// Prints a lane plan as SMT-LIB definitions over bit-vectors (QF_BV), operation by operation as plan/ir.hpp fixes them.
#pragma once

#include <string>
#include <vector>

#include "plan/ir.hpp"

namespace castforge::emit {

struct SmtPlan {
  std::string bindings;             // one `let` per node, left open (smt::close_bindings)
  std::string result;               // name of the last node: a bit-vector of the lane's width
  std::vector<std::string> domain;  // what operations ask of their operands (Bool terms)
  std::string left_out;             // not empty: the operation that has no formula here; then the rest is empty
};

/// `input` is a term for the source element, already extended to the lane (of the preparation, where the plan has one).
SmtPlan print_smt(const plan::LanePlan& plan, const std::string& input);

}  // namespace castforge::emit
