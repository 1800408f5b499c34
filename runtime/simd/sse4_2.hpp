// Operations on batches that SSE4.2 does better than common.hpp, or that xsimd lacks.
#pragma once

#include "simd/batch.hpp"

namespace castforge::inline CASTFORGE_ISA::lane::kernel {

using namespace detail;  // NOLINT: the helpers of batch.hpp
using xsimd::sse4_2;

CASTFORGE_INLINE B8 narrow(B16 a, B16 b, sse4_2) { return B8(_mm_packus_epi16(a, b)); }
CASTFORGE_INLINE B16 narrow(B32 a, B32 b, sse4_2) { return B16(_mm_packus_epi32(a, b)); }
constexpr bool prefers_shuffles(sse4_2) { return true; }
// Saturation keeps signs.
CASTFORGE_INLINE B8 signs(B16 a, B16 b, sse4_2) { return B8(_mm_packs_epi16(a, b)); }
CASTFORGE_INLINE B8 signs(B32 a, B32 b, B32 c, B32 d, sse4_2) {
  return signs(B16(_mm_packs_epi32(a, b)), B16(_mm_packs_epi32(c, d)), sse4_2{});
}

template <class To, class From, bool kSigned>
CASTFORGE_INLINE Batch<To> load_widened(const std::byte* p, std::bool_constant<kSigned>, From, Batch<To>, sse4_2) {
  const __m128i v = first_bytes<kVectorBytes * sizeof(From) / sizeof(To)>(p);
  constexpr int kFrom = sizeof(From), kTo = sizeof(To);
  if constexpr (kFrom == 1 && kTo == 2) return Batch<To>(kSigned ? _mm_cvtepi8_epi16(v) : _mm_cvtepu8_epi16(v));
  else if constexpr (kFrom == 1 && kTo == 4) return Batch<To>(kSigned ? _mm_cvtepi8_epi32(v) : _mm_cvtepu8_epi32(v));
  else if constexpr (kFrom == 1) return Batch<To>(kSigned ? _mm_cvtepi8_epi64(v) : _mm_cvtepu8_epi64(v));
  else if constexpr (kFrom == 2 && kTo == 4) return Batch<To>(kSigned ? _mm_cvtepi16_epi32(v) : _mm_cvtepu16_epi32(v));
  else if constexpr (kFrom == 2) return Batch<To>(kSigned ? _mm_cvtepi16_epi64(v) : _mm_cvtepu16_epi64(v));
  else return Batch<To>(kSigned ? _mm_cvtepi32_epi64(v) : _mm_cvtepu32_epi64(v));
}

CASTFORGE_INLINE B8 repeat16(const std::byte* p, sse4_2) { return B8(reinterpret_cast<__m128i>(first_bytes<16>(p))); }
CASTFORGE_INLINE B8 lookup16(B8 table, B8 index, sse4_2) { return B8(_mm_shuffle_epi8(table, index)); }
CASTFORGE_INLINE B8 abs(B8 a, sse4_2) { return B8(_mm_abs_epi8(a)); }  // xsimd's shifts bytes, which takes six
CASTFORGE_INLINE B8 negate_where(B8 a, B8 s, sse4_2) { return B8(_mm_sign_epi8(a, s)); }

template <int kTo> CASTFORGE_INLINE B32 fold_to(B32 v, B32 weights) {
  constexpr auto at = kSecondBytes<kTo>;
  return B32(_mm_shuffle_epi8(_mm_madd_epi16(v, weights), _mm_setr_epi32(at(0), at(1), at(2), at(3))));
}
template <int n> CASTFORGE_INLINE B8 fold(std::integral_constant<int, n>, B32 a, B32 b, B32 c, B32 d, sse4_2) {
  const B32 weights = broadcast(kFoldWeights<n>);
  return as<u8>((fold_to<0>(a, weights) | fold_to<1>(b, weights)) | (fold_to<2>(c, weights) | fold_to<3>(d, weights)));
}

// Shifts by a count for each lane: one instruction for each, whose count is the low 64 bits of its operand.
CASTFORGE_INLINE B64 second(B64 v) {
  return shuffled<[](std::size_t) { return 1; }>(v, v);
}
template <class Shift> CASTFORGE_INLINE B64 by_own_count(B64 a, B64 n, Shift shift) {
  return B64(_mm_blend_epi16(shift(a, n), shift(a, second(n)), 0xF0));
}
template <class Shift> CASTFORGE_INLINE B32 by_own_count(B32 a, B32 n, Shift shift) {
  const B64 odd = as<u64>(n) >> 32, even = as<u64>(n) & broadcast(u64{0xFFFFFFFF});
  const __m128i lower = _mm_blend_epi16(shift(a, even), shift(a, odd), 0x0C),
                upper = _mm_blend_epi16(shift(a, second(even)), shift(a, second(odd)), 0xC0);
  return B32(_mm_blend_epi16(lower, upper, 0xF0));
}
CASTFORGE_INLINE B64 shl(B64 a, B64 count, sse4_2) {
  return by_own_count(a, count,
                      [](__m128i v, __m128i n) noexcept CASTFORGE_LAMBDA_INLINE { return _mm_sll_epi64(v, n); });
}
CASTFORGE_INLINE B64 shr(B64 a, B64 count, sse4_2) {
  return by_own_count(a, count,
                      [](__m128i v, __m128i n) noexcept CASTFORGE_LAMBDA_INLINE { return _mm_srl_epi64(v, n); });
}
CASTFORGE_INLINE B32 shl(B32 a, B32 count, sse4_2) {
  return by_own_count(a, count,
                      [](__m128i v, __m128i n) noexcept CASTFORGE_LAMBDA_INLINE { return _mm_sll_epi32(v, n); });
}
CASTFORGE_INLINE B32 shr(B32 a, B32 count, sse4_2) {
  return by_own_count(a, count,
                      [](__m128i v, __m128i n) noexcept CASTFORGE_LAMBDA_INLINE { return _mm_srl_epi32(v, n); });
}
// The upper half of a product.
CASTFORGE_INLINE B16 multiply_high(B16 a, B16 b, sse4_2) { return B16(_mm_mulhi_epu16(a, b)); }

// Masks start at their lowest bit: where elements start at the other end, the bytes of each eight are reversed before.
template <Packing kPacking> CASTFORGE_INLINE void store_bits(std::byte* p, B8 v, sse4_2) {
  B16 ordered = as<u16>(v);
  if constexpr (kPacking == Packing::high_first)
    ordered = B16(_mm_shuffle_epi8(v, _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607)));
  const auto bits = static_cast<u16>(_mm_movemask_epi8(ordered << 7));
  std::memcpy(p, &bits, sizeof bits);
}
CASTFORGE_INLINE B16 weighted_pairs(B8 v, B16 weights, sse4_2) { return B16(_mm_maddubs_epi16(v, weights)); }
CASTFORGE_INLINE B32 weighted_pairs(B16 v, B32 weights, sse4_2) { return B32(_mm_madd_epi16(v, weights)); }

