// Stores that go past the caches, by code of one instruction set (loops/stream.cpp).
#pragma once

#include <cstddef>

namespace castforge::tables {

inline constexpr std::size_t kLineBytes = 64;  // of a cache line

/// Copies `lines` whole cache lines to `to`, a multiple of kLineBytes. The stores are weakly ordered: the caller fences
/// them. Null for an instruction set on which plain stores are faster.
using StreamFn = void (*)(std::byte* to, const std::byte* from, std::size_t lines) noexcept;

}  // namespace castforge::tables
