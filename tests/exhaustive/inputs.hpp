// Which source codes a pair is tested with.
#pragma once

#include <cstdint>
#include <vector>

#include "oracle/oracle.hpp"

namespace castforge::exhaustive {

/// Sources of at most 16 bits: every code, and for 8 bits and less every byte, then random ones so that
/// each code meets each position of a vector. Wider sources: around every value and every midpoint of the
/// destination (for the wide destinations: of a selection in every binade), around the ends of its range,
/// all special codes, every exponent with representative fractions, sums and differences of powers of two, random
/// codes.
std::vector<std::uint64_t> inputs_for(const oracle::Codec& src, const oracle::Codec& dst);

/// `count` codes of the type, spread over exponents (floating) or lengths (integers) as well as uniformly.
std::vector<std::uint64_t> random_codes(const oracle::Codec& src, std::size_t count, std::uint64_t seed);

}  // namespace castforge::exhaustive
