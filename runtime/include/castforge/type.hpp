// The number of a type, for code that names none: castforge/types.hpp has the enumerators.
#pragma once

#include <cstdint>

namespace castforge {

enum class Type : std::uint16_t;

}  // namespace castforge
