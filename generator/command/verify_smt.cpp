// verify --level smt: one proof per plan of sources above 16 bits; narrower sources have been enumerated already.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/io/json_text.hpp"
#include "cli/records/record_file.hpp"
#include "command/command.hpp"
#include "command/counterexample.hpp"
#include "driver/program_hash.hpp"
#include "verify/points.hpp"
#include "verify/smt.hpp"

namespace castforge::command {
namespace {

nlohmann::ordered_json proof_json(const driver::Kernel& kernel, const ir::Program& program,
                                  const verify::Proof& proof) {
  static constexpr std::pair<verify::Proof::Result, const char*> kWords[] = {
      {verify::Proof::Result::proved, "proved"},
      {verify::Proof::Result::not_proved, "not proved"},
      {verify::Proof::Result::not_attempted, "not attempted"},
      {verify::Proof::Result::counterexample, "wrong"}};
  nlohmann::ordered_json out = {{"kernel", kernel.name}, {"hash", kernel.hash}, {"plan", program.id}};
  for (const auto& [result, word] : kWords) {
    if (result == proof.result) out["result"] = word;
  }
  out["cases"] = proof.cases;
  out["seconds"] = proof.seconds;
  if (!proof.reason.empty()) out["reason"] = proof.reason;
  if (proof.result == verify::Proof::Result::counterexample) {
    out["source"] = element_text(*kernel.meaning.src, proof.source);
    if (!proof.problem.empty()) {
      out["problem"] = proof.problem;
    } else {
      out["expected"] = element_text(*kernel.meaning.dst, proof.expected);
      out["found"] = element_text(*kernel.meaning.dst, proof.found);
    }
  }
  return out;
}

/// What is proved, on record.
class Proofs {
 public:
  Proofs(const driver::Catalogue& catalogue, const VerifyQuery& query, const verify::Solver& solver) {
    if (query.record.empty()) return;
    tool_ = verify::version_of(solver);
    file_.emplace(query.record, [&](const records::Record& record) { return evidence::holds(record, catalogue); });
  }

  bool has(const driver::Kernel& kernel, const ir::Program& program) const {
    return file_ && std::any_of(file_->records().begin(), file_->records().end(), [&](const records::Record& record) {
             return evidence::proves(record, kernel, program);
           });
  }

  void add(const driver::Kernel& kernel, const ir::Program& program) {
    if (!file_) return;
    file_->add({kernel.name,
                kernel.hash,
                driver::program_hash(program),
                records::How::smt,
                {},
                kernel.meaning.src->value_bits,
                tool_});
  }

  void finish() {
    if (file_) file_->sort();
  }

  std::size_t dropped() const { return file_ ? file_->dropped() : 0; }

 private:
  std::string tool_;
  std::optional<records::RecordFile> file_;
};

void print_list(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  std::printf("%s:\n", title);
  for (const std::string& line : lines) std::printf("  %s\n", line.c_str());
}

}  // namespace

int verify_by_smt(const driver::Catalogue& catalogue, std::vector<const driver::Kernel*> kernels,
                  const VerifyQuery& query) {
  const verify::Solver solver{verify::find_z3(query.z3), query.timeout_s.value_or(kDefaultTimeout)};
  Proofs on_record(catalogue, query, solver);
  // The widest sources first: of narrower ones more can be tried.
  std::stable_sort(kernels.begin(), kernels.end(), [](const driver::Kernel* a, const driver::Kernel* b) {
    return a->meaning.src->storage_bits > b->meaning.src->storage_bits;
  });
  nlohmann::ordered_json proofs = nlohmann::ordered_json::array();
  std::size_t proved = 0, recorded = 0, enumerated = 0, wrong = 0;
  std::vector<std::string> not_proved, not_attempted;
  for (const driver::Kernel* kernel : kernels) {
    if (verify::points_are_exhaustive(kernel->meaning)) {
      ++enumerated;
      continue;
    }
    for (const ir::Program& program : kernel->programs) {
      if (on_record.has(*kernel, program)) {
        ++recorded;
        continue;
      }
      const verify::Proof proof = verify::prove(kernel->meaning, program, solver);
      const std::string label = kernel->name + ", plan " + program.id;
      if (query.json) proofs.push_back(proof_json(*kernel, program, proof));
      switch (proof.result) {
        case verify::Proof::Result::proved:
          ++proved;
          on_record.add(*kernel, program);
          if (!query.json)
            std::printf("proved         %s: %zu cases, %.1f s\n", label.c_str(), proof.cases, proof.seconds);
          break;
        case verify::Proof::Result::not_proved: not_proved.push_back(label + ": " + proof.reason); break;
        case verify::Proof::Result::not_attempted: not_attempted.push_back(label + ": " + proof.reason); break;
        case verify::Proof::Result::counterexample:
          ++wrong;
          std::fprintf(
              stderr, "%s\n",
              counterexample_text(*kernel, {program.id, proof.source, proof.expected, proof.found, proof.problem})
                  .c_str());
          break;
      }
      std::fflush(stdout);
    }
  }
  on_record.finish();
  if (query.json) {
    const nlohmann::ordered_json out = {{"proved", proved},
                                        {"proved_before", recorded},
                                        {"records_dropped", on_record.dropped()},
                                        {"not_proved", not_proved.size()},
                                        {"not_attempted", not_attempted.size()},
                                        {"wrong", wrong},
                                        {"kernels_by_enumeration", enumerated},
                                        {"proofs", proofs}};
    std::printf("%s\n", cli::json_text(out, 2).c_str());
    return wrong == 0 ? kOk : kVerificationFailed;
  }
  print_list("not proved", not_proved);
  print_list("not attempted", not_attempted);
  if (recorded > 0) std::printf("plans proved before, by record: %zu\n", recorded);
  if (on_record.dropped() > 0) {
    std::printf("records dropped, of kernels or programs that these specs do not give: %zu\n", on_record.dropped());
  }
  std::printf(
      "plans of sources above 16 bits: %zu proved equal to the exact semantics for every source element, %zu not "
      "proved, %zu not attempted, %zu wrong\n",
      proved, not_proved.size(), not_attempted.size(), wrong);
  std::printf(
      "kernels of sources up to 16 bits: %zu equal to the exact semantics on every source element, by enumeration\n",
      enumerated);
  return wrong == 0 ? kOk : kVerificationFailed;
}

}  // namespace castforge::command
