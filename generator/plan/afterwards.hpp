// What is put right in a finished program: results that the rule wants otherwise than the lowering makes them.
#pragma once

#include "ir/program.hpp"
#include "spec/model.hpp"

namespace castforge::plan {

/// With zero for a result that is minus zero.
ir::Program without_minus_zero(ir::Program program, const spec::Type& dst);

/// Whether infinities have another result than overflow that can be put in afterwards: one code for both signs, or the
/// code of overflow with some bits flipped.
bool has_infinity_apart(const spec::Meaning& meaning);
/// With that result, in a program whose infinities are overflow.
ir::Program with_infinity_apart(ir::Program program, const spec::Meaning& meaning);

}  // namespace castforge::plan
