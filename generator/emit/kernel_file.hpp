// One header per ordered pair of types: every kernel of the pair, side by side.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/catalogue.hpp"
#include "emit/template.hpp"
#include "evidence/processors.hpp"

namespace castforge::emit {

/// From what size on kernel files are divided: what a reviewer reads in one sitting.
struct FileLimits {
  std::size_t lines = 500, bytes = 28000;
};

/// Path of a pair's file below generated/: "kernels/float8e4m3fn/from_float32.hpp".
std::string pair_path(const spec::Meaning& meaning);

/// ir::Needs in C++: "lane::Needs::vector | lane::Needs::float16".
std::string needs_word(unsigned needs, const std::string& scope = "lane::Needs::");

struct PairFiles {
  std::map<std::string, std::string> files;                   // path -> content
  std::map<const driver::Kernel*, std::string> kernel_paths;  // the file in which each kernel stands
};

/// The files of one pair; `kernels` are all its kernels in catalogue order. What one file does not hold is divided by
/// what happens out of range, by rounding, by the results of infinity, NaN, negative numbers and zero, then by kernel,
/// and the pair's own file includes the parts; the lookups of a single kernel that is too long stand in a file beside
/// it, where that makes two shorter files.
PairFiles pair_files(const Templates& templates, const evidence::Processors& processors,
                     const std::vector<const driver::Kernel*>& kernels, const FileLimits& limits = {});

}  // namespace castforge::emit
