// The kernels of one instruction set, as its units give them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/ramp_table.hpp"

namespace castforge::tables {

/// Converts `count` elements. Buffers hold ceil(count * storage_bits / 8) bytes. No allocation, no lock, no error. The
/// source is prefetched `ahead` bytes before it is read (0: not at all), which changes nothing but the time.
using KernelFn = void (*)(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept;

struct IsaKernels {
  const KernelFn* const* units;       // units[i]: the kernels of the i-th unit, in the order of their places
  const KernelRamp* ramps = nullptr;  // of kernels by which range op-sets convert their elements
  std::uint16_t ramp_count = 0;
};

}  // namespace castforge::tables
