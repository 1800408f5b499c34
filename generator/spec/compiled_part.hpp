// What a library has of an op-set that is compiled in part.
#pragma once

#include "spec/diagnostics.hpp"
#include "spec/json_tree.hpp"
#include "spec/model.hpp"
#include "spec/named_types.hpp"

namespace castforge::spec {

/// Leaves in the op-set what `compiled`, the member of that name of its file, says.
void keep_compiled(const Node& compiled, const NamedTypes& types, OpSet& opset, Diagnostics& diagnostics);

}  // namespace castforge::spec
