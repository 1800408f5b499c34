// lookup.cpp for 32-bit sources: blocks are gathered, a vector of them at once.
#pragma once

#include <cstddef>

#include "simd/lanes.hpp"
#include "src/lookup_table.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

#if CASTFORGE_X86 >= 2

using lane::B32;

/// Stores result_of(codes) for the elements that fill whole vectors of results. Returns how many were done.
template <class Result, class F>
CASTFORGE_INLINE std::size_t each_result_vector(const tables::Lookup& lookup, const std::uint32_t* from, Result* to,
                                                std::size_t count, const F& result_of) noexcept {
  constexpr std::size_t kLanes = lane::kVectorBytes / sizeof(Result);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const lane::Source<std::uint32_t, kLanes> words{reinterpret_cast<const std::byte*>(from + i)};
    const auto results = result_of((words >> lookup.shift) & static_cast<std::uint32_t>(lookup.mask));
    lane::store(reinterpret_cast<std::byte*>(to + i), lane::truncate<Result>(results));
  }
  return i;
}

/// The words of 32 bits at these indices.
template <std::size_t N>
CASTFORGE_INLINE lane::Lanes<std::uint32_t, N> gather(const void* words,
                                                      const lane::Lanes<std::uint32_t, N>& index) noexcept {
  return lane::detail::per_part(
      [words](B32 at) noexcept CASTFORGE_LAMBDA_INLINE {
        return B32::gather(static_cast<const std::uint32_t*>(words), at);
      },
      index);
}

/// Returns how many elements were done. NarrowBlock: the threshold in the first 32 bits, the results in the second.
template <class Result>
CASTFORGE_INLINE std::size_t step_lanes(const tables::Lookup& lookup, const std::uint32_t* from, Result* to,
                                        std::size_t count) noexcept {
  static_assert(sizeof(tables::NarrowBlock) == 8 && offsetof(tables::NarrowBlock, results) == 4);
  const int rest_bits = lookup.blocks.positions.bits - lookup.blocks.index_bits;
  const std::uint32_t rest = (std::uint32_t{1} << rest_bits) - 1;
  return each_result_vector(lookup, from, to, count, [&](const auto& code) CASTFORGE_LAMBDA_INLINE {
    const auto block = (code >> rest_bits) << 1;
    const auto threshold = gather(lookup.entries, block), results = gather(lookup.entries, block + 1u);
    // The lower half before the threshold. The comparison is signed: a block has at most 2^31 positions, so that both
    // numbers are below that.
    return lane::select(lane::gt(threshold, code & rest), results, results >> 16);
  });
}

/// Returns how many elements were done.
template <class Result>
CASTFORGE_INLINE std::size_t compact_lanes(const tables::Lookup& lookup, const std::uint32_t* from, Result* to,
                                           std::size_t count) noexcept {
  const int rest_bits = lookup.blocks.positions.bits - lookup.blocks.index_bits;
  return each_result_vector(lookup, from, to, count, [&](const auto& code) CASTFORGE_LAMBDA_INLINE {
    const auto block = gather(lookup.entries, code >> rest_bits), rest = code << (32 - rest_bits);
    const auto exact = lane::eq(rest & tables::CompactBlock::kDropped, 0u);
    const auto value = (rest | tables::CompactBlock::kDropped) ^ lane::select(exact, tables::CompactBlock::kMore, 0u);
    // value >= block where value is the larger of the two.
    return lane::select(lane::eq(lane::max(value, block), value), block >> 8, block);
  });
}

#else

// Without gathers all elements are left to the caller.
template <class Result>
CASTFORGE_INLINE std::size_t step_lanes(const tables::Lookup&, const std::uint32_t*, Result*, std::size_t) noexcept {
  return 0;
}
template <class Result>
CASTFORGE_INLINE std::size_t compact_lanes(const tables::Lookup&, const std::uint32_t*, Result*, std::size_t) noexcept {
  return 0;
}

#endif

}  // namespace
}  // namespace CASTFORGE_ISA
}  // namespace castforge
