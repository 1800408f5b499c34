// Conversions by tables that are known at run time only; compiled once per instruction set, as the generated units are.
// Tables of 8-bit sources are looked up in vector registers; blocks are gathered from AVX2 on. Other whole tables are
// read one result at a time, which is faster than to gather (AMD Zen 5: 4.1 G elements/s, 3.0 gathered by AVX-512).
#include <cstring>

#include "loops/lookup_lanes.hpp"
#include "loops/lookup_registers.hpp"
#include "loops/scalar_loop.hpp"
#include "src/lookup_table.hpp"

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

/// By a shift: a branch would be mispredicted half the time.
template <class Result, class Block>
CASTFORGE_INLINE Result chosen(const Block& block, bool above) noexcept {
  return static_cast<Result>(block.results >> (16U * static_cast<unsigned>(above)));
}

template <class Source>
CASTFORGE_INLINE Source code_at(const Lookup& lookup, const void* src, std::size_t i) noexcept {
  return static_cast<Source>(word_at<Source>(src, i) >> lookup.shift & static_cast<Source>(lookup.mask));
}

template <class Source, class Result>
void whole(const Lookup& lookup, const void* src, void* dst, std::size_t count) noexcept {
  std::size_t i = 0;
  if constexpr (sizeof(Source) == 1 && sizeof(Result) <= 4)
    i = by_registers(lookup, static_cast<const Source*>(src), static_cast<Result*>(dst), count);
  const auto* const results = static_cast<const Result*>(lookup.entries);
  if (lookup.shift != 0) {
    for (; i < count; ++i) put_word<Result>(dst, i, results[code_at<Source>(lookup, src, i)]);
    return;
  }
  const auto mask = static_cast<Source>(lookup.mask);
  if constexpr (sizeof(Source) == 1) {
    const std::size_t eights = (count - i) / simd::detail::kEight;
    simd::detail::in_eights<8, 8 * sizeof(Result), Packing::low_first, Packing::low_first>(
        static_cast<const std::byte*>(src) + i, static_cast<std::byte*>(dst) + i * sizeof(Result), eights,
        [&](Source code) noexcept CASTFORGE_LAMBDA_INLINE { return results[code & mask]; });
    i += eights * simd::detail::kEight;
  }
#pragma GCC unroll 4
  for (; i < count; ++i) put_word<Result>(dst, i, results[word_at<Source>(src, i) & mask]);
}

template <class Source, class Block, class Result>
void steps(const Lookup& lookup, const void* src, void* dst, std::size_t count) noexcept {
  std::size_t i = 0;
  if constexpr (sizeof(Source) == 4)
    i = step_lanes(lookup, static_cast<const Source*>(src), static_cast<Result*>(dst), count);
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
  std::size_t i = compact_lanes(lookup, static_cast<const Source*>(src), static_cast<Result*>(dst), count);
  const int rest_bits = lookup.blocks.positions.bits - lookup.blocks.index_bits;
  const auto* const blocks = static_cast<const CompactBlock*>(lookup.entries);
  for (; i < count; ++i) {
    const Source code = code_at<Source>(lookup, src, i);
    const std::uint32_t block = blocks[code >> rest_bits].word, rest = code << (32 - rest_bits);
    const bool more = (rest & CompactBlock::kDropped) != 0;
    const std::uint32_t value =
        (rest & ~CompactBlock::kDropped) | (CompactBlock::kMore - 1) | static_cast<std::uint32_t>(more) << 16;
    // By a shift: a branch would be mispredicted half the time.
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
