// Which plans are broken: a sample of all kernels that has every kind of each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/catalogue.hpp"
#include "ir/program.hpp"
#include "spec/model.hpp"

namespace castforge::mutation {

/// A program, and the meaning it has to have.
struct Subject {
  std::string kernel;  // "float32_to_float8e4m3fn__rne_max"
  spec::Meaning meaning;
  ir::Program program;
};

/// Of the kernels of a catalogue the fewest, taken in order, so that every lowering is there with each of its
/// operations, named constants and kinds of tables, and with each width of source and result.
std::vector<Subject> sample(const driver::Catalogue& catalogue);

/// Of formats that no op-set has.
std::vector<Subject> unshipped_subjects();

/// Plans made for a carry table with one bit changed, for the meaning with the right one.
struct CarryMutant {
  std::string kernel, change;  // "float32_to_int8 nearest_even", "carry bit 5"
  spec::Meaning meaning;
  std::vector<ir::Program> programs;  // empty: refused
};
std::vector<CarryMutant> carry_mutants();

}  // namespace castforge::mutation
