// Prints a program as the constants, tables and body of a kernel's map().
#pragma once

#include <string>
#include <vector>

#include "ir/program.hpp"

namespace castforge::emit {

struct PrintedConstant {
  std::string type, name, value, formula;
};

struct PrintedStatement {
  std::string text;  // "const auto mag = bits & kMagnitude;", the last one "return code;"
  std::string note;
  int node;  // whose value it is
};

struct PrintedProgram {
  std::vector<PrintedConstant> constants;  // in order of first use
  std::vector<PrintedStatement> statements;
};

PrintedProgram print_cpp(const ir::Program& program);

/// An operation with its operands a, b, c: "lane::shl(a, b)", "a & b", "a << n".
std::string spelling(ir::Op op);

/// "std::uint32_t".
std::string unsigned_type(int bits);

}  // namespace castforge::emit
