#include "verify/compare.hpp"

#include <vector>

#include "plan/interpret.hpp"
#include "semantics/convert.hpp"
#include "verify/points.hpp"

namespace castforge::verify {
namespace {

bool flush_safe(const plan::LanePlan& plan, const std::vector<std::uint64_t>& sources, const std::vector<std::uint64_t>& expected, int src_bits,
                std::uint64_t dst_mask) {
  std::vector<std::uint64_t> lanes(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) lanes[i] = plan::extend(plan, sources[i], src_bits);
  if (!plan::interpret(plan, lanes, plan::Subnormals::flushed).empty()) return false;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if ((lanes[i] & dst_mask) != expected[i]) return false;
  }
  return true;
}

}  // namespace

std::optional<Counterexample> compare(const spec::Meaning& meaning, plan::KernelPlans& plans) {
  const int src_bits = meaning.src->storage_bits;
  const int dst_bits = meaning.dst->storage_bits;
  const std::uint64_t dst_mask = dst_bits >= 64 ? ~0ull : (1ull << dst_bits) - 1;
  const std::vector<std::uint64_t> sources = source_points(meaning);
  std::vector<std::uint64_t> expected(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) expected[i] = semantics::convert_storage(meaning, sources[i]);

  if (plans.has_table) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (plans.table.entries[i] != expected[i]) return Counterexample{sources[i], expected[i], plans.table.entries[i], ""};
    }
  }
  if (plans.has_steps) {
    std::vector<std::uint64_t> placed = sources;
    if (plans.steps.place) {
      const std::string problem = plan::interpret(*plans.steps.place, placed);
      if (!problem.empty()) return Counterexample{0, 0, 0, problem};
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const std::uint64_t found = plans.steps.result(sources[i], placed[i]);
      if (found != expected[i]) return Counterexample{sources[i], expected[i], found, ""};
    }
  }
  std::vector<std::uint64_t> lanes(sources.size());
  for (plan::LanePlan& plan : plans.lanes) {
    for (std::size_t i = 0; i < sources.size(); ++i) lanes[i] = plan::extend(plan, sources[i], src_bits);
    const std::string problem = plan::interpret(plan, lanes);
    if (!problem.empty()) return Counterexample{0, 0, 0, problem};
    plan.code_fits = plan::last_lane_bits(plan) > dst_bits;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      plan.code_fits = plan.code_fits && (lanes[i] & ~dst_mask) == 0;
      if ((lanes[i] & dst_mask) != expected[i]) return Counterexample{sources[i], expected[i], lanes[i] & dst_mask, ""};
    }
    plan.flush_safe = plan.uses_float_environment() && flush_safe(plan, sources, expected, src_bits, dst_mask);
  }
  return std::nullopt;
}

}  // namespace castforge::verify
