// One kernel on several instruction sets at every source code there is, 2^32 of them where the source has 32 bits.
#pragma once

#include "cli/verify/kernel_check.hpp"

#include <castforge/interface.hpp>

#include <vector>

namespace castforge::cli {

/// Widest source whose codes can all be tried.
inline constexpr int kMostSweptBits = 32;

/// Checks a kernel, as compiled for several instruction sets, against a rule. `kernels` is not empty; the source has at
/// most kMostSweptBits. Results are compared as they lie in memory, block by block: some at odd addresses, some of a
/// length that fills no vector. The exact results come in runs (exact_runs.hpp); of each block one at random is
/// computed again by itself.
KernelCheck sweep_kernel(const std::vector<Kernel>& kernels, const Rule& rule);

}  // namespace castforge::cli
