// Steps: the results of a 16-bit source as a few byte tables, taken from the semantics one source code at a time.
#include <algorithm>
#include <vector>

#include "plan/planner.hpp"
#include "semantics/convert.hpp"

namespace castforge::plan {
namespace {

constexpr std::uint8_t kNever = 255;

struct Step {
  std::uint8_t after;   // the last low byte with the former result
  std::uint8_t height;  // modulo 256
};

}  // namespace

std::uint64_t StepsPlan::result(std::uint64_t source) const {
  const std::size_t high = (source >> 8) & 0xFF;
  const std::uint64_t low = source & 0xFF;
  return (first[high] + (low > once[high] ? rise[high] : 0u) + (low > twice[high] ? 1u : 0u)) & 0xFF;
}

bool StepsPlan::has_second_steps() const {
  return std::any_of(twice.begin(), twice.end(), [](std::uint8_t after) { return after != kNever; });
}

bool StepsPlan::rises_by_one() const {
  return std::all_of(rise.begin(), rise.end(), [](std::uint8_t height) { return height == 1; });
}

bool plan_steps(const spec::Meaning& meaning, StepsPlan& steps) {
  if (meaning.src->storage_bits != 16 || meaning.dst->storage_bits > 8) return false;
  for (std::size_t high = 0; high < 256; ++high) {
    const auto result = [&](std::uint64_t low) { return static_cast<std::uint8_t>(semantics::convert_storage(meaning, high << 8 | low)); };
    std::vector<Step> units, others;
    std::uint8_t code = result(0);
    steps.first[high] = code;
    for (std::uint64_t low = 1; low < 256; ++low) {
      const std::uint8_t next = result(low);
      const Step step{static_cast<std::uint8_t>(low - 1), static_cast<std::uint8_t>(next - code)};
      if (step.height == 1) units.push_back(step);
      else if (step.height != 0) others.push_back(step);
      if (units.size() + others.size() > 2 || others.size() > 1) return false;
      code = next;
    }
    if (units.empty() && others.size() == 1 && others.front().height == 2) {  // two units in one place
      units = {others.front(), others.front()};
      others.clear();
    }
    // The step that is no unit comes through `rise`; a unit beside it, before or after, through `twice`.
    const bool first_is_unit = others.empty();
    if (!first_is_unit) units.insert(units.begin(), others.front());
    steps.once[high] = units.empty() ? kNever : units[0].after;
    steps.rise[high] = first_is_unit ? 1 : others.front().height;
    steps.twice[high] = units.size() < 2 ? kNever : units[1].after;
  }
  return true;
}

}  // namespace castforge::plan
