// One conversion on exact integers, without lookups or floating point; every plan is compared with it.
#pragma once

#include <cstdint>

#include "semantics/results.hpp"
#include "spec/model.hpp"

namespace castforge::semantics {

/// Destination code for a source code, rounded once.
std::uint64_t convert_code(const spec::Meaning& meaning, std::uint64_t src_code);

/// The same on storage words (elements as they lie in memory, zero-extended).
std::uint64_t convert_storage(const spec::Meaning& meaning, std::uint64_t src_storage);

}  // namespace castforge::semantics
