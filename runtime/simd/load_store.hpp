// Conversions between memory and 32-bit lanes: those that lane::Load and lane::Store name.
#pragma once

#include "simd/narrow.hpp"
#include "simd/plans.hpp"
#include "simd/widen.hpp"

#if CASTFORGE_VECTOR

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

namespace detail {

#if CASTFORGE_X86 >= 3

CASTFORGE_INLINE Batch<std::uint32_t> joined(__m256 low, __m256 high) noexcept {
  return _mm512_castps_si512(_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1));
}

#endif

}  // namespace detail

/// The float64 elements of two vectors, in order, as float32: nearest, ties to even. [environment]
CASTFORGE_INLINE Batch<std::uint32_t> float64_to_float32(Batch<std::uint64_t> a, Batch<std::uint64_t> b) noexcept {
  using lane::detail::f64;
#if CASTFORGE_X86 >= 3
  using lane::detail::kNearest;
  return detail::joined(_mm512_cvt_roundpd_ps(f64(a), kNearest), _mm512_cvt_roundpd_ps(f64(b), kNearest));
#elif CASTFORGE_X86 == 2
  return _mm256_castps_si256(_mm256_set_m128(_mm256_cvtpd_ps(f64(b)), _mm256_cvtpd_ps(f64(a))));
#elif CASTFORGE_X86
  return _mm_castps_si128(_mm_movelh_ps(_mm_cvtpd_ps(f64(a)), _mm_cvtpd_ps(f64(b))));
#else
  return vreinterpretq_u32_f32(vcvt_high_f32_f64(vcvt_f32_f64(f64(a)), f64(b)));
#endif
}

/// Stores a vector of float32 as float64, two vectors long. [environment: DAZ]
CASTFORGE_INLINE void store_float64(std::byte* p, Batch<std::uint32_t> v) noexcept {
  using lane::detail::f32;
#if CASTFORGE_X86 >= 3
  _mm512_storeu_pd(p, _mm512_cvt_roundps_pd(_mm512_castps512_ps256(f32(v)), _MM_FROUND_NO_EXC));
  _mm512_storeu_pd(p + 64, _mm512_cvt_roundps_pd(_mm512_extractf32x8_ps(f32(v), 1), _MM_FROUND_NO_EXC));
#elif CASTFORGE_X86 == 2
  _mm256_storeu_pd(reinterpret_cast<double*>(p), _mm256_cvtps_pd(_mm256_castps256_ps128(f32(v))));
  _mm256_storeu_pd(reinterpret_cast<double*>(p + 32), _mm256_cvtps_pd(_mm256_extractf128_ps(f32(v), 1)));
#elif CASTFORGE_X86
  _mm_storeu_pd(reinterpret_cast<double*>(p), _mm_cvtps_pd(f32(v)));
  _mm_storeu_pd(reinterpret_cast<double*>(p + 16), _mm_cvtps_pd(_mm_movehl_ps(f32(v), f32(v))));
#else
  store(p, lane::detail::bits(vcvt_f64_f32(vget_low_f32(f32(v)))));
  store(p + 16, lane::detail::bits(vcvt_high_f64_f32(f32(v))));
#endif
}

/// Stores a vector of 32-bit two's complement integers as 64-bit ones, two vectors long.
CASTFORGE_INLINE void store_int64(std::byte* p, Batch<std::uint32_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  store(p, Batch<std::uint64_t>(_mm512_cvtepi32_epi64(_mm512_castsi512_si256(v))));
  store(p + 64, Batch<std::uint64_t>(_mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(v, 1))));
#elif CASTFORGE_X86 == 2
  store(p, Batch<std::uint64_t>(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(v))));
  store(p + 32, Batch<std::uint64_t>(_mm256_cvtepi32_epi64(_mm256_extracti128_si256(v, 1))));
#elif CASTFORGE_X86
  store(p, Batch<std::uint64_t>(_mm_cvtepi32_epi64(v)));
  store(p + 16, Batch<std::uint64_t>(_mm_cvtepi32_epi64(_mm_unpackhi_epi64(v, v))));
