// Conversions by tables that are known at run time only; compiled once per instruction set, as the generated units are.
// Tables of 8-bit sources are looked up in vector registers; blocks are gathered from AVX2 on. Other whole tables are
// read one result at a time, which is faster than to gather (AMD Zen 5: 4.1 G elements/s, 3.0 gathered by AVX-512).
#include <cstring>

#include "loops/scalar_loop.hpp"
#include "src/lookup_table.hpp"
#if CASTFORGE_HAS_BYTES16
#include "loops/lookup_registers.hpp"
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

/// By a shift: a branch would be mispredicted half the time.
template <class Result, class Block>
CASTFORGE_INLINE Result chosen(const Block& block, bool above) noexcept {
  return static_cast<Result>(block.results >> (16U * static_cast<unsigned>(above)));
}

template <class Source>
CASTFORGE_INLINE Source code_at(const Lookup& lookup, const void* src, std::size_t i) noexcept {
  return static_cast<Source>(word_at<Source>(src, i) >> lookup.shift & static_cast<Source>(lookup.mask));
}

#if CASTFORGE_X86 >= 2

using lane::B32;

/// Stores result_of(codes) for the elements that fill whole vectors of results. Returns how many were done.
template <class Result, class F>
CASTFORGE_INLINE std::size_t each_result_vector(const Lookup& lookup, const std::uint32_t* from, Result* to,
                                                std::size_t count, const F& result_of) noexcept {
  constexpr std::size_t kLanes = lane::kVectorBytes / sizeof(Result);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const lane::Source<std::uint32_t, kLanes> words{reinterpret_cast<const std::byte*>(from + i)};
    const auto results = result_of((words >> lookup.shift) & static_cast<std::uint32_t>(lookup.mask));
    lane::store(reinterpret_cast<std::byte*>(to + i), lane::truncate<Result>(results));
  }
  return i;
}

/// The words of 32 bits at these indices.
template <std::size_t N>
CASTFORGE_INLINE lane::Lanes<std::uint32_t, N> gather(const void* words,
                                                      const lane::Lanes<std::uint32_t, N>& index) noexcept {
  return lane::detail::per_part(
      [words](B32 at) noexcept CASTFORGE_LAMBDA_INLINE {
        return B32::gather(static_cast<const std::uint32_t*>(words), at);
      },
      index);
}

/// How many elements were done. NarrowBlock: the threshold in the first 32 bits, the results in the second.
template <class Result>
CASTFORGE_INLINE std::size_t step_lanes(const Lookup& lookup, const std::uint32_t* from, Result* to,
                                        std::size_t count) noexcept {
  static_assert(sizeof(NarrowBlock) == 8 && offsetof(NarrowBlock, results) == 4);
  const int rest_bits = lookup.blocks.positions.bits - lookup.blocks.index_bits;
  const std::uint32_t rest = (std::uint32_t{1} << rest_bits) - 1;
  return each_result_vector(lookup, from, to, count, [&](const auto& code) CASTFORGE_LAMBDA_INLINE {
    const auto block = (code >> rest_bits) << 1;
    const auto threshold = gather(lookup.entries, block), results = gather(lookup.entries, block + 1u);
    // The lower half before the threshold. The comparison is signed: a block has at most 2^31 positions, so that both
    // numbers are below that.
    return lane::select(lane::gt(threshold, code & rest), results, results >> 16);
  });
}

template <class Result>
CASTFORGE_INLINE std::size_t compact_lanes(const Lookup& lookup, const std::uint32_t* from, Result* to,
                                           std::size_t count) noexcept {
  const int rest_bits = lookup.blocks.positions.bits - lookup.blocks.index_bits;
  return each_result_vector(lookup, from, to, count, [&](const auto& code) CASTFORGE_LAMBDA_INLINE {
    const auto block = gather(lookup.entries, code >> rest_bits), rest = code << (32 - rest_bits);
    const auto exact = lane::eq(rest & CompactBlock::kDropped, 0u);
    const auto value = (rest | CompactBlock::kDropped) ^ lane::select(exact, CompactBlock::kMore, 0u);
    // value >= block where value is the larger of the two.
    return lane::select(lane::eq(lane::max(value, block), value), block >> 8, block);
  });
}

#endif

template <class Source, class Result>
void whole(const Lookup& lookup, const void* src, void* dst, std::size_t count) noexcept {
  std::size_t i = 0;
#if CASTFORGE_HAS_BYTES16
  if constexpr (sizeof(Source) == 1 && sizeof(Result) <= 4)
    i = by_registers(lookup, static_cast<const Source*>(src), static_cast<Result*>(dst), count);
#endif
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
