// Lookups in a table of bytes that is read whole, and interleaving of byte planes to results.
#pragma once

#include "simd/narrow.hpp"
#include "simd/widen.hpp"

#if CASTFORGE_VECTOR

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

namespace detail {

using Bytes = Batch<std::uint8_t>;

// Sixteen bytes in every 128 bits, and lookups in them: zero for an index with bit 7 set, on NEON for any above 15.
#if CASTFORGE_X86
CASTFORGE_INLINE Bytes broadcast16(const std::uint8_t* p) noexcept {
  const __m128i v = _mm_load_si128(reinterpret_cast<const __m128i*>(p));
#if CASTFORGE_X86 >= 3
  return _mm512_broadcast_i32x4(v);
#elif CASTFORGE_X86 == 2
  return _mm256_broadcastsi128_si256(v);
#else
  return v;
#endif
}
CASTFORGE_INLINE Bytes shuffle16(Bytes table, Bytes index) noexcept {
  return CASTFORGE_MM(shuffle_epi8)(table, index);
}
#else
CASTFORGE_INLINE Bytes broadcast16(const std::uint8_t* p) noexcept { return vld1q_u8(p); }
CASTFORGE_INLINE Bytes shuffle16(Bytes table, Bytes index) noexcept { return vqtbl1q_u8(table, index); }
#endif

// A table of 16, 128 or 256 bytes. Without AVX-512 VBMI or NEON there are no larger ones than 16 (see rows.hpp). Of a table
// of 128 bytes the low seven bits of a code are the index.
template <int kEntries>
class Plane {
 public:
#if CASTFORGE_X86 >= 4
  CASTFORGE_INLINE explicit Plane(const std::uint8_t* t) noexcept {
    if constexpr (kEntries == 16) {
      part_[0] = broadcast16(t);
    } else {
#pragma GCC unroll 4
      for (int i = 0; i < kEntries / 64; ++i) part_[i] = _mm512_load_si512(t + 64 * i);
    }
  }
  CASTFORGE_INLINE Bytes operator()(Bytes code) const noexcept {
    if constexpr (kEntries == 16) {
      return shuffle16(part_[0], code);
    } else {
      const Bytes lower(_mm512_permutex2var_epi8(part_[0], code, part_[1]));
      if constexpr (kEntries == 128) return lower;
      else {
        const Bytes upper(_mm512_permutex2var_epi8(part_[2], code, part_[3]));
        return _mm512_mask_blend_epi8(_mm512_movepi8_mask(code), lower, upper);
      }
    }
  }

 private:
  Bytes part_[kEntries == 16 ? 1 : kEntries / 64];
#elif CASTFORGE_X86
  static_assert(kEntries == 16);
  CASTFORGE_INLINE explicit Plane(const std::uint8_t* t) noexcept : table_(broadcast16(t)) {}
  CASTFORGE_INLINE Bytes operator()(Bytes code) const noexcept { return shuffle16(table_, code); }

 private:
  Bytes table_;
#else
  CASTFORGE_INLINE explicit Plane(const std::uint8_t* t) noexcept : table_(t) {}
  CASTFORGE_INLINE Bytes operator()(Bytes code) const noexcept {
    if constexpr (kEntries == 16) {
      return shuffle16(broadcast16(table_), code);
    } else {
      // An index outside a group of 64 entries leaves the result of the other groups alone.
      const uint8x16_t index = kEntries == 128 ? code & Bytes(0x7F) : code;
      uint8x16_t r = vqtbl4q_u8(vld1q_u8_x4(table_), index);
#pragma GCC unroll 3
      for (int i = 1; i < kEntries / 64; ++i) {
        const uint8x16_t within = vsubq_u8(index, vdupq_n_u8(static_cast<std::uint8_t>(64 * i)));
        r = vqtbx4q_u8(r, vld1q_u8_x4(table_ + 64 * i), within);
      }
      return r;
    }
  }

