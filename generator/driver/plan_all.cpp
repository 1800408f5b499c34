// Programs for the kernels of a catalogue: apart from it, as whoever tabulates kernels needs no planner.
#include <stdexcept>

#include "driver/catalogue.hpp"
#include "plan/planner.hpp"

namespace castforge::driver {

void plan_all(Catalogue& catalogue) {
  for (Kernel& kernel : catalogue.kernels) {
    try {
      kernel.programs = plan::plan_kernel(kernel.meaning);
    } catch (const std::exception& problem) {
      throw NoPlan(kernel.name + ": " + problem.what() + "\n  " + kernel.text);
    }
  }
}

Catalogue build_catalogue(const spec::SpecModel& model) {
  Catalogue catalogue = resolve_catalogue(model);
  plan_all(catalogue);
  return catalogue;
}

}  // namespace castforge::driver
