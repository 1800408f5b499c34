// What is put right in a finished program: results that the rule wants otherwise than the lowering makes them.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/program.hpp"
#include "spec/model.hpp"

namespace castforge::plan {

/// With zero for a result that is minus zero.
ir::Program without_minus_zero(ir::Program program, const spec::Type& dst);

/// What makes the result of an infinity of that of overflow with its sign.
struct InfinityChange {
  bool replaces;       // the whole code; else some bits flip, for both signs the same
  std::uint64_t bits;  // the code, or the bits
};
/// Nothing where there is no such change, or none by so little.
std::optional<InfinityChange> infinity_apart(const spec::Meaning& meaning);
/// The program, whose infinities are overflow, with their own result for them.
ir::Program with_infinity(ir::Program program, const spec::Meaning& meaning, const InfinityChange& change);

}  // namespace castforge::plan
