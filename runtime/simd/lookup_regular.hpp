// lookup.cpp with byte shuffles: 8-bit sources to results of 16 bits, or to the upper halves of results whose lower
// ones are zero, by tables that are nearly regular, as those of most formats are. SSE4.2 and AVX2.
#pragma once

#include "simd/isa.hpp"
#include "src/lookup_table.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

// Vectors of bytes and what this needs of them. Unpacking stays within 128 bits; in_order() makes up for that.
#if CASTFORGE_X86 >= 2
using Bytes = __m256i;
CASTFORGE_INLINE Bytes load_bytes(const std::uint8_t* from) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
CASTFORGE_INLINE void store_bytes(void* to, Bytes v) noexcept { _mm256_storeu_si256(static_cast<__m256i*>(to), v); }
CASTFORGE_INLINE Bytes row_of_16(const std::uint8_t* from) noexcept {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
CASTFORGE_INLINE Bytes all_bytes(unsigned byte) noexcept { return _mm256_set1_epi8(static_cast<char>(byte)); }
CASTFORGE_INLINE Bytes all_words(unsigned word) noexcept { return _mm256_set1_epi16(static_cast<short>(word)); }
CASTFORGE_INLINE Bytes and_bits(Bytes a, Bytes b) noexcept { return _mm256_and_si256(a, b); }
CASTFORGE_INLINE Bytes xor_bits(Bytes a, Bytes b) noexcept { return _mm256_xor_si256(a, b); }
CASTFORGE_INLINE Bytes equal_bytes(Bytes a, Bytes b) noexcept { return _mm256_cmpeq_epi8(a, b); }
CASTFORGE_INLINE Bytes shuffled(Bytes row, Bytes index) noexcept { return _mm256_shuffle_epi8(row, index); }
/// 70 to 7F from `first` on, and 80 and above, where a shuffle gives zero, after sixteen bytes and before.
CASTFORGE_INLINE Bytes row_index(Bytes code, Bytes first) noexcept {
  return _mm256_adds_epu8(_mm256_sub_epi8(code, first), all_bytes(0x70));
}
CASTFORGE_INLINE Bytes times_and_plus(Bytes words, __m128i shift, Bytes more) noexcept {
  return _mm256_add_epi16(_mm256_sll_epi16(words, shift), more);
}
CASTFORGE_INLINE Bytes low_words(Bytes low, Bytes high) noexcept { return _mm256_unpacklo_epi8(low, high); }
CASTFORGE_INLINE Bytes high_words(Bytes low, Bytes high) noexcept { return _mm256_unpackhi_epi8(low, high); }
CASTFORGE_INLINE Bytes low_lanes(Bytes low, Bytes high) noexcept { return _mm256_unpacklo_epi16(low, high); }
CASTFORGE_INLINE Bytes high_lanes(Bytes low, Bytes high) noexcept { return _mm256_unpackhi_epi16(low, high); }
/// Eight bytes in 16 of each half, or four in 16 of each quarter, in the order in which unpacking leaves them.
template <class Result> CASTFORGE_INLINE Bytes in_order(Bytes code) noexcept {
  if constexpr (sizeof(Result) == 2) return _mm256_permute4x64_epi64(code, 0xD8);
  else return _mm256_permutevar8x32_epi32(code, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
}
#else
using Bytes = __m128i;
CASTFORGE_INLINE Bytes load_bytes(const std::uint8_t* from) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}
CASTFORGE_INLINE void store_bytes(void* to, Bytes v) noexcept { _mm_storeu_si128(static_cast<__m128i*>(to), v); }
CASTFORGE_INLINE Bytes row_of_16(const std::uint8_t* from) noexcept { return load_bytes(from); }
CASTFORGE_INLINE Bytes all_bytes(unsigned byte) noexcept { return _mm_set1_epi8(static_cast<char>(byte)); }
CASTFORGE_INLINE Bytes all_words(unsigned word) noexcept { return _mm_set1_epi16(static_cast<short>(word)); }
CASTFORGE_INLINE Bytes and_bits(Bytes a, Bytes b) noexcept { return _mm_and_si128(a, b); }
CASTFORGE_INLINE Bytes xor_bits(Bytes a, Bytes b) noexcept { return _mm_xor_si128(a, b); }
CASTFORGE_INLINE Bytes equal_bytes(Bytes a, Bytes b) noexcept { return _mm_cmpeq_epi8(a, b); }
CASTFORGE_INLINE Bytes shuffled(Bytes row, Bytes index) noexcept { return _mm_shuffle_epi8(row, index); }
/// 70 to 7F from `first` on, and 80 and above, where a shuffle gives zero, after sixteen bytes and before.
CASTFORGE_INLINE Bytes row_index(Bytes code, Bytes first) noexcept {
  return _mm_adds_epu8(_mm_sub_epi8(code, first), all_bytes(0x70));
}
CASTFORGE_INLINE Bytes times_and_plus(Bytes words, __m128i shift, Bytes more) noexcept {
  return _mm_add_epi16(_mm_sll_epi16(words, shift), more);
}
CASTFORGE_INLINE Bytes low_words(Bytes low, Bytes high) noexcept { return _mm_unpacklo_epi8(low, high); }
CASTFORGE_INLINE Bytes high_words(Bytes low, Bytes high) noexcept { return _mm_unpackhi_epi8(low, high); }
CASTFORGE_INLINE Bytes low_lanes(Bytes low, Bytes high) noexcept { return _mm_unpacklo_epi16(low, high); }
CASTFORGE_INLINE Bytes high_lanes(Bytes low, Bytes high) noexcept { return _mm_unpackhi_epi16(low, high); }
template <class Result> CASTFORGE_INLINE Bytes in_order(Bytes code) noexcept { return code; }
#endif

// Most tables of floats are nearly regular: of numbers that are normal before and after, each result is the one before
// and a power of two. What differs, in bits, lies in a few rows of sixteen codes: subnormal numbers in the first,
// infinity and NaN in the last.
struct Regular {
  static constexpr std::size_t kMostRows = 4;
  std::uint16_t first;               // what code 0 would have
  int shift;                         // of a code, to be added to that
  bool folded;                       // the top bit of a code is that of the result, or nothing
  std::uint8_t code_mask, top_mask;  // of codes, and what of them goes to the top bit of the result where it is folded
  std::uint16_t at_80;               // folded: what is different at the code 80
  std::size_t rows;
  std::uint8_t at[kMostRows] = {};                                 // the first code of each
  std::uint8_t low[kMostRows][16] = {}, high[kMostRows][16] = {};  // exclusive or

  /// Takes the low 16 bits of the results of up to 256 codes; whether that is all there is to them.
  bool found(const std::uint16_t* words, std::size_t count) noexcept {
    code_mask = static_cast<std::uint8_t>(count - 1);
    top_mask = 0;
    at_80 = 0;
    folded = count <= 128;
    if (count == 256) {
      const auto sign = static_cast<std::uint16_t>(words[1] ^ words[129]);
      std::uint16_t other = 0;
      for (std::size_t k = 1; k < 128; ++k) other |= static_cast<std::uint16_t>(words[k] ^ words[k + 128] ^ sign);
      if (other == 0 && sign == 0x8000) {
        folded = true;
        top_mask = 0x80;
        at_80 = static_cast<std::uint16_t>(words[128] ^ words[0] ^ sign);
        count = 128;
      }
    }
    const std::size_t middle = count / 2;
    const auto step = static_cast<std::uint16_t>(words[middle + 1] - words[middle]);
    if (step == 0 || (step & (step - 1)) != 0) return false;
    for (shift = 0; step >> shift != 1;) ++shift;
    first = static_cast<std::uint16_t>(words[middle] - (middle << shift));
    rows = 0;
    for (std::size_t row = 0; row < count; row += 16) {
      std::uint16_t differs[16], any = 0;
      for (std::size_t k = 0; k < 16; ++k) {
        differs[k] =
            static_cast<std::uint16_t>(words[row + k] ^ static_cast<std::uint16_t>(first + ((row + k) << shift)));
        any |= differs[k];
      }
      if (any == 0) continue;
      if (rows == kMostRows) return false;
      at[rows] = static_cast<std::uint8_t>(row);
      for (std::size_t k = 0; k < 16; ++k) {
        low[rows][k] = static_cast<std::uint8_t>(differs[k]);
        high[rows][k] = static_cast<std::uint8_t>(differs[k] >> 8);
      }
      ++rows;
    }
    return true;
  }
};

CASTFORGE_INLINE __m128i words_at(const std::uint16_t* results) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(results));
}
CASTFORGE_INLINE __m128i words_at(const std::uint32_t* results) noexcept {
  const auto* const from = reinterpret_cast<const __m128i*>(results);
  return _mm_packus_epi32(_mm_srli_epi32(_mm_loadu_si128(from), 16), _mm_srli_epi32(_mm_loadu_si128(from + 1), 16));
}
/// Of fewer elements, looking at the whole table takes longer than they do by themselves.
constexpr std::size_t kWorthLooking = 512;

