#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <tuple>
#include <vector>

#include "cli/io/more_threads.hpp"
#include "cli/io/step_progress.hpp"
#include "command/command.hpp"
#include "command/counterexample.hpp"
#include "driver/beside.hpp"
#include "plan/instruction_sets.hpp"
#include "spec/diagnostics.hpp"
#include "spec/loader.hpp"
#include "verify/compare.hpp"

namespace castforge::command {
spec::SpecModel Places::model() const {
  const bool added = specs.size() > library.size() && std::equal(library.begin(), library.end(), specs.begin());
  return spec::load(specs, opsets, added ? library.size() : 0);
}

Loaded load_unplanned(const Places& places) {
  Loaded loaded{places.model(), {}, {}};
  loaded.catalogue = driver::resolve_catalogue(loaded.model);
  return loaded;
}

Loaded load(const Places& places) {
  Loaded loaded = load_unplanned(places);
  driver::plan_all(loaded.catalogue);
  if (!places.evidence.empty()) loaded.processors = {loaded.catalogue, places.evidence / "processors"};
  return loaded;
}

void plan_rest(const std::vector<driver::Kernel*>& kernels) {
  for (driver::Kernel* const kernel : kernels) {
    if (!kernel->programs.empty()) continue;
    try {
      driver::plan_some({kernel});
    } catch (const spec::SpecError&) {
    } catch (const driver::NoPlan&) {
    }
  }
}

void plan_pair(Loaded& loaded, const std::vector<driver::Kernel*>& asked, const Places& places) {
  driver::plan_some(asked);
  if (places.evidence.empty()) return;
  // Measured is the function that a kernel runs, which may be that of one with older types: of those only kernels count
  // whose elements lie in memory alike.
  const auto shape = [](const driver::Kernel& kernel) {
    const spec::Type &src = *kernel.meaning.src, &dst = *kernel.meaning.dst;
    return std::tuple(src.storage_bits, src.packing, dst.storage_bits, dst.packing);
  };
  const auto newest = [](const driver::Kernel& kernel) {
    return std::max(kernel.meaning.src->id, kernel.meaning.dst->id);
  };
  std::vector<driver::Kernel*> older;
  for (driver::Kernel& kernel : loaded.catalogue.kernels) {
    if (std::any_of(asked.begin(), asked.end(), [&](const driver::Kernel* one) {
          return shape(kernel) == shape(*one) && newest(kernel) <= newest(*one);
        }))
      older.push_back(&kernel);
  }
  plan_rest(older);
  loaded.processors = {loaded.catalogue, places.evidence / "processors"};
}

evidence::Evidence load_evidence(const Places& places) {
  return places.evidence.empty() ? evidence::Evidence() : evidence::Evidence(places.evidence);
}

void verify_kernel(driver::Kernel& kernel) {
  const auto counterexample = verify::compare(kernel.meaning, kernel.programs);
  if (counterexample) throw VerificationFailed{counterexample_text(kernel, *counterexample) + "\n  " + kernel.text};
}

namespace {

/// What the library of the shipped specs lacks. It is resolved, which is quick; only what is new is planned.
Loaded load_beside(const Places& places) {
  const spec::SpecModel model = spec::load(places.library, places.opsets);
  const driver::Catalogue library = driver::resolve_catalogue(model);
  driver::check_manifest(library, places.beside);
  Loaded loaded = load_unplanned(places);
  loaded.catalogue = driver::beside(library, std::move(loaded.catalogue));
  driver::plan_all(loaded.catalogue);
  return loaded;
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const plan::InstructionSet& set : plan::instruction_sets()) names.emplace_back(set.name);
  return names;
}

Loaded load_to_emit(const Places& places) {
  Loaded loaded = places.beside.empty() ? load(places) : load_beside(places);
  for (const plan::InstructionSet& set : plan::instruction_sets()) {
    if (set.name != places.next_on) continue;
    driver::plan_all(loaded.catalogue, &set);
    loaded.processors = {};  // what was measured are other programs
  }
  return loaded;
}

void verify_kernels(const std::vector<driver::Kernel*>& kernels) {
  cli::StepProgress progress(kQuiet);
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> failures(kernels.size());
  const auto work = [&](bool shows) {
    for (std::size_t i; (i = next++) < kernels.size();) {
      if (shows) progress.begin(i, kernels.size(), "comparing plans with the exact semantics");
      try {
        verify_kernel(*kernels[i]);
      } catch (...) {
        failures[i] = std::current_exception();
        next = kernels.size();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    cli::start_more(others, std::thread::hardware_concurrency(), [&] { work(false); });
    work(true);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace castforge::command
