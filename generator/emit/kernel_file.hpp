// One header per ordered pair of types: every kernel of the pair, side by side.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emit/catalogue.hpp"
#include "emit/template.hpp"

namespace castforge::emit {

/// Largest kernel file: what a reviewer reads in one sitting.
inline constexpr std::size_t kMaxLines = 500, kMaxBytes = 28000;

/// Path of a pair's file below generated/: "kernels/float8e4m3fn/from_float32.hpp".
std::string pair_path(const spec::Meaning& meaning);

/// Path -> content for one pair; `kernels` are all its kernels in catalogue order. A pair too long for one file is
/// split by what happens out of range, and where that is not enough by kernel; its own file includes the parts. Throws
/// std::logic_error when a single kernel is
/// still too long.
std::map<std::string, std::string> pair_files(const Templates& templates, const std::vector<const Kernel*>& kernels);

/// The file in which `kernel` stands, given the files of its pair.
std::string kernel_path(const Kernel& kernel, const std::map<std::string, std::string>& files);

}  // namespace castforge::emit
