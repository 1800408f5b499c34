// From memory to lanes: loads that widen each element, and unpacking of 4-, 2- and 1-bit elements to bytes.
#pragma once

#include <cstring>

#include "simd/lane.hpp"

#if CASTFORGE_VECTOR

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

using lane::Batch;
using lane::kVectorBytes;

/// Whole vector from any address.
template <class U>
CASTFORGE_INLINE Batch<U> load(const std::byte* p) noexcept {
  #if CASTFORGE_NEON
  typename Batch<U>::register_type bits;
  std::memcpy(&bits, p, sizeof bits);
  return bits;
#else
  return Batch<U>::simd_type::load_unaligned(reinterpret_cast<const U*>(p));
#endif
}

/// Whole vector to any address.
template <class U>
CASTFORGE_INLINE void store(std::byte* p, Batch<U> v) noexcept {
#if CASTFORGE_NEON
  const typename Batch<U>::register_type bits = v;
  std::memcpy(p, &bits, sizeof bits);
#else
  v.v.store_unaligned(reinterpret_cast<U*>(p));
#endif
}

namespace detail {

#if CASTFORGE_X86
// The first kBytes (2, 4, 8, 16) bytes at p in a 128-bit register, zeros above.
template <std::size_t kBytes>
CASTFORGE_INLINE __m128i load_low(const std::byte* p) noexcept {
  if constexpr (kBytes == 16) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  } else if constexpr (kBytes == 8) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
  } else if constexpr (kBytes == 4) {
    std::uint32_t bits;
    std::memcpy(&bits, p, 4);
    return _mm_cvtsi32_si128(static_cast<int>(bits));
  } else {
    std::uint16_t bits;
    std::memcpy(&bits, p, 2);
    return _mm_cvtsi32_si128(bits);
  }
}

template <std::size_t kBytes>
CASTFORGE_INLINE auto load_part(const std::byte* p) noexcept {
#if CASTFORGE_X86 >= 3
  if constexpr (kBytes == 32) return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  else
#endif
    return load_low<kBytes>(p);
}
#else
// Doubles the width of the low kLanes elements, by U -> next wider unsigned, keeping vectors of 16 bytes.
template <bool kSigned>
CASTFORGE_INLINE uint16x8_t widen_low(uint8x16_t v) noexcept {
  if constexpr (kSigned) return vreinterpretq_u16_s16(vmovl_s8(vreinterpret_s8_u8(vget_low_u8(v))));
  else return vmovl_u8(vget_low_u8(v));
}
template <bool kSigned>
CASTFORGE_INLINE uint32x4_t widen_low(uint16x8_t v) noexcept {
  if constexpr (kSigned) return vreinterpretq_u32_s32(vmovl_s16(vreinterpret_s16_u16(vget_low_u16(v))));
  else return vmovl_u16(vget_low_u16(v));
}
template <bool kSigned>
CASTFORGE_INLINE uint64x2_t widen_low(uint32x4_t v) noexcept {
  if constexpr (kSigned) return vreinterpretq_u64_s64(vmovl_s32(vreinterpret_s32_u32(vget_low_u32(v))));
  else return vmovl_u32(vget_low_u32(v));
}

// The first kBytes bytes at p as S elements, zeros above.
template <class S, std::size_t kBytes>
CASTFORGE_INLINE auto load_part(const std::byte* p) noexcept {
  std::uint64_t low = 0;
  std::memcpy(&low, p, kBytes);
  const uint64x2_t bits = vcombine_u64(vcreate_u64(low), vcreate_u64(0));
  if constexpr (sizeof(S) == 1) return vreinterpretq_u8_u64(bits);
  else if constexpr (sizeof(S) == 2) return vreinterpretq_u16_u64(bits);
  else return vreinterpretq_u32_u64(bits);
}
#endif

}  // namespace detail

/// One vector of U lanes from consecutive elements of kSrcBits (8, 16, 32, 64) at p, zero- or sign-extended.
/// Reads exactly the lanes' elements.
template <class U, int kSrcBits, bool kSigned>
CASTFORGE_INLINE Batch<U> load_widen(const std::byte* p) noexcept {
  constexpr int kDstBits = Batch<U>::kBits;
  static_assert(kSrcBits >= 8 && kSrcBits <= kDstBits, "lanes are at least as wide as the source");
  if constexpr (kSrcBits == kDstBits) {
    return load<U>(p);
  } else {
    constexpr std::size_t bytes = kVectorBytes * kSrcBits / kDstBits;
#if CASTFORGE_X86
    const auto part = detail::load_part<bytes>(p);
    if constexpr (kSigned) {
      if constexpr (kSrcBits == 8 && kDstBits == 16) return CASTFORGE_MM(cvtepi8_epi16)(part);
      else if constexpr (kSrcBits == 8 && kDstBits == 32) return CASTFORGE_MM(cvtepi8_epi32)(part);
      else if constexpr (kSrcBits == 8) return CASTFORGE_MM(cvtepi8_epi64)(part);
      else if constexpr (kSrcBits == 16 && kDstBits == 32) return CASTFORGE_MM(cvtepi16_epi32)(part);
      else if constexpr (kSrcBits == 16) return CASTFORGE_MM(cvtepi16_epi64)(part);
      else return CASTFORGE_MM(cvtepi32_epi64)(part);
    } else {
      if constexpr (kSrcBits == 8 && kDstBits == 16) return CASTFORGE_MM(cvtepu8_epi16)(part);
      else if constexpr (kSrcBits == 8 && kDstBits == 32) return CASTFORGE_MM(cvtepu8_epi32)(part);
      else if constexpr (kSrcBits == 8) return CASTFORGE_MM(cvtepu8_epi64)(part);
      else if constexpr (kSrcBits == 16 && kDstBits == 32) return CASTFORGE_MM(cvtepu16_epi32)(part);
      else if constexpr (kSrcBits == 16) return CASTFORGE_MM(cvtepu16_epi64)(part);
      else return CASTFORGE_MM(cvtepu32_epi64)(part);
    }
#else
    const auto part = detail::load_part<lane::Unsigned<kSrcBits>, bytes>(p);
    const auto once = detail::widen_low<kSigned>(part);
    if constexpr (kDstBits == 2 * kSrcBits) {
      return once;
    } else {
      const auto twice = detail::widen_low<kSigned>(once);
      if constexpr (kDstBits == 4 * kSrcBits) return twice;
      else return detail::widen_low<kSigned>(twice);
    }
#endif
  }
}

