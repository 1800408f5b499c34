// The source codes that a kernel is tried with.
#pragma once

#include <castforge/interface.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace castforge::cli {

/// Sources of at most 16 bits: every code, and 4096 random ones. Wider ones: for each sign, each exponent (or
/// length of an integer) and each place at which a rounding could truncate, all or some kept bits above it,
/// and nothing, the last bit, just below a tie, a tie, just above one and all ones below it; then the first and
/// last codes and 100000 random ones.
std::vector<std::uint64_t> representative_codes(const TypeInfo& src);

/// Whether representative_codes() has every code of the type.
bool are_all_codes(const TypeInfo& src);

/// Calls `use` with the representative codes in blocks of at most 4096. Blocks have uneven lengths, so that the ends of
/// vectors fall everywhere.
void for_each_block(const TypeInfo& src, const std::function<void(std::span<const std::uint64_t>)>& use);

}  // namespace castforge::cli
