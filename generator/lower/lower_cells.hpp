// 16-bit floats to floats of few values, on instruction sets whose tables have 16 entries: every cell of the range that
// matters is looked up (see byte_cells.hpp). But for the sign, a doubling and the sum that places NaN, all is done in
// lanes of a byte.
#pragma once

#include <optional>

#include "ir/program.hpp"
#include "lower/table_class.hpp"
#include "spec/model.hpp"

namespace castforge::lower {

/// Nothing where the cells do not give the results: the program is run on every source code and compared with the exact
/// semantics. table_class: bytes16 or neon.
std::optional<ir::Program> lower_cells(const spec::Meaning& meaning, TableClass table_class);

/// float32 by the upper half of its code, rounded to odd, which is on the same side of every threshold.
std::optional<ir::Program> lower_odd_cells(const spec::Meaning& meaning, TableClass table_class);

}  // namespace castforge::lower
