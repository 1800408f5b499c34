// From lanes to memory: truncation of lanes to narrower elements, and packing of bytes to 4-, 2- and 1-bit elements.
//
// All of these keep element order. Bits above the element are dropped; kClean promises that they are zero already, which
// lets saturating packs do without a mask.
#pragma once

#include <bit>

#include "simd/widen.hpp"

#if CASTFORGE_VECTOR

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

namespace detail {

// Clears everything above the low kBits of each lane, unless it is clear.
template <int kBits, bool kClean, class U>
CASTFORGE_INLINE Batch<U> keep_low(Batch<U> v) noexcept {
  if constexpr (kClean) return v;
  else return v & Batch<U>(static_cast<U>((std::uint64_t{1} << kBits) - 1));
}

#if CASTFORGE_X86 >= 4
// Byte i of the result is byte `first` of lane i of two concatenated vectors (128 / lane_bytes lanes; then repeats).
struct Index64 {
  alignas(64) std::uint8_t at[64];
};
static constexpr Index64 bytes_index(int lane_bytes, int first) noexcept {
  Index64 index{};
  for (int i = 0; i < 64; ++i) index.at[i] = static_cast<std::uint8_t>((i * lane_bytes + first) % 128);
  return index;
}
static constexpr Index64 kByteOf16 = bytes_index(2, 0), kByteOf32 = bytes_index(4, 0), kByteOf64 = bytes_index(8, 0);
static constexpr Index64 kSecondOf32 = bytes_index(4, 1), kTopOf32 = bytes_index(4, 3);

CASTFORGE_INLINE __m512i low_bytes(__m512i a, __m512i b, const Index64& index) noexcept {
  return _mm512_permutex2var_epi8(a, _mm512_load_si512(index.at), b);
}

// One byte of each lane of four vectors of 32-bit lanes.
CASTFORGE_INLINE __m512i quarter_bytes(const Batch<std::uint32_t>* v, const Index64& index) noexcept {
  const __m512i high = low_bytes(v[2], v[3], index);
  return _mm512_inserti64x4(low_bytes(v[0], v[1], index), _mm512_castsi512_si256(high), 1);
}
#endif

#if CASTFORGE_X86 >= 3
CASTFORGE_INLINE __m512i even_words(__m512i a, __m512i b) noexcept {
  const __m512i index = _mm512_set_epi16(62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34, 32,  //
                                         30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  return _mm512_permutex2var_epi16(a, index, b);
}
CASTFORGE_INLINE __m512i odd_words(__m512i a, __m512i b) noexcept {
  const __m512i index = _mm512_set_epi16(63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33,  //
                                         31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
  return _mm512_permutex2var_epi16(a, index, b);
}
CASTFORGE_INLINE __m512i even_dwords(__m512i a, __m512i b) noexcept {
  const __m512i index = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  return _mm512_permutex2var_epi32(a, index, b);
}
#endif

// Two vectors to one, half the lane width.
template <bool kClean>
CASTFORGE_INLINE Batch<std::uint32_t> halve(Batch<std::uint64_t> a, Batch<std::uint64_t> b) noexcept {
#if CASTFORGE_X86 >= 3
  return even_dwords(a, b);
#elif CASTFORGE_X86 == 2
  const __m256 mixed = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88);
  return _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), 0xD8);
#elif CASTFORGE_X86 == 1
  return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0x88));
#else
  return vuzp1q_u32(vreinterpretq_u32_u64(a), vreinterpretq_u32_u64(b));
#endif
}

template <bool kClean>
CASTFORGE_INLINE Batch<std::uint16_t> halve(Batch<std::uint32_t> a, Batch<std::uint32_t> b) noexcept {
#if CASTFORGE_X86 >= 3
  return even_words(a, b);
#elif CASTFORGE_X86 == 2
  return _mm256_permute4x64_epi64(_mm256_packus_epi32(keep_low<16, kClean>(a), keep_low<16, kClean>(b)), 0xD8);
#elif CASTFORGE_X86 == 1
  return _mm_packus_epi32(keep_low<16, kClean>(a), keep_low<16, kClean>(b));
#else
  return vuzp1q_u16(vreinterpretq_u16_u32(a), vreinterpretq_u16_u32(b));
#endif
}

