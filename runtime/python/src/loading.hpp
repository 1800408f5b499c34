// Formats of one's own: what pycastforge.load and Format add to the library.
#pragma once

#include <nanobind/nanobind.h>

namespace pycastforge {

void bind_loading(nanobind::module_& module);

}  // namespace pycastforge
