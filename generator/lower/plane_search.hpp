// The cheapest program for one plane: which terms, and what the sign does to them.
#pragma once

#include <set>

#include "lower/table_program.hpp"

namespace castforge::lower {

using Indices = std::set<TermIndex>;

/// Indices that `used` holds are there already and cost nothing.
int index_cost(TermIndex index, const LookupCosts& costs, const Indices& used);

/// A program for `plane`, given the indices that earlier planes have made.
PlaneProgram cheapest_plane(const BytePlane& plane, const Codes& codes, const Indices& used, const LookupCosts& costs);

/// The same for one byte of results that are negated as a whole: `negatives` is what that makes of the rows without a
/// sign, `sign` how.
PlaneProgram cheapest_negated_plane(const BytePlane& plane, const Codes& codes, const std::array<ByteRow, 8>& negatives,
                                    SignEffect sign, const Indices& used, const LookupCosts& costs);

}  // namespace castforge::lower
