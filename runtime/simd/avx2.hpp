// Operations on batches that AVX2 (with FMA and F16C) does better than common.hpp, or that xsimd lacks.
#pragma once

#include "simd/batch.hpp"
#include "simd/dense_places.hpp"

namespace castforge::inline CASTFORGE_ISA::lane::kernel {

using namespace detail;  // NOLINT: the helpers of batch.hpp
using xsimd::avx2;

// Packs work within 128-bit parts.
constexpr std::size_t order_of_pack(int from_bytes, int to_bytes, avx2) {
  return static_cast<std::size_t>(from_bytes / to_bytes);
}
constexpr std::size_t order_of_interleave(avx2) { return 2; }
constexpr bool prefers_shuffles(avx2) { return true; }
CASTFORGE_INLINE B8 narrow(B16 a, B16 b, avx2) { return B8(_mm256_packus_epi16(a, b)); }
CASTFORGE_INLINE B16 narrow(B32 a, B32 b, avx2) { return B16(_mm256_packus_epi32(a, b)); }
// Saturation keeps signs.
CASTFORGE_INLINE B8 signs(B16 a, B16 b, avx2) { return B8(_mm256_packs_epi16(a, b)); }
CASTFORGE_INLINE B8 signs(B32 a, B32 b, B32 c, B32 d, avx2) {
  return signs(B16(_mm256_packs_epi32(a, b)), B16(_mm256_packs_epi32(c, d)), avx2{});
}

// Of the common form g++ makes two more instructions, which clear the upper part of each half.
template <class U> CASTFORGE_INLINE Batch<U> both(Half<U> lower, Half<U> upper, avx2) {
  return batch_of<U>(_mm256_set_m128i(reinterpret_cast<__m128i>(upper), reinterpret_cast<__m128i>(lower)));
}
template <class V, class To, class From, bool kSigned>
CASTFORGE_INLINE Batch<To> extended(V lanes, std::bool_constant<kSigned>, From, Batch<To>, avx2) {
  const auto v = reinterpret_cast<Native<long long, sizeof lanes>>(lanes);
  constexpr int kFrom = sizeof(From), kTo = sizeof(To);
  if constexpr (kFrom == 1 && kTo == 2) return Batch<To>(kSigned ? _mm256_cvtepi8_epi16(v) : _mm256_cvtepu8_epi16(v));
  else if constexpr (kFrom == 1 && kTo == 4)
    return Batch<To>(kSigned ? _mm256_cvtepi8_epi32(v) : _mm256_cvtepu8_epi32(v));
  else if constexpr (kFrom == 1) return Batch<To>(kSigned ? _mm256_cvtepi8_epi64(v) : _mm256_cvtepu8_epi64(v));
  else if constexpr (kFrom == 2 && kTo == 4)
    return Batch<To>(kSigned ? _mm256_cvtepi16_epi32(v) : _mm256_cvtepu16_epi32(v));
  else if constexpr (kFrom == 2) return Batch<To>(kSigned ? _mm256_cvtepi16_epi64(v) : _mm256_cvtepu16_epi64(v));
  else return Batch<To>(kSigned ? _mm256_cvtepi32_epi64(v) : _mm256_cvtepu32_epi64(v));
}
constexpr bool extends_halves(std::size_t lane_bytes, avx2) { return lane_bytes > 1; }
template <class To, class From, class Signed>
CASTFORGE_INLINE Batch<To> load_widened(const std::byte* p, Signed, From, Batch<To>, avx2) {
  return extended(first_bytes<kVectorBytes * sizeof(From) / sizeof(To)>(p), Signed{}, From{}, Batch<To>{}, avx2{});
}

CASTFORGE_INLINE B8 repeat16(const std::byte* p, avx2) { return B8(_mm256_broadcastsi128_si256(first_bytes<16>(p))); }
CASTFORGE_INLINE B8 lookup16(B8 table, B8 index, avx2) { return B8(_mm256_shuffle_epi8(table, index)); }
CASTFORGE_INLINE B8 negate_where(B8 a, B8 s, avx2) { return B8(_mm256_sign_epi8(a, s)); }

template <int kTo> CASTFORGE_INLINE B32 fold_to(B32 v, B32 weights) {
  constexpr auto at = kSecondBytes<kTo>;
  const B32 index = as<u32>(B8(_mm256_setr_epi32(at(0), at(1), at(2), at(3), at(0), at(1), at(2), at(3))));
  return B32(_mm256_shuffle_epi8(_mm256_madd_epi16(v, weights), index));
}
template <int n> CASTFORGE_INLINE B8 fold(std::integral_constant<int, n>, B32 a, B32 b, B32 c, B32 d, avx2) {
  const B32 weights = broadcast(kFoldWeights<n>);
  return as<u8>((fold_to<0>(a, weights) | fold_to<1>(b, weights)) | (fold_to<2>(c, weights) | fold_to<3>(d, weights)));
}

CASTFORGE_INLINE B16 shr(B16 a, B16 count, avx2) {
  const B32 low = broadcast(0xFFFFu), lanes = as<u32>(a), counts = as<u32>(count);
  const B32 odd = lanes >> (counts >> 16), even = (lanes & low) >> (counts & low);
  return B16(_mm256_blend_epi16(even, odd, 0xAA));
}

// Masks start at their lowest bit: where elements start at the other end, the bytes of each eight are reversed before.
template <Packing kPacking> CASTFORGE_INLINE void store_bits(std::byte* p, B8 v, avx2) {
  const __m256i backwards = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607));
  B16 ordered = as<u16>(v);
  if constexpr (kPacking == Packing::high_first) ordered = B16(_mm256_shuffle_epi8(v, backwards));
  const int bits = _mm256_movemask_epi8(ordered << 7);
  std::memcpy(p, &bits, sizeof bits);
}
CASTFORGE_INLINE B16 weighted_pairs(B8 v, B16 weights, avx2) { return B16(_mm256_maddubs_epi16(v, weights)); }
CASTFORGE_INLINE B32 weighted_pairs(B16 v, B32 weights, avx2) { return B32(_mm256_madd_epi16(v, weights)); }