template <bool kClean>
CASTFORGE_INLINE Batch<std::uint8_t> halve(Batch<std::uint16_t> a, Batch<std::uint16_t> b) noexcept {
#if CASTFORGE_X86 >= 4
  return low_bytes(a, b, kByteOf16);
#elif CASTFORGE_X86 == 3
  const __m512i packed = _mm512_packus_epi16(keep_low<8, kClean>(a), keep_low<8, kClean>(b));
  return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed);
#elif CASTFORGE_X86 == 2
  return _mm256_permute4x64_epi64(_mm256_packus_epi16(keep_low<8, kClean>(a), keep_low<8, kClean>(b)), 0xD8);
#elif CASTFORGE_X86 == 1
  return _mm_packus_epi16(keep_low<8, kClean>(a), keep_low<8, kClean>(b));
#else
  return vuzp1q_u8(vreinterpretq_u8_u16(a), vreinterpretq_u8_u16(b));
#endif
}

// Bytes of four vectors a, b, c, d in order, where packs brought them together within 128-bit parts (a b c d, a b c d, ...).
CASTFORGE_INLINE Batch<std::uint8_t> in_order(Batch<std::uint8_t> v) noexcept {
#if CASTFORGE_X86 == 3
  return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), v);
#elif CASTFORGE_X86 == 2
  return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
#else
  return v;
#endif
}

// The sign of an element over its magnitude code: bit 7 of `sign` goes to kSignBit, but with kUnlessZero not where the
// magnitude is zero. Bits of `code` above the element may be anything.
template <unsigned kSignBit, bool kUnlessZero>
CASTFORGE_INLINE Batch<std::uint8_t> put_sign(Batch<std::uint8_t> code, Batch<std::uint8_t> sign) noexcept {
  const Batch<std::uint8_t> place(static_cast<std::uint8_t>(kSignBit));
  constexpr int kDown = std::countl_zero(static_cast<std::uint8_t>(kSignBit));
#if CASTFORGE_X86
  if constexpr (kDown != 0) sign = CASTFORGE_MM(srli_epi16)(sign, kDown);  // what comes from the neighbour is masked below
#else
  if constexpr (kDown != 0) sign = sign >> kDown;
#endif
  if constexpr (kUnlessZero) {
    // Over a magnitude that is not 0 its sum with the largest one reaches the bit of the sign.
    const Batch<std::uint8_t> largest(static_cast<std::uint8_t>(kSignBit - 1));
    sign = sign & ((code & largest) + largest);
  }
#if CASTFORGE_X86 >= 3
  return _mm512_ternarylogic_epi32(code, sign, place, 0xF8);  // truth table of "code | (sign & place)"
#else
  return code | (sign & place);
#endif
}

#if CASTFORGE_X86
// Low half * 2^8 + high half * 2^(24 - kFold), halves in two's complement: the second byte is the low one of v + (v >> kFold),
// as both keep modulo 2^16 what ends there and begin with zeros.
template <int kFold>
CASTFORGE_INLINE Batch<std::uint32_t> folded(Batch<std::uint32_t> v) noexcept {
  static_assert(kFold >= 16 && kFold <= 23);
  return CASTFORGE_MM(madd_epi16)(v, CASTFORGE_MM(set1_epi32)(1 << (16 + 24 - kFold) | 1 << 8));
}
#endif

