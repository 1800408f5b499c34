#include "mutation/plans/run.hpp"

#include <unistd.h>

#include <cstdio>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "driver/program_hash.hpp"
#include "ir/interpret.hpp"
#include "mutation/plans/mutants.hpp"
#include "mutation/plans/reasons.hpp"
#include "mutation/plans/subjects.hpp"
#include "mutation/plans/survivors.hpp"
#include "semantics/convert.hpp"
#include "spec/loader.hpp"
#include "unit/planned.hpp"
#include "verify/compare.hpp"
#include "verify/points.hpp"
#include "verify/smt.hpp"

namespace castforge::mutation {
namespace {

/// Comparisons of the meanings that were asked for last; making one costs more than using it.
const verify::Comparison& comparison_for(const spec::Meaning& meaning) {
  static std::map<std::string, verify::Comparison> known;
  if (known.size() > 64) known.clear();
  return known.try_emplace(driver::meaning_text(meaning), meaning).first->second;
}

class Run {
 public:
  explicit Run(const Request& request) : request_(request), listed_(read_survivors(request.table)) {}

  void subject(const Subject& subject) {
    const verify::Comparison& comparison = comparison_for(subject.meaning);
    const std::string hash = driver::program_hash(subject.program);
    plans_.insert(subject.kernel + " " + subject.program.id);
    each_mutant(subject.program, [&](const std::string& change, const ir::Program& mutant) {
      ++mutants_;
      const auto found = comparison.find(mutant);
      if (found) noticed({subject.kernel, subject.program.id, change}, subject.meaning, mutant, *found);
      else survived({subject.kernel, subject.program.id, change}, hash, subject.meaning, subject.program, mutant);
    });
    missed(subject.kernel, subject.program.id);
  }

  void carry(const CarryMutant& carry) {
    const verify::Comparison& comparison = comparison_for(carry.meaning);
    if (carry.programs.empty()) ++mutants_, ++left_domain_;
    for (const ir::Program& program : carry.programs) {
      ++mutants_;
      const SurvivorKey key{carry.kernel, program.id, carry.change};
      if (const auto found = comparison.find(program)) {
        noticed(key, carry.meaning, program, *found);
      } else {
        survived(key, driver::program_hash(program), carry.meaning, program, program);
      }
    }
  }

  void progress(std::size_t done, std::size_t total) const {
    if (isatty(STDERR_FILENO) == 0) return;
    std::fprintf(stderr, "\r%zu/%zu plans, %zu mutants, %zu survive ", done, total, mutants_, found_.size());
    if (done == total) std::fprintf(stderr, "\n");
  }

  /// Carry tables are of no plan: what the table has of them and is not found is looked for at the end.
  bool finish(bool whole) {
    if (whole) {
      for (const auto& [key, survivor] : listed_) {
        if (found_.contains(key) || request_.record) continue;
        problem("noticed, or there is no such mutant", key);
      }
    }
    if (request_.record) {
      write_survivors(request_.table, found_);
      std::printf("%s: %zu survivors\n", request_.table.c_str(), found_.size());
    }
    std::printf(
        "%zu mutants of %zu plans and their carry tables: %zu noticed (%zu refused or outside a domain), "
        "%zu the same function",
        mutants_, plans_.size(), mutants_ - found_.size(), left_domain_, found_.size());
    if (request_.prove) std::printf(" (%zu by every code, %zu by proof)", exhausted_, proved_);
    std::printf(", %zu problems\n", problems_);
    return problems_ == 0;
  }

 private:
  /// What the comparison says of a mutant is so.
  void noticed(const SurvivorKey& key, const spec::Meaning& meaning, const ir::Program& mutant,
               const verify::Counterexample& found) {
    left_domain_ += !found.problem.empty();
    if (!found.problem.empty()) return;
    std::vector<std::uint64_t> code = {found.source};
    const std::uint64_t expected = semantics::convert_storage(meaning, found.source);
    if (!ir::interpret(mutant, code).empty() || code[0] == expected || found.expected != expected)
      problem("noticed at a code where it is right", key);
  }

