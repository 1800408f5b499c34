// Kernels as data in one file, which load() of the runtime reads.
#pragma once

#include <string>
#include <vector>

#include "driver/catalogue.hpp"
#include "tabulate/table.hpp"

namespace castforge::tabulate {

/// The bytes of a .cft file: what the catalogue holds, with `tables[i]` for its kernel i. The same bytes for the same
/// catalogue everywhere. Throws std::length_error where a count or text is beyond what the file can hold.
std::string file_of(const driver::Catalogue& catalogue, const std::vector<Table>& tables);

}  // namespace castforge::tabulate
