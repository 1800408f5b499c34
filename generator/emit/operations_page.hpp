// The reference page of operations, from their table.
#pragma once

#include <string>

#include "emit/template.hpp"

namespace castforge::emit {

/// OPERATIONS.md: what kernels are written in, for readers of kernels.
std::string operations_page(const Templates& templates);

}  // namespace castforge::emit
