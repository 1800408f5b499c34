// lookup.cpp with AVX2: eight lanes of 32 bits, and what they hold of narrower words; tables of 256 by byte shuffles.
#pragma once

#include <cstring>

#include "loops/lookup_regular.hpp"
#include "simd/isa.hpp"
#include "src/lookup_table.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

using tables::CompactBlock;
using tables::Lookup;

using Register = __m256i;
inline constexpr std::size_t kLanes = 8;
CASTFORGE_INLINE Register load(const std::uint32_t* from) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
template <class Word>
CASTFORGE_INLINE void store(Word* to, Register v) noexcept {
  constexpr char kNone = -1;
  const __m256i bytes =
      sizeof(Word) == 1
          ? _mm256_setr_epi8(0, 4, 8, 12, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone,
                             kNone, kNone, kNone, kNone, kNone, 0, 4, 8, 12, kNone, kNone, kNone, kNone, kNone, kNone,
                             kNone, kNone)
          : _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone,
                             kNone, kNone, kNone, kNone, kNone, kNone, kNone, 0, 1, 4, 5, 8, 9, 12, 13);
  const __m256i halves = _mm256_shuffle_epi8(v, bytes);
  const __m128i packed = _mm_or_si128(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
  if constexpr (sizeof(Word) == 1) _mm_storel_epi64(reinterpret_cast<__m128i*>(to), packed);
  else _mm_storeu_si128(reinterpret_cast<__m128i*>(to), packed);
}
template <int kScale>
CASTFORGE_INLINE Register gather(const void* base, Register index) noexcept {
  return _mm256_i32gather_epi32(static_cast<const int*>(base), index, kScale);
}
CASTFORGE_INLINE Register right(Register v, int count) noexcept {
  return _mm256_srl_epi32(v, _mm_cvtsi32_si128(count));
}
CASTFORGE_INLINE Register both(Register a, Register b) noexcept { return _mm256_and_si256(a, b); }
CASTFORGE_INLINE Register all(std::uint32_t word) noexcept { return _mm256_set1_epi32(static_cast<int>(word)); }
/// The upper half of `results` where value is not below threshold, which both are below 2^31.
CASTFORGE_INLINE Register choose(Register value, Register threshold, Register results) noexcept {
  return _mm256_blendv_epi8(_mm256_srli_epi32(results, 16), results, _mm256_cmpgt_epi32(threshold, value));
}
CASTFORGE_INLINE Register left(Register v, int count) noexcept { return _mm256_sll_epi32(v, _mm_cvtsi32_si128(count)); }
/// The result of a CompactBlock in the low byte; `rest` is what is left of the code, at the top.
CASTFORGE_INLINE Register choose(Register rest, Register block) noexcept {
  // 0x10000 where nothing was dropped, and it goes from a word that is all ones below.
  const Register none = _mm256_cmpeq_epi32(both(rest, all(CompactBlock::kDropped)), _mm256_setzero_si256());
  const Register ones = _mm256_or_si256(rest, all(CompactBlock::kDropped));
  const Register value = _mm256_andnot_si256(both(none, all(CompactBlock::kMore)), ones);
  const Register above = _mm256_cmpeq_epi32(_mm256_max_epu32(value, block), value);
  return _mm256_blendv_epi8(block, _mm256_srli_epi32(block, 8), above);
}
// Results of 16 bits, or the upper halves of results whose lower ones are zero, of an 8-bit source. Byte shuffles look
// up 16 entries; where the top bit of an index is set they give zero. Rows hold the difference of one part of the table
// to the part before, and an index from which sixteen are taken again and again ends below zero: what was added up
// until then is the entry.
struct Rows {
  __m128i low[8], high[8];  // of 128 results: their low and high bytes
};

CASTFORGE_INLINE Rows rows_of(const std::uint16_t* words) noexcept {
  Rows rows;
  __m128i low_before = _mm_setzero_si128(), high_before = low_before;
  const __m128i byte = _mm_set1_epi16(0xFF);
  for (std::size_t k = 0; k < 8; ++k) {
    const auto* const at = reinterpret_cast<const __m128i*>(words + 16 * k);
    const __m128i a = _mm_loadu_si128(at), b = _mm_loadu_si128(at + 1);
    const __m128i low = _mm_packus_epi16(_mm_and_si128(a, byte), _mm_and_si128(b, byte));
    const __m128i high = _mm_packus_epi16(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8));
    rows.low[k] = _mm_xor_si128(low, low_before);
    rows.high[k] = _mm_xor_si128(high, high_before);
    low_before = low;
    high_before = high;
  }
  return rows;
}

