// Tables of at most 16 entries with results of 16 bits or more (AVX-512 VBMI): all results lie in one vector, or in two, and a
// permutation of lanes looks up a vector of codes at a time.
#pragma once

#include <iterator>

#include "simd/blocks.hpp"
#include "simd/plans.hpp"

#if CASTFORGE_X86 >= 4

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

namespace detail {

template <int kSrcBits, int kDstBits>
struct SmallTable {
  static constexpr std::size_t kLanes = kVectorBytes * 8 / kDstBits;
  static constexpr std::size_t kCodeBits = kLanes * kSrcBits;  // of the codes for one vector of results
  // A permutation takes the low four or five bits of a lane as its index, where neighbours may follow the code: results repeat.
  alignas(64) lane::Unsigned<kDstBits> results[kLanes < 16 ? 16 : kLanes];
  // For each byte of the indices the bit of its quadword of codes (see spread()) at which it begins. Other bytes of a lane than
  // the first have no effect.
  alignas(64) std::uint8_t begin[kVectorBytes] = {};

  template <class Results>
  constexpr explicit SmallTable(const Results& of_code) noexcept {
    for (std::size_t i = 0; i < std::size(results); ++i) {
      results[i] = static_cast<lane::Unsigned<kDstBits>>(of_code[i % of_code.size()]);
    }
    constexpr std::size_t per_byte = 8 / kSrcBits, bits_per_quadword = kCodeBits > 64 ? kCodeBits / 8 : 64;
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t bit = i / per_byte * 8 + packed_shift<kSrcBits>(i % per_byte);
      begin[i * kDstBits / 8] = static_cast<std::uint8_t>(bit % bits_per_quadword);
    }
  }
};

// kBits bits of codes in every quadword; 128 bits are dealt out, an eighth to each.
template <std::size_t kBits>
CASTFORGE_INLINE __m512i spread(const std::byte* p) noexcept {
  const auto read = [p](auto codes) noexcept CASTFORGE_LAMBDA_INLINE {
    std::memcpy(&codes, p, sizeof codes);
    return codes;
  };
  if constexpr (kBits == 128) return _mm512_cvtepu16_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  else if constexpr (kBits == 64) return _mm512_set1_epi64(read(0ll));
  else if constexpr (kBits == 32) return _mm512_set1_epi32(read(0));
  else if constexpr (kBits == 16) return _mm512_set1_epi16(read(short{}));
  else return _mm512_set1_epi8(read(char{}));
}

template <int kSrcBits, int kDstBits>
__attribute__((flatten)) CASTFORGE_SHARED static void small_table_loop(const SmallTable<kSrcBits, kDstBits>& table, const void* src,
                                                                       void* dst, std::size_t count, std::size_t ahead) noexcept {
  using Table = SmallTable<kSrcBits, kDstBits>;
  const __m512i begin = _mm512_load_si512(table.begin);
  const __m512i low = _mm512_load_si512(table.results), high = _mm512_load_si512(std::end(table.results) - Table::kLanes);
  const auto look_up = [=](__m512i index) noexcept CASTFORGE_LAMBDA_INLINE {
    if constexpr (kDstBits == 16) return _mm512_permutexvar_epi16(index, low);
    else if constexpr (kDstBits == 32) return _mm512_permutexvar_epi32(index, low);
    else return _mm512_permutex2var_epi64(low, index, high);
  };
  for_each_block<kSrcBits, kDstBits, kVectorBytes>(
      src, dst, count, ahead, [=](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kVectorBytes / Table::kLanes; ++i) {
          const __m512i codes = spread<Table::kCodeBits>(in + i * Table::kCodeBits / 8);
          _mm512_storeu_si512(out + i * kVectorBytes, look_up(_mm512_multishift_epi64_epi8(begin, codes)));
        }
      });
}

}  // namespace detail

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge

#endif  // CASTFORGE_X86 >= 4