#else
  store(p, Batch<std::uint64_t>(vreinterpretq_u64_s64(vmovl_s32(vget_low_s32(vreinterpretq_s32_u32(v))))));
  store(p + 16, Batch<std::uint64_t>(vreinterpretq_u64_s64(vmovl_high_s32(vreinterpretq_s32_u32(v)))));
#endif
}

#if CASTFORGE_X86 >= 3
/// Stores a vector of float32, cut to integers, as 64-bit ones modulo 2^64, two vectors long; 0 for NaN and infinities.
/// [environment]
CASTFORGE_INLINE void store_long(std::byte* p, Batch<std::uint32_t> v) noexcept {
  using lane::detail::f32, lane::detail::kNearest;
  // v less the nearest multiple of 2^64, found by additions as in less_long_turns(); numbers from 2^87 on are such multiples.
  const __m512i signs = _mm512_set1_epi32(static_cast<int>(0x80000000));
  const __m512i limit = _mm512_castps_si512(_mm512_set1_ps(0x1p87f));
  const __m512 large = _mm512_castsi512_ps(_mm512_ternarylogic_epi32(signs, v, limit, 0xCA));  // copysign(2^87, v)
  const __m512 turns = _mm512_sub_round_ps(_mm512_add_round_ps(f32(v), large, kNearest), large, kNearest);
  const __m512 rest = _mm512_sub_round_ps(f32(v), turns, kNearest);
  const __mmask16 below = _mm512_cmplt_epi32_mask(v & Batch<std::uint32_t>(0x7FFFFFFF), limit);
  const auto cut = [](__mmask8 mask, __m256 half) noexcept CASTFORGE_LAMBDA_INLINE {
    return Batch<std::uint64_t>(_mm512_maskz_cvtt_roundps_epi64(mask, half, _MM_FROUND_NO_EXC));  // 2^63 gives 2^63, as it must
  };
  store(p, cut(static_cast<__mmask8>(below), _mm512_castps512_ps256(rest)));
  store(p + 64, cut(static_cast<__mmask8>(below >> 8), _mm512_extractf32x8_ps(rest, 1)));
}
#endif

/// A vector of float32 from half a vector of float16 elements: exact.
CASTFORGE_INLINE Batch<std::uint32_t> load_float16(const std::byte* p) noexcept {
#if CASTFORGE_X86 >= 3
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  return _mm512_castps_si512(_mm512_cvt_roundph_ps(halves, _MM_FROUND_NO_EXC));
#elif CASTFORGE_X86 == 2
  return _mm256_castps_si256(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
#elif CASTFORGE_X86
  return lane::float32_of_float16(Batch<std::uint32_t>(_mm_cvtepu16_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)))));
#else
  return vreinterpretq_u32_f32(vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(reinterpret_cast<const std::uint8_t*>(p)))));
#endif
}

/// Stores a vector of float32 as float16, half a vector long: nearest, ties to even.
CASTFORGE_INLINE void store_float16(std::byte* p, Batch<std::uint32_t> v) noexcept {
  using lane::detail::f32;
#if CASTFORGE_X86 >= 3
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), lane::detail::halves_of(f32(v)));
#elif CASTFORGE_X86 == 2
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(f32(v), _MM_FROUND_TO_NEAREST_INT));
#elif CASTFORGE_X86
  const __m128i halves = lane::float16_of_float32(v);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi32(halves, halves));
#else
  vst1_u8(reinterpret_cast<std::uint8_t*>(p), vreinterpret_u8_f16(vcvt_f16_f32(f32(v))));
#endif
}

/// Stores a vector of 32-bit two's complement integers as float64, two vectors long: exact.
CASTFORGE_INLINE void store_float64_of_int(std::byte* p, Batch<std::uint32_t> v) noexcept {
#if CASTFORGE_X86 >= 3
  _mm512_storeu_pd(p, _mm512_cvtepi32_pd(_mm512_castsi512_si256(v)));
  _mm512_storeu_pd(p + 64, _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(v, 1)));
#elif CASTFORGE_X86 == 2
  _mm256_storeu_pd(reinterpret_cast<double*>(p), _mm256_cvtepi32_pd(_mm256_castsi256_si128(v)));
  _mm256_storeu_pd(reinterpret_cast<double*>(p + 32), _mm256_cvtepi32_pd(_mm256_extracti128_si256(v, 1)));