/// Adds the entries of the indices below 128.
CASTFORGE_INLINE void add_rows(const Rows& rows, __m256i index, __m256i& low, __m256i& high) noexcept {
  for (std::size_t k = 0; k < 8; ++k) {
    low = _mm256_xor_si256(low, _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(rows.low[k]), index));
    high = _mm256_xor_si256(high, _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(rows.high[k]), index));
    index = _mm256_subs_epi8(index, _mm256_set1_epi8(16));
  }
}

CASTFORGE_INLINE void put_words(std::uint16_t* to, __m256i low, __m256i high) noexcept {
  auto* const at = reinterpret_cast<__m256i*>(to);
  const __m256i a = _mm256_unpacklo_epi8(low, high), b = _mm256_unpackhi_epi8(low, high);
  _mm256_storeu_si256(at, _mm256_permute2x128_si256(a, b, 0x20));
  _mm256_storeu_si256(at + 1, _mm256_permute2x128_si256(a, b, 0x31));
}
CASTFORGE_INLINE void put_words(std::uint32_t* to, __m256i low, __m256i high) noexcept {
  auto* const at = reinterpret_cast<__m256i*>(to);
  const __m256i a = _mm256_unpacklo_epi8(low, high), b = _mm256_unpackhi_epi8(low, high), zero = _mm256_setzero_si256();
  const __m256i a0 = _mm256_unpacklo_epi16(zero, a), a1 = _mm256_unpackhi_epi16(zero, a),
                b0 = _mm256_unpacklo_epi16(zero, b), b1 = _mm256_unpackhi_epi16(zero, b);
  _mm256_storeu_si256(at, _mm256_permute2x128_si256(a0, a1, 0x20));
  _mm256_storeu_si256(at + 1, _mm256_permute2x128_si256(b0, b1, 0x20));
  _mm256_storeu_si256(at + 2, _mm256_permute2x128_si256(a0, a1, 0x31));
  _mm256_storeu_si256(at + 3, _mm256_permute2x128_si256(b0, b1, 0x31));
}

/// Do all results but that of code 80 differ from those without the top bit in the same bits?
CASTFORGE_INLINE bool signs_alike(const std::uint16_t* words) noexcept {
  int other = 0;
  for (std::size_t k = 1; k < 128; ++k) other |= words[k] ^ words[k + 128] ^ words[1] ^ words[129];
  return other == 0;
}

/// How many elements of an 8-bit source were done. Preparing takes as long as a few hundred elements do by gathers.
template <class Result>
CASTFORGE_INLINE std::size_t by_registers(const Lookup& lookup, const std::uint8_t* from, Result* to,
                                          std::size_t count) noexcept {
  constexpr std::size_t kStep = 32;
  if constexpr (sizeof(Result) == 1) {
    return 0;
  } else {
    const Words table(lookup, static_cast<const Result*>(lookup.entries), count);
    const std::size_t done = by_regular(table, from, to, count);
    if (done != 0 || table.count != 256) return done;
    const std::uint16_t* const words = table.at;
    const auto bytes = [](int word, int at)
                           CASTFORGE_LAMBDA_INLINE { return _mm256_set1_epi8(static_cast<char>(word >> at)); };
    const Rows rows = rows_of(words);
    std::size_t i = 0;
    if (signs_alike(words)) {
      const int sign = words[1] ^ words[129];
      const __m256i low_sign = bytes(sign, 0), high_sign = bytes(sign, 8), top = _mm256_set1_epi8(-128);
      const __m256i low_80 = bytes(words[128], 0), high_80 = bytes(words[128], 8);
      for (; i + kStep <= count; i += kStep) {
        const __m256i code = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
        const __m256i negative = _mm256_cmpgt_epi8(_mm256_setzero_si256(), code);
        __m256i low = both(negative, low_sign), high = both(negative, high_sign);
        add_rows(rows, _mm256_andnot_si256(top, code), low, high);
        const __m256i is_80 = _mm256_cmpeq_epi8(code, top);
        put_words(to + i, _mm256_blendv_epi8(low, low_80, is_80), _mm256_blendv_epi8(high, high_80, is_80));
      }
      return i;
    }
    const Rows upper = rows_of(words + 128);
    for (; i + kStep <= count; i += kStep) {
      const __m256i code = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
      __m256i low = _mm256_setzero_si256(), high = low;
      add_rows(rows, code, low, high);
      add_rows(upper, _mm256_xor_si256(code, _mm256_set1_epi8(-128)), low, high);
      put_words(to + i, low, high);
    }
    return i;
  }
}

}  // namespace
}  // namespace CASTFORGE_ISA
}  // namespace castforge
