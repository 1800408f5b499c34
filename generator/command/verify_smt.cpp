// verify --level smt: one proof per plan of sources above 16 bits; narrower sources have been enumerated already.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "command/command.hpp"
#include "emit/print_cpp.hpp"
#include "emit/truth_table.hpp"
#include "semantics/value.hpp"
#include "verify/points.hpp"
#include "verify/smt.hpp"

namespace castforge::command {
namespace {

std::string element(const spec::Type& type, std::uint64_t storage) {
  return emit::hex(storage, storage_unit(type.storage_bits)) + " (" +
         emit::value_text(type, semantics::code_of_storage(type, storage)) + ")";
}

void print_counterexample(const driver::Kernel& kernel, const ir::Program& program, const verify::Proof& proof) {
  const spec::Type& src = *kernel.meaning.src;
  const spec::Type& dst = *kernel.meaning.dst;
  std::fprintf(stderr, "%s: plan %s: source %s: ", kernel.name.c_str(), program.id.c_str(),
               element(src, proof.source).c_str());
  if (!proof.problem.empty()) std::fprintf(stderr, "%s\n", proof.problem.c_str());
  else
    std::fprintf(stderr, "the rule gives %s, the plan %s\n", element(dst, proof.expected).c_str(),
                 element(dst, proof.found).c_str());
}

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
    out["source"] = element(*kernel.meaning.src, proof.source);
    if (!proof.problem.empty()) {
      out["problem"] = proof.problem;
    } else {
      out["expected"] = element(*kernel.meaning.dst, proof.expected);
      out["found"] = element(*kernel.meaning.dst, proof.found);
    }
  }
  return out;
}

void print_list(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  std::printf("%s:\n", title);
  for (const std::string& line : lines) std::printf("  %s\n", line.c_str());
}

}  // namespace

int verify_by_smt(const std::vector<const driver::Kernel*>& kernels, const VerifyQuery& query) {
  const verify::Solver solver{verify::find_z3(query.z3), query.timeout_s};
  nlohmann::ordered_json proofs = nlohmann::ordered_json::array();
  std::size_t proved = 0, enumerated = 0, wrong = 0;
  std::vector<std::string> not_proved, not_attempted;
  for (const driver::Kernel* kernel : kernels) {
    if (verify::points_are_exhaustive(kernel->meaning)) {
      ++enumerated;
      continue;
    }
    for (const ir::Program& program : kernel->programs) {
      const verify::Proof proof = verify::prove(kernel->meaning, program, solver);
      const std::string label = kernel->name + ", plan " + program.id;
      if (query.json) proofs.push_back(proof_json(*kernel, program, proof));
      switch (proof.result) {
        case verify::Proof::Result::proved:
          ++proved;
          if (!query.json)
            std::printf("proved         %s: %zu cases, %.1f s\n", label.c_str(), proof.cases, proof.seconds);
          break;
        case verify::Proof::Result::not_proved: not_proved.push_back(label + ": " + proof.reason); break;
        case verify::Proof::Result::not_attempted: not_attempted.push_back(label + ": " + proof.reason); break;
        case verify::Proof::Result::counterexample:
          ++wrong;
          print_counterexample(*kernel, program, proof);
          break;
      }
      std::fflush(stdout);
    }
  }
  if (query.json) {
    const nlohmann::ordered_json out = {
        {"proved", proved}, {"not_proved", not_proved.size()},      {"not_attempted", not_attempted.size()},
        {"wrong", wrong},   {"kernels_by_enumeration", enumerated}, {"proofs", proofs}};
    std::printf("%s\n", out.dump(2).c_str());
    return wrong == 0 ? kOk : kVerificationFailed;
  }
  print_list("not proved", not_proved);
  print_list("not attempted", not_attempted);
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