CASTFORGE_INLINE B32 min_nan2(B32 a, B32 b, sse4_2) { return bits(F32(_mm_min_ps(f32(a), f32(b)))); }
// With anything above.
CASTFORGE_INLINE __m128i lower(Half<u32> v) {
#if defined(__clang__)
  return reinterpret_cast<__m128i>(__builtin_shufflevector(v, v, 0, 1, -1, -1));
#else  // of which g++ 12 makes zeros above
  __m128i whole;
  asm("" : "=x"(whole) : "0"(v));
  return whole;
#endif
}
CASTFORGE_INLINE B64 float64_of_float32(Half<u32> v, sse4_2) {
  return bits(F64(_mm_cvtps_pd(_mm_castsi128_ps(lower(v)))));
}
CASTFORGE_INLINE B64 float64_of_int32(Half<u32> v, sse4_2) { return bits(F64(_mm_cvtepi32_pd(lower(v)))); }
CASTFORGE_INLINE auto float32_of_float64(B64 v, sse4_2) { return half<0>(bits(F32(_mm_cvtpd_ps(f64(v))))); }
// There are no conversions of float16.
CASTFORGE_INLINE B32 float32_of_float16(Half<u16> v, sse4_2) {
  const B32 code = B32(_mm_cvtepi16_epi32(lower(reinterpret_cast<Half<u32>>(v))));
  const B32 magnitude = code & broadcast(0x7FFFu), sign = code & broadcast(0x80000000u);
  // The exponent and 112 (127 - 15). In this way a subnormal is 2^-15 + f 2^-15, for a fraction f; with one exponent
  // more and less 2^-14 it is f 2^-14, what it should be; zero is 0, not -0, as differences round to nearest. From
  // 2^-14 on nothing gets smaller so.
  const B32 rebias = broadcast(112u << 23), least_normal = broadcast(113u << 23);
  const B32 normal = (magnitude << 13) + rebias;
  const B32 subnormal = bits(f32(normal + broadcast(1u << 23)) - f32(least_normal));
  // The 112 once more for infinity and NaN; the sum with zero makes a NaN quiet.
  const B32 infinite = batch_of<u32>((as_signed(magnitude) > as_signed(broadcast(0x7BFFu))).data) & rebias;
  return bits(f32(xsimd::min(normal, subnormal) + infinite) + f32(broadcast(0u))) | sign;
}

}  // namespace castforge::inline CASTFORGE_ISA::lane::kernel
