// Programs for the kernels of a catalogue: apart from it, as whoever tabulates kernels needs no planner.
#include <map>

#include "driver/catalogue.hpp"
#include "plan/planner.hpp"
#include "spec/diagnostics.hpp"

namespace castforge::driver {
namespace {

spec::Diagnostic refusal(const spec::Type& type, plan::NoLayout::Because because) {
  const std::string instead = ". It can be used without a compiler: by `castforge --load` and `castforge-gen tables`";
  if (because == plan::NoLayout::Because::precise)
    return {type.path, type.mantissa_where,
            "expected at most " + std::to_string(plan::kMostRounded) +
                ", or those of float64 itself, of a format to which integers of 64 bits are converted by compiled "
                "kernels, found " +
                std::to_string(type.mantissa_bits) + instead};
  return {type.path, type.bias_where,
          "the smallest value above zero has a last bit of 2^" +
              std::to_string(type.min_exponent() - type.mantissa_bits) +
              "; compiled kernels compute in float64 and take no smaller ones than 2^-1022, unless an exponent_bias of "
              "1023 gives the format the subnormal numbers of float64" +
              instead};
}

}  // namespace

void plan_some(const std::vector<Kernel*>& kernels, const plan::InstructionSet* next_on) {
  std::map<std::string, spec::Diagnostic> refused;  // by type
  for (Kernel* const kernel : kernels) {
    try {
      kernel->programs = plan::plan_kernel(kernel->meaning, next_on);
    } catch (const plan::NoLayout& problem) {
      refused.emplace(problem.type.name, refusal(problem.type, problem.because));
    } catch (const std::exception& problem) {
      throw NoPlan(kernel->name + ": " + problem.what() + "\n  " + kernel->text);
    }
  }
  if (refused.empty()) return;
  std::vector<spec::Diagnostic> all;
  for (auto& [name, diagnostic] : refused) all.push_back(std::move(diagnostic));
  throw spec::SpecError(std::move(all));
}

void plan_all(Catalogue& catalogue, const plan::InstructionSet* next_on) {
  std::vector<Kernel*> kernels;
  kernels.reserve(catalogue.kernels.size());
  for (Kernel& kernel : catalogue.kernels) kernels.push_back(&kernel);
  plan_some(kernels, next_on);
}

}  // namespace castforge::driver
