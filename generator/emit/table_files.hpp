// The generated tables but those of op-sets, and the public headers that are made of specs.
#pragma once

#include "emit/tree.hpp"

namespace castforge::emit {

/// include/castforge/types.hpp and rule.hpp; tables/: ids.hpp, types, kernels, programs, rules of texts, other
/// elements.
FileSet table_files(const Tree& tree);

}  // namespace castforge::emit
