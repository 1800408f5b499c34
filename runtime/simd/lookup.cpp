// Conversions by tables that are known at run time only; compiled once per instruction set, as the generated units are.
// Vectors gather where the instruction set can; everything else takes one element after the other.
#include <cstring>

#include "simd/isa.hpp"
#include "src/lookup_table.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

using tables::CompactBlock;
using tables::Lookup;
using tables::NarrowBlock;
using tables::WideBlock;

template <class Word> CASTFORGE_INLINE Word word_at(const void* words, std::size_t index) noexcept {
  Word word;
  std::memcpy(&word, static_cast<const unsigned char*>(words) + index * sizeof word, sizeof word);
  return word;
}
template <class Word> CASTFORGE_INLINE void put_word(void* words, std::size_t index, Word word) noexcept {
  std::memcpy(static_cast<unsigned char*>(words) + index * sizeof word, &word, sizeof word);
}

/// By a shift: which side a number is on is as good as random.
template <class Result, class Block> CASTFORGE_INLINE Result chosen(const Block& block, bool above) noexcept {
  return static_cast<Result>(block.results >> (16U * static_cast<unsigned>(above)));
}

template <class Source> CASTFORGE_INLINE Source code_at(const Lookup& lookup, const void* src, std::size_t i) noexcept {
  return static_cast<Source>(word_at<Source>(src, i) >> lookup.shift & static_cast<Source>(lookup.mask));
}

#if CASTFORGE_X86 >= 2

