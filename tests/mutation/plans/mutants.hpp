// Programs with one thing changed.
#pragma once

#include <functional>
#include <string>

#include "ir/program.hpp"

namespace castforge::mutation {

/// Calls `visit` with every mutant of a program and what was changed, each change once:
///
///     constants       by one, up and down; those that stand in a line of their own and those printed as numbers
///     numbers         in angle brackets (shift counts, bytes, folds), by one, up and down, as far as they are allowed
///     operations      for the neighbours of the same shape in the table of operations
///     operands        of what is not symmetric, exchanged
///     table entries   each by one
///
/// `change` is unique among the mutants of a program, and the same as long as the program is: "kTop + 1",
/// "bit_and 12: bit_or", "kPlane2[7] + 1".
void each_mutant(const ir::Program& program,
                 const std::function<void(const std::string& change, const ir::Program& mutant)>& visit);

}  // namespace castforge::mutation
