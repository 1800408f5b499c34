// Ramps that write a narrower type at once, where a sequence admits one.
#pragma once

#include <castforge/range.hpp>

#include "src/ramp_table.hpp"
#include "src/tables.hpp"

namespace castforge {

/// `plan` computes floating-point elements and converts them by that kernel. Where a ramp does both with the
/// same results, the plan becomes that ramp alone. `fused`: start + i * step is rounded once.
void join_conversion(const tables::IsaRamps& ramps, const tables::Kernel& conversion, bool fused,
                     RangePlan& plan) noexcept;

}  // namespace castforge