// Four vectors of 32-bit lanes to bytes: the low ones, with kFold those of v + (v >> kFold). Below VBMI the bytes are in the
// order of packs, which in_order() mends.
template <bool kClean, int kFold>
CASTFORGE_INLINE Batch<std::uint8_t> gathered(const Batch<std::uint32_t>* v) noexcept {
#if CASTFORGE_X86 >= 4
  if constexpr (kFold != 0) {
    const Batch<std::uint32_t> sum[4] = {folded<kFold>(v[0]), folded<kFold>(v[1]), folded<kFold>(v[2]), folded<kFold>(v[3])};
    return quarter_bytes(sum, kSecondOf32);
  }
  return quarter_bytes(v, kByteOf32);
#elif CASTFORGE_X86
  if constexpr (kFold != 0) {
    // The second bytes of vector `to` go to dword `to` of their part; the others become zero.
    const auto bytes = [](Batch<std::uint32_t> sum, int to) noexcept CASTFORGE_LAMBDA_INLINE {
      const auto at = [to](int dword) noexcept CASTFORGE_LAMBDA_INLINE { return dword == to ? 0x0D090501 : -1; };
#if CASTFORGE_X86 == 1
      const __m128i index = _mm_setr_epi32(at(0), at(1), at(2), at(3));
#elif CASTFORGE_X86 == 2
      const __m256i index = _mm256_setr_epi32(at(0), at(1), at(2), at(3), at(0), at(1), at(2), at(3));
#else
      const __m512i index = _mm512_set4_epi32(at(3), at(2), at(1), at(0));
#endif
      return Batch<std::uint8_t>(CASTFORGE_MM(shuffle_epi8)(sum, index));
    };
    return (bytes(folded<kFold>(v[0]), 0) | bytes(folded<kFold>(v[1]), 1)) | (bytes(folded<kFold>(v[2]), 2) | bytes(folded<kFold>(v[3]), 3));
  }
  const auto low = CASTFORGE_MM(packus_epi32)(keep_low<8, kClean>(v[0]), keep_low<8, kClean>(v[1]));
  const auto high = CASTFORGE_MM(packus_epi32)(keep_low<8, kClean>(v[2]), keep_low<8, kClean>(v[3]));
  return CASTFORGE_MM(packus_epi16)(low, high);
#else
  const auto sum = [](Batch<std::uint32_t> lanes) noexcept CASTFORGE_LAMBDA_INLINE {
    if constexpr (kFold != 0) return Batch<std::uint32_t>(vsraq_n_u32(lanes, lanes, kFold));
    else return lanes;
  };
  constexpr bool kStaysClean = kClean && kFold == 0;
  return halve<kStaysClean>(halve<kStaysClean>(sum(v[0]), sum(v[1])), halve<kStaysClean>(sum(v[2]), sum(v[3])));
#endif
}

// The top bytes of the lanes of four vectors, or others with the same top bit; in the order of gathered().
CASTFORGE_INLINE Batch<std::uint8_t> gathered_signs(const Batch<std::uint32_t>* v) noexcept {
#if CASTFORGE_X86 >= 4
  return quarter_bytes(v, kTopOf32);
#elif CASTFORGE_X86
  // Saturation keeps signs.
  return CASTFORGE_MM(packs_epi16)(CASTFORGE_MM(packs_epi32)(v[0], v[1]), CASTFORGE_MM(packs_epi32)(v[2], v[3]));
#else
  const auto words = [](Batch<std::uint32_t> a, Batch<std::uint32_t> b) noexcept CASTFORGE_LAMBDA_INLINE {
    return vreinterpretq_u8_u16(vuzp2q_u16(vreinterpretq_u16_u32(a), vreinterpretq_u16_u32(b)));
  };
  return vuzp2q_u8(words(v[0], v[1]), words(v[2], v[3]));
#endif
}

template <bool kClean>
CASTFORGE_INLINE Batch<std::uint8_t> quarter(Batch<std::uint32_t> a, Batch<std::uint32_t> b, Batch<std::uint32_t> c,
                                             Batch<std::uint32_t> d) noexcept {
  const Batch<std::uint32_t> all[4] = {a, b, c, d};
  return in_order(gathered<kClean, 0>(all));
}

// Four vectors of 64-bit lanes to 16-bit ones.
template <bool kClean>
CASTFORGE_INLINE Batch<std::uint16_t> quarter(Batch<std::uint64_t> a, Batch<std::uint64_t> b, Batch<std::uint64_t> c,
                                              Batch<std::uint64_t> d) noexcept {
#if CASTFORGE_X86 == 2
  // Per 128-bit lane: the even dwords of a and b (c and d), then their low words; one permutation orders the lanes.
  const auto pair = [](__m256i x, __m256i y) noexcept CASTFORGE_LAMBDA_INLINE {
    return Batch<std::uint32_t>(
        _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y), 0x88)));
  };
  const __m256i packed = _mm256_packus_epi32(keep_low<16, kClean>(pair(a, b)), keep_low<16, kClean>(pair(c, d)));
  return _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
#else
  return halve<kClean>(halve<kClean>(a, b), halve<kClean>(c, d));
#endif
}

