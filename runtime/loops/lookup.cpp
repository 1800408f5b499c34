// Conversions by tables that are known at run time only; compiled once per instruction set, as the generated units are.
// Vectors hold tables of 8-bit sources, and gather blocks where the instruction set can. Results of whole tables beyond
// that are faster one by one than gathered (AMD Zen 5: 4.1 G elements/s, 3.0 with AVX-512).
#include <cstring>

#include "loops/scalar_loop.hpp"
#include "src/lookup_table.hpp"
#if CASTFORGE_X86 >= 4
#include "loops/lookup_avx512vbmi.hpp"
#elif CASTFORGE_X86 == 3
#include "loops/lookup_avx512.hpp"
#elif CASTFORGE_X86 == 2
#include "loops/lookup_avx2.hpp"
#elif CASTFORGE_X86 == 1
#include "loops/lookup_regular.hpp"
#endif

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

using tables::CompactBlock;
using tables::Lookup;
using tables::NarrowBlock;
using tables::WideBlock;

template <class Word>
CASTFORGE_INLINE Word word_at(const void* words, std::size_t index) noexcept {
  Word word;
  std::memcpy(&word, static_cast<const unsigned char*>(words) + index * sizeof word, sizeof word);
  return word;
}
template <class Word>
CASTFORGE_INLINE void put_word(void* words, std::size_t index, Word word) noexcept {
  std::memcpy(static_cast<unsigned char*>(words) + index * sizeof word, &word, sizeof word);
}

/// By a shift: which side a number is on is as good as random.
template <class Result, class Block>
CASTFORGE_INLINE Result chosen(const Block& block, bool above) noexcept {
  return static_cast<Result>(block.results >> (16U * static_cast<unsigned>(above)));
}

template <class Source>
CASTFORGE_INLINE Source code_at(const Lookup& lookup, const void* src, std::size_t i) noexcept {
  return static_cast<Source>(word_at<Source>(src, i) >> lookup.shift & static_cast<Source>(lookup.mask));
}

#if CASTFORGE_X86 >= 2

/// How many elements were done. NarrowBlock: the threshold in the first 32 bits, the results in the second.
template <class Result>
CASTFORGE_INLINE std::size_t step_lanes(const Lookup& lookup, const std::uint32_t* from, Result* to,
                                        std::size_t count) noexcept {
  const int rest_bits = lookup.blocks.positions.bits - lookup.blocks.index_bits;
  const Register mask = all(static_cast<std::uint32_t>(lookup.mask)), rest = all((std::uint32_t{1} << rest_bits) - 1);
  const auto* const entries = static_cast<const unsigned char*>(lookup.entries);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Register code = both(right(load(from + i), lookup.shift), mask);
    const Register block = right(code, rest_bits);
    const Register threshold = gather<8>(entries, block), results = gather<8>(entries + 4, block);
    store(to + i, choose(both(code, rest), threshold, results));
  }
  return i;
}

template <class Result>
CASTFORGE_INLINE std::size_t compact_lanes(const Lookup& lookup, const std::uint32_t* from, Result* to,
                                           std::size_t count) noexcept {
  const int rest_bits = lookup.blocks.positions.bits - lookup.blocks.index_bits;
  const Register mask = all(static_cast<std::uint32_t>(lookup.mask));
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Register code = both(right(load(from + i), lookup.shift), mask);
    store(to + i, choose(left(code, 32 - rest_bits), gather<4>(lookup.entries, right(code, rest_bits))));
  }
  return i;
}

#endif

template <class Source, class Result>
void whole(const Lookup& lookup, const void* src, void* dst, std::size_t count) noexcept {
  std::size_t i = 0;
#if CASTFORGE_X86 >= 2
  if constexpr (sizeof(Source) == 1 && sizeof(Result) <= 4)
    i = by_registers(lookup, static_cast<const Source*>(src), static_cast<Result*>(dst), count);
#elif CASTFORGE_X86 == 1
  if constexpr (sizeof(Source) == 1 && (sizeof(Result) == 2 || sizeof(Result) == 4)) {
    i = by_regular(Words(lookup, static_cast<const Result*>(lookup.entries), count), static_cast<const Source*>(src),
                   static_cast<Result*>(dst), count);
  }
#endif
  const auto* const results = static_cast<const Result*>(lookup.entries);
  if (lookup.shift != 0) {
    for (; i < count; ++i) put_word<Result>(dst, i, results[code_at<Source>(lookup, src, i)]);
    return;
  }
  const auto mask = static_cast<Source>(lookup.mask);
  if constexpr (sizeof(Source) == 1) {
    simd::detail::each_element<8, 8 * sizeof(Result), Packing::low_first, Packing::low_first, true>(
        static_cast<const Source*>(src) + i, static_cast<Result*>(dst) + i, count - i,
        [&](std::uint64_t code) noexcept CASTFORGE_LAMBDA_INLINE { return std::uint64_t{results[code & mask]}; });
    return;
  }
#pragma GCC unroll 4
  for (; i < count; ++i) put_word<Result>(dst, i, results[word_at<Source>(src, i) & mask]);
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
