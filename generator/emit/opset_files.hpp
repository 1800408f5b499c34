// The generated tables of op-sets.
#pragma once

#include "emit/tree.hpp"

namespace castforge::emit {

/// tables/opset_*.cpp, one for each, and opsets.cpp, their list.
FileSet opset_files(const Tree& tree);

}  // namespace castforge::emit
