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

/// Whether no larger number of that sign becomes a smaller one. What lies between two codes becomes one of them, and
/// the codes themselves stay, as no carry table moves exact values. So numbers keep their order if, for both values of
/// the last kept bit, a mode that moves what lies below the middle moves the middle up too, and one that moves the
/// middle moves what lies above it.
bool keeps_order(const spec::Meaning& meaning, bool negative);

}  // namespace castforge::semantics
