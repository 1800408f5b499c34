// Which sequences of float64 are the same in float32.
#pragma once

#include <cstdint>
#include <optional>

namespace castforge {

struct Float32Sequence {
  std::uint32_t start, step;  // codes
};

/// The sequence start + i * step, given by codes of float64, in float32: where start, step, all indices below `count`,
/// products and sums are exact there.
std::optional<Float32Sequence> in_float32(std::uint64_t start, std::uint64_t step, std::uint64_t count) noexcept;

}  // namespace castforge
