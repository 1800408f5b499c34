// When two conversions are the same function.
#pragma once

#include "spec/model.hpp"

namespace castforge::spec {

/// The meaning with everything at fixed defaults that no source value can reach (no NaN in the source: `nan`; every
/// value on the destination's grid: `round`; no value out of range: `overflow`; ...) and with one spelling for
/// results that coincide (infinity in a type without one is NaN). Decided from the exact value sets of the two types.
/// Two meanings of a pair whose neutral forms are equal give equal codes for every source value; kernels are told
/// apart by it. `decided_by` is kept for the properties that stay.
Meaning neutral(const Meaning& meaning);

/// Whether types and all properties are equal; `decided_by` is not compared.
bool same_properties(const Meaning& a, const Meaning& b);

/// What values of `src` can do on the way to `dst`.
struct Reach {
  bool inexact = false;    // some value lies between two of the destination's grid
  bool overflow = false;   // some rounded value is out of range
  bool negative = false;   // some nonzero value (infinity included) is negative
  bool underflow = false;  // destinations without zero: some magnitude is below the smallest
  bool zero = false;       // zero occurs
  bool nan = false;
  bool infinity = false;
};

/// Under the rounding mode, and for unsigned floating destinations under the `negative` policy, of `meaning`.
/// Not for pairs with a string.
Reach reach(const Meaning& meaning);

}  // namespace castforge::spec
