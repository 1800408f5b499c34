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
/// Where the cell h = 0 has more steps than that (subnormals, small integers), its results are small[l].
struct StepsPlan {
  std::array<std::uint8_t, 256> first{}, once{}, twice{}, rise{}, small{};
  bool has_small = false;
  /// In 16-bit lanes: brings the source to where it stands in the tables, h above l. Null: it stands there itself.
  std::shared_ptr<const LanePlan> place;
  std::uint8_t sign_bit = 0;      // not 0: the tables give magnitudes, the sign of the source goes there
  bool sign_unless_zero = false;  // a zero stays without a sign

  /// `placed`: the source after `place`.
  std::uint64_t result(std::uint64_t source, std::uint64_t placed) const;
  bool has_second_steps() const;  // otherwise `twice` need not be printed
  bool rises_by_one() const;      // in every cell: `rise` need not be printed
};

struct KernelPlans {
  bool has_table = false;  // preferred to `lanes` where the instruction set has table_needs
  unsigned table_needs = kNeedsNothing;
  TablePlan table;
  bool has_steps = false;  // preferred to `lanes` where the instruction set has byte tables
  StepsPlan steps;
  std::vector<LanePlan> lanes;  // in order of preference; the last needs nothing
};

/// Plans for one resolved meaning. Throws std::runtime_error when no plan covers it.
KernelPlans plan_kernel(const spec::Meaning& meaning);

/// False when some high byte but 0 sees more than two steps, or more than one that is not a unit.
bool plan_steps(const spec::Meaning& meaning, StepsPlan& steps);

/// The same after a clamp to the range that matters, for floating sources with a wider range than the destination.
bool plan_placed_steps(const spec::Meaning& meaning, StepsPlan& steps);

/// The same for integers, exact while they are small, to destinations whose range ends early.
bool plan_placed_integers(const spec::Meaning& meaning, StepsPlan& steps);

LanePlan plan_copy(const spec::Meaning& meaning);
LanePlan plan_truth(const spec::Meaning& meaning);
LanePlan plan_from_truth(const spec::Meaning& meaning);
LanePlan plan_integers(const spec::Meaning& meaning);
LanePlan plan_wide_integer(const spec::Meaning& meaning);

}  // namespace castforge::plan
