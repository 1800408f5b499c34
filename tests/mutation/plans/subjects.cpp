#include "mutation/plans/subjects.hpp"

#include <deque>
#include <map>
#include <set>
#include <stdexcept>

#include "plan/planner.hpp"
#include "spec/canonical.hpp"
#include "unit/plan/subjects.hpp"

namespace castforge::mutation {
namespace {

using ir::Program;
using spec::Meaning;

/// What there is of each lowering.
std::set<std::string> kinds_in(const Program& program) {
  std::set<std::string> kinds;
  const auto add = [&](const std::string& kind) { kinds.insert(program.id + " " + kind); };
  add("from " + std::to_string(program.src_bits));
  add("to " + std::to_string(program.dst_bits));
  for (const ir::Node& node : program.nodes) {
    if (node.op == ir::Op::constant) add(node.name.empty() ? "a number" : "constant " + node.name);
    else add(std::string(ir::operation(node.op).name) + " of " + std::to_string(node.bits));
  }
  for (const ir::Table& table : program.tables) {
    add("table of " + std::to_string(table.entries.size()) + " times " + std::to_string(table.bits));
  }
  return kinds;
}

Meaning by(const char* mode, const char* src, const char* dst, std::size_t policy) {
  const spec::Type& to = test::any_type(dst);
  return test::meaning_of(test::any_type(src), to, &test::rounding(mode), test::policies(to)[policy]);
}

}  // namespace

std::vector<Subject> sample(const driver::Catalogue& catalogue) {
  std::vector<Subject> chosen;
  std::set<std::string> seen;
  for (const driver::Kernel& kernel : catalogue.kernels) {
    for (const Program& program : kernel.programs) {
      bool is_new = false;
      for (const std::string& kind : kinds_in(program)) is_new |= seen.insert(kind).second;
      if (is_new) chosen.push_back({kernel.name, kernel.meaning, program});
    }
  }
  return chosen;
}

std::vector<Subject> unshipped_subjects() {
  std::vector<Subject> chosen;
  const auto take = [&](const char* mode, const char* src, const char* dst, std::size_t policy) {
    const Meaning meaning = by(mode, src, dst, policy);
    for (Program& program : plan::plan_kernel(meaning)) {
      const std::string kernel = std::string(src) + "_to_" + dst + " " + mode + ", policy " + std::to_string(policy);
      chosen.push_back({kernel, meaning, std::move(program)});
    }
  };
  take("nearest_even", "float12e5m6", "float8e8m0", 0);
  take("nearest_even", "float12e5m6", "ufloat8e5m3", 1);
  take("nearest_even", "float12e5m6", "binary8p3", 2);
  take("floor", "float16", "float8e3m4", 3);
  take("nearest_away", "bfloat16ns", "float16", 0);
  take("nearest_even", "float32", "float8e4m3ns", 1);
  take("nearest_even", "float19e8m10", "float16", 0);
  take("toward_zero", "int12", "float8e3m4", 1);
  take("nearest_even", "int9", "float7e3m3", 1);
  return chosen;
}

std::vector<CarryMutant> carry_mutants() {
  static std::deque<spec::Rounding> changed_modes;  // meanings point to them
  std::vector<CarryMutant> made;
  const std::pair<const char*, const char*> pairs[] = {{"float16", "float8e4m3fn"}, {"bfloat16", "float4e2m1"},
                                                       {"float32", "float8e5m2"},   {"float16", "int8"},
                                                       {"float32", "int16"},        {"int16", "float8e4m3fn"}};
  for (const auto& [src, dst] : pairs) {
    for (const spec::Rounding* mode : test::modes()) {
      const Meaning meaning =
          test::meaning_of(test::any_type(src), test::any_type(dst), mode, test::policies(test::any_type(dst))[1]);
      for (int bit = 0; bit < 16; ++bit) {
        if (bit % 4 == 0) continue;  // exact values: the reader of specs refuses these
        spec::Rounding changed = *mode;
        changed.carry = static_cast<std::uint16_t>(changed.carry ^ 1u << bit);
        changed_modes.push_back(changed);
        Meaning broken = meaning;
        broken.round = &changed_modes.back();
        CarryMutant mutant{
            std::string(src) + "_to_" + dst + " " + mode->name, "carry bit " + std::to_string(bit), meaning, {}};
        try {
          mutant.programs = plan::plan_kernel(broken);
        } catch (const std::runtime_error&) {
        }
        made.push_back(std::move(mutant));
      }
    }
  }
  return made;
}

}  // namespace castforge::mutation
