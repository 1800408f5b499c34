#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "command/command.hpp"
#include "emit/kernel_file.hpp"
#include "emit/print_cpp.hpp"
#include "emit/truth_table.hpp"
#include "semantics/value.hpp"
#include "spec/loader.hpp"
#include "verify/compare.hpp"

namespace castforge::command {
namespace {

long long now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Progress::Progress(std::string what) : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) != 0), start_(now_ms()) {}

Progress::~Progress() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
}

void Progress::show(std::size_t done, std::size_t total) {
  if (!terminal_ || now_ms() - start_ < 2000) return;
  shown_ = true;
  std::fprintf(stderr, "\r%s %zu/%zu", what_.c_str(), done, total);
  std::fflush(stderr);
}

Loaded load(const Places& places) {
  Loaded loaded{spec::load(places.specs), {}};
  loaded.catalogue = emit::build_catalogue(loaded.model);
  return loaded;
}

void verify_kernel(emit::Kernel& kernel) {
  const auto counterexample = verify::compare(kernel.meaning, kernel.plans);
  if (!counterexample) return;
  const spec::Type& src = *kernel.meaning.src;
  const spec::Type& dst = *kernel.meaning.dst;
  std::string message = kernel.name + ": ";
  if (!counterexample->problem.empty()) {
    message += counterexample->problem;
  } else {
    const auto both = [](const spec::Type& type, std::uint64_t storage) {
      return emit::hex(storage, std::max(8, type.storage_bits)) + " (" + emit::value_text(type, semantics::code_of_storage(type, storage)) + ")";
    };
    message += "source " + both(src, counterexample->source) + ": the rule gives " + both(dst, counterexample->expected) + ", the plan " + both(dst, counterexample->found);
  }
  throw VerificationFailed{message + "\n  " + kernel.text};
}

std::map<std::string, std::string> pair_files(const emit::Templates& templates, const std::vector<emit::Kernel*>& kernels) {
  const auto files_where_codes_fit = [&](bool fits) {
    std::vector<emit::Kernel> copies;
    for (const emit::Kernel* kernel : kernels) copies.push_back(*kernel);
    std::vector<const emit::Kernel*> all;
    for (emit::Kernel& copy : copies) {
      for (plan::LanePlan& plan : copy.plans.lanes) plan.code_fits = plan.flush_safe = fits;
      all.push_back(&copy);
    }
    return emit::pair_files(templates, all);
  };
  // Verification finds out whether codes fit and plans are safe, which is a letter more or less in a file: it can matter to a
  // file that is at its longest only.
  auto files = files_where_codes_fit(false);
  const auto others = files_where_codes_fit(true);
  const auto same_path = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (std::equal(files.begin(), files.end(), others.begin(), others.end(), same_path)) return files;
  for (emit::Kernel* kernel : kernels) verify_kernel(*kernel);
  return emit::pair_files(templates, {kernels.begin(), kernels.end()});
}

Loaded load_and_verify(const Places& places) {
  Loaded loaded = load(places);
  Progress progress("comparing plans with the exact semantics:");
  std::size_t done = 0;
  for (emit::Kernel& kernel : loaded.catalogue.kernels) {
    progress.show(done++, loaded.catalogue.kernels.size());
    verify_kernel(kernel);
  }
  return loaded;
}

}  // namespace castforge::command
