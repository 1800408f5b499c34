// What a .cft file says of formats and tables, checked and made ready for use.
#pragma once

#include <castforge/format.hpp>
#include <castforge/loadable.hpp>
#include <cstdint>
#include <vector>

#include "src/loaded/data_kernel.hpp"
#include "src/loaded/file_problem.hpp"

namespace castforge {

/// Ends the reading of a file.
struct FileRefused {
  Status status;
};

/// Checks the parameters of a format as the generator does and derives its largest codes. False where it is none.
bool complete_format(Format& format) noexcept;

/// Does the rule state a result for whatever a text may say, that is for every number, infinity and NaN?
bool has_results_for_text(const Format& dst, const Rule& rule) noexcept;

/// A kernel's table as the file has it.
struct StatedTable {
  loadable::Form form = loadable::Form::rule;
  int index_bits = 0;
  std::vector<std::uint64_t> positions, results;
};

struct TableProblem {
  bool found = false;
  FileProblem problem{};
  std::uint64_t code = 0;  // of the source
};

/// Gives a kernel, whose formats and rule are set, its table.
TableProblem set_table(DataKernel& kernel, const StatedTable& stated);

}  // namespace castforge