// Eight vectors of 64-bit lanes to bytes.
template <bool kClean>
CASTFORGE_INLINE Batch<std::uint8_t> eighth(Batch<std::uint64_t> a, Batch<std::uint64_t> b, Batch<std::uint64_t> c,
                                            Batch<std::uint64_t> d, Batch<std::uint64_t> e, Batch<std::uint64_t> f,
                                            Batch<std::uint64_t> g, Batch<std::uint64_t> h) noexcept {
#if CASTFORGE_X86 >= 4
  __m512i all = low_bytes(a, b, kByteOf64);
  all = _mm512_inserti32x4(all, _mm512_castsi512_si128(low_bytes(c, d, kByteOf64)), 1);
  const __m512i efgh = _mm512_inserti32x4(low_bytes(e, f, kByteOf64),
                                          _mm512_castsi512_si128(low_bytes(g, h, kByteOf64)), 1);
  return _mm512_inserti64x4(all, _mm512_castsi512_si256(efgh), 1);
#elif CASTFORGE_X86 == 2
  const auto pair = [](__m256i x, __m256i y) noexcept CASTFORGE_LAMBDA_INLINE {
    return keep_low<8, kClean>(Batch<std::uint32_t>(
        _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y), 0x88))));
  };
  const __m256i low = _mm256_packus_epi32(pair(a, b), pair(c, d));
  const __m256i high = _mm256_packus_epi32(pair(e, f), pair(g, h));
  // 16-bit units a01 b01 .. h01 | a23 b23 .. h23: bring quadwords a..d and e..h together, then interleave the units.
  const __m256i units = _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xD8);
  return _mm256_shuffle_epi8(units, _mm256_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15,  //
                                                     0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
#else
  // The upper half of each quadword goes first, so only the low byte of the dwords is in doubt afterwards.
  return quarter<kClean>(halve<kClean>(a, b), halve<kClean>(c, d), halve<kClean>(e, f), halve<kClean>(g, h));
#endif
}

}  // namespace detail

/// The low bits of `sizeof(U) / sizeof(D)` vectors of U lanes, in order, as one vector of D lanes.
template <class D, bool kClean, class U>
CASTFORGE_INLINE Batch<D> narrow(const Batch<U>* v) noexcept {
  constexpr std::size_t ratio = sizeof(U) / sizeof(D);
  if constexpr (ratio == 1) return v[0];
  else if constexpr (ratio == 2) return detail::halve<kClean>(v[0], v[1]);
  else if constexpr (ratio == 4) return detail::quarter<kClean>(v[0], v[1], v[2], v[3]);
  else return detail::eighth<kClean>(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
}

/// The upper halves of two vectors of 32-bit lanes, in order.
CASTFORGE_INLINE Batch<std::uint16_t> narrow_upper(const Batch<std::uint32_t>* v) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::odd_words(v[0], v[1]);
#elif CASTFORGE_X86
  return detail::halve<true>(v[0] >> 16, v[1] >> 16);
#else
  return vuzp2q_u16(vreinterpretq_u16_u32(v[0]), vreinterpretq_u16_u32(v[1]));
#endif
}

/// The same rounded to nearest, ties to even, by the lower halves; a carry runs through the upper half.
CASTFORGE_INLINE Batch<std::uint16_t> narrow_upper_nearest(const Batch<std::uint32_t>* v) noexcept {
#if CASTFORGE_X86 >= 3
  // Both halves at 16 bits: half as many operations. The average, (dropped + 7FFF + (kept & 1)) / 2, has its top bit set where
  // the sum carries. No mask, because few instructions that make masks are done in a cycle.
  using Words = Batch<std::uint16_t>;
  const Words kept = narrow_upper(v), dropped = detail::even_words(v[0], v[1]);
  const Words bias = _mm512_ternarylogic_epi32(kept, Words(1), Words(0x7FFE), 0xEA);  // truth table of "kept & 1 | 7FFE"
  return kept - Words(_mm512_srai_epi16(_mm512_avg_epu16(dropped, bias), 15));
#else
  const auto rounded = [](Batch<std::uint32_t> lanes) noexcept CASTFORGE_LAMBDA_INLINE {
    return lanes + Batch<std::uint32_t>(0x7FFF) + ((lanes >> 16) & Batch<std::uint32_t>(1));
  };
  const Batch<std::uint32_t> both[2] = {rounded(v[0]), rounded(v[1])};
  return narrow_upper(both);
#endif
}

/// The low bytes of v + (v >> kFold) of four vectors, in order.
template <int kFold>
CASTFORGE_INLINE Batch<std::uint8_t> narrow_folded(const Batch<std::uint32_t>* v) noexcept {
  return detail::in_order(detail::gathered<false, kFold>(v));
}

