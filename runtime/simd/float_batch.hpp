// The floating-point steps of float_word.hpp on vectors.
#pragma once

#include "simd/batch.hpp"
#include "simd/float_word.hpp"

#if CASTFORGE_VECTOR

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace lane {

namespace detail {
#if CASTFORGE_X86
using F32 = decltype(CASTFORGE_MM(setzero_ps)());
using F64 = decltype(CASTFORGE_MM(setzero_pd)());
#if CASTFORGE_X86 >= 3
CASTFORGE_INLINE F32 f32(Batch<std::uint32_t> v) noexcept { return _mm512_castsi512_ps(v); }
CASTFORGE_INLINE F64 f64(Batch<std::uint64_t> v) noexcept { return _mm512_castsi512_pd(v); }
CASTFORGE_INLINE Batch<std::uint32_t> bits(F32 v) noexcept { return _mm512_castps_si512(v); }
CASTFORGE_INLINE Batch<std::uint64_t> bits(F64 v) noexcept { return _mm512_castpd_si512(v); }
static constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
// For a vector that several instructions use: otherwise the compiler loads it from memory for each of them.
template <class U>
CASTFORGE_INLINE Batch<U> in_register(Batch<U> v) noexcept {
  __m512i loaded = v;
  asm("" : "+v"(loaded));
  return loaded;
}
// float32 to float16, nearest, ties to even, without exceptions: GCC's intrinsic takes the wish and leaves {sae} out.
CASTFORGE_INLINE __m256i halves_of(F32 v) noexcept {
  __m256i halves;
  asm("vcvtps2ph $0, %{sae%}, %1, %0" : "=v"(halves) : "v"(v));
  return halves;
}
#elif CASTFORGE_X86 == 2
CASTFORGE_INLINE F32 f32(Batch<std::uint32_t> v) noexcept { return _mm256_castsi256_ps(v); }
CASTFORGE_INLINE F64 f64(Batch<std::uint64_t> v) noexcept { return _mm256_castsi256_pd(v); }
CASTFORGE_INLINE Batch<std::uint32_t> bits(F32 v) noexcept { return _mm256_castps_si256(v); }
CASTFORGE_INLINE Batch<std::uint64_t> bits(F64 v) noexcept { return _mm256_castpd_si256(v); }
#else
CASTFORGE_INLINE F32 f32(Batch<std::uint32_t> v) noexcept { return _mm_castsi128_ps(v); }
CASTFORGE_INLINE F64 f64(Batch<std::uint64_t> v) noexcept { return _mm_castsi128_pd(v); }
CASTFORGE_INLINE Batch<std::uint32_t> bits(F32 v) noexcept { return _mm_castps_si128(v); }
CASTFORGE_INLINE Batch<std::uint64_t> bits(F64 v) noexcept { return _mm_castpd_si128(v); }
#endif
#else
CASTFORGE_INLINE float32x4_t f32(Batch<std::uint32_t> v) noexcept { return vreinterpretq_f32_u32(v); }
CASTFORGE_INLINE float64x2_t f64(Batch<std::uint64_t> v) noexcept { return vreinterpretq_f64_u64(v); }
CASTFORGE_INLINE Batch<std::uint32_t> bits(float32x4_t v) noexcept { return vreinterpretq_u32_f32(v); }
CASTFORGE_INLINE Batch<std::uint64_t> bits(float64x2_t v) noexcept { return vreinterpretq_u64_f64(v); }
#endif
}  // namespace detail

template <class U>
CASTFORGE_INLINE Batch<U> nan_becomes(Batch<U> v, Batch<U> nan) noexcept {
  constexpr U sign = static_cast<U>(sizeof(U) == 4 ? detail::Single::kSign : detail::Double::kSign);
#if CASTFORGE_X86 >= 3
  constexpr int kAnyNan = 0x81;  // signaling or quiet
  v = detail::in_register(v);
  if constexpr (sizeof(U) == 4) {
    const __mmask16 is_nan = _mm512_fpclass_ps_mask(detail::f32(v), kAnyNan);
    return _mm512_mask_ternarylogic_epi32(v, is_nan, nan, Batch<U>(sign), 0xEC);  // truth table of "v & sign | nan"
  } else {
    const __mmask8 is_nan = _mm512_fpclass_pd_mask(detail::f64(v), kAnyNan);
    return _mm512_mask_ternarylogic_epi64(v, is_nan, nan, Batch<U>(sign), 0xEC);
  }
#else
  constexpr U infinity = static_cast<U>(sizeof(U) == 4 ? detail::Single::kInfinity : detail::Double::kInfinity);
  const Batch<U> magnitude = v & Batch<U>(static_cast<U>(~sign));
  return select(gt(magnitude, Batch<U>(infinity)), (v ^ magnitude) | nan, v);
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> float32_of(Batch<std::uint32_t> v) noexcept {
#if CASTFORGE_X86
  return detail::bits(CASTFORGE_MM(cvtepi32_ps)(v));
#else
  return detail::bits(vcvtq_f32_s32(vreinterpretq_s32_u32(v)));
#endif
}

CASTFORGE_INLINE Batch<std::uint64_t> float64_of(Batch<std::uint64_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_cvtepu64_pd(v));
#elif CASTFORGE_X86
  // v = high * 2^32 + low, both halves planted under an exponent: 2^84 + high * 2^32 and 2^52 + low. Every step is
  // exact, so the rounding mode matters for the sign of a zero only, which is cleared.
  const Batch<std::uint64_t> high = (v >> 32) | Batch<std::uint64_t>(0x4530000000000000);
  const Batch<std::uint64_t> low =
      (v & Batch<std::uint64_t>(0xFFFFFFFF)) | Batch<std::uint64_t>(0x4330000000000000);
  const Batch<std::uint64_t> both(0x4530000000100000);  // 2^84 + 2^52
  const auto sum = CASTFORGE_MM(add_pd)(CASTFORGE_MM(sub_pd)(detail::f64(high), detail::f64(both)), detail::f64(low));
  return detail::bits(sum) & Batch<std::uint64_t>(0x7FFFFFFFFFFFFFFF);
#else
  return detail::bits(vcvtq_f64_u64(v));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> add32(Batch<std::uint32_t> a, Batch<std::uint32_t> b) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_add_round_ps(detail::f32(a), detail::f32(b), detail::kNearest));
#elif CASTFORGE_X86
  return detail::bits(CASTFORGE_MM(add_ps)(detail::f32(a), detail::f32(b)));
#else
  return detail::bits(vaddq_f32(detail::f32(a), detail::f32(b)));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> mul32(Batch<std::uint32_t> a, Batch<std::uint32_t> b) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_mul_round_ps(detail::f32(a), detail::f32(b), detail::kNearest));
