// Source elements to measure with.
#pragma once

#include <castforge/interface.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace castforge::cli {

/// What floating elements are, with either sign where the type has signs. A class that a type lacks, as e8m0 lacks
/// subnormals, is `normal` there. Integers are uniform over all codes, but for `zero`; booleans are 0 and 1.
enum class SampleData : unsigned char {
  mixed,      // normal, and one element in 64 a zero, infinity, NaN, the least or largest number, or any code
  normal,     // numbers normally distributed around 0 with deviation 1
  subnormal,  // numbers below the smallest normal one
  zero,
  special,    // infinities and NaN
  huge,       // numbers of the type's last binade
  all_codes,  // codes at random
  range,      // numbers from 2^-155 to 2^-120, about where float32 becomes subnormal; of narrower types the least ones
};

struct NamedData {
  std::string_view name;
  SampleData data;
};
/// Every kind, by the name that users give it.
std::span<const NamedData> sample_data_names();
std::string_view name_of(SampleData data);

/// Fills `count` elements of a numeric type, laid out as for Kernel::run. The same elements at every call; they repeat
/// after 262144.
void fill_with_sample_data(Type type, SampleData data, void* dst, std::size_t count);

}  // namespace castforge::cli
