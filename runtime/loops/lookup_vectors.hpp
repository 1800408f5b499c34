// lookup.cpp for 8-bit sources: vectors of codes, and what the forms of their lookups share.
#pragma once

#include <array>
#include <cstring>

#include "simd/lanes.hpp"
#include "src/lookup_table.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

inline constexpr std::size_t kAllCodes = 256;
/// Codes at a time.
inline constexpr std::size_t kStep = lane::kVectorBytes;

template <class Word>
CASTFORGE_INLINE lane::Batch<Word> vector_at(const Word* from) noexcept {
  return lane::kernel::load(reinterpret_cast<const std::byte*>(from), lane::Batch<Word>(), lane::Arch{});
}

/// Byte kPlace of the results of all codes.
using Plane = std::uint8_t[kAllCodes];
template <int kPlace, class Word>
CASTFORGE_INLINE void fill(Plane& plane, const Word* results) noexcept {
  for (std::size_t code = 0; code < kAllCodes; code += kStep) {
    const lane::Source<Word, kStep> source{reinterpret_cast<const std::byte*>(results + code)};
    auto* const to = reinterpret_cast<std::byte*>(plane + code);
    if constexpr (sizeof(Word) == 1) lane::store(to, source);
    else lane::store(to, lane::byte<kPlace>(source));
  }
}

/// The upper halves of words of 32 bits, or words of 16 bits as they are.
CASTFORGE_INLINE const std::uint16_t* upper_halves(const std::uint16_t* words, std::uint16_t*) noexcept {
  return words;
}
CASTFORGE_INLINE const std::uint16_t* upper_halves(const std::uint32_t* words, std::uint16_t* halves) noexcept {
  for (std::size_t code = 0; code < kAllCodes; code += kStep) {
    const lane::Source<std::uint32_t, kStep> source{reinterpret_cast<const std::byte*>(words + code)};
    lane::store(reinterpret_cast<std::byte*>(halves + code), lane::high_half(source));
  }
  return halves;
}

/// Are the lower halves of all words of 32 bits zero?
CASTFORGE_INLINE bool has_upper_halves_only(const std::uint16_t*) noexcept { return true; }
CASTFORGE_INLINE bool has_upper_halves_only(const std::uint32_t* results) noexcept {
  lane::B32 any(0u);
  for (std::size_t code = 0; code < kAllCodes; code += lane::B32::size) any = any | vector_at(results + code);
  return xsimd::all((any << 16) == lane::B32(0u));
}

/// A vector of codes, in the order from which interleaving to results ends in the natural one.
template <class Result>
inline constexpr std::size_t kOrder = lane::detail::order_of_load(sizeof(Result));
template <class Result>
using LoadedCodes = lane::Lanes<std::uint8_t, kStep, kOrder<Result>>;

/// result_of(codes) of whole vectors of elements; how many they were.
template <class Result, class F>
CASTFORGE_INLINE std::size_t each_vector(const std::uint8_t* from, Result* to, std::size_t count,
                                         const F& result_of) noexcept {
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    const lane::Source<std::uint8_t, kStep, kOrder<Result>> source{reinterpret_cast<const std::byte*>(from + i)};
    lane::store(reinterpret_cast<std::byte*>(to + i), result_of(lane::detail::loaded(source)));
  }
  return i;
}

/// Words of 16 bits as results, or as the upper halves of results of 32 bits.
template <class Result, class Words>
CASTFORGE_INLINE auto at_top(const Words& words) noexcept {
  if constexpr (sizeof(Result) == 2) {
    return words;
  } else {
    return lane::detail::interleaved(words ^ words, words);
  }
}

}  // namespace
}  // namespace CASTFORGE_ISA
}  // namespace castforge