#elif CASTFORGE_X86
  return detail::bits(CASTFORGE_MM(mul_ps)(detail::f32(a), detail::f32(b)));
#else
  return detail::bits(vmulq_f32(detail::f32(a), detail::f32(b)));
#endif
}

CASTFORGE_INLINE Batch<std::uint64_t> add64(Batch<std::uint64_t> a, Batch<std::uint64_t> b) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_add_round_pd(detail::f64(a), detail::f64(b), detail::kNearest));
#elif CASTFORGE_X86
  return detail::bits(CASTFORGE_MM(add_pd)(detail::f64(a), detail::f64(b)));
#else
  return detail::bits(vaddq_f64(detail::f64(a), detail::f64(b)));
#endif
}

CASTFORGE_INLINE Batch<std::uint64_t> mul64(Batch<std::uint64_t> a, Batch<std::uint64_t> b) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_mul_round_pd(detail::f64(a), detail::f64(b), detail::kNearest));
#elif CASTFORGE_X86
  return detail::bits(CASTFORGE_MM(mul_pd)(detail::f64(a), detail::f64(b)));
#else
  return detail::bits(vmulq_f64(detail::f64(a), detail::f64(b)));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> binade32(Batch<std::uint32_t> v, Batch<std::uint32_t> least) noexcept {
  constexpr auto kExponent = static_cast<std::uint32_t>(detail::Single::kInfinity), kSign = static_cast<std::uint32_t>(detail::Single::kSign);
#if CASTFORGE_X86 >= 3
  constexpr int kLargerMagnitude = 3, kSignOfFirst = 0 << 2;
  const Batch<std::uint32_t> power = v & Batch<std::uint32_t>(kSign | kExponent);
  return detail::bits(_mm512_range_round_ps(detail::f32(power), detail::f32(least), kLargerMagnitude | kSignOfFirst, _MM_FROUND_NO_EXC));
#else
  return max(v & Batch<std::uint32_t>(kExponent), least) | (v & Batch<std::uint32_t>(kSign));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> min_nan2_32(Batch<std::uint32_t> a, Batch<std::uint32_t> b) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_min_round_ps(detail::f32(a), detail::f32(b), _MM_FROUND_NO_EXC));
