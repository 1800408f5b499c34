// cast, bitcast, kernel.
#pragma once

#include <nanobind/nanobind.h>

namespace pycastforge {

void bind_casting(nanobind::module_& module);

}  // namespace pycastforge
