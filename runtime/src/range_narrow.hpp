// Ramps that write a narrower type at once, where a sequence admits one.
#pragma once

#include <castforge/range.hpp>
#include <string_view>

#include "src/ramp_table.hpp"

namespace castforge {

/// `plan` computes floating-point elements and converts them by the kernel of that name. Where a ramp does both with the
/// same results, the plan becomes that ramp alone. `fused`: start + i * step is rounded once.
void join_conversion(const tables::IsaRamps& ramps, std::string_view conversion, bool fused, RangePlan& plan) noexcept;

}  // namespace castforge