namespace detail {

// A vector of bytes 0 or 1 from kVectorBytes bits, the most significant bit of each byte first.
CASTFORGE_INLINE Batch<std::uint8_t> unpack_bits(const std::byte* p) noexcept {
#if CASTFORGE_X86
  // Each byte goes to the eight lanes of its bits, where all but the lane's own bit are masked out.
#if CASTFORGE_X86 >= 3
  std::uint64_t bytes;
  std::memcpy(&bytes, p, sizeof bytes);
  const __m512i home = _mm512_set_epi64(0x0707070707070707, 0x0606060606060606, 0x0505050505050505, 0x0404040404040404,
                                        0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
  const __m512i own = _mm512_set1_epi64(0x0102040810204080);
  const __m512i spread = _mm512_shuffle_epi8(_mm512_set1_epi64(static_cast<long long>(bytes)), home);
  return _mm512_maskz_set1_epi8(_mm512_test_epi8_mask(spread, own), 1);
#elif CASTFORGE_X86 == 2
  std::uint32_t bytes;
  std::memcpy(&bytes, p, sizeof bytes);
  const __m256i home = _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
  const __m256i own = _mm256_set1_epi64x(0x0102040810204080);
  const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bytes)), home);
  return _mm256_min_epu8(_mm256_and_si256(spread, own), _mm256_set1_epi8(1));
#else
  const __m128i home = _mm_set_epi64x(0x0101010101010101, 0);
  const __m128i own = _mm_set1_epi64x(0x0102040810204080);
  const __m128i spread = _mm_shuffle_epi8(load_low<2>(p), home);
  return _mm_min_epu8(_mm_and_si128(spread, own), _mm_set1_epi8(1));
#endif
#else
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(p);
  const uint8x16_t spread = vcombine_u8(vld1_dup_u8(bytes), vld1_dup_u8(bytes + 1));
  const uint8x16_t own = vreinterpretq_u8_u64(vdupq_n_u64(0x0102040810204080));
  return vandq_u8(vtstq_u8(spread, own), vdupq_n_u8(1));
#endif
}

}  // namespace detail

/// One vector of bytes, each holding one element, from kVectorBytes packed elements of kSrcBits (1, 2, 4, 8) bits: the
/// first in the low end of each byte, 1-bit elements from the high end on. Reads exactly kVectorBytes * kSrcBits / 8
/// bytes. kSigned: sign-extended to the byte.
template <int kSrcBits, bool kSigned>
CASTFORGE_INLINE Batch<std::uint8_t> load_unpack(const std::byte* p) noexcept {
  using B = Batch<std::uint8_t>;
  if constexpr (kSrcBits == 8) {
    return load<std::uint8_t>(p);
  } else {
#if CASTFORGE_X86
    B elements;
    if constexpr (kSrcBits == 1) {
      elements = detail::unpack_bits(p);
    } else if constexpr (kSrcBits == 4) {
      const Batch<std::uint16_t> x = load_widen<std::uint16_t, 8, false>(p);
      elements = B(typename B::register_type((x | (x << 4)) & Batch<std::uint16_t>(0x0F0F)));
    } else {
      const Batch<std::uint32_t> x = load_widen<std::uint32_t, 8, false>(p);
      const Batch<std::uint32_t> nibbles = (x | (x << 12)) & Batch<std::uint32_t>(0x000F000F);
      elements = B(typename B::register_type((nibbles | (nibbles << 6)) & Batch<std::uint32_t>(0x03030303)));
    }
#else
    B elements;
    if constexpr (kSrcBits == 1) {
      elements = detail::unpack_bits(p);
    } else {
      uint8x16_t packed;
      if constexpr (kSrcBits == 4) {
        packed = vcombine_u8(vld1_u8(reinterpret_cast<const std::uint8_t*>(p)), vdup_n_u8(0));
      } else {
        const uint8x16_t four = vreinterpretq_u8_u32(detail::load_part<std::uint32_t, 4>(p));
        packed = vzip1q_u8(vandq_u8(four, vdupq_n_u8(0x0F)), vshrq_n_u8(four, 4));
      }
      constexpr std::uint8_t low = (1 << kSrcBits) - 1;
      elements = B(vzip1q_u8(vandq_u8(packed, vdupq_n_u8(low)), vshrq_n_u8(packed, kSrcBits)));
    }
#endif
    if constexpr (kSigned) {
      const B sign(static_cast<std::uint8_t>(1 << (kSrcBits - 1)));
      return (elements ^ sign) - sign;
    } else {
      return elements;
    }
  }
}

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge

#endif  // CASTFORGE_VECTOR
