// Tables between elements of 2 and 4 bits, on packed bytes: a nibble of a source byte, one or two elements, is an index, and
// what it finds is a packed result. Elements are never unpacked.
#pragma once

#include "simd/blocks.hpp"
#include "simd/planes.hpp"

#if CASTFORGE_VECTOR

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

namespace detail {

// Packed results of a source byte's low nibble, and of its high nibble, shifted to where they go in the result byte.
struct NibbleTables {
  alignas(16) std::uint8_t low[16] = {}, high[16] = {};

  template <class Results>
  constexpr NibbleTables(const Results& results, int src_bits, int dst_bits) noexcept {
    const unsigned last = (1u << dst_bits) - 1;
    for (unsigned nibble = 0; nibble < 16; ++nibble) {
      unsigned packed = results[nibble & ((1u << src_bits) - 1)] & last;
      if (src_bits == 2) packed |= (results[nibble >> 2] & last) << dst_bits;
      const int nibble_bits = 4 / src_bits * dst_bits;
      low[nibble] = static_cast<std::uint8_t>(packed);
      high[nibble] = static_cast<std::uint8_t>(nibble_bits == 8 ? packed : packed << nibble_bits);
    }
  }
};

// Two vectors of bytes that hold a nibble each to one of bytes, the first of two in the low half.
CASTFORGE_INLINE Bytes join_nibbles(Bytes a, Bytes b) noexcept {
#if CASTFORGE_X86
  const auto weights = CASTFORGE_MM(set1_epi16)(0x1001);
  return halve<true>(Batch<std::uint16_t>(CASTFORGE_MM(maddubs_epi16)(a, weights)),
                     Batch<std::uint16_t>(CASTFORGE_MM(maddubs_epi16)(b, weights)));
#else
  return vorrq_u8(vuzp1q_u8(a, b), vshlq_n_u8(vuzp2q_u8(a, b), 4));
#endif
}

template <int kSrcBits, int kDstBits>
__attribute__((flatten)) CASTFORGE_SHARED static void packed_loop(const NibbleTables& tables, const void* src, void* dst,
                                                                  std::size_t count, std::size_t ahead) noexcept {
  const Plane<16> low_table(tables.low), high_table(tables.high);
  const Bytes nibble(0x0F);
  const auto look_up = [&](Bytes packed, Bytes& low, Bytes& high) noexcept CASTFORGE_LAMBDA_INLINE {
    low = low_table(packed & nibble);
#if CASTFORGE_X86
    high = high_table(Bytes(CASTFORGE_MM(srli_epi16)(packed, 4)) & nibble);
#else
    high = high_table(vshrq_n_u8(packed, 4));
#endif
  };
  // Bytes of both buffers per pass: two vectors of the wider one.
  constexpr std::size_t kIn = kSrcBits < kDstBits ? kVectorBytes : 2 * kVectorBytes;
  for_each_block<kSrcBits, kDstBits, kIn * 8 / kSrcBits>(
      src, dst, count, ahead, [&](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
        Bytes low, high;
        if constexpr (kSrcBits < kDstBits) {
          look_up(interleave_order<2>(load<std::uint8_t>(in)), low, high);
          const Bytes results[2] = {zip_lower<1>(low, high), zip_upper<1>(low, high)};
          store_results<2>(out, results);
        } else {
          const Bytes first = load<std::uint8_t>(in), second = load<std::uint8_t>(in + kVectorBytes);
          Bytes second_low, second_high;
          look_up(first, low, high);
          look_up(second, second_low, second_high);
          if constexpr (kSrcBits == kDstBits) {
            store(out, low | high);
            store(out + kVectorBytes, second_low | second_high);
          } else {
            // Each source byte has given a nibble.
            store(out, join_nibbles(low | high, second_low | second_high));
          }
        }
      });
}

// Tables that change nothing: the bytes, and zeros in the unused bits of the last one. Not std::memcpy, which becomes a
// string instruction at a few KiB; streaming, which converts in such parts, would run at half its speed.
template <int kBits>
CASTFORGE_SHARED static void copy_packed(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  constexpr std::size_t kBytes = 4 * kVectorBytes;
  for_each_block<kBits, kBits, kBytes * 8 / kBits>(
      src, dst, count, ahead, [](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
        Bytes v[4];
#pragma GCC unroll 4
        for (std::size_t i = 0; i < 4; ++i) v[i] = load<std::uint8_t>(in + i * kVectorBytes);
#pragma GCC unroll 4
        for (std::size_t i = 0; i < 4; ++i) store(out + i * kVectorBytes, v[i]);
      });
}

}  // namespace detail

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge

#endif  // CASTFORGE_VECTOR