/// Are results words of 16 bits, or the upper halves of 32 with nothing below?
template <class Result> CASTFORGE_INLINE bool has_words(const tables::Lookup& lookup) noexcept {
  if constexpr (sizeof(Result) == 4) {
    const auto* const results = static_cast<const Result*>(lookup.entries);
    __m128i any = _mm_setzero_si128();
    for (std::size_t k = 0; k <= lookup.mask; k += 4)
      any = _mm_or_si128(any, _mm_loadu_si128(reinterpret_cast<const __m128i*>(results + k)));
    return _mm_testz_si128(any, _mm_set1_epi32(0xFFFF)) != 0;
  }
  return true;
}

CASTFORGE_INLINE void put_in_order(std::uint16_t* to, Bytes a, Bytes b) noexcept {
  store_bytes(to, a);
  store_bytes(to + sizeof(Bytes) / 2, b);
}
CASTFORGE_INLINE void put_in_order(std::uint32_t* to, Bytes a, Bytes b) noexcept {
  constexpr std::size_t kEach = sizeof(Bytes) / 4;
  const Bytes zero = all_bytes(0);
  store_bytes(to, low_lanes(zero, a));
  store_bytes(to + kEach, high_lanes(zero, a));
  store_bytes(to + 2 * kEach, low_lanes(zero, b));
  store_bytes(to + 3 * kEach, high_lanes(zero, b));
}

