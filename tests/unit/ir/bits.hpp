// Floating-point numbers as the lanes that hold them.
#pragma once

#include <bit>
#include <cstdint>

namespace castforge::test {

inline std::uint64_t f32(float x) { return std::bit_cast<std::uint32_t>(x); }
inline std::uint64_t f64(double x) { return std::bit_cast<std::uint64_t>(x); }

}  // namespace castforge::test
