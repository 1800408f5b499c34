// Prints a lane plan as the body of a kernel's `map`.
#pragma once

#include <string>
#include <vector>

#include "plan/ir.hpp"

namespace castforge::emit {

struct PrintedConstant {
  std::string name, value, formula;
};

struct PrintedStatement {
  std::string text;  // "const W mag = bits & W(kMagnitude);"
  std::string note;
};

struct PrintedPlan {
  std::vector<PrintedConstant> constants;  // in order of first use
  std::vector<PrintedStatement> statements;
  std::string result;                      // the returned expression
  std::string result_note;                 // what to say beside it, or nothing
  bool uses_input = true;
};

PrintedPlan print_cpp(const plan::LanePlan& plan);

/// 0x-prefixed, at least `bits`/4 digits.
std::string hex(std::uint64_t value, int bits);

}  // namespace castforge::emit
