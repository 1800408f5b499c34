// What identifies the plans of a kernel: hashes of their programs.
#pragma once

#include <string>

#include "driver/catalogue.hpp"

namespace castforge::driver {

/// The first 12 hexadecimal digits of the SHA-256 of ir::program_text().
std::string program_hash(const ir::Program& program);

/// Those of all plans of a kernel in its order, with commas: the column `programs` of MANIFEST.tsv, and what the
/// compiled library says of the kernel.
std::string program_hashes(const Kernel& kernel);

}  // namespace castforge::driver
