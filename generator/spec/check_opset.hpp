// What has to hold of one op-set, beyond the shape of its file.
#pragma once

#include <set>
#include <vector>

#include "spec/diagnostics.hpp"
#include "spec/model.hpp"
#include "spec/read.hpp"

namespace castforge::spec {

/// Options belong to an operation, and some have to be said.
void check_options(const OpSetFile& file, const OpSet& opset, Diagnostics& diagnostics);

/// Each name in the braces of a notation is one that a conversion has.
void check_notation(const OpSetFile& file, const OpSet& opset, Diagnostics& diagnostics);

/// A bitcast converts nothing. Of a good file `cells` are those with an added type.
void check_bits(const OpSetFile& file, const OpSet& opset, const std::vector<Cell>& cells,
                const std::set<const Type*>& added, Diagnostics& diagnostics);

}  // namespace castforge::spec
