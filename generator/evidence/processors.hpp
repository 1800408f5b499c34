// On which processors the kernel of a lesser instruction set is the faster one, as measured.
#pragma once

#include <filesystem>

#include "driver/catalogue.hpp"

namespace castforge::evidence {

/// How much faster it has to be: within that, one kernel serves all processors.
inline constexpr double kFasterBy = 1.05;

/// Puts the families that the *.tsv files of a folder describe into the catalogue, and marks its kernels by their
/// records. Those that share a function have the same marks. A record counts only for a kernel whose meaning and
/// programs are the same today. Throws std::runtime_error that names file and line.
void mark_processors(driver::Catalogue& catalogue, const std::filesystem::path& folder);

}  // namespace castforge::evidence
