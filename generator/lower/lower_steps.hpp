// 16-bit sources to results of at most a byte, by byte tables over the high byte of the code and thresholds on the
// low one.
//
// A cell is what shares a high byte; in order of the low byte the results of a cell change at most twice:
//   first[cell] + (low > once[cell] ? rise[cell] : 0) + (low > twice[cell] ? 1 : 0)   modulo 256.
// Two to five tables replace the arithmetic of the conversion: whatever the rule says about rounding, range,
// infinities and NaN is what they hold. Sources whose range exceeds the destination's are first brought to fewer
// cells, in 16-bit lanes.
#pragma once

#include <optional>

#include "ir/program.hpp"
#include "spec/model.hpp"

namespace castforge::lower {

/// Nothing where some cell sees more steps than that. Run on every source code and compared with the exact semantics.
std::optional<ir::Program> lower_steps(const spec::Meaning& meaning);

/// The same for float32, to less than a byte: the upper half of the code, rounded to odd, lies on the same side of
/// every threshold, as thresholds are upper halves with an even code. Held against the exact semantics for every upper
/// half, at both ends of what shares it, between which results do not change. Nothing where NaN needs a cell of its own
/// or results have eight bits, which other programs do faster.
std::optional<ir::Program> lower_odd_steps(const spec::Meaning& meaning);

}  // namespace castforge::lower