#elif CASTFORGE_X86
  return detail::bits(CASTFORGE_MM(min_ps)(detail::f32(a), detail::f32(b)));
#else
  return vbslq_u32(vcltq_f32(detail::f32(a), detail::f32(b)), a, b);
#endif
}

#if CASTFORGE_NEON
namespace detail {
// The integer of v, or what x86 gives where there is none.
CASTFORGE_INLINE Batch<std::uint32_t> or_indefinite(int32x4_t integer, float32x4_t v) noexcept {
  return vbslq_u32(vcaltq_f32(v, vdupq_n_f32(0x1p31f)), vreinterpretq_u32_s32(integer), vdupq_n_u32(0x80000000));
}
}  // namespace detail
#endif

CASTFORGE_INLINE Batch<std::uint32_t> int32_of_float32_rtz(Batch<std::uint32_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return _mm512_cvtt_roundps_epi32(detail::f32(v), _MM_FROUND_NO_EXC);
#elif CASTFORGE_X86
  return CASTFORGE_MM(cvttps_epi32)(detail::f32(v));
#else
  return detail::or_indefinite(vcvtq_s32_f32(detail::f32(v)), detail::f32(v));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> int32_of_float32_rne(Batch<std::uint32_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return _mm512_cvt_roundps_epi32(detail::f32(v), detail::kNearest);
#elif CASTFORGE_X86
  return CASTFORGE_MM(cvtps_epi32)(detail::f32(v));
#else
  return detail::or_indefinite(vcvtnq_s32_f32(detail::f32(v)), detail::f32(v));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> int32_of_float32_rna(Batch<std::uint32_t> v) noexcept {
#if CASTFORGE_X86
  // The largest float32 below 1/2, with the sign of v: a sum that reaches the next integer only where v is halfway or more.
  const Batch<std::uint32_t> sign(0x80000000), below_half(0x3EFFFFFF);
  const Batch<std::uint32_t> nudge = (v & sign) | below_half;
#if CASTFORGE_X86 >= 3
  return int32_of_float32_rtz(detail::bits(_mm512_add_round_ps(detail::f32(v), detail::f32(nudge), detail::kNearest)));
#else
  return int32_of_float32_rtz(detail::bits(CASTFORGE_MM(add_ps)(detail::f32(v), detail::f32(nudge))));
#endif
#else
  return vreinterpretq_u32_s32(vcvtaq_s32_f32(detail::f32(v)));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> int32_of_float32_rtn(Batch<std::uint32_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return _mm512_cvt_roundps_epi32(detail::f32(v), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif CASTFORGE_X86
  return int32_of_float32_rtz(detail::bits(CASTFORGE_MM(round_ps)(detail::f32(v), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)));
#else
  return vreinterpretq_u32_s32(vcvtmq_s32_f32(detail::f32(v)));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> int32_of_float32_rtp(Batch<std::uint32_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return _mm512_cvt_roundps_epi32(detail::f32(v), _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
#elif CASTFORGE_X86
  return int32_of_float32_rtz(detail::bits(CASTFORGE_MM(round_ps)(detail::f32(v), _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC)));
#else
  return vreinterpretq_u32_s32(vcvtpq_s32_f32(detail::f32(v)));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> int32_of_float32_rto(Batch<std::uint32_t> v) noexcept {
  // An integer of 2^24 or more comes from a v that is one: the conversion back is exact.
  const Batch<std::uint32_t> below = int32_of_float32_rtn(v);
#if CASTFORGE_X86 >= 3
  const __m512 again = _mm512_cvt_roundepi32_ps(below, detail::kNearest);
  const __mmask16 inexact = _mm512_cmp_round_ps_mask(again, detail::f32(v), _CMP_NEQ_UQ, _MM_FROUND_NO_EXC);
  return _mm512_mask_or_epi32(below, inexact, below, _mm512_set1_epi32(1));
#else
#if CASTFORGE_X86 == 2
  const Batch<std::uint32_t> inexact = detail::bits(_mm256_cmp_ps(_mm256_cvtepi32_ps(below), detail::f32(v), _CMP_NEQ_UQ));
#elif CASTFORGE_X86
  const Batch<std::uint32_t> inexact = detail::bits(_mm_cmpneq_ps(_mm_cvtepi32_ps(below), detail::f32(v)));
#else
  const Batch<std::uint32_t> inexact = ~Batch<std::uint32_t>(vceqq_f32(vcvtq_f32_s32(vreinterpretq_s32_u32(below)), detail::f32(v)));
#endif
  return below | (inexact & Batch<std::uint32_t>(1));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> multiply_add32(Batch<std::uint32_t> a, Batch<std::uint32_t> b,
                                                     Batch<std::uint32_t> c) noexcept;

namespace detail {

// v less the nearest multiple of 2^32: exact, at most 2^31 in magnitude; v itself when it has a fraction.
CASTFORGE_INLINE Batch<std::uint32_t> less_turns(Batch<std::uint32_t> v) noexcept {
  const Batch<std::uint32_t> scaled = mul32(v, Batch<std::uint32_t>(0x2F800000));  // times 2^-32
#if CASTFORGE_X86 >= 3
  const Batch<std::uint32_t> turns = bits(_mm512_roundscale_ps(f32(scaled), kNearest));
#elif CASTFORGE_X86
  const Batch<std::uint32_t> turns =
      bits(CASTFORGE_MM(round_ps)(f32(scaled), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#else
  const Batch<std::uint32_t> turns = bits(vrndnq_f32(f32(scaled)));
#endif
  return multiply_add32(Batch<std::uint32_t>(0xCF800000), turns, v);  // -2^32
}

// v less a multiple of 2^32, toward zero: exact, below 2^32 in magnitude.
CASTFORGE_INLINE auto less_turns(Batch<std::uint64_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  const __m512d scaled = _mm512_mul_round_pd(f64(v), _mm512_set1_pd(0x1p-32), kNearest);
  const __m512d turns = _mm512_roundscale_pd(scaled, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  return _mm512_fnmadd_round_pd(turns, _mm512_set1_pd(0x1p32), f64(v), kNearest);
#elif CASTFORGE_X86
  const auto scaled = CASTFORGE_MM(mul_pd)(f64(v), CASTFORGE_MM(set1_pd)(0x1p-32));
  const auto turns = CASTFORGE_MM(round_pd)(scaled, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  return CASTFORGE_MM(sub_pd)(f64(v), CASTFORGE_MM(mul_pd)(turns, CASTFORGE_MM(set1_pd)(0x1p32)));
#else
  const float64x2_t turns = vrndq_f64(vmulq_n_f64(f64(v), 0x1p-32));
  return vfmsq_n_f64(f64(v), turns, 0x1p32);
#endif
}

}  // namespace detail

CASTFORGE_INLINE Batch<std::uint32_t> int32_of_float32_wrap_rtz(Batch<std::uint32_t> v) noexcept {
  const auto rest = detail::f32(detail::less_turns(v));
#if CASTFORGE_X86
  return int32_of_float32_rtz(detail::bits(rest));  // 2^31 itself gives 0x80000000, as it must
#else
  return select(gt(Batch<std::uint32_t>(0), detail::bits(rest)), Batch<std::uint32_t>(vreinterpretq_u32_s32(vcvtq_s32_f32(rest))),
                Batch<std::uint32_t>(vcvtq_u32_f32(rest)));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> int32_of_float32_wrap_rne(Batch<std::uint32_t> v) noexcept {
  const auto rest = detail::f32(detail::less_turns(v));
#if CASTFORGE_X86 >= 3
  return _mm512_cvt_roundps_epi32(rest, detail::kNearest);
#elif CASTFORGE_X86
  return CASTFORGE_MM(cvtps_epi32)(rest);
#else
  return select(gt(Batch<std::uint32_t>(0), detail::bits(rest)), Batch<std::uint32_t>(vreinterpretq_u32_s32(vcvtnq_s32_f32(rest))),
                Batch<std::uint32_t>(vcvtnq_u32_f32(rest)));
#endif
}

CASTFORGE_INLINE Batch<std::uint64_t> int32_of_float64_wrap_rtz(Batch<std::uint64_t> v) noexcept {
  const auto rest = detail::less_turns(v);
  const Batch<std::uint64_t> low(0xFFFFFFFF);
#if CASTFORGE_X86 >= 3
  return Batch<std::uint64_t>(_mm512_cvtt_roundpd_epi64(rest, _MM_FROUND_NO_EXC)) & low;
#elif CASTFORGE_X86
  // Under the exponent of 1.5 * 2^52 the low bits of the sum are the two's complement integer.
  const auto whole = CASTFORGE_MM(round_pd)(rest, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  return detail::bits(CASTFORGE_MM(add_pd)(whole, CASTFORGE_MM(set1_pd)(0x1.8p52))) & low;
#else
  return Batch<std::uint64_t>(vreinterpretq_u64_s64(vcvtq_s64_f64(rest))) & low;
#endif
}

CASTFORGE_INLINE Batch<std::uint64_t> int32_of_float64_wrap_rne(Batch<std::uint64_t> v) noexcept {
  const auto rest = detail::less_turns(v);
  const Batch<std::uint64_t> low(0xFFFFFFFF);
#if CASTFORGE_X86 >= 3
  return Batch<std::uint64_t>(_mm512_cvt_roundpd_epi64(rest, detail::kNearest)) & low;
#elif CASTFORGE_X86
  return detail::bits(CASTFORGE_MM(add_pd)(rest, CASTFORGE_MM(set1_pd)(0x1.8p52))) & low;  // the sum rounds
#else
  return Batch<std::uint64_t>(vreinterpretq_u64_s64(vcvtnq_s64_f64(rest))) & low;
#endif
}

#if CASTFORGE_X86 >= 3
CASTFORGE_INLINE Batch<std::uint64_t> int64_of_float64_rtz(Batch<std::uint64_t> v) noexcept {
  return _mm512_cvtt_roundpd_epi64(detail::f64(v), _MM_FROUND_NO_EXC);
}
CASTFORGE_INLINE Batch<std::uint64_t> int64_of_float64_rne(Batch<std::uint64_t> v) noexcept {
  return _mm512_cvt_roundpd_epi64(detail::f64(v), detail::kNearest);
}

namespace detail {
// The low halves of the 64-bit lanes of two vectors, in order.
CASTFORGE_INLINE Batch<std::uint32_t> low_halves(__m512i a, __m512i b) noexcept {
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  return _mm512_permutex2var_epi32(a, even, b);
}

// Beyond 2^63, where the conversion gives 2^63, as for NaN and infinities, every number is a multiple of 2^40: the low
// halves are right, and zero.
CASTFORGE_INLINE Batch<std::uint32_t> cut_halves(__m256 first, __m256 second) noexcept {
  return low_halves(_mm512_cvtt_roundps_epi64(first, _MM_FROUND_NO_EXC), _mm512_cvtt_roundps_epi64(second, _MM_FROUND_NO_EXC));
}
}  // namespace detail

CASTFORGE_INLINE Batch<std::uint32_t> cut_float32_to_int32(Batch<std::uint32_t> v) noexcept {
  return detail::cut_halves(_mm512_castps512_ps256(detail::f32(v)), _mm512_extractf32x8_ps(detail::f32(v), 1));
}

namespace detail {
// v less the nearest multiple of 2^64: the addition of a number whose last bit is 1 rounds v / 2^64 to integers. Exact, at
// most 2^63 in magnitude where v is below 2^116. The addend has the sign of v, lest the sum lose a binade. Fused operations,
// as those have pipes of their own beside the additions.
CASTFORGE_INLINE F64 less_long_turns(F64 v) noexcept {
  const __m512i signs = _mm512_set1_epi64(static_cast<long long>(Double::kSign));
  const __m512d large = _mm512_castsi512_pd(  // copysign(2^52, v)
      _mm512_ternarylogic_epi64(signs, _mm512_castpd_si512(v), _mm512_castpd_si512(_mm512_set1_pd(0x1p52)), 0xCA));
  const __m512d turns = _mm512_sub_round_pd(_mm512_fmadd_round_pd(v, _mm512_set1_pd(0x1p-64), large, kNearest), large, kNearest);
  return _mm512_fnmadd_round_pd(turns, _mm512_set1_pd(0x1p64), v, kNearest);
}
// Integers whose low halves are those of v cut to an integer.
CASTFORGE_INLINE Batch<std::uint64_t> cut_modulo_32(Batch<std::uint64_t> v) noexcept {
  // As in less_long_turns() for every v below 2^115 in magnitude, of either sign. Beyond, the rest is a multiple of 2^63 or
  // no number, whose low half the conversion makes 0.
  const __m512d large = _mm512_set1_pd(0x1.8p52), number = f64(v);
  const __m512d turns = _mm512_sub_round_pd(_mm512_fmadd_round_pd(number, _mm512_set1_pd(0x1p-64), large, kNearest), large, kNearest);
  const __m512d rest = _mm512_fnmadd_round_pd(turns, _mm512_set1_pd(0x1p64), number, kNearest);
  return _mm512_cvtt_roundpd_epi64(rest, _MM_FROUND_NO_EXC);
}
}  // namespace detail

CASTFORGE_INLINE Batch<std::uint64_t> cut_float64_to_int32(Batch<std::uint64_t> v) noexcept {
  return detail::cut_modulo_32(v) & Batch<std::uint64_t>(0xFFFFFFFF);
}

CASTFORGE_INLINE Batch<std::uint64_t> cut_float64_to_int64(Batch<std::uint64_t> v) noexcept {
  // Numbers from 2^116 on are multiples of 2^64.
  const Batch<std::uint64_t> magnitude = v & Batch<std::uint64_t>(detail::Double::kSign - 1);
  const __mmask8 below = _mm512_cmplt_epi64_mask(magnitude, _mm512_castpd_si512(_mm512_set1_pd(0x1p116)));
  const __m512d rest = detail::less_long_turns(detail::f64(v));
  return _mm512_maskz_cvtt_roundpd_epi64(below, rest, _MM_FROUND_NO_EXC);  // 2^63 gives 2^63, as it must
}
#endif

CASTFORGE_INLINE Batch<std::uint64_t> float64_of_float32(Batch<std::uint64_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_cvt_roundps_pd(_mm256_castsi256_ps(_mm512_cvtepi64_epi32(v)), _MM_FROUND_NO_EXC));
#elif CASTFORGE_X86 == 2
  const __m256i packed = _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
  return detail::bits(_mm256_cvtps_pd(_mm_castsi128_ps(_mm256_castsi256_si128(packed))));
#elif CASTFORGE_X86 == 1
  return detail::bits(_mm_cvtps_pd(_mm_castsi128_ps(_mm_shuffle_epi32(v, 0x88))));
#else
  return detail::bits(vcvt_f64_f32(vreinterpret_f32_u32(vmovn_u64(v))));
#endif
}

CASTFORGE_INLINE Batch<std::uint64_t> float32_of_float64(Batch<std::uint64_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return _mm512_cvtepu32_epi64(_mm256_castps_si256(_mm512_cvt_roundpd_ps(detail::f64(v), detail::kNearest)));
#elif CASTFORGE_X86 == 2
  return _mm256_cvtepu32_epi64(_mm_castps_si128(_mm256_cvtpd_ps(detail::f64(v))));
#elif CASTFORGE_X86 == 1
  return _mm_cvtepu32_epi64(_mm_castps_si128(_mm_cvtpd_ps(detail::f64(v))));
#else
  return vmovl_u32(vreinterpret_u32_f32(vcvt_f32_f64(detail::f64(v))));
#endif
}

#if CASTFORGE_X86 >= 3
CASTFORGE_INLINE Batch<std::uint64_t> float32_of_float64_toward_zero(Batch<std::uint64_t> v) noexcept {
  const __m256 cut = _mm512_cvt_roundpd_ps(detail::f64(v), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  return _mm512_cvtepu32_epi64(_mm256_castps_si256(cut));
}
#endif

CASTFORGE_INLINE Batch<std::uint32_t> multiply_add32(Batch<std::uint32_t> a, Batch<std::uint32_t> b,
                                                     Batch<std::uint32_t> c) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_fmadd_round_ps(detail::f32(a), detail::f32(b), detail::f32(c), detail::kNearest));
#elif CASTFORGE_X86 == 2
  return detail::bits(_mm256_fmadd_ps(detail::f32(a), detail::f32(b), detail::f32(c)));
#elif CASTFORGE_X86
  return detail::bits(_mm_add_ps(_mm_mul_ps(detail::f32(a), detail::f32(b)), detail::f32(c)));
#else
  return detail::bits(vfmaq_f32(detail::f32(c), detail::f32(a), detail::f32(b)));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> float32_of_int32_rne(Batch<std::uint32_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_cvt_roundepi32_ps(v, detail::kNearest));
#elif CASTFORGE_X86
  return detail::bits(CASTFORGE_MM(cvtepi32_ps)(v));
#else
  return detail::bits(vcvtq_f32_s32(vreinterpretq_s32_u32(v)));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> float32_of_uint32_rne(Batch<std::uint32_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_cvt_roundepu32_ps(v, detail::kNearest));
#elif CASTFORGE_X86
  // v = high * 2^16 + low, both exact; (2^39 + high * 2^16) - (2^39 + 2^23) is exact too, and the last addition rounds.
  const Batch<std::uint32_t> low = (v & Batch<std::uint32_t>(0xFFFF)) | Batch<std::uint32_t>(0x4B000000);  // 2^23 + low
  const Batch<std::uint32_t> high = (v >> 16) | Batch<std::uint32_t>(0x53000000);  // 2^39 + high * 2^16
  const Batch<std::uint32_t> both(0x53000080);                                     // 2^39 + 2^23
  const auto sum = CASTFORGE_MM(add_ps)(CASTFORGE_MM(sub_ps)(detail::f32(high), detail::f32(both)), detail::f32(low));
  return detail::bits(sum);
#else
  return detail::bits(vcvtq_f32_u32(v));
#endif
}

CASTFORGE_INLINE Batch<std::uint64_t> float64_of_uint64_rne(Batch<std::uint64_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_cvt_roundepu64_pd(v, detail::kNearest));
#elif CASTFORGE_X86
  // As in float64_of; here the last addition rounds. In the environment 0 - 0 is +0.
  const Batch<std::uint64_t> high = (v >> 32) | Batch<std::uint64_t>(0x4530000000000000);
  const Batch<std::uint64_t> low =
      (v & Batch<std::uint64_t>(0xFFFFFFFF)) | Batch<std::uint64_t>(0x4330000000000000);
  const Batch<std::uint64_t> both(0x4530000000100000);  // 2^84 + 2^52
  return detail::bits(CASTFORGE_MM(add_pd)(CASTFORGE_MM(sub_pd)(detail::f64(high), detail::f64(both)), detail::f64(low)));
#else
  return detail::bits(vcvtq_f64_u64(v));
#endif
}

CASTFORGE_INLINE Batch<std::uint64_t> float64_of_int64_rne(Batch<std::uint64_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_cvt_roundepi64_pd(v, detail::kNearest));
#elif CASTFORGE_X86
  // The same with the upper half biased by 2^31, that is by 2^63 in all.
  const Batch<std::uint64_t> high = (v >> 32) ^ Batch<std::uint64_t>(0x4530000080000000);
  const Batch<std::uint64_t> low =
      (v & Batch<std::uint64_t>(0xFFFFFFFF)) | Batch<std::uint64_t>(0x4330000000000000);
  const Batch<std::uint64_t> both(0x4530000080100000);  // 2^84 + 2^63 + 2^52
  return detail::bits(CASTFORGE_MM(add_pd)(CASTFORGE_MM(sub_pd)(detail::f64(high), detail::f64(both)), detail::f64(low)));
#else
  return detail::bits(vcvtq_f64_s64(vreinterpretq_s64_u64(v)));
#endif
}

#if CASTFORGE_X86 < 3
namespace detail {
// An integer whose low 11 bits, if any is set, are replaced by a one above them: rounded to odd, exact as float64, and
// on the same side of every float32 and of every midpoint of two as long as it is 2^52 or more.
CASTFORGE_INLINE Batch<std::uint64_t> odd_above_11(Batch<std::uint64_t> v) noexcept {
  const Batch<std::uint64_t> dropped(0x7FF);
  return (v | ((v & dropped) + dropped)) & ~dropped;
}
}  // namespace detail
#endif

CASTFORGE_INLINE Batch<std::uint64_t> float32_of_int64_rne(Batch<std::uint64_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return _mm512_cvtepu32_epi64(_mm256_castps_si256(_mm512_cvt_roundepi64_ps(v, detail::kNearest)));
#else
  const auto exact = eq((v + Batch<std::uint64_t>(0x0010000000000000)) >> 53, Batch<std::uint64_t>(0));  // |v| <= 2^52
  return float32_of_float64(float64_of_int64_rne(select(exact, v, detail::odd_above_11(v))));
#endif
}

CASTFORGE_INLINE Batch<std::uint64_t> float32_of_uint64_rne(Batch<std::uint64_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return _mm512_cvtepu32_epi64(_mm256_castps_si256(_mm512_cvt_roundepu64_ps(v, detail::kNearest)));
#else
  const auto exact = eq(v >> 53, Batch<std::uint64_t>(0));
  return float32_of_float64(float64_of_uint64_rne(select(exact, v, detail::odd_above_11(v))));
#endif
}

#if CASTFORGE_X86 != 1

CASTFORGE_INLINE Batch<std::uint32_t> fma32(Batch<std::uint32_t> a, Batch<std::uint32_t> b,
                                            Batch<std::uint32_t> c) noexcept {
  return multiply_add32(a, b, c);
}

CASTFORGE_INLINE Batch<std::uint64_t> fma64(Batch<std::uint64_t> a, Batch<std::uint64_t> b,
                                            Batch<std::uint64_t> c) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_fmadd_round_pd(detail::f64(a), detail::f64(b), detail::f64(c), detail::kNearest));
#elif CASTFORGE_X86 == 2
  return detail::bits(_mm256_fmadd_pd(detail::f64(a), detail::f64(b), detail::f64(c)));
#else
  return detail::bits(vfmaq_f64(detail::f64(c), detail::f64(a), detail::f64(b)));
#endif
}

#endif  // fma

CASTFORGE_INLINE Batch<std::uint32_t> float16_of_float32(Batch<std::uint32_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return _mm512_cvtepu16_epi32(detail::halves_of(detail::f32(v)));
#elif CASTFORGE_X86 == 2
  return _mm256_cvtepu16_epi32(_mm256_cvtps_ph(detail::f32(v), _MM_FROUND_TO_NEAREST_INT));
#elif CASTFORGE_X86
  using Lanes = Batch<std::uint32_t>;
  const Lanes magnitude = v & Lanes(0x7FFFFFFF), sign = (v ^ magnitude) >> 16;
  const Lanes limited(_mm_min_epi32(magnitude, Lanes(0x47800000)));  // 2^16, whose code below is that of infinity
  // From 2^-14 on the exponent, less 112 (127 - 15), and 10 of 23 fraction bits; the carry may run into the exponent.
  const Lanes tie = (limited >> 13) & Lanes(1);
  const Lanes normal = (limited + tie + Lanes(0xFFF - (112u << 23))) >> 13;
  // Below, as multiples of 2^-24, which the addition of 2^-1 leaves in the fraction.
  const Lanes half(0x3F000000);
  const Lanes subnormal = detail::bits(_mm_add_ps(detail::f32(limited), detail::f32(half))) - half;
  const Lanes code = select(gt(Lanes(0x38800000), limited), subnormal, normal);
  const Lanes nan = ((magnitude >> 13) & Lanes(0x3FF)) | Lanes(0x7E00);
  return select(gt(magnitude, Lanes(0x7F800000)), nan, code) | sign;
#else
  return vmovl_u16(vreinterpret_u16_f16(vcvt_f16_f32(detail::f32(v))));
#endif
}

CASTFORGE_INLINE Batch<std::uint32_t> float32_of_float16(Batch<std::uint32_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  return detail::bits(_mm512_cvt_roundph_ps(_mm512_cvtepi32_epi16(v), _MM_FROUND_NO_EXC));
#elif CASTFORGE_X86 == 2
  const __m256i halves = _mm256_shuffle_epi8(
      v, _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1,  //
                          0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1));
  const __m128i packed = _mm256_castsi256_si128(_mm256_permute4x64_epi64(halves, 0x08));
  return detail::bits(_mm256_cvtph_ps(packed));
#elif CASTFORGE_X86
  using Lanes = Batch<std::uint32_t>;
  const Lanes magnitude = v & Lanes(0x7FFF), sign = (v << 16) & Lanes(0x80000000);
  // The exponent and 112 (127 - 15), twice from that of infinity on; subnormals are multiples of 2^-24.
  const Lanes rebias(112u << 23);
  const Lanes normal = (magnitude << 13) + rebias;
  const Lanes special = zero_unless(gt(magnitude, Lanes(0x7BFF)), rebias);
  const Lanes quiet = zero_unless(gt(magnitude, Lanes(0x7C00)), Lanes(0x00400000));
  const Lanes subnormal = detail::bits(_mm_mul_ps(_mm_cvtepi32_ps(magnitude), _mm_set1_ps(0x1p-24f)));
  return select(gt(Lanes(0x400), magnitude), subnormal, (normal + special) | quiet) | sign;
#else
  return detail::bits(vcvt_f32_f16(vreinterpret_f16_u16(vmovn_u32(v))));
#endif
}

}  // namespace lane
}  // namespace CASTFORGE_ISA
}  // namespace castforge

#endif  // CASTFORGE_VECTOR
