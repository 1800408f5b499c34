// What follows from a program without running it.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "ir/program.hpp"

namespace castforge::ir {

/// The highest set bit of v and all below it.
constexpr std::uint64_t filled(std::uint64_t v) { return v == 0 ? 0 : low_bits(64 - std::countl_zero(v)); }

/// Bits that the value of a node may have set, for any source; never too few. Values are below the next power of two.
std::uint64_t possible_ones(const Program& program, int node);
std::vector<std::uint64_t> possible_ones(const Program& program);  // of every node

/// Are all bits of the value of a node above the low `bits` zero, for any source? Where possible_ones() cannot tell,
/// all sources of at most 16 bits are tried.
bool fits(const Program& program, int node, int bits);

/// May the value be subnormal, as the float of its width, for some source?
bool may_be_subnormal(const Program& program, int node);

/// What of the floating-point environment may change a result; `rounding` where flushing subnormals (FTZ, DAZ) cannot.
Environment environment(const Program& program);

}  // namespace castforge::ir
