// lookup.cpp for 8-bit sources: vectors of codes, and what the forms of their lookups share.
#pragma once

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

/// One byte of each result.
using Plane = std::uint8_t[kAllCodes];
/// plane = byte kPlace of each result.
template <int kPlace, class Word>
CASTFORGE_INLINE void take_byte(Plane& plane, const Word* results) noexcept {
  for (std::size_t code = 0; code < kAllCodes; code += kStep) {
    const lane::Source<Word, kStep> source{reinterpret_cast<const std::byte*>(results + code)};
    auto* const to = reinterpret_cast<std::byte*>(plane + code);
    if constexpr (sizeof(Word) == 1) lane::store(to, source);
    else lane::store(to, lane::byte<kPlace>(source));
  }
}

/// The upper halves of words of 32 bits, or words of 16 bits as they are. `halves` is where they are put, if they have
/// to be.
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

/// Have all words of 32 bits a lower half of zero?
CASTFORGE_INLINE bool lower_halves_are_zero(const std::uint16_t*) noexcept { return true; }
CASTFORGE_INLINE bool lower_halves_are_zero(const std::uint32_t* results) noexcept {
  lane::B32 any(0u);
  for (std::size_t code = 0; code < kAllCodes; code += lane::B32::size) any = any | vector_at(results + code);
  return xsimd::all((any << 16) == lane::B32(0u));
}

/// The order in which codes are loaded, so that the results come out in that of memory.
template <class Result>
inline constexpr std::size_t kLoadOrder = lane::detail::order_for(sizeof(Result));
template <class Result>
using LoadedCodes = lane::Lanes<std::uint8_t, kStep, kLoadOrder<Result>>;

/// Stores result_of(codes) for each whole vector of codes. Returns how many elements were done.
template <class Result, class F>
CASTFORGE_INLINE std::size_t each_vector(const std::uint8_t* from, Result* to, std::size_t count,
                                         const F& result_of) noexcept {
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    const lane::Source<std::uint8_t, kStep, kLoadOrder<Result>> source{reinterpret_cast<const std::byte*>(from + i)};
    lane::store(reinterpret_cast<std::byte*>(to + i), result_of(lane::detail::loaded(source)));
  }
  return i;
}

}  // namespace
}  // namespace CASTFORGE_ISA
}  // namespace castforge
