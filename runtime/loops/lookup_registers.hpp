// lookup.cpp for 8-bit sources: results are looked up in registers.
#pragma once

#include <cstring>
#include <utility>

#include "simd/isa.hpp"
#include "src/lookup_table.hpp"
#if CASTFORGE_HAS_AVX512
#include "loops/lookup_vectors.hpp"
#elif CASTFORGE_HAS_BYTES16
#include "loops/lookup_rows.hpp"
#endif

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

#if CASTFORGE_HAS_VBMI

/// A table in registers for each byte of the results: for all bytes or, where the lower halves of 32-bit results are
/// zero, for the upper two.
template <class Result, std::size_t... kByte>
CASTFORGE_INLINE std::size_t by_bytes(const Result* results, const std::uint8_t* from, Result* to, std::size_t count,
                                      std::index_sequence<kByte...>) noexcept {
  alignas(64) Plane planes[sizeof...(kByte)];
  (take_byte<static_cast<int>(sizeof(Result) - sizeof...(kByte) + kByte)>(planes[kByte], results), ...);
  return each_vector(from, to, count, [&](const LoadedCodes<Result>& codes) CASTFORGE_LAMBDA_INLINE {
    const auto bytes_of = [&](const Plane& plane) CASTFORGE_LAMBDA_INLINE {
      return lane::detail::lookup256_in(codes, reinterpret_cast<const std::byte*>(plane));
    };
    if constexpr (sizeof...(kByte) == sizeof(Result)) return lane::join<Result>(bytes_of(planes[kByte])...);
    else return lane::join<Result>(0, 0, bytes_of(planes[kByte])...);
  });
}

/// Returns how many elements were done.
template <class Result>
CASTFORGE_INLINE std::size_t by_table(const Result* results, const std::uint8_t* from, Result* to,
                                      std::size_t count) noexcept {
  if constexpr (sizeof(Result) == 4) {
    if (lower_halves_are_zero(results)) return by_bytes(results, from, to, count, std::make_index_sequence<2>{});
  }
  return by_bytes(results, from, to, count, std::make_index_sequence<sizeof(Result)>{});
}

#elif CASTFORGE_HAS_AVX512

CASTFORGE_INLINE lane::kernel::Words256 words_at(const std::uint16_t* words) noexcept {
  return lane::kernel::words256(reinterpret_cast<const std::byte*>(words));
}
/// Stores result_of(entries, codes) for each whole vector of codes; entries are what a table of 16 bits has for them.
/// Returns how many elements were done.
template <class Result, class F>
CASTFORGE_INLINE std::size_t each_entry(const lane::kernel::Words256& table, const std::uint8_t* from, Result* to,
                                        std::size_t count, const F& result_of) noexcept {
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    const lane::Source<std::uint8_t, kStep> source{reinterpret_cast<const std::byte*>(from + i)};
    const auto codes = lane::widen<std::uint16_t>(source);
    lane::store(reinterpret_cast<std::byte*>(to + i), result_of(lane::detail::lookup256_wide_in(codes, table), codes));
  }
  return i;
}

/// Returns how many elements were done.
CASTFORGE_INLINE std::size_t by_table(const std::uint8_t* results, const std::uint8_t* from, std::uint8_t* to,
                                      std::size_t count) noexcept {
  std::uint16_t words[kAllCodes];
  for (std::size_t code = 0; code < kAllCodes; code += kStep) {
    const lane::Source<std::uint8_t, kStep> source{reinterpret_cast<const std::byte*>(results + code)};
    lane::store(reinterpret_cast<std::byte*>(words + code), lane::widen<std::uint16_t>(source));
  }
  return each_entry(words_at(words), from, to, count, [](const auto& entries, const auto&) CASTFORGE_LAMBDA_INLINE {
    return lane::truncate<std::uint8_t>(entries);
  });
}
CASTFORGE_INLINE std::size_t by_table(const std::uint16_t* results, const std::uint8_t* from, std::uint16_t* to,
                                      std::size_t count) noexcept {
  return each_entry(words_at(results), from, to, count,
                    [](const auto& entries, const auto&) CASTFORGE_LAMBDA_INLINE { return entries; });
}
CASTFORGE_INLINE std::size_t by_table(const std::uint32_t* results, const std::uint8_t* from, std::uint32_t* to,
                                      std::size_t count) noexcept {
  std::uint16_t halves[kAllCodes];
  const auto upper = words_at(upper_halves(results, halves));
  if (lower_halves_are_zero(results)) {
    return each_entry(upper, from, to, count, [](const auto& entries, const auto&) CASTFORGE_LAMBDA_INLINE {
      return lane::widen<std::uint32_t>(entries) << 16;
    });
  }
  for (std::size_t code = 0; code < kAllCodes; code += kStep) {
    const lane::Source<std::uint32_t, kStep> source{reinterpret_cast<const std::byte*>(results + code)};
    lane::store(reinterpret_cast<std::byte*>(halves + code), lane::truncate<std::uint16_t>(source));
  }
  const auto lower = words_at(halves);
  return each_entry(upper, from, to, count, [&](const auto& entries, const auto& codes) CASTFORGE_LAMBDA_INLINE {
    const auto low = lane::detail::lookup256_wide_in(codes, lower);
    return (lane::widen<std::uint32_t>(entries) << 16) | lane::widen<std::uint32_t>(low);
  });
}

#endif

#if CASTFORGE_HAS_BYTES16

/// Returns how many elements were done; none where there are so few that preparing takes longer, or no form is faster
/// than to load results one by one.
template <class Result>
CASTFORGE_INLINE std::size_t by_registers(const tables::Lookup& lookup, const std::uint8_t* from, Result* to,
                                          std::size_t count) noexcept {
  constexpr std::size_t kWorthIt = CASTFORGE_HAS_AVX512 ? 256 : 512;
  constexpr std::uint64_t kSevenBits = 0x7F, kEightBits = 0xFF;
  if (count < kWorthIt || lookup.shift != 0) return 0;
  const auto* results = static_cast<const Result*>(lookup.entries);
  Result twice[kAllCodes];
  if (lookup.mask == kSevenBits) {  // the top bit changes nothing
    std::memcpy(twice, results, sizeof twice / 2);
    std::memcpy(twice + kAllCodes / 2, results, sizeof twice / 2);
    results = twice;
  } else if (lookup.mask != kEightBits) {
    return 0;
  }
  return by_table(results, from, to, count);
}

#else

// Without lookups of bytes all elements are left to the caller.
template <class Result>
CASTFORGE_INLINE std::size_t by_registers(const tables::Lookup&, const std::uint8_t*, Result*, std::size_t) noexcept {
  return 0;
}

#endif

}  // namespace
}  // namespace CASTFORGE_ISA
}  // namespace castforge
