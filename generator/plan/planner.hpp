// Chooses the programs of a kernel.
#pragma once

#include <vector>

#include "ir/program.hpp"
#include "spec/model.hpp"

namespace castforge::plan {

/// Programs for one resolved meaning in order of preference, each chosen by some instruction set; the last runs
/// everywhere. Throws std::runtime_error when no lowering covers the meaning.
std::vector<ir::Program> plan_kernel(const spec::Meaning& meaning);

ir::Program plan_copy(const spec::Meaning& meaning);
ir::Program plan_truth(const spec::Meaning& meaning);
ir::Program plan_from_truth(const spec::Meaning& meaning);
ir::Program plan_integers(const spec::Meaning& meaning);
ir::Program plan_wide_integer(const spec::Meaning& meaning);

}  // namespace castforge::plan
