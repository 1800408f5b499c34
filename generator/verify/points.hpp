// Source elements on which a plan is compared with the semantics.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/model.hpp"

namespace castforge::verify {

/// Every storage word for sources of 16 bits or fewer. For wider sources the classes that decide the result of a
/// rounding: sign, exponent, leading kept bits, first dropped bit, sticky, at every place where it can be. Where these
/// would be many millions, a sample of the exponents of the destination's normal numbers, which all round alike, has
/// all of them, and each other one some thirty fractions.
std::vector<std::uint64_t> source_points(const spec::Meaning& meaning);

/// True when source_points() lists every storage word there is.
bool points_are_exhaustive(const spec::Meaning& meaning);

}  // namespace castforge::verify
