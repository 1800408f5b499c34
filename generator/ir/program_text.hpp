// A program as plain text: everything that decides its results, and nothing else.
#pragma once

#include <string>

#include "ir/program.hpp"

namespace castforge::ir {

/// One line for the widths and what the program needs of an instruction set, one per operation with its operands by
/// number, one per table. Names, notes and the lowering's id are left out: two programs with the same text give the
/// same result for every source, on the same instruction sets.
std::string program_text(const Program& program);

/// Have they the same text but for what they need?
bool do_the_same(Program a, Program b);

}  // namespace castforge::ir
