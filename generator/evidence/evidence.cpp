#include "evidence/evidence.hpp"

#include <algorithm>
#include <set>

#include "driver/program_hash.hpp"
#include "plan/instruction_sets.hpp"
#include "verify/points.hpp"

namespace castforge::evidence {
namespace {

using records::How, records::Record;

/// Is a record about the rule of the kernel, and all codes of its source?
bool is_about(const Record& record, const driver::Kernel& kernel) {
  return record.meaning == kernel.hash && record.code_bits == kernel.meaning.src->value_bits;
}

/// Which plans of the kernel a record speaks of; none where the kernel is another one today.
std::vector<std::size_t> plans_of(const Record& record, const driver::Kernel& kernel) {
  std::vector<std::size_t> found;
  if (!is_about(record, kernel)) return found;
  const bool same = record.how == How::exhaustive && record.programs == driver::program_hashes(kernel);
  for (std::size_t i = 0; i < kernel.programs.size(); ++i) {
    if (proves(record, kernel, kernel.programs[i])) found.push_back(i);
    if (!same) continue;
    for (const std::string& isa : plan::chosen_on(kernel.programs, i)) {
      if (std::find(record.isas.begin(), record.isas.end(), isa) == record.isas.end()) continue;
      found.push_back(i);
      break;
    }
  }
  return found;
}

}  // namespace

std::string PlanEvidence::word() const {
  if (exhaustive) return smt ? "exhaustive+smt" : "exhaustive";
  return smt ? "smt" : "classes";
}

const char* KernelEvidence::mark() const {
  const auto all = [&](auto holds) { return std::all_of(plans.begin(), plans.end(), holds); };
  if (all([](const PlanEvidence& plan) { return plan.exhaustive; })) return "exhaustive";
  return all([](const PlanEvidence& plan) { return plan.exhaustive || plan.smt; }) ? "smt" : "classes";
}

Evidence::Evidence(const std::filesystem::path& folder) {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".tsv") files.insert(entry.path());
  }
  for (const std::filesystem::path& file : files) {
    for (Record& record : records::read_records(file)) {
      const std::string meaning = record.meaning;
      records_.emplace(meaning, std::move(record));
    }
  }
}

KernelEvidence Evidence::of(const driver::Kernel& kernel) const {
  KernelEvidence out;
  const bool at_generation = verify::points_are_exhaustive(kernel.meaning);
  for (const ir::Program& program : kernel.programs)
    out.plans.push_back({driver::program_hash(program), at_generation, false});
  std::set<std::string> swept;
  const auto [first, last] = records_.equal_range(kernel.hash);
  for (auto at = first; at != last; ++at) {
    const Record& record = at->second;
    const std::vector<std::size_t> plans = plans_of(record, kernel);
    for (const std::size_t i : plans) (record.how == How::smt ? out.plans[i].smt : out.plans[i].exhaustive) = true;
    if (!plans.empty()) swept.insert(record.isas.begin(), record.isas.end());
  }
  for (const plan::InstructionSet& set : plan::instruction_sets()) {
    if (swept.contains(set.name)) out.swept.emplace_back(set.name);
  }
  return out;
}

bool proves(const Record& record, const driver::Kernel& kernel, const ir::Program& program) {
  return record.how == How::smt && is_about(record, kernel) && record.programs == driver::program_hash(program);
}

bool holds(const Record& record, const driver::Catalogue& catalogue) {
  return std::any_of(catalogue.kernels.begin(), catalogue.kernels.end(),
                     [&](const driver::Kernel& kernel) { return !plans_of(record, kernel).empty(); });
}

}  // namespace castforge::evidence
