// Runs a plan on numbers, exactly as the printed kernel will.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "plan/ir.hpp"

namespace castforge::plan {

/// What floating-point operations make of subnormals: numbers, or zeros where they are read and where they are made.
enum class Subnormals { kept, flushed };

/// Evaluates `plan` on every lane of `lanes` in place: each entry is a source element already extended to the lane.
/// Returns an empty string, or what went wrong when an operation left its domain (see ir.hpp).
std::string interpret(const LanePlan& plan, std::span<std::uint64_t> lanes, Subnormals subnormals = Subnormals::kept);

/// A storage word of `storage_bits`, extended to the lane as the loop loads it.
std::uint64_t extend(const LanePlan& plan, std::uint64_t storage, int storage_bits);

}  // namespace castforge::plan