// Elements that reach into the next byte, see dense.hpp. The second part begins where it must, or where the last 16
// bytes begin.
template <std::size_t n> constexpr std::size_t place_in_part(std::size_t part, std::size_t k, avx2) {
  return n < 8 ? place_in_ends(2 * n, part * n + k) : part == 0 ? k : k + 16 - n;
}
template <std::size_t n> CASTFORGE_INLINE B8 load_parts(const std::byte* p, avx2) {
  if constexpr (n < 8) return B8(_mm256_broadcastsi128_si256(reinterpret_cast<__m128i>(load_ends<2 * n>(p))));
  else
    return B8(_mm256_inserti128_si256(_mm256_castsi128_si256(first_bytes<16>(p)), first_bytes<16>(p + 2 * n - 16), 1));
}
template <std::size_t n> constexpr auto kDwordsOfParts = [](std::size_t i) { return i < n / 4 ? i : i - n / 4 + 4; };
template <std::size_t n> CASTFORGE_INLINE void store_parts(std::byte* p, B8 v, avx2) {
  if constexpr (n % 4 == 0 && n > 8) {
    const __m256i bytes = _mm256_permutevar8x32_epi32(v, constant_vector<u32, kDwordsOfParts<n>>());
    const __m128i first = _mm256_castsi256_si128(bytes), rest = _mm256_extracti128_si256(bytes, 1);
    std::memcpy(p, &first, 16);
    store_ends<2 * n - 16>(p + 16, reinterpret_cast<Native<u8, 16>>(rest));
  } else {
    const __m128i low = _mm256_castsi256_si128(v), high = _mm256_extracti128_si256(v, 1);
    const auto first = reinterpret_cast<Native<u8, 16>>(_mm_or_si128(low, _mm_slli_si128(high, n)));
    store_ends<(n < 8 ? 2 * n : 16)>(p, first);
    if constexpr (n > 8) store_ends<2 * n - 16>(p + 16, reinterpret_cast<Native<u8, 16>>(_mm_srli_si128(high, 16 - n)));
  }
}

// Past the caches, 64 bytes to a multiple of that.
constexpr bool streams(avx2) { return true; }
CASTFORGE_INLINE void stream_line(std::byte* to, const std::byte* from, avx2) {
  const auto half = [&](std::size_t at) noexcept CASTFORGE_LAMBDA_INLINE {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + at), first_bytes<32>(from + at));
  };
  half(0);
  half(32);
}

CASTFORGE_INLINE B32 fused_multiply_add(B32 a, B32 b, B32 c, avx2) {
  return bits(F32(_mm256_fmadd_ps(f32(a), f32(b), f32(c))));
}
CASTFORGE_INLINE B32 min_nan2(B32 a, B32 b, avx2) { return bits(F32(_mm256_min_ps(f32(a), f32(b)))); }
CASTFORGE_INLINE B32 float32_of_float16(Half<u16> v, avx2) {
  return bits(F32(_mm256_cvtph_ps(reinterpret_cast<__m128i>(v))));
}
CASTFORGE_INLINE B64 float64_of_float32(Half<u32> v, avx2) {
  return bits(F64(_mm256_cvtps_pd(reinterpret_cast<__m128>(v))));
}
CASTFORGE_INLINE B64 float64_of_int32(Half<u32> v, avx2) {
  return bits(F64(_mm256_cvtepi32_pd(reinterpret_cast<__m128i>(v))));
}
// Lest the compiler let the conversion store: to memory it takes twice as long (AMD Zen 5).
template <int kRounding> CASTFORGE_INLINE auto halves_of(B32 v) {
  __m128i halves = _mm256_cvtps_ph(f32(v), kRounding);
  CASTFORGE_OPAQUE(halves);
  return reinterpret_cast<Half<u16>>(halves);
}
CASTFORGE_INLINE auto float16_of_float32(B32 v, avx2) { return halves_of<_MM_FROUND_TO_NEAREST_INT>(v); }
CASTFORGE_INLINE auto float16_of_float32_rtz(B32 v, avx2) { return halves_of<_MM_FROUND_TO_ZERO>(v); }
CASTFORGE_INLINE auto float16_of_float32_rtn(B32 v, avx2) { return halves_of<_MM_FROUND_TO_NEG_INF>(v); }
CASTFORGE_INLINE auto float16_of_float32_rtp(B32 v, avx2) { return halves_of<_MM_FROUND_TO_POS_INF>(v); }
CASTFORGE_INLINE auto float32_of_float64(B64 v, avx2) { return reinterpret_cast<Half<u32>>(_mm256_cvtpd_ps(f64(v))); }

}  // namespace castforge::inline CASTFORGE_ISA::lane::kernel
