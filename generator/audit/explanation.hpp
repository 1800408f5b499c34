// The facts about a kernel that readers are shown: by `explain`, as text and as JSON, and by `audit`.
#pragma once

#include <string>
#include <vector>

#include "driver/catalogue.hpp"
#include "evidence/evidence.hpp"
#include "spec/model.hpp"

namespace castforge::audit {

/// One property of a meaning, and the rule that decided it.
struct Property {
  std::string name, word;
  const spec::Rule* rule = nullptr;
};
std::vector<Property> properties(const spec::Meaning& meaning);

struct PlanFacts {
  std::string id, source;  // the lowering; the generator file that builds it
  std::size_t operations = 0;
  std::vector<std::string> instruction_sets;  // on which it is the one that runs
  evidence::PlanEvidence verified;
};
std::vector<PlanFacts> plan_facts(const driver::Kernel& kernel, const evidence::KernelEvidence& evidence);

/// With which sources every plan of a kernel is compared with the exact semantics before it is written.
struct CheckFacts {
  std::size_t points = 0;
  bool all = false;  // these are all source elements there are

  /// "all there are", or which classes.
  const char* words() const;
};
CheckFacts check_facts(const spec::Meaning& meaning);

/// What a plan computes from one element, statement by statement of its map().
struct Step {
  std::string text, value;  // "mag = bits & kMagnitude", "3FA66666"
};
std::vector<Step> steps(const ir::Program& program, std::uint64_t element);

/// The kernel's struct and its assertions, as they stand in a generated file.
std::string source_in(const std::string& file, const driver::Kernel& kernel);

}  // namespace castforge::audit
