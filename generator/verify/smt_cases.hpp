// The exact results of a conversion as bit-vector formulas, case by case over the source; knows nothing of plans.
//
// A case fixes the sign and the power of two below the source (or names a whole range that has one result). Then the
// destination's grid is fixed too, and semantics/finite.hpp says which bits of the source are kept, compared and
// counted up. Results of NaN, infinity and zero come from semantics/convert.hpp.
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

struct SmtCases {
  std::vector<SmtCase> cases;
  std::string left_out;  // not empty: why there is no formula
};

SmtCases smt_cases(const spec::Meaning& meaning);

}  // namespace castforge::verify
