// What follows from the table of operations outside the generator: their reference page, and the list of those that the
// vector layer applies to one vector after another.
#pragma once

#include <string>

#include "emit/template.hpp"

namespace castforge::emit {

/// OPERATIONS.md: what kernels are written in, for readers of kernels.
std::string operations_page(const Templates& templates);

/// operations.hpp: a line for each operation that runtime/simd/lanes.hpp has nothing more to say of.
std::string lane_operations(const Templates& templates);

}  // namespace castforge::emit
