// A program as C without intrinsics: the conversion of one element.
#pragma once

#include <string>
#include <vector>

#include "amalgam/helpers.hpp"
#include "ir/program.hpp"

namespace castforge::amalgam {

struct PrintedWords {
  std::vector<std::string> lines;   // the body of a function of `bits`
  std::vector<std::string> tables;  // as table_name() gives them
  std::string problem;              // why there is none
};

PrintedWords print_words(const ir::Program& program, const std::string& kernel, Target& target);

}  // namespace castforge::amalgam
