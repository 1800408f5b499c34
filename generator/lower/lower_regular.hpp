// 16-bit floats to floats of at most a byte, on instruction sets whose tables have 16 entries.
//
// Normal results are regular: in cells of two neighbouring codes (one, where the destination drops eight bits or more)
// the first code is a multiple of the cell's number, and the thresholds of rounding are the same in all of them. Only
// what differs from that is looked up: subnormal results, a row of 16 cells or two. Magnitudes that round to zero or
// overflow are brought to the ends of the range first, in 16-bit lanes, and NaN to the place whose regular result is
// the NaN code, as if the format went on there; so no table has room for them.
#pragma once

#include <optional>

#include "ir/program.hpp"
#include "lower/table_class.hpp"
#include "spec/model.hpp"

namespace castforge::lower {

/// Nothing where the results are not like that. Run on every source code and compared with the exact semantics.
/// table_class: bytes16 or neon.
std::optional<ir::Program> lower_regular(const spec::Meaning& meaning, TableClass table_class);

/// The same for every instruction set with vectors, where nothing has to be looked up.
std::optional<ir::Program> lower_regular_without_tables(const spec::Meaning& meaning);

}  // namespace castforge::lower
