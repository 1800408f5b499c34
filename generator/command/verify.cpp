#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "cli/io/json_text.hpp"
#include "cli/io/step_progress.hpp"
#include "command/command.hpp"
#include "command/counterexample.hpp"
#include "spec/loader.hpp"
#include "spec/lookup.hpp"
#include "verify/compare.hpp"
#include "verify/points.hpp"

namespace castforge::command {
namespace {

constexpr std::uint64_t kBlock = 1 << 16;

/// All 2^n source words, n <= 32, in blocks. Throws VerificationFailed.
void sweep(const driver::Kernel& kernel) {
  const std::uint64_t total = 1ull << kernel.meaning.src->storage_bits;
  cli::StepProgress progress(kQuiet);
  for (std::uint64_t start = 0; start < total; start += kBlock) {
    progress.begin(start / kBlock, total / kBlock, kernel.name + ": blocks of 65536 source words");
    std::vector<std::uint64_t> words(std::min(kBlock, total - start));
    std::iota(words.begin(), words.end(), start);
    const verify::Comparison comparison(kernel.meaning, std::move(words));
    for (const ir::Program& program : kernel.programs) {
      if (const auto wrong = comparison.find(program)) throw VerificationFailed{counterexample_text(kernel, *wrong)};
    }
  }
}

}  // namespace

int verify(const Places& places, const VerifyQuery& query) {
  if (query.level != "smt" && !query.record.empty())
    throw std::invalid_argument(
        "--record goes with --level smt; what kernels give at all codes, `castforge verify "
        "--level exhaustive --record FILE` records");
  if (query.level != "smt" && !query.z3.empty()) throw std::invalid_argument("--z3 goes with --level smt");
  if (query.level != "smt" && query.timeout_s) throw std::invalid_argument("--timeout goes with --level smt");
  Loaded loaded = load_unplanned(places);
  std::vector<std::pair<const spec::Type*, const spec::Type*>> wanted;
  for (const std::string& pair : query.pairs) wanted.push_back(spec::pair_named(loaded.model, pair));
  std::vector<driver::Kernel*> chosen, others;
  for (driver::Kernel& kernel : loaded.catalogue.kernels) {
    const bool asked = wanted.empty() || std::find(wanted.begin(), wanted.end(),
                                                   std::pair{kernel.meaning.src, kernel.meaning.dst}) != wanted.end();
    (asked ? chosen : others).push_back(&kernel);
  }
  if (chosen.empty() && wanted.empty()) throw std::invalid_argument("these specs give no kernel");
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto is_of_pair = [&](const driver::Kernel* kernel) {
      return std::pair{kernel->meaning.src, kernel->meaning.dst} == wanted[i];
    };
    if (std::none_of(chosen.begin(), chosen.end(), is_of_pair))
      throw std::invalid_argument("--pair: there is no kernel for " + query.pairs[i]);
  }
  driver::plan_some(chosen);
  std::size_t exhaustive = 0;
  for (driver::Kernel* const kernel : chosen) {
    verify_kernel(*kernel);  // the quick level: throws on the first counterexample
    const bool sweeps = query.level == "exhaustive" && kernel->meaning.src->storage_bits <= 32;
    if (verify::points_are_exhaustive(kernel->meaning)) {
      ++exhaustive;
    } else if (sweeps) {
      sweep(*kernel);
      ++exhaustive;
    }
  }
  if (query.level == "smt") {
    if (!query.record.empty()) plan_rest(others);  // whose proofs stay on record
    return verify_by_smt(loaded.catalogue, {chosen.begin(), chosen.end()}, query);
  }
  const std::size_t kernels = chosen.size();
  if (query.json) {
    const nlohmann::ordered_json out = {
        {"kernels", kernels}, {"on_every_source_element", exhaustive}, {"on_every_class", kernels - exhaustive}};
    std::printf("%s\n", cli::json_text(out, 2).c_str());
    return kOk;
  }
  std::printf(
      "%zu kernels equal the exact semantics: %zu on every source element, %zu on every class of source elements, of "
      "the destination's normal exponents a sample where they are many\n",
      kernels, exhaustive, kernels - exhaustive);
  return kOk;
}

}  // namespace castforge::command
