// lookup.cpp with AVX-512: sixteen lanes of 32 bits, and what they hold of narrower words; tables of 256 in registers.
#pragma once

#include <cstring>

#include "simd/isa.hpp"
#include "src/lookup_table.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

using tables::CompactBlock;
using tables::Lookup;

using Register = __m512i;
inline constexpr std::size_t kLanes = 16;
CASTFORGE_INLINE Register load(const std::uint32_t* from) noexcept { return _mm512_loadu_si512(from); }
template <class Word>
CASTFORGE_INLINE void store(Word* to, Register v) noexcept {
  if constexpr (sizeof(Word) == 1) _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(v));
  else _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(v));
}
template <int kScale>
CASTFORGE_INLINE Register gather(const void* base, Register index) noexcept {
  return _mm512_i32gather_epi32(index, base, kScale);
}
CASTFORGE_INLINE Register right(Register v, int count) noexcept {
  return _mm512_srl_epi32(v, _mm_cvtsi32_si128(count));
}
CASTFORGE_INLINE Register both(Register a, Register b) noexcept { return _mm512_and_si512(a, b); }
CASTFORGE_INLINE Register all(std::uint32_t word) noexcept { return _mm512_set1_epi32(static_cast<int>(word)); }
/// The upper half of `results` where value is not below threshold, which both are below 2^31.
CASTFORGE_INLINE Register choose(Register value, Register threshold, Register results) noexcept {
  return _mm512_mask_srli_epi32(results, _mm512_cmpge_epu32_mask(value, threshold), results, 16);
}
CASTFORGE_INLINE Register left(Register v, int count) noexcept { return _mm512_sll_epi32(v, _mm_cvtsi32_si128(count)); }
/// The result of a CompactBlock in the low byte; `rest` is what is left of the code, at the top.
CASTFORGE_INLINE Register choose(Register rest, Register block) noexcept {
  const Register whole = _mm512_or_si512(rest, all(CompactBlock::kMore - 1));
  const __mmask16 more = _mm512_test_epi32_mask(rest, all(CompactBlock::kDropped));
  const Register value = _mm512_mask_or_epi32(whole, more, whole, all(CompactBlock::kMore));
  return _mm512_mask_srli_epi32(block, _mm512_cmpge_epu32_mask(value, block), block, 8);
}

// Tables of 256 results of an 8-bit source, in registers: eight vectors of 32 words.
struct Words256 {
  __m512i at[8];

  CASTFORGE_INLINE __m512i operator()(__m512i index) const noexcept {
    const __mmask32 second = _mm512_test_epi16_mask(index, _mm512_set1_epi16(0x40)),
                    upper = _mm512_test_epi16_mask(index, _mm512_set1_epi16(0x80));
    const __m512i low = _mm512_mask_blend_epi16(second, _mm512_permutex2var_epi16(at[0], index, at[1]),
                                                _mm512_permutex2var_epi16(at[2], index, at[3])),
                  high = _mm512_mask_blend_epi16(second, _mm512_permutex2var_epi16(at[4], index, at[5]),
                                                 _mm512_permutex2var_epi16(at[6], index, at[7]));
    return _mm512_mask_blend_epi16(upper, low, high);
  }
};

CASTFORGE_INLINE Words256 words_of(const std::uint8_t* results) noexcept {
  Words256 words;
  for (std::size_t k = 0; k < 8; ++k)
    words.at[k] = _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(results + 32 * k)));
  return words;
}
CASTFORGE_INLINE Words256 words_of(const std::uint16_t* results) noexcept {
  Words256 words;
  for (std::size_t k = 0; k < 8; ++k) words.at[k] = _mm512_loadu_si512(results + 32 * k);
  return words;
}
/// The upper or the lower halves of results.
CASTFORGE_INLINE Words256 halves_of(const std::uint32_t* results, int shift) noexcept {
  Words256 words;
  for (std::size_t k = 0; k < 8; ++k) {
    const auto half = [&](std::size_t at) CASTFORGE_LAMBDA_INLINE {
      return _mm512_cvtepi32_epi16(right(_mm512_loadu_si512(results + at), shift));
    };
    words.at[k] = _mm512_inserti64x4(_mm512_castsi256_si512(half(32 * k)), half(32 * k + 16), 1);
  }
  return words;
}

/// 32 elements of one byte, as words.
CASTFORGE_INLINE __m512i bytes_at(const std::uint8_t* from) noexcept {
  return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}
/// Sixteen words of one vector, in lanes of 32 bits.
CASTFORGE_INLINE Register widened(__m256i words) noexcept { return _mm512_cvtepu16_epi32(words); }

/// Is the source a whole byte, and are there so many elements that it pays? Preparing takes as long as a few hundred
/// do by gathers.
CASTFORGE_INLINE bool fit_registers(const Lookup& lookup, std::size_t count) noexcept {
  constexpr std::size_t kWorthIt = 256;
  return count >= kWorthIt && lookup.shift == 0 && lookup.mask == 0xFF;
}
/// How many elements of an 8-bit source were done.
template <class Result>
CASTFORGE_INLINE std::size_t by_registers(const Lookup& lookup, const std::uint8_t* from, Result* to,
                                          std::size_t count) noexcept {
  constexpr std::size_t kStep = 32;
  if (!fit_registers(lookup, count)) return 0;
  const auto* const results = static_cast<const Result*>(lookup.entries);
  std::size_t i = 0;
  if constexpr (sizeof(Result) < 4) {
    const Words256 words = words_of(results);
    for (; i + kStep <= count; i += kStep) {
      const __m512i out = words(bytes_at(from + i));
      if constexpr (sizeof(Result) == 2) _mm512_storeu_si512(to + i, out);
      else _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm512_cvtepi16_epi8(out));
    }
    return i;
  } else {
    const auto put = [&](__m512i high, __m512i low) CASTFORGE_LAMBDA_INLINE {
      _mm512_storeu_si512(to + i, _mm512_or_si512(_mm512_slli_epi32(widened(_mm512_castsi512_si256(high)), 16),
                                                  widened(_mm512_castsi512_si256(low))));
      _mm512_storeu_si512(to + i + 16,
                          _mm512_or_si512(_mm512_slli_epi32(widened(_mm512_extracti64x4_epi64(high, 1)), 16),
                                          widened(_mm512_extracti64x4_epi64(low, 1))));
    };
    const Words256 high = halves_of(results, 16), low = halves_of(results, 0);
    __m512i any = _mm512_setzero_si512();
    for (const __m512i part : low.at) any = _mm512_or_si512(any, part);
    if (_mm512_test_epi16_mask(any, any) == 0) {  // few fraction bits: the low half of every result is zero
      for (; i + kStep <= count; i += kStep) put(high(bytes_at(from + i)), _mm512_setzero_si512());
    } else {
      for (; i + kStep <= count; i += kStep) {
        const __m512i index = bytes_at(from + i);
        put(high(index), low(index));
      }
    }
    return i;
  }
}

}  // namespace
}  // namespace CASTFORGE_ISA
}  // namespace castforge