#elif CASTFORGE_X86
  _mm_storeu_pd(reinterpret_cast<double*>(p), _mm_cvtepi32_pd(v));
  _mm_storeu_pd(reinterpret_cast<double*>(p + 16), _mm_cvtepi32_pd(_mm_unpackhi_epi64(v, v)));
#else
  store(p, lane::detail::bits(vcvtq_f64_s64(vmovl_s32(vget_low_s32(vreinterpretq_s32_u32(v))))));
  store(p + 16, lane::detail::bits(vcvtq_f64_s64(vmovl_high_s32(vreinterpretq_s32_u32(v)))));
#endif
}

/// A vector of lanes from the 64-bit elements of two, in order.
template <lane::Load kLoad>
CASTFORGE_INLINE Batch<std::uint32_t> load_wide(const Batch<std::uint64_t>* part) noexcept {
  using lane::Load;
  Batch<std::uint64_t> a = part[0], b = part[1];
  if constexpr (kLoad == Load::float64) return float64_to_float32(a, b);
#if CASTFORGE_X86 >= 3
  using lane::detail::f64;
  if constexpr (kLoad == Load::float64_cut) {
    return lane::detail::low_halves(lane::detail::cut_modulo_32(a), lane::detail::cut_modulo_32(b));
  } else if constexpr (kLoad == Load::float64_toward_zero) {
    constexpr int kTowardZero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    return detail::joined(_mm512_cvt_roundpd_ps(f64(a), kTowardZero), _mm512_cvt_roundpd_ps(f64(b), kTowardZero));
  } else if constexpr (kLoad == Load::int64) {
    using lane::detail::kNearest;
    return detail::joined(_mm512_cvt_roundepi64_ps(a, kNearest), _mm512_cvt_roundepi64_ps(b, kNearest));
  } else if constexpr (kLoad == Load::uint64) {
    using lane::detail::kNearest;
    return detail::joined(_mm512_cvt_roundepu64_ps(a, kNearest), _mm512_cvt_roundepu64_ps(b, kNearest));
  }
#else
  const auto pair = [&](auto convert) noexcept CASTFORGE_LAMBDA_INLINE {
    const Batch<std::uint64_t> both[2] = {convert(a), convert(b)};
    return narrow<std::uint32_t, true>(both);
  };
  if constexpr (kLoad == Load::int64) {
    return pair([](auto v) noexcept CASTFORGE_LAMBDA_INLINE { return lane::float32_of_int64_rne(v); });
  }
  if constexpr (kLoad == Load::uint64) {
    return pair([](auto v) noexcept CASTFORGE_LAMBDA_INLINE { return lane::float32_of_uint64_rne(v); });
  }
#endif
}

/// A vector of lanes from 16- or 32-bit elements.
template <lane::Load kLoad>
CASTFORGE_INLINE Batch<std::uint32_t> load_float(const std::byte* p) noexcept {
#if CASTFORGE_X86 >= 3
  if constexpr (kLoad == lane::Load::float32_cut) {
    // From memory, half a vector each: cheaper than to take a vector apart.
    const auto* const floats = reinterpret_cast<const float*>(p);
    return lane::detail::cut_halves(_mm256_loadu_ps(floats), _mm256_loadu_ps(floats + 8));
  }
#endif
  if constexpr (kLoad == lane::Load::float16) return load_float16(p);
}

/// Stores a vector of lanes as elements.
template <lane::Store kStore>
CASTFORGE_INLINE void store_as(std::byte* p, Batch<std::uint32_t> v) noexcept {
  using lane::Store;
  if constexpr (kStore == Store::float16) store_float16(p, v);
#if CASTFORGE_X86 >= 3
  if constexpr (kStore == Store::float32_cut) store_long(p, v);
#endif
  if constexpr (kStore == Store::float64) store_float64(p, v);
  if constexpr (kStore == Store::int64) store_int64(p, v);
  if constexpr (kStore == Store::float64_of_int) store_float64_of_int(p, v);
}

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge

#endif  // CASTFORGE_VECTOR
