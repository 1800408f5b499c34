// How a conversion or a sequence is divided among threads.
#pragma once

#include <castforge/tensor.hpp>
#include <cstddef>
#include <cstdint>

namespace castforge {

/// Elements of a task: what the options say, or as many as take 256 KiB in their widest type; rounded up to whole bytes
/// and whole 64-byte lines of aligned buffers at every storage width.
inline std::size_t task_elements(const CastOptions& options, int widest_bits) noexcept {
  constexpr std::size_t kGrain = 512, kBytes = std::size_t{1} << 18;
  std::size_t elements = options.elements_per_task;
  if (elements == 0) elements = kBytes * 8 / static_cast<std::size_t>(widest_bits);
  if (elements > SIZE_MAX - kGrain) return SIZE_MAX / kGrain * kGrain;
  return (elements + kGrain - 1) / kGrain * kGrain;
}

}  // namespace castforge
