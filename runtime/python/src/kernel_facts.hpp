// What a kernel does, as data.
#pragma once

#include <castforge/kernel.hpp>

#include <nanobind/nanobind.h>

namespace pycastforge {

/// An array of numpy: at each code of the source the code of the result, in the smallest unsigned word that holds it.
/// Raises BadArray for sources above 16 bits.
nanobind::object truth_table(const castforge::Kernel& kernel);

/// Properties of a rule by the words of the specs. "carry" is the table as a number, and missing where nothing has to
/// be rounded.
nanobind::dict rule_words(const castforge::Rule& rule);

}  // namespace pycastforge
