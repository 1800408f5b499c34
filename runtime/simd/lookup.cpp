// Conversions by tables that are known at run time only; compiled once per instruction set, as the generated units are.
// Vectors gather where the instruction set can; everything else takes one element after the other.
#include <cstring>

#include "simd/isa.hpp"
#include "src/lookup_table.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

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

#endif

template <class Source, class Result>
void whole(const Lookup& lookup, const void* src, void* dst, std::size_t count) noexcept {
  std::size_t i = 0;
#if CASTFORGE_X86 >= 2
  if constexpr (sizeof(Source) <= 4 && sizeof(Result) <= 4) {
    i = whole_lanes(lookup, static_cast<const Source*>(src), static_cast<Result*>(dst), count);
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
    .integer_steps = {{integer_steps<U32, U8>, integer_steps<U32, U16>},
                      {integer_steps<U64, U8>, integer_steps<U64, U16>}},
};

}  // namespace CASTFORGE_ISA
}  // namespace castforge
