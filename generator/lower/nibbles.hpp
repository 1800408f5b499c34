// Types of 4, 2 and 1 bits: results of all elements in four bits of memory.
#pragma once

#include <optional>

#include "ir/program.hpp"
#include "spec/model.hpp"

namespace castforge::lower {

/// kOfNibble, which vectors look up in place of single elements: for each value of four bits of memory the results of
/// the elements in them, as they lie in memory, in words of 8 or 16 bits. Nothing where either type has another width.
std::optional<ir::Table> nibble_table(const spec::Meaning& meaning);

}  // namespace castforge::lower
