// From op-sets to fully decided conversions.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "spec/diagnostics.hpp"
#include "spec/model.hpp"

namespace castforge::spec {

/// Which pairs of an op-set are meant; empty: all.
using PairFilter = std::function<bool(const Type& src, const Type& dst)>;

/// Decides every admitted pair, or those that are `wanted`, under every combination of attribute values: the rules of
/// the op-set are applied in order, a later one wins property by property. One cell per such entry of `opset.pairs`, in
/// that order.
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
std::vector<Cell> resolve(const OpSet& opset, const PairFilter& wanted = {});

/// The same, reporting into `diagnostics`; the cells are incomplete when something was reported. Settings that no pair
/// has are reported where all pairs are wanted. A rule of a parent is good for the pairs of that one: where it is not
/// for others, the op-set is to blame. Where the op-set itself is known to be good, types of `added` are.
std::vector<Cell> resolve(const OpSet& opset, Diagnostics& diagnostics, const PairFilter& wanted = {},
                          const std::set<const Type*>* added = nullptr);

}  // namespace castforge::spec
