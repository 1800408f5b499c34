// The units of a tree: what is compiled once per instruction set.
#pragma once

#include <string>
#include <vector>

#include "emit/tree.hpp"

namespace castforge::emit {

/// The unit of a kernel: that of the newer of its two types, in its direction. A type that is added makes units of its
/// own, and those of all others stay as they are.
std::string unit_of(const driver::Kernel& kernel);

/// Of all kernels, in the order of the first kernel of each.
std::vector<std::string> unit_names(const driver::Catalogue& catalogue);

/// units/: a source for each unit, units.cpp, and layouts.hpp.
FileSet unit_files(const Tree& tree);

}  // namespace castforge::emit
