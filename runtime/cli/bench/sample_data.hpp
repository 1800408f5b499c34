// Source elements to measure with.
#pragma once

#include <castforge/interface.hpp>

#include <cstddef>

namespace castforge::cli {

/// Fills `count` elements of a numeric type, laid out as for Kernel::run. Floating types: normally
/// distributed around 0 with deviation 1, and one element in 64 is a special one (zeros, infinities, NaN, the
/// smallest and the largest number, any code); integers: uniform over all codes; booleans: 0 and 1. The same
/// elements at every call; they repeat after 262144.
void fill_with_sample_data(Type type, void* dst, std::size_t count);

}  // namespace castforge::cli
