// What the library has: op-sets, instruction sets, versions.
#pragma once

#include <nanobind/nanobind.h>

namespace pycastforge {

void bind_library(nanobind::module_& module);

}  // namespace pycastforge
