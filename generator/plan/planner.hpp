// Chooses the plans of a kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/ir.hpp"
#include "spec/model.hpp"

namespace castforge::plan {

/// Every result of a source of at most 8 bits, in code order: 4, 16 or 256 storage words.
struct TablePlan {
  std::vector<std::uint64_t> entries;
};

struct KernelPlans {
  bool has_table = false;
  TablePlan table;
  std::vector<LanePlan> lanes;  // in order of preference; the last needs nothing
};

/// Plans for one resolved meaning. Throws std::runtime_error when no plan covers it.
KernelPlans plan_kernel(const spec::Meaning& meaning);

LanePlan plan_copy(const spec::Meaning& meaning);
LanePlan plan_truth(const spec::Meaning& meaning);
LanePlan plan_from_truth(const spec::Meaning& meaning);
LanePlan plan_integers(const spec::Meaning& meaning);
LanePlan plan_wide_integer(const spec::Meaning& meaning);

}  // namespace castforge::plan
