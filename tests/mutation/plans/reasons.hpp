// Why a mutant that is the same function is one, in words for readers.
#pragma once

#include <string>

#include "spec/model.hpp"

namespace castforge::mutation {

/// What the kind of change says; the proof is another matter.
std::string reason_for(const spec::Meaning& meaning, const std::string& change);

}  // namespace castforge::mutation
