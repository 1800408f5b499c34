// Integers of 16 bits and more to floats of at most a byte that end where narrower integers do, or before: saturated to
// as few bits as that takes, at most 8, then looked up as such integers are.
#pragma once

#include <optional>

#include "ir/program.hpp"
#include "lower/table_class.hpp"
#include "spec/model.hpp"

namespace castforge::lower {

/// Nothing where numbers beyond 8 bits have results of their own.
std::optional<ir::Program> lower_saturated(const spec::Meaning& meaning, TableClass table_class);

}  // namespace castforge::lower
