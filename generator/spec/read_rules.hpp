// The rules of op-set files.
#pragma once

#include "spec/diagnostics.hpp"
#include "spec/model.hpp"
#include "spec/read.hpp"

namespace castforge::spec {

/// Reads the rules of a file into its op-set, whose types, pairs and attributes are complete: one with the id of an
/// inherited rule takes its place, others follow.
void read_rules(const OpSetFile& file, const SpecModel& model, OpSet& opset, Diagnostics& diagnostics);

/// Reports attributes of the file that have lost a value which an inherited rule tests: it would never hold again.
void check_inherited_tests(const OpSetFile& file, const OpSet& opset, Diagnostics& diagnostics);

}  // namespace castforge::spec
