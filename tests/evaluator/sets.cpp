#include "sets.hpp"

#include <algorithm>

namespace castforge::evaluator {

const std::vector<InstructionSet>& instruction_sets() {
  static const std::vector<InstructionSet> sets = {
      {"portable", {}},
      {"sse4_2", {"vector", "bytes16"}},
      {"avx2", {"vector", "bytes16", "float16"}},
      {"avx512", {"vector", "bytes16", "float16", "avx512"}},
      {"avx512vbmi", {"vector", "bytes16", "float16", "avx512", "vbmi", "tables"}},
      {"neon64", {"vector", "float16", "neon", "tables"}},
  };
  return sets;
}

bool offers(const InstructionSet& set, const std::string& feature) {
  return feature == "nothing" || std::find(set.has.begin(), set.has.end(), feature) != set.has.end();
}

std::vector<std::vector<InstructionSet>> runners(const Kernel& kernel) {
  std::vector<std::vector<InstructionSet>> by_plan(kernel.plans.size());
  for (const InstructionSet& set : instruction_sets()) {
    for (std::size_t i = 0; i < kernel.plans.size(); ++i) {
      const std::vector<std::string>& needs = kernel.plans[i].needs;
      if (!std::all_of(needs.begin(), needs.end(), [&](const std::string& n) { return offers(set, n); })) continue;
      by_plan[i].push_back(set);
      break;
    }
  }
  return by_plan;
}

World world_of(const std::vector<InstructionSet>& sets) {
  const auto any = [&](const char* feature) {
    return std::any_of(sets.begin(), sets.end(), [&](const InstructionSet& s) { return offers(s, feature); });
  };
  World world;
  world.bytes16 = any("bytes16");
  world.neon = any("neon");
  return world;
}

}  // namespace castforge::evaluator