/// How many elements were done; the table has kRows rows at most.
template <std::size_t kRows, bool kFolded, class Result>
CASTFORGE_INLINE std::size_t by_regular_rows(const Regular& regular, const std::uint8_t* from, Result* to,
                                             std::size_t count) noexcept {
  const Bytes zero = all_bytes(0), top = all_bytes(0x80);
  const Bytes magnitude = all_bytes(kFolded ? regular.code_mask & 0x7FU : regular.code_mask);
  const Bytes top_mask = all_bytes(regular.top_mask), low_80 = all_bytes(regular.at_80 & 0xFFU),
              high_80 = all_bytes(static_cast<unsigned>(regular.at_80) >> 8);
  const Bytes first = all_words(regular.first);
  const __m128i shift = _mm_cvtsi32_si128(regular.shift);
  Bytes at[kRows], low_row[kRows], high_row[kRows];
  for (std::size_t k = 0; k < kRows; ++k) {
    at[k] = all_bytes(regular.at[k]);
    low_row[k] = row_of_16(regular.low[k]);
    high_row[k] = row_of_16(regular.high[k]);
  }
  std::size_t i = 0;
  for (; i + sizeof(Bytes) <= count; i += sizeof(Bytes)) {
    const Bytes code = in_order<Result>(load_bytes(from + i)), mag = and_bits(code, magnitude);
    Bytes low = zero, high = zero;
    if constexpr (kFolded) {
      const Bytes is_80 = equal_bytes(code, top);
      low = and_bits(is_80, low_80);
      high = xor_bits(and_bits(is_80, high_80), and_bits(code, top_mask));
    }
    for (std::size_t k = 0; k < kRows; ++k) {
      const Bytes index = row_index(mag, at[k]);
      low = xor_bits(low, shuffled(low_row[k], index));
      high = xor_bits(high, shuffled(high_row[k], index));
    }
    put_in_order(to + i, xor_bits(times_and_plus(low_words(mag, zero), shift, first), low_words(low, high)),
                 xor_bits(times_and_plus(high_words(mag, zero), shift, first), high_words(low, high)));
  }
  return i;
}

/// How many elements of an 8-bit source were done; none where the table is not regular, or they are too few.
template <class Result>
CASTFORGE_INLINE std::size_t by_regular(const tables::Lookup& lookup, const std::uint8_t* from, Result* to,
                                        std::size_t count) noexcept {
  constexpr std::size_t kFewest = 32;  // codes: of fewer, rows are no whole ones
  const std::size_t codes = static_cast<std::size_t>(lookup.mask) + 1;
  if (count < kWorthLooking || lookup.shift != 0 || codes < kFewest || codes > 256 || !has_words<Result>(lookup))
    return 0;
  const auto* const results = static_cast<const Result*>(lookup.entries);
  std::uint16_t words[256];
  for (std::size_t k = 0; k < codes; k += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(words + k), words_at(results + k));
  Regular regular;
  if (!regular.found(words, codes)) return 0;
  if (regular.folded) {
    return regular.rows <= 2 ? by_regular_rows<2, true>(regular, from, to, count)
                             : by_regular_rows<Regular::kMostRows, true>(regular, from, to, count);
  }
  return regular.rows <= 2 ? by_regular_rows<2, false>(regular, from, to, count)
                           : by_regular_rows<Regular::kMostRows, false>(regular, from, to, count);
}

}  // namespace
}  // namespace CASTFORGE_ISA
}  // namespace castforge
