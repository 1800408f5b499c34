// How elements, and elements on which a plan is wrong, are written.
#pragma once

#include <cstdint>
#include <string>

#include "driver/catalogue.hpp"
#include "verify/compare.hpp"

namespace castforge::command {

/// An element by its storage word: "0x3FA66666 (1.3)".
std::string element_text(const spec::Type& type, std::uint64_t storage);

/// "float32_to_float16__rne_inf: plan convert_float.integer: source 0x3FA66666 (1.3): the rule gives 0x3D33
/// (1.2998047), the plan 0x3D34 (1.3007812)".
std::string counterexample_text(const driver::Kernel& kernel, const verify::Counterexample& counterexample);

}  // namespace castforge::command
