// lookup.cpp for 8-bit sources: results are looked up in registers.
#pragma once

#include "loops/lookup_vectors.hpp"
#if !CASTFORGE_HAS_AVX512
#include "loops/lookup_rows.hpp"
#endif

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

#if CASTFORGE_HAS_VBMI

/// Results byte by byte: of words of 32 bits all four bytes, or the upper two.
template <class Result, std::size_t... kByte>
CASTFORGE_INLINE std::size_t by_bytes(const Result* results, const std::uint8_t* from, Result* to, std::size_t count,
                                      std::index_sequence<kByte...>) noexcept {
  alignas(64) Plane planes[sizeof...(kByte)];
  (fill<static_cast<int>(sizeof(Result) - sizeof...(kByte) + kByte)>(planes[kByte], results), ...);
  return each_vector(from, to, count, [&](const LoadedCodes<Result>& codes) CASTFORGE_LAMBDA_INLINE {
    const auto bytes_of = [&](const Plane& plane) CASTFORGE_LAMBDA_INLINE {
      return lane::detail::lookup256_in(codes, reinterpret_cast<const std::byte*>(plane));
    };
    if constexpr (sizeof...(kByte) == sizeof(Result)) return lane::join<Result>(bytes_of(planes[kByte])...);
    else return lane::join<Result>(0, 0, bytes_of(planes[kByte])...);
  });
}

/// How many elements were done.
template <class Result>
CASTFORGE_INLINE std::size_t by_table(const Result* results, const std::uint8_t* from, Result* to,
                                      std::size_t count) noexcept {
  if constexpr (sizeof(Result) == 4) {
    if (has_upper_halves_only(results)) return by_bytes(results, from, to, count, std::make_index_sequence<2>{});
  }
  return by_bytes(results, from, to, count, std::make_index_sequence<sizeof(Result)>{});
}

#elif CASTFORGE_HAS_AVX512

/// Words of 16 bits, of which a permutation reaches 64; results of 32 bits that need more are loaded one by one.
template <class Result>
CASTFORGE_INLINE std::size_t by_table(const Result* results, const std::uint8_t* from, Result* to,
                                      std::size_t count) noexcept {
  alignas(64) std::uint16_t words[kAllCodes];
  if constexpr (sizeof(Result) == 1) {
    for (std::size_t code = 0; code < kAllCodes; code += kStep) {
      const lane::Source<std::uint8_t, kStep> source{reinterpret_cast<const std::byte*>(results + code)};
      lane::store(reinterpret_cast<std::byte*>(words + code), lane::widen<std::uint16_t>(source));
    }
  } else {
    if (!has_upper_halves_only(results)) return 0;
    std::uint16_t halves[kAllCodes];
    std::memcpy(words, upper_halves(results, halves), sizeof words);
  }
  const lane::kernel::Words256 table = lane::kernel::words256(reinterpret_cast<const std::byte*>(words));
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    const lane::Source<std::uint8_t, kStep> source{reinterpret_cast<const std::byte*>(from + i)};
    const auto found = lane::detail::lookup256_wide_in(lane::widen<std::uint16_t>(source), table);
    auto* const at = reinterpret_cast<std::byte*>(to + i);
    if constexpr (sizeof(Result) == 1) lane::store(at, lane::truncate<Result>(found));
    else if constexpr (sizeof(Result) == 2) lane::store(at, found);
    else lane::store(at, lane::widen<Result>(found) << 16);
  }
  return i;
}

#endif

/// How many elements were done; none where there are so few that preparing takes longer, or no form is faster than to
/// load results one by one.
template <class Result>
CASTFORGE_INLINE std::size_t by_registers(const tables::Lookup& lookup, const std::uint8_t* from, Result* to,
                                          std::size_t count) noexcept {
  constexpr std::size_t kWorthIt = CASTFORGE_HAS_AVX512 ? 256 : 512;
  if (count < kWorthIt || lookup.shift != 0 || lookup.mask != 0xFF) return 0;
  return by_table(static_cast<const Result*>(lookup.entries), from, to, count);
}

}  // namespace
}  // namespace CASTFORGE_ISA
}  // namespace castforge
