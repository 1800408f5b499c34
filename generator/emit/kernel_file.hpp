// One header per ordered pair of types: every kernel of the pair, side by side.
#pragma once

#include <string>
#include <vector>

#include "emit/catalogue.hpp"
#include "emit/template.hpp"

namespace castforge::emit {

/// Path below generated/: "kernels/float8e4m3fn/from_float32.hpp".
std::string kernel_path(const Kernel& kernel);

/// `kernels` are all kernels of one pair, in catalogue order.
std::string kernel_file(const Templates& templates, const std::vector<const Kernel*>& kernels);

}  // namespace castforge::emit
