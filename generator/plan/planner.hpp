// Chooses the plans of a kernel.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "plan/ir.hpp"
#include "spec/model.hpp"

namespace castforge::plan {

/// Every result of a source of at most 8 bits, in code order: 4, 16 or 256 storage words.
struct TablePlan {
  std::vector<std::uint64_t> entries;
};

/// Results of a 16-bit source by its high byte h and low byte l, for instruction sets with byte tables:
/// first[h] + (l > once[h] ? rise[h] : 0) + (l > twice[h] ? 1 : 0), modulo 256. 255 in once or twice: never.
struct StepsPlan {
  std::array<std::uint8_t, 256> first{}, once{}, twice{}, rise{};

  std::uint64_t result(std::uint64_t source) const;
  bool has_second_steps() const;  // otherwise `twice` need not be printed
  bool rises_by_one() const;      // in every cell: `rise` need not be printed
};

struct KernelPlans {
  bool has_table = false;
  TablePlan table;
  bool has_steps = false;  // preferred to `lanes` where the instruction set has byte tables
  StepsPlan steps;
  std::vector<LanePlan> lanes;  // in order of preference; the last needs nothing
};

/// Plans for one resolved meaning. Throws std::runtime_error when no plan covers it.
KernelPlans plan_kernel(const spec::Meaning& meaning);

/// False when some high byte sees more than two steps, or more than one that is not a unit.
bool plan_steps(const spec::Meaning& meaning, StepsPlan& steps);

LanePlan plan_copy(const spec::Meaning& meaning);
LanePlan plan_truth(const spec::Meaning& meaning);
LanePlan plan_from_truth(const spec::Meaning& meaning);
LanePlan plan_integers(const spec::Meaning& meaning);
LanePlan plan_wide_integer(const spec::Meaning& meaning);

}  // namespace castforge::plan