  /// The same result as the semantics at every code, asked without the comparison.
  static bool same_everywhere(const spec::Meaning& meaning, const ir::Program& mutant) {
    std::vector<std::uint64_t> codes(std::size_t{1} << meaning.src->storage_bits);
    std::iota(codes.begin(), codes.end(), 0);
    if (!ir::interpret(mutant, codes).empty()) return false;
    for (std::uint64_t code = 0; code < codes.size(); ++code) {
      if (codes[code] != semantics::convert_storage(meaning, code)) return false;
    }
    return true;
  }

  void survived(const SurvivorKey& key, const std::string& hash, const spec::Meaning& meaning,
                const ir::Program& original, const ir::Program& mutant) {
    Survivor survivor{hash, "", reason_for(meaning, key.change)};
    const auto known = listed_.find(key);
    const bool current = known != listed_.end() && known->second.program == hash && !known->second.shown.empty();
    if (verify::points_are_exhaustive(meaning)) {
      survivor.shown = "every code";
      ++exhausted_;
      if (request_.prove && !same_everywhere(meaning, mutant)) problem("not noticed, but another function", key);
    } else if (current && !(request_.prove && !request_.record)) {
      survivor.shown = known->second.shown;
      ++proved_;
    } else if (request_.prove) {
      survivor.shown = proof(key, meaning, original, mutant);
    }
    if (!request_.record && !current) problem("not noticed, and the table does not have it", key);
    found_[key] = survivor;
    if (request_.record && ++since_written_ % 16 == 0) write_survivors(request_.table, merged());
  }

  /// What is known and what is found: a run that is stopped loses no proof.
  Survivors merged() const {
    Survivors all = listed_;
    for (const auto& [key, survivor] : found_) all[key] = survivor;
    return all;
  }

  /// The mutant against the program it was made of, which is quick and says most; then against the rule.
  std::string proof(const SurvivorKey& key, const spec::Meaning& meaning, const ir::Program& original,
                    const ir::Program& mutant) {
    const std::filesystem::path z3 = verify::find_z3("");
    if (version_.empty()) version_ = verify::version_of({z3, 1});
    using Result = verify::Proof::Result;
    verify::Proof proof;
    if (&original != &mutant) proof = verify::prove_same(original, mutant, {z3, 10});
    if (proof.result != Result::proved && proof.result != Result::counterexample)
      proof = verify::prove(meaning, mutant, {z3, request_.timeout_s});
    if (proof.result == Result::proved) {
      ++proved_;
      return version_;
    }
    char source[32];
    std::snprintf(source, sizeof source, "0x%llx", static_cast<unsigned long long>(proof.source));
    problem(proof.result == Result::counterexample
                ? std::string("not noticed, but another function: source word ") + source + " " + proof.problem
                : proof.reason,
            key);
    return "";
  }

  void missed(const std::string& kernel, const std::string& plan) {
    if (request_.record) return;
    for (auto at = listed_.lower_bound({kernel, plan, ""}); at != listed_.end(); ++at) {
      if (at->first.kernel != kernel || at->first.plan != plan) break;
      if (!found_.contains(at->first) && request_.parts != 1) problem("noticed, or there is no such mutant", at->first);
    }
  }

  void problem(const std::string& text, const SurvivorKey& key) {
    ++problems_;
    std::fprintf(stderr, "%s, %s: %s: %s\n", key.kernel.c_str(), key.plan.c_str(), key.change.c_str(), text.c_str());
  }

  const Request& request_;
  const Survivors listed_;
  Survivors found_;
  std::set<std::string> plans_;
  std::string version_;
  std::size_t mutants_ = 0, left_domain_ = 0, exhausted_ = 0, proved_ = 0, problems_ = 0, since_written_ = 0;
};

}  // namespace

bool run(const Request& request) {
  const spec::SpecModel model = spec::load({std::string(CASTFORGE_SOURCE_DIR) + "/specs"});
  const driver::Catalogue catalogue = test::planned(model);
  std::vector<Subject> subjects = sample(catalogue);
  for (Subject& subject : unshipped_subjects()) subjects.push_back(std::move(subject));
  Run run(request);
  for (std::size_t i = request.part; i < subjects.size(); i += request.parts) {
    run.subject(subjects[i]);
    run.progress(i + 1, subjects.size());
  }
  const std::vector<CarryMutant> carries = carry_mutants();
  for (std::size_t i = request.part; i < carries.size(); i += request.parts) run.carry(carries[i]);
  return run.finish(request.parts == 1);
}

}  // namespace castforge::mutation
