// When two conversions are the same function.
#pragma once

#include "spec/model.hpp"

namespace castforge::spec {

/// The canonical form of a meaning: a property that decides no result has its default, and results that coincide have
/// one spelling. `nan` decides nothing where the source has no NaN, `round` where every value lies on the destination's
/// grid, `overflow` where no value is out of range; infinity in a type without one is NaN. All of this follows from the
/// exact value sets of the two types.
///
/// Meanings of a pair with equal canonical forms give equal codes for every source value; a kernel stands for one form.
/// `decided_by` is kept for the properties that stay.
Meaning canonical(const Meaning& given);

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
  bool vanishing = false;  // unsigned floating destinations with zero: some negative value rounds to it
};

/// Under the rounding mode, and for unsigned floating destinations under the `negative` policy, of `meaning`.
/// Not for pairs with a string.
Reach reach(const Meaning& meaning);

}  // namespace castforge::spec
