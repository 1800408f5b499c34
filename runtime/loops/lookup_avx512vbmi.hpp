// lookup.cpp with AVX-512 VBMI: tables of 256 words in registers, by permutations of bytes.
#pragma once

#include <cstring>

#include "loops/lookup_avx512.hpp"
#include "simd/isa.hpp"
#include "src/lookup_table.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

// The same in bytes: low and high halves of 256 words, four vectors each. Half the permutations.
struct Bytes256 {
  __m512i at[4];

  CASTFORGE_INLINE __m512i operator()(__m512i index) const noexcept {
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(index), _mm512_permutex2var_epi8(at[0], index, at[1]),
                                  _mm512_permutex2var_epi8(at[2], index, at[3]));
  }
};

/// The low (0) or high (1) bytes of 256 words.
CASTFORGE_INLINE Bytes256 bytes_of(const std::uint16_t* results, std::uint8_t which) noexcept {
  alignas(64) std::uint8_t places[64];
  for (std::size_t k = 0; k < 64; ++k) places[k] = static_cast<std::uint8_t>(2 * k + which);
  const __m512i every_other = _mm512_load_si512(places);
  Bytes256 bytes;
  for (std::size_t k = 0; k < 4; ++k)
    bytes.at[k] = _mm512_permutex2var_epi8(_mm512_loadu_si512(results + 64 * k), every_other,
                                           _mm512_loadu_si512(results + 64 * k + 32));
  return bytes;
}

/// Preferred to the template for results of 16 bits.
CASTFORGE_INLINE std::size_t by_registers(const Lookup& lookup, const std::uint8_t* from, std::uint16_t* to,
                                          std::size_t count) noexcept {
  if (!fit_registers(lookup, count)) return 0;
  const auto* const results = static_cast<const std::uint16_t*>(lookup.entries);
  const Bytes256 low = bytes_of(results, 0), high = bytes_of(results, 1);
  // Interleaving takes the first eight bytes of each quarter, then the others.
  const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
  std::size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    const __m512i index = _mm512_permutexvar_epi64(order, _mm512_loadu_si512(from + i));
    const __m512i low_bytes = low(index), high_bytes = high(index);
    _mm512_storeu_si512(to + i, _mm512_unpacklo_epi8(low_bytes, high_bytes));
    _mm512_storeu_si512(to + i + 32, _mm512_unpackhi_epi8(low_bytes, high_bytes));
  }
  return i;
}

}  // namespace
}  // namespace CASTFORGE_ISA
}  // namespace castforge
