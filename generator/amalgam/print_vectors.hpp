// A program as C with intrinsics: the conversion of one block of elements, from memory to memory.
#pragma once

#include <castforge/elements.hpp>
#include <string>
#include <vector>

#include "amalgam/helpers.hpp"
#include "ir/program.hpp"

namespace castforge::amalgam {

struct PrintedBlock {
  int lanes = 0;                    // elements of a block
  std::vector<std::string> lines;   // the body of a function of `in` and `out`
  std::vector<std::string> tables;  // names of the program's tables that it reads, as table_name() gives them
  std::string problem;              // why there is none, "" where there is one
};

/// How a kernel's table is called: "KERNEL_PLAN_kByte2".
std::string table_name(const std::string& kernel, const ir::Program& program, const ir::Table& table);

/// A line of a function's body, the note behind it, or above it where that would be too long.
void add_line(std::vector<std::string>& lines, const std::string& code, const std::string& note);

PrintedBlock print_vectors(const ir::Program& program, const std::string& kernel, Packing from, Packing to,
                           Target& target);

}  // namespace castforge::amalgam
