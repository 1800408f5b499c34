// Integers to floats of at most a byte that end where narrower integers do, or before: saturated to as few bits as that
// takes, then looked up as such integers are.
#pragma once

#include <optional>

#include "ir/program.hpp"
#include "lower/table_class.hpp"
#include "spec/model.hpp"

namespace castforge::lower {

/// To 4 bits, which every instruction set looks up alike. Nothing where numbers beyond have results of their own.
std::optional<ir::Program> lower_saturated(const spec::Meaning& meaning);

/// To at most 8 bits, where those that have tables of 256 bytes look them up alike.
std::optional<ir::Program> lower_saturated_in_long_table(const spec::Meaning& meaning);

/// To at most `most` bits, 8 or fewer.
std::optional<ir::Program> lower_saturated_to(const spec::Meaning& meaning, int most, TableClass table_class);

}  // namespace castforge::lower