 private:
  const std::uint8_t* table_;
#endif
};

/// What a table of kEntries bytes is looked up with.
template <int kEntries>
using CodeVector = Bytes;

// Orders codes so that interleaving within 128-bit lanes, kBytes planes to kBytes vectors, gives results in order: the
// group of 16 / kBytes codes that belongs to lane l of result vector j goes to group j of lane l.
template <int kBytes>
CASTFORGE_INLINE Bytes interleave_order(Bytes v) noexcept {
#if CASTFORGE_X86 >= 3
  if constexpr (kBytes == 2) {
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), v);
  } else if constexpr (kBytes == 4) {
    return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), v);
  } else if constexpr (kBytes == 8) {
    const __m512i order = _mm512_set_epi16(31, 27, 23, 19, 15, 11, 7, 3, 30, 26, 22, 18, 14, 10, 6, 2,  //
                                           29, 25, 21, 17, 13, 9, 5, 1, 28, 24, 20, 16, 12, 8, 4, 0);
    return _mm512_permutexvar_epi16(order, v);
  }
#elif CASTFORGE_X86 == 2
  if constexpr (kBytes == 2) {
    return _mm256_permute4x64_epi64(v, 0xD8);
  } else if constexpr (kBytes == 4) {
    return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
  } else if constexpr (kBytes == 8) {
    const __m256i even_then_odd = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15,  //
                                                   0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(v, even_then_odd), 0xD8);
  }
#endif
  return v;
}

// Interleaves units of kUnit bytes of each 128-bit lane: a from the lower (upper) half, then b.
template <int kUnit>
CASTFORGE_INLINE Bytes zip_lower(Bytes a, Bytes b) noexcept {
#if CASTFORGE_X86
  if constexpr (kUnit == 1) return CASTFORGE_MM(unpacklo_epi8)(a, b);
  else if constexpr (kUnit == 2) return CASTFORGE_MM(unpacklo_epi16)(a, b);
  else return CASTFORGE_MM(unpacklo_epi32)(a, b);
#else
  if constexpr (kUnit == 1) {
    return vzip1q_u8(a, b);
  } else if constexpr (kUnit == 2) {
    return vreinterpretq_u8_u16(vzip1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
  } else {
    return vreinterpretq_u8_u32(vzip1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
  }
#endif
}
template <int kUnit>
CASTFORGE_INLINE Bytes zip_upper(Bytes a, Bytes b) noexcept {
#if CASTFORGE_X86
  if constexpr (kUnit == 1) return CASTFORGE_MM(unpackhi_epi8)(a, b);
  else if constexpr (kUnit == 2) return CASTFORGE_MM(unpackhi_epi16)(a, b);
  else return CASTFORGE_MM(unpackhi_epi32)(a, b);
#else
  if constexpr (kUnit == 1) {
    return vzip2q_u8(a, b);
  } else if constexpr (kUnit == 2) {
    return vreinterpretq_u8_u16(vzip2q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
  } else {
    return vreinterpretq_u8_u32(vzip2q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
  }
#endif
}

// result[0 .. kBytes) <- planes byte[0 .. kBytes), interleaved: kBytes vectors of results of kBytes bytes each.
template <int kBytes>
CASTFORGE_INLINE void interleave(const Bytes* byte, Bytes* result) noexcept {
  if constexpr (kBytes == 1) {
    result[0] = byte[0];
  } else {
    constexpr int half = kBytes / 2;
    Bytes lower[half], upper[half];
    interleave<half>(byte, lower);
    interleave<half>(byte + half, upper);
#pragma GCC unroll 4
    for (int i = 0; i < half; ++i) {
      result[2 * i] = zip_lower<half>(lower[i], upper[i]);
      result[2 * i + 1] = zip_upper<half>(lower[i], upper[i]);
    }
  }
}

template <int kBytes>
CASTFORGE_INLINE void store_results(std::byte* out, const Bytes* result) noexcept {
#pragma GCC unroll 8
  for (int j = 0; j < kBytes; ++j) store(out + static_cast<std::size_t>(j) * kVectorBytes, result[j]);
}

}  // namespace detail

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge

#endif  // CASTFORGE_VECTOR
