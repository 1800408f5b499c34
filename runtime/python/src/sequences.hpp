// Sequences and texts: arange, format_text, parse_text.
#pragma once

#include <nanobind/nanobind.h>

namespace pycastforge {

void bind_sequences(nanobind::module_& module);

}  // namespace pycastforge
