// Holds a plan against the semantics.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plan/ir.hpp"
#include "plan/planner.hpp"
#include "spec/model.hpp"

namespace castforge::verify {

struct Counterexample {
  std::uint64_t source = 0;    // storage word
  std::uint64_t expected = 0;  // storage word by the exact semantics
  std::uint64_t found = 0;
  std::string problem;         // set instead of `found` when an operation left its domain
};

/// The first source word on which any plan differs from the semantics, or nothing. Notes in each plan whether its
/// results ever leave the destination width (LanePlan::code_fits), and whether flushing of subnormals may change any of them
/// (LanePlan::flush_safe).
std::optional<Counterexample> compare(const spec::Meaning& meaning, plan::KernelPlans& plans);

}  // namespace castforge::verify
