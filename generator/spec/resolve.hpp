// From op-sets to fully decided conversions.
#pragma once

#include <vector>

#include "spec/diagnostics.hpp"
#include "spec/model.hpp"

namespace castforge::spec {

/// Decides every admitted pair under every combination of attribute values: the rules of the op-set are applied in
/// order, a later one wins property by property. One cell per entry of `opset.pairs`, in that order.
///
/// Which properties a pair needs follows from the kinds of its types:
///   to a float                from float or string: round overflow inf nan; from integer: round overflow
///   ... without a sign        also negative (not from bool)
///   ... without a zero        also zero, and underflow from float or string
///   from a bool to a float    as from an integer where the float cannot hold 1
///   to an integer             from float or string: round overflow inf nan; from integer: overflow;
///                             saturate_first only where a rule sets it
///   to bool                   nothing: zero is false, all else true
///   string to any other       also parse; any other to string: format only
///   to the own type           same_type; floats with infinity also inf; same_type "integral" also round overflow
///
/// Throws SpecError when a needed property is undecided, or decided in a way that the destination cannot follow.
std::vector<Cell> resolve(const OpSet& opset);

/// The same, reporting into `diagnostics`; the cells are incomplete when something was reported.
std::vector<Cell> resolve(const OpSet& opset, Diagnostics& diagnostics);

}  // namespace castforge::spec
