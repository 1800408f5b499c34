// Types and op-sets by the names that people type. What is not found is answered with the nearest name.
#pragma once

#include <string>

#include "spec/model.hpp"

namespace castforge::spec {

/// SpecModel::find_type. Throws std::invalid_argument.
const Type& type_named(const SpecModel& model, const std::string& name);

/// "SRC:DST", both types by name. Throws std::invalid_argument.
std::pair<const Type*, const Type*> pair_named(const SpecModel& model, const std::string& pair);

/// SpecModel::find_opset. Throws std::invalid_argument, which also says that a version is above the newest known.
const OpSet& opset_named(const SpecModel& model, const std::string& name);

/// The same for a cast between two types: where no op-set is named and the default one lacks one of them, the fallback
/// serves.
const OpSet& opset_for(const SpecModel& model, const std::string& name, const Type& src, const Type& dst);

}  // namespace castforge::spec