/// As narrow(), or with kFold narrow_folded(), to bytes, the top bits of the lanes of `sign` going to kSignBit: over codes that
/// leave it clear, or, with kUnlessZero, over those that are not 0.
template <bool kClean, int kFold, unsigned kSignBit, bool kUnlessZero>
CASTFORGE_INLINE Batch<std::uint8_t> narrow_signed(const Batch<std::uint32_t>* code, const Batch<std::uint32_t>* sign) noexcept {
  return detail::in_order(detail::put_sign<kSignBit, kUnlessZero>(detail::gathered<kClean, kFold>(code), detail::gathered_signs(sign)));
}

namespace detail {

// Bit 0 of each byte of v, eight to a byte, the first in the most significant bit.
CASTFORGE_INLINE void store_bits(std::byte* p, Batch<std::uint8_t> v) noexcept {
#if CASTFORGE_X86
  // Masks of lanes start at their least significant bit: the bytes of each group of eight are reversed before.
#if CASTFORGE_X86 >= 3
  const __m512i reversed = _mm512_shuffle_epi8(v, _mm512_set4_epi32(0x08090A0B, 0x0C0D0E0F, 0x00010203, 0x04050607));
  const std::uint64_t bits = _mm512_test_epi8_mask(reversed, _mm512_set1_epi8(1));
#else
#if CASTFORGE_X86 == 2
  const __m256i backwards = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607));
#else
  const __m128i backwards = _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607);
#endif
  // A shift of words by 7 brings bit 0 of both their bytes to the top of its byte.
  const auto tops = CASTFORGE_MM(slli_epi16)(CASTFORGE_MM(shuffle_epi8)(v, backwards), 7);
  const auto bits = static_cast<std::conditional_t<kVectorBytes == 32, std::uint32_t, std::uint16_t>>(CASTFORGE_MM(movemask_epi8)(tops));
#endif
  std::memcpy(p, &bits, sizeof bits);
#else
  const int8x16_t place = vreinterpretq_s8_u64(vdupq_n_u64(0x0001020304050607));
  const uint8x16_t bits = vshlq_u8(vandq_u8(v, vdupq_n_u8(1)), place);
  p[0] = static_cast<std::byte>(vaddv_u8(vget_low_u8(bits)));
  p[1] = static_cast<std::byte>(vaddv_u8(vget_high_u8(bits)));
#endif
}

}  // namespace detail

/// Stores the low kDstBits (1, 2, 4, 8) of each byte of v, packed from the low end, 1-bit elements from the high end on:
/// exactly kVectorBytes * kDstBits / 8 bytes.
template <int kDstBits, bool kClean>
CASTFORGE_INLINE void store_pack(std::byte* p, Batch<std::uint8_t> v) noexcept {
  if constexpr (kDstBits == 8) {
    store(p, v);
  } else if constexpr (kDstBits == 1) {
    detail::store_bits(p, v);
#if CASTFORGE_X86 >= 3
  } else if constexpr (kDstBits == 4 && !kClean) {
    // The second of two elements moves down beside the first; whatever is above them is cut off.
    const __m512i low = _mm512_set1_epi16(0x000F);
    const __m512i pairs = _mm512_ternarylogic_epi32(low, v, _mm512_srli_epi16(v, 4), 0xCA);  // "low ? v : v >> 4"
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi16_epi8(pairs));
#endif
  } else {
    const Batch<std::uint8_t> e = detail::keep_low<kDstBits, kClean>(v);
#if CASTFORGE_X86
    // Multiply-add of byte pairs: first + (second << bits); for 2 bits a second one joins the nibble pairs.
    if constexpr (kDstBits == 4) {
      const auto words = CASTFORGE_MM(maddubs_epi16)(e, CASTFORGE_MM(set1_epi16)(0x1001));
#if CASTFORGE_X86 >= 3
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi16_epi8(words));
#elif CASTFORGE_X86 == 2
      const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(words, words), 0x08);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_castsi256_si128(bytes));
#else
      _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi16(words, words));
#endif
    } else {
      const auto words = CASTFORGE_MM(maddubs_epi16)(e, CASTFORGE_MM(set1_epi16)(0x0401));
      const auto dwords = CASTFORGE_MM(madd_epi16)(words, CASTFORGE_MM(set1_epi32)(0x00100001));
#if CASTFORGE_X86 >= 3
      _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(dwords));
#elif CASTFORGE_X86 == 2
      const __m256i half = _mm256_packus_epi32(dwords, dwords);
      const __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(half, half),
                                                        _mm256_setr_epi32(0, 4, 0, 4, 0, 4, 0, 4));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm256_castsi256_si128(bytes));
