// The kernels of a model, with their programs.
#pragma once

#include "driver/catalogue.hpp"

namespace castforge::test {

inline driver::Catalogue planned(const spec::SpecModel& model) {
  driver::Catalogue catalogue = driver::resolve_catalogue(model);
  driver::plan_all(catalogue);
  return catalogue;
}

}  // namespace castforge::test
