// The meaning of a conversion as bit-vector formulas, case by case over the source; knows nothing of plans.
//
// A case fixes the sign and the power of two below the source (or names a whole range that has one result). Then the
// destination grid is fixed too and the result is a few bits of the source compared, counted up and put together, the
// way a definition of rounding reads. Results of NaN, infinity, zero and overflow come from semantics/convert.hpp.
#pragma once

#include <string>
#include <vector>

#include "spec/model.hpp"

namespace castforge::verify {

/// Terms over `w`, the storage word of the source. The case holds the words with `w = source` and `condition`.
struct SmtCase {
  std::string name;       // "negative, exponent -3"
  std::string source;     // w with the bits that the case fixes written as constants
  std::string condition;  // Bool
  std::string expected;   // storage word of the destination
};

struct SmtSemantics {
  std::vector<SmtCase> cases;
  std::string left_out;  // not empty: why there is no formula
};

SmtSemantics smt_semantics(const spec::Meaning& meaning);

}  // namespace castforge::verify