#else
      const __m128i half = _mm_packus_epi32(dwords, dwords);
      const int bits = _mm_cvtsi128_si32(_mm_packus_epi16(half, half));
      std::memcpy(p, &bits, 4);
#endif
    }
#else
    const uint8x16_t first = vuzp1q_u8(e, e), second = vuzp2q_u8(e, e);
    const uint8x16_t pairs = vorrq_u8(first, vshlq_n_u8(second, kDstBits));
    if constexpr (kDstBits == 4) {
      vst1_u8(reinterpret_cast<std::uint8_t*>(p), vget_low_u8(pairs));
    } else {
      const uint8x16_t fours = vorrq_u8(vuzp1q_u8(pairs, pairs), vshlq_n_u8(vuzp2q_u8(pairs, pairs), 4));
      const std::uint32_t bits = vgetq_lane_u32(vreinterpretq_u32_u8(fours), 0);
      std::memcpy(p, &bits, 4);
    }
#endif
  }
}

#if !CASTFORGE_X86
template <int kFold>
void store_folded_nibbles(std::byte* p, const Batch<std::uint32_t>* v) = delete;  // needs folded()
#else
#if CASTFORGE_X86 >= 4
namespace detail {
// Of each two lanes the second and the last byte.
static constexpr Index64 kSecondAndTopOf32 = [] {
  Index64 index{};
  for (unsigned i = 0; i < 64; ++i) index.at[i] = static_cast<std::uint8_t>(i / 2 * 4 + (i % 2 == 0 ? 1 : 3));
  return index;
}();
}  // namespace detail
#endif

/// Four vectors of lanes v as 4-bit elements, half a vector of bytes: the low three bits of v + (v >> kFold) under the top bit
/// of v, which must have its sign where lane::has_sign_in_folded() says so.
template <int kFold>
CASTFORGE_INLINE void store_folded_nibbles(std::byte* p, const Batch<std::uint32_t>* v) noexcept {
  // Dwords with two elements each, those of a and b in turn within each 128-bit part; with VBMI all of a, then all of b.
  const auto nibbles = [&](Batch<std::uint32_t> a, Batch<std::uint32_t> b) noexcept CASTFORGE_LAMBDA_INLINE {
#if CASTFORGE_X86 >= 4
    const auto parts = detail::low_bytes(detail::folded<kFold>(a), detail::folded<kFold>(b), detail::kSecondAndTopOf32);
#else
    const auto parts = CASTFORGE_MM(packus_epi16)(CASTFORGE_MM(srli_epi16)(detail::folded<kFold>(a), 8), CASTFORGE_MM(srli_epi16)(detail::folded<kFold>(b), 8));
#endif
    const Batch<std::uint16_t> kept = Batch<std::uint16_t>(parts) & Batch<std::uint16_t>(0x0807);  // the top byte is all sign
    const auto words = CASTFORGE_MM(maddubs_epi16)(kept, CASTFORGE_MM(set1_epi32)(0x10100101));  // a nibble in its place each
    return CASTFORGE_MM(madd_epi16)(words, CASTFORGE_MM(set1_epi16)(1));
  };
  const auto low = nibbles(v[0], v[1]), high = nibbles(v[2], v[3]);
#if CASTFORGE_X86 >= 4
  const __m512i bytes = detail::low_bytes(low, high, detail::kByteOf32);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_castsi512_si256(bytes));
#else
  const auto dwords = CASTFORGE_MM(packus_epi32)(low, high);
  const auto bytes = CASTFORGE_MM(packus_epi16)(dwords, dwords);  // per part two of each vector
#if CASTFORGE_X86 == 3
  const __m512i order = _mm512_castsi128_si512(_mm_setr_epi16(0, 8, 16, 24, 1, 9, 17, 25));
  const __m512i index = _mm512_inserti32x4(order, _mm_setr_epi16(2, 10, 18, 26, 3, 11, 19, 27), 1);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_castsi512_si256(_mm512_permutexvar_epi16(index, bytes)));
#elif CASTFORGE_X86 == 2
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm_unpacklo_epi16(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1)));
#else
  _mm_storel_epi64(reinterpret_cast<__m128i*>(p), bytes);
#endif
#endif
}
#endif

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge

#endif  // CASTFORGE_VECTOR