// Sixteen or eight lanes of 32 bits, and what they hold of narrower words.
#if CASTFORGE_X86 >= 3
using Lanes = __m512i;
constexpr std::size_t kLanes = 16;
template <class Word> CASTFORGE_INLINE Lanes load(const Word* from) noexcept {
  if constexpr (sizeof(Word) == 1) return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  else if constexpr (sizeof(Word) == 2)
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  else return _mm512_loadu_si512(from);
}
template <class Word> CASTFORGE_INLINE void store(Word* to, Lanes v) noexcept {
  if constexpr (sizeof(Word) == 1) _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(v));
  else if constexpr (sizeof(Word) == 2) _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(v));
  else _mm512_storeu_si512(to, v);
}
template <int kScale> CASTFORGE_INLINE Lanes gather(const void* base, Lanes index) noexcept {
  return _mm512_i32gather_epi32(index, base, kScale);
}
CASTFORGE_INLINE Lanes right(Lanes v, int count) noexcept { return _mm512_srl_epi32(v, _mm_cvtsi32_si128(count)); }
CASTFORGE_INLINE Lanes both(Lanes a, Lanes b) noexcept { return _mm512_and_si512(a, b); }
CASTFORGE_INLINE Lanes all(std::uint32_t word) noexcept { return _mm512_set1_epi32(static_cast<int>(word)); }
/// The upper half of `results` where value is not below threshold, which both are below 2^31.
CASTFORGE_INLINE Lanes choose(Lanes value, Lanes threshold, Lanes results) noexcept {
  return _mm512_mask_srli_epi32(results, _mm512_cmpge_epu32_mask(value, threshold), results, 16);
}
CASTFORGE_INLINE Lanes left(Lanes v, int count) noexcept { return _mm512_sll_epi32(v, _mm_cvtsi32_si128(count)); }
/// The result of a CompactBlock in the low byte; `rest` is what is left of the code, at the top.
CASTFORGE_INLINE Lanes choose(Lanes rest, Lanes block) noexcept {
  const Lanes whole = _mm512_or_si512(rest, all(CompactBlock::kMore - 1));
  const __mmask16 more = _mm512_test_epi32_mask(rest, all(CompactBlock::kDropped));
  const Lanes value = _mm512_mask_or_epi32(whole, more, whole, all(CompactBlock::kMore));
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
CASTFORGE_INLINE Lanes widened(__m256i words) noexcept { return _mm512_cvtepu16_epi32(words); }

#if CASTFORGE_X86 >= 4
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

CASTFORGE_INLINE std::size_t words_by_registers(const std::uint16_t* results, const std::uint8_t* from,
                                                std::uint16_t* to, std::size_t count) noexcept {
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
#endif

/// How many elements of an 8-bit source were done. Preparing takes as long as a few hundred elements do by gathers.
template <class Result>
CASTFORGE_INLINE std::size_t by_registers(const Lookup& lookup, const std::uint8_t* from, Result* to,
                                          std::size_t count) noexcept {
  constexpr std::size_t kWorthIt = 256, kStep = 32;
  if (count < kWorthIt || lookup.shift != 0 || lookup.mask != 0xFF) return 0;
  const auto* const results = static_cast<const Result*>(lookup.entries);
#if CASTFORGE_X86 >= 4
  if constexpr (sizeof(Result) == 2) return words_by_registers(results, from, to, count);
#endif
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
#else
using Lanes = __m256i;
constexpr std::size_t kLanes = 8;
template <class Word> CASTFORGE_INLINE Lanes load(const Word* from) noexcept {
  if constexpr (sizeof(Word) == 1) return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
  else if constexpr (sizeof(Word) == 2)
    return _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  else return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
template <class Word> CASTFORGE_INLINE void store(Word* to, Lanes v) noexcept {
  if constexpr (sizeof(Word) == 4) return _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v);
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
template <int kScale> CASTFORGE_INLINE Lanes gather(const void* base, Lanes index) noexcept {
  return _mm256_i32gather_epi32(static_cast<const int*>(base), index, kScale);
}
CASTFORGE_INLINE Lanes right(Lanes v, int count) noexcept { return _mm256_srl_epi32(v, _mm_cvtsi32_si128(count)); }
CASTFORGE_INLINE Lanes both(Lanes a, Lanes b) noexcept { return _mm256_and_si256(a, b); }
CASTFORGE_INLINE Lanes all(std::uint32_t word) noexcept { return _mm256_set1_epi32(static_cast<int>(word)); }
/// The upper half of `results` where value is not below threshold, which both are below 2^31.
CASTFORGE_INLINE Lanes choose(Lanes value, Lanes threshold, Lanes results) noexcept {
  return _mm256_blendv_epi8(_mm256_srli_epi32(results, 16), results, _mm256_cmpgt_epi32(threshold, value));
}
CASTFORGE_INLINE Lanes left(Lanes v, int count) noexcept { return _mm256_sll_epi32(v, _mm_cvtsi32_si128(count)); }
/// The result of a CompactBlock in the low byte; `rest` is what is left of the code, at the top.
CASTFORGE_INLINE Lanes choose(Lanes rest, Lanes block) noexcept {
  // 0x10000 where nothing was dropped, and it goes from a word that is all ones below.
  const Lanes none = _mm256_cmpeq_epi32(both(rest, all(CompactBlock::kDropped)), _mm256_setzero_si256());
  const Lanes ones = _mm256_or_si256(rest, all(CompactBlock::kDropped));
  const Lanes value = _mm256_andnot_si256(both(none, all(CompactBlock::kMore)), ones);
  const Lanes above = _mm256_cmpeq_epi32(_mm256_max_epu32(value, block), value);
  return _mm256_blendv_epi8(block, _mm256_srli_epi32(block, 8), above);
}
// Results of 16 bits, or the upper halves of results whose lower ones are zero, of an 8-bit source. Byte shuffles look
// up 16 entries; where the top bit of an index is set they give zero. Rows hold the difference of one part of the table
// to the part before, and an index from which sixteen are taken again and again ends below zero: what was added up
// until then is the entry.
struct Rows {
  __m128i low[8], high[8];  // of 128 results: their low and high bytes
};

CASTFORGE_INLINE __m128i words_at(const std::uint16_t* results) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(results));
}
CASTFORGE_INLINE __m128i words_at(const std::uint32_t* results) noexcept {
  const auto* const from = reinterpret_cast<const __m128i*>(results);
  return _mm_packus_epi32(_mm_srli_epi32(_mm_loadu_si128(from), 16), _mm_srli_epi32(_mm_loadu_si128(from + 1), 16));
}
template <class Result> CASTFORGE_INLINE Rows rows_of(const Result* results) noexcept {
  Rows rows;
  __m128i low_before = _mm_setzero_si128(), high_before = low_before;
  for (std::size_t k = 0; k < 8; ++k) {
    const __m128i a = words_at(results + 16 * k), b = words_at(results + 16 * k + 8), byte = _mm_set1_epi16(0xFF);
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
template <class Result> CASTFORGE_INLINE bool signs_alike(const Result* results) noexcept {
  Result other = 0;
  for (std::size_t k = 1; k < 128; ++k)
    other |= static_cast<Result>(results[k] ^ results[k + 128] ^ results[1] ^ results[129]);
  return other == 0;
}

/// How many elements of an 8-bit source were done. Preparing takes as long as a few hundred elements do by gathers.
template <class Result>
CASTFORGE_INLINE std::size_t by_registers(const Lookup& lookup, const std::uint8_t* from, Result* to,
                                          std::size_t count) noexcept {
  constexpr std::size_t kWorthIt = 512, kStep = 32;
  if constexpr (sizeof(Result) == 1) {
    return 0;
  } else {
    if (count < kWorthIt || lookup.shift != 0 || lookup.mask != 0xFF) return 0;
    const auto* const results = static_cast<const Result*>(lookup.entries);
    if constexpr (sizeof(Result) == 4) {
      Result any = 0;
      for (std::size_t k = 0; k < 256; ++k) any |= results[k] & 0xFFFF;
      if (any != 0) return 0;
    }
    constexpr int kDown = sizeof(Result) == 4 ? 16 : 0;
    const auto bytes = [&](Result word, int at) CASTFORGE_LAMBDA_INLINE {
      return _mm256_set1_epi8(static_cast<char>(word >> (kDown + at)));
    };
    const Rows rows = rows_of(results);
    std::size_t i = 0;
    if (signs_alike(results)) {
      const auto sign = static_cast<Result>(results[1] ^ results[129]);
      const __m256i low_sign = bytes(sign, 0), high_sign = bytes(sign, 8), top = _mm256_set1_epi8(-128);
      const __m256i low_80 = bytes(results[128], 0), high_80 = bytes(results[128], 8);
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
    const Rows upper = rows_of(results + 128);
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
#endif

/// How many elements were done.
template <class Source, class Result>
CASTFORGE_INLINE std::size_t whole_lanes(const Lookup& lookup, const Source* from, Result* to,
                                         std::size_t count) noexcept {
  const Lanes mask = all(static_cast<std::uint32_t>(lookup.mask));
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Lanes code = both(right(load(from + i), lookup.shift), mask);
    store(to + i, gather<sizeof(Result)>(lookup.entries, code));
  }
  return i;
}

/// NarrowBlock: the threshold in the first 32 bits, the results in the second.
template <class Result>
CASTFORGE_INLINE std::size_t step_lanes(const Lookup& lookup, const std::uint32_t* from, Result* to,
                                        std::size_t count) noexcept {
  const int rest_bits = lookup.blocks.positions.bits - lookup.blocks.index_bits;
  const Lanes mask = all(static_cast<std::uint32_t>(lookup.mask)), rest = all((std::uint32_t{1} << rest_bits) - 1);
  const auto* const entries = static_cast<const unsigned char*>(lookup.entries);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Lanes code = both(right(load(from + i), lookup.shift), mask);
    const Lanes block = right(code, rest_bits);
    const Lanes threshold = gather<8>(entries, block), results = gather<8>(entries + 4, block);
    store(to + i, choose(both(code, rest), threshold, results));
  }
  return i;
}

template <class Result>
CASTFORGE_INLINE std::size_t compact_lanes(const Lookup& lookup, const std::uint32_t* from, Result* to,
                                           std::size_t count) noexcept {
  const int rest_bits = lookup.blocks.positions.bits - lookup.blocks.index_bits;
  const Lanes mask = all(static_cast<std::uint32_t>(lookup.mask));
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Lanes code = both(right(load(from + i), lookup.shift), mask);
    store(to + i, choose(left(code, 32 - rest_bits), gather<4>(lookup.entries, right(code, rest_bits))));
  }
  return i;
}

#endif

template <class Source, class Result>
void whole(const Lookup& lookup, const void* src, void* dst, std::size_t count) noexcept {
  std::size_t i = 0;
#if CASTFORGE_X86 >= 2
  if constexpr (sizeof(Source) <= 4 && sizeof(Result) <= 4) {
    const auto* const from = static_cast<const Source*>(src);
    auto* const to = static_cast<Result*>(dst);
    if constexpr (sizeof(Source) == 1) i = by_registers(lookup, from, to, count);
    i += whole_lanes(lookup, from + i, to + i, count - i);
  }
#endif
  const auto* const results = static_cast<const Result*>(lookup.entries);
  for (; i < count; ++i) put_word<Result>(dst, i, results[code_at<Source>(lookup, src, i)]);
}

template <class Source, class Block, class Result>
void steps(const Lookup& lookup, const void* src, void* dst, std::size_t count) noexcept {
  std::size_t i = 0;
#if CASTFORGE_X86 >= 2
  if constexpr (sizeof(Source) == 4) {
    i = step_lanes(lookup, static_cast<const Source*>(src), static_cast<Result*>(dst), count);
  }
#endif
  const int rest_bits = lookup.blocks.positions.bits - lookup.blocks.index_bits;
  const auto rest = static_cast<Source>((Source{1} << rest_bits) - 1);
  const auto* const blocks = static_cast<const Block*>(lookup.entries);
  for (; i < count; ++i) {
    const Source code = code_at<Source>(lookup, src, i);
    const Block& block = blocks[code >> rest_bits];
    put_word(dst, i, chosen<Result>(block, (code & rest) >= block.threshold));
  }
}

template <class Source, class Result>
void compact_steps(const Lookup& lookup, const void* src, void* dst, std::size_t count) noexcept {
  std::size_t i = 0;
#if CASTFORGE_X86 >= 2
  i = compact_lanes(lookup, static_cast<const Source*>(src), static_cast<Result*>(dst), count);
#endif
  const int rest_bits = lookup.blocks.positions.bits - lookup.blocks.index_bits;
  const auto* const blocks = static_cast<const CompactBlock*>(lookup.entries);
  for (; i < count; ++i) {
    const Source code = code_at<Source>(lookup, src, i);
    const std::uint32_t block = blocks[code >> rest_bits].word, rest = code << (32 - rest_bits);
    const bool more = (rest & CompactBlock::kDropped) != 0;
    const std::uint32_t value =
        (rest & ~CompactBlock::kDropped) | (CompactBlock::kMore - 1) | static_cast<std::uint32_t>(more) << 16;
    // By a shift: which side a number is on is as good as random.
    put_word(dst, i, static_cast<Result>(block >> (8U * static_cast<unsigned>(value >= block))));
  }
}

template <class Source, class Result>
void integer_steps(const Lookup& lookup, const void* src, void* dst, std::size_t count) noexcept {
  const auto* const blocks = static_cast<const WideBlock*>(lookup.entries);
  const loadable::Blocks shape = lookup.blocks;
  for (std::size_t i = 0; i < count; ++i) {
    const loadable::Blocks::Place place = shape.place(shape.positions.of(code_at<Source>(lookup, src, i)));
    const WideBlock& block = blocks[place.index];
    put_word(dst, i, chosen<Result>(block, place.rest >= block.threshold));
  }
}

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

}  // namespace

extern const tables::IsaLookups kIsaLookups;
const tables::IsaLookups kIsaLookups = {
    .whole = {{whole<U8, U8>, whole<U8, U16>, whole<U8, U32>, whole<U8, U64>},
              {whole<U16, U8>, whole<U16, U16>, whole<U16, U32>, whole<U16, U64>},
              {whole<U32, U8>, whole<U32, U16>, whole<U32, U32>, whole<U32, U64>},
              {whole<U64, U8>, whole<U64, U16>, whole<U64, U32>, whole<U64, U64>}},
    .steps = {{steps<U32, NarrowBlock, U8>, steps<U32, NarrowBlock, U16>},
              {steps<U64, WideBlock, U8>, steps<U64, WideBlock, U16>}},
    .compact_steps = compact_steps<U32, U8>,
    .integer_steps = {{integer_steps<U32, U8>, integer_steps<U32, U16>},
                      {integer_steps<U64, U8>, integer_steps<U64, U16>}},
};

}  // namespace CASTFORGE_ISA
}  // namespace castforge
