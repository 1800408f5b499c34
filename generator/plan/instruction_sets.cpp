#include "plan/instruction_sets.hpp"

#include <utility>

namespace castforge::plan {
namespace {

using namespace ir;

constexpr InstructionSet kSets[] = {
    {"portable", kNeedsNothing},
    {"sse4_2", kNeedsVector | kNeedsBytes16},
    {"avx2", kNeedsVector | kNeedsBytes16 | kNeedsFloat16},
    {"avx512", kNeedsVector | kNeedsBytes16 | kNeedsFloat16 | kNeedsAvx512},
    {"avx512vbmi", kNeedsVector | kNeedsBytes16 | kNeedsFloat16 | kNeedsAvx512 | kNeedsVbmi | kNeedsTables},
    {"neon64", kNeedsVector | kNeedsFloat16 | kNeedsNeon | kNeedsTables},
};

}  // namespace

std::span<const InstructionSet> instruction_sets() { return kSets; }

std::vector<std::string> chosen_on(std::span<const Program> programs, std::size_t index) {
  std::vector<std::string> names;
  for (const InstructionSet& set : kSets) {
    std::size_t first = 0;
    while (first < programs.size() && !runs(set, programs[first])) ++first;
    if (first == index) names.emplace_back(set.name);
  }
  return names;
}

void keep_chosen(std::vector<Program>& programs) {
  std::vector<Program> kept;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (i + 1 == programs.size() || !chosen_on(programs, i).empty()) kept.push_back(programs[i]);
  }
  programs = std::move(kept);
}

}  // namespace castforge::plan
