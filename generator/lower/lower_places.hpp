// float32 to floats of less than a byte that count in few steps: every result in one table, by place.
//
// All thresholds are multiples of half the smallest step, u. The place of a number is twice how often u goes into it,
// rounded to odd: even for multiples, odd for all between two. Two roundings and a difference find it, one up from a
// number in whose binade u is the ulp, one down.
#pragma once

#include <optional>

#include "ir/program.hpp"
#include "spec/model.hpp"

namespace castforge::lower {

/// Nothing where there are more than 64 places, or the results of negative sources are not those of positive ones with
/// the sign. Held against the exact semantics at both ends of every place, between which results do not change.
std::optional<ir::Program> lower_places(const spec::Meaning& meaning);

}  // namespace castforge::lower
