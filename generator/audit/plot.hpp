// The picture of a conversion: source against result, and the error in units in the last place.
#pragma once

#include <string>

#include "spec/model.hpp"

namespace castforge::audit {

/// An SVG element without references to anything outside. Both axes are those of the codes: steps from one number of
/// the type to the next have one length, so that floating types have about logarithmic scales, integers linear ones.
/// Shown are the magnitudes at which something happens: from below the smallest to above the largest number of the
/// destination, as far as the source reaches. At most 300 sources; every one where there are no more.
std::string plot(const spec::Meaning& meaning);

}  // namespace castforge::audit
