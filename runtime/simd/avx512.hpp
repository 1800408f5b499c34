// Operations on batches that AVX-512 (F, BW, CD, DQ, VL) does better than common.hpp, or that xsimd lacks. Those on
// floating-point numbers embed the rounding mode and suppress exceptions: of the environment, flushing alone acts.
#pragma once

#include "simd/batch.hpp"
#include "simd/dense_places.hpp"

namespace castforge::inline CASTFORGE_ISA::lane::kernel {

using namespace detail;  // NOLINT: the helpers of batch.hpp
using xsimd::avx512bw;

constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
constexpr int kDown = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
constexpr int kUp = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
constexpr int kTowardZero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

template <int n> CASTFORGE_INLINE B64 sar(B64 a, std::integral_constant<int, n>, avx512bw) {
  return as<u64>(as_signed(a) >> n);
}
template <class U> CASTFORGE_INLINE BatchMask<U> gt_unsigned(Batch<U> a, Batch<U> b, avx512bw) { return a > b; }
template <class U> CASTFORGE_INLINE Batch<U> gt_signed_ones(Batch<U> a, Batch<U> b, avx512bw) {
  const auto mask = as_signed(a) > as_signed(b);
  if constexpr (sizeof(U) == 1) return Batch<U>(_mm512_movm_epi8(mask));
  else if constexpr (sizeof(U) == 2) return Batch<U>(_mm512_movm_epi16(mask));
  else if constexpr (sizeof(U) == 4) return Batch<U>(_mm512_movm_epi32(mask));
  else return Batch<U>(_mm512_movm_epi64(mask));
}
CASTFORGE_INLINE B64 min(B64 a, B64 b, avx512bw) { return xsimd::min(a, b); }
CASTFORGE_INLINE B64 max(B64 a, B64 b, avx512bw) { return xsimd::max(a, b); }
CASTFORGE_INLINE B64 min_signed(B64 a, B64 b, avx512bw) { return as<u64>(xsimd::min(as_signed(a), as_signed(b))); }
CASTFORGE_INLINE B64 max_signed(B64 a, B64 b, avx512bw) { return as<u64>(xsimd::max(as_signed(a), as_signed(b))); }
// xsimd's take the count modulo the width.
CASTFORGE_INLINE B16 shl(B16 a, B16 count, avx512bw) { return B16(_mm512_sllv_epi16(a, count)); }
CASTFORGE_INLINE B32 shl(B32 a, B32 count, avx512bw) { return B32(_mm512_sllv_epi32(a, count)); }
CASTFORGE_INLINE B64 shl(B64 a, B64 count, avx512bw) { return B64(_mm512_sllv_epi64(a, count)); }
CASTFORGE_INLINE B16 shr(B16 a, B16 count, avx512bw) { return B16(_mm512_srlv_epi16(a, count)); }
CASTFORGE_INLINE B32 shr(B32 a, B32 count, avx512bw) { return B32(_mm512_srlv_epi32(a, count)); }
CASTFORGE_INLINE B64 shr(B64 a, B64 count, avx512bw) { return B64(_mm512_srlv_epi64(a, count)); }
// The template argument is a truth table, made of those of the three operands.
constexpr int kA = 0xF0, kB = 0xCC, kC = 0xAA, kChosen = (kA & kB) | (kC & ~kA);
template <int kTruth, class U> CASTFORGE_INLINE Batch<U> ternary(Batch<U> a, Batch<U> b, Batch<U> c) {
  return Batch<U>(_mm512_ternarylogic_epi32(a, b, c, kTruth));
}
template <class U> CASTFORGE_INLINE Batch<U> merge(Batch<U> m, Batch<U> a, Batch<U> b, avx512bw) {
  return ternary<kChosen>(m, a, b);
}
// With the zero an operand of its own it would be no part of the instruction that gives `a`.
template <class U> CASTFORGE_INLINE Batch<U> keep_where(BatchMask<U> m, Batch<U> a, avx512bw) {
  if constexpr (sizeof(U) == 1) return Batch<U>(_mm512_maskz_mov_epi8(m, a));
  else if constexpr (sizeof(U) == 2) return Batch<U>(_mm512_maskz_mov_epi16(m, a));
  else if constexpr (sizeof(U) == 4) return Batch<U>(_mm512_maskz_mov_epi32(m, a));
  else return Batch<U>(_mm512_maskz_mov_epi64(m, a));
}
template <class U> CASTFORGE_INLINE Batch<U> clear_where(BatchMask<U> m, Batch<U> a, avx512bw) {
  return xsimd::select(m, Batch<U>(U{0}), a);
}

CASTFORGE_INLINE B32 leading_zeros(B32 a, avx512bw) { return B32(_mm512_lzcnt_epi32(a)); }
CASTFORGE_INLINE B64 leading_zeros(B64 a, avx512bw) { return B64(_mm512_lzcnt_epi64(a)); }

// Packs work within 128-bit parts; permutations of words and dwords do not.
constexpr std::size_t order_of_pack(int from_bytes, int to_bytes, avx512bw) {
  return to_bytes != 1 ? 1 : from_bytes == 2 ? 2 : 4;
}
constexpr std::size_t order_of_interleave(avx512bw) { return 2; }
// Of the common form g++ makes two more instructions, which clear the upper part of each half.
template <class U> CASTFORGE_INLINE Batch<U> both(Half<U> lower, Half<U> upper, avx512bw) {
  const __m512i wide = _mm512_castsi256_si512(reinterpret_cast<__m256i>(lower));
  return batch_of<U>(_mm512_inserti64x4(wide, reinterpret_cast<__m256i>(upper), 1));
}
template <int kOdd> CASTFORGE_INLINE B16 alternate(B32 a, B32 b) {
  return shuffled<kEvery<kOdd>>(as<u16>(a), as<u16>(b));
}
template <int kOdd> CASTFORGE_INLINE B32 alternate(B64 a, B64 b) {
  return shuffled<kEvery<kOdd>>(as<u32>(a), as<u32>(b));
}
CASTFORGE_INLINE B32 narrow(B64 a, B64 b, avx512bw) { return alternate<0>(a, b); }
CASTFORGE_INLINE B32 upper(B64 a, B64 b, avx512bw) { return alternate<1>(a, b); }
CASTFORGE_INLINE B16 narrow(B32 a, B32 b, avx512bw) { return alternate<0>(a, b); }
CASTFORGE_INLINE B16 truncate(B32 a, B32 b, avx512bw) { return alternate<0>(a, b); }
CASTFORGE_INLINE B16 high_half(B32 a, B32 b, avx512bw) { return alternate<1>(a, b); }
CASTFORGE_INLINE B8 narrow(B16 a, B16 b, avx512bw) { return B8(_mm512_packus_epi16(a, b)); }
CASTFORGE_INLINE B8 narrow(B32 a, B32 b, B32 c, B32 d, avx512bw) {
  return narrow(B16(_mm512_packus_epi32(a, b)), B16(_mm512_packus_epi32(c, d)), avx512bw{});
}
constexpr bool has_low_bytes(avx512bw) { return true; }
CASTFORGE_INLINE B8 low_bytes(B16 v, avx512bw) { return B8(_mm512_castsi256_si512(_mm512_cvtepi16_epi8(v))); }
CASTFORGE_INLINE B8 low_bytes(B32 v, avx512bw) { return B8(_mm512_castsi128_si512(_mm512_cvtepi32_epi8(v))); }
// Saturation keeps signs.
CASTFORGE_INLINE B8 signs(B16 a, B16 b, avx512bw) { return B8(_mm512_packs_epi16(a, b)); }
CASTFORGE_INLINE B8 signs(B32 a, B32 b, B32 c, B32 d, avx512bw) {
  return signs(B16(_mm512_packs_epi32(a, b)), B16(_mm512_packs_epi32(c, d)), avx512bw{});
}
// Both halves at 16 bits: half as many operations. Those of `a` lie at odd places, those of `b` at even ones, since on
// Intel's processors two permutations of two vectors take six operations, and this takes five.
constexpr auto kOddThenEven = [](std::size_t i) { return i < kVectorBytes / 4 ? 2 * i + 1 : 2 * i - kVectorBytes / 2; };
CASTFORGE_INLINE B16 round_high_half(B32 a, B32 b, avx512bw) {
  const B32 upper = broadcast(0xFFFF0000u);
  const B16 kept = as<u16>(ternary<kChosen>(upper, a, b >> 16)), dropped = as<u16>(ternary<kChosen>(upper, a << 16, b));
  // 0x8000 where `kept` is odd, 0x8001 where it is even: what is at least that is rounded up.
  const B16 least = ternary<(kC | (kB & ~kA))>(kept, broadcast(u16{1}), broadcast(u16{0x8000}));
  const B16 rounded = xsimd::select(dropped >= least, kept + broadcast(u16{1}), kept);
  return shuffled<kOddThenEven>(rounded, rounded);
}

template <class V, class To, class From, bool kSigned>
CASTFORGE_INLINE Batch<To> extended(V lanes, std::bool_constant<kSigned>, From, Batch<To>, avx512bw) {
  const auto v = reinterpret_cast<Native<long long, sizeof lanes>>(lanes);
  constexpr int kFrom = sizeof(From), kTo = sizeof(To);
  if constexpr (kFrom == 1 && kTo == 2) return Batch<To>(kSigned ? _mm512_cvtepi8_epi16(v) : _mm512_cvtepu8_epi16(v));
  else if constexpr (kFrom == 1 && kTo == 4)
    return Batch<To>(kSigned ? _mm512_cvtepi8_epi32(v) : _mm512_cvtepu8_epi32(v));
  else if constexpr (kFrom == 1) return Batch<To>(kSigned ? _mm512_cvtepi8_epi64(v) : _mm512_cvtepu8_epi64(v));
  else if constexpr (kFrom == 2 && kTo == 4)
    return Batch<To>(kSigned ? _mm512_cvtepi16_epi32(v) : _mm512_cvtepu16_epi32(v));
  else if constexpr (kFrom == 2) return Batch<To>(kSigned ? _mm512_cvtepi16_epi64(v) : _mm512_cvtepu16_epi64(v));
  else return Batch<To>(kSigned ? _mm512_cvtepi32_epi64(v) : _mm512_cvtepu32_epi64(v));
}
constexpr bool extends_halves(std::size_t lane_bytes, avx512bw) { return lane_bytes > 1; }
template <class To, class From, class Signed>
CASTFORGE_INLINE Batch<To> load_widened(const std::byte* p, Signed, From, Batch<To>, avx512bw) {
  return extended(first_bytes<kVectorBytes * sizeof(From) / sizeof(To)>(p), Signed{}, From{}, Batch<To>{}, avx512bw{});
}

CASTFORGE_INLINE B8 repeat16(const std::byte* p, avx512bw) {
  __m512i repeated = _mm512_broadcast_i32x4(first_bytes<16>(p));
  CASTFORGE_OPAQUE(repeated);  // else g++ repeats a register's sixteen bytes again in every pass of a loop
  return B8(repeated);
}
CASTFORGE_INLINE B8 lookup16(B8 table, B8 index, avx512bw) { return B8(_mm512_shuffle_epi8(table, index)); }
CASTFORGE_INLINE B8 negate_where(B8 a, B8 s, avx512bw) {
  return B8(_mm512_mask_sub_epi8(a, _mm512_movepi8_mask(s), B8(u8{0}), a));
}

template <int n> CASTFORGE_INLINE B32 fold_up(B32 v) { return B32(_mm512_madd_epi16(v, broadcast(kFoldWeights<n>))); }
template <int kTo> CASTFORGE_INLINE B8 second_bytes_to(B32 v) {
  constexpr auto at = kSecondBytes<kTo>;
  return B8(_mm512_shuffle_epi8(v, _mm512_set4_epi32(at(3), at(2), at(1), at(0))));
}
template <int n> CASTFORGE_INLINE B8 fold(std::integral_constant<int, n>, B32 a, B32 b, B32 c, B32 d, avx512bw) {
  return ternary<(kA | kB | kC)>(second_bytes_to<0>(fold_up<n>(a)), second_bytes_to<1>(fold_up<n>(b)),
                                 second_bytes_to<2>(fold_up<n>(c)) | second_bytes_to<3>(fold_up<n>(d)));
}

// Masks start at their lowest bit: where elements start at the other end, the bytes of each eight are reversed before.
template <Packing kPacking> CASTFORGE_INLINE void store_bits(std::byte* p, B8 v, avx512bw) {
  __m512i ordered = v;
  if constexpr (kPacking == Packing::high_first)
    ordered = _mm512_shuffle_epi8(v, _mm512_set4_epi32(0x08090A0B, 0x0C0D0E0F, 0x00010203, 0x04050607));
  const u64 bits = _mm512_test_epi8_mask(ordered, broadcast(u8{1}));
  std::memcpy(p, &bits, sizeof bits);
}
CASTFORGE_INLINE B16 weighted_pairs(B8 v, B16 weights, avx512bw) { return B16(_mm512_maddubs_epi16(v, weights)); }
CASTFORGE_INLINE B32 weighted_pairs(B16 v, B32 weights, avx512bw) { return B32(_mm512_madd_epi16(v, weights)); }

// Elements that reach into the next byte, see dense.hpp: 4 * n bytes are n dwords, dealt out from the one in which a
// part begins.
template <std::size_t n> constexpr std::size_t place_in_part(std::size_t part, std::size_t k, avx512bw) {
  return part * n % 4 + k;
}
template <std::size_t n> constexpr auto kDwordOfPart = [](std::size_t i) { return (i / 4 * n / 4 + i % 4) % 16; };
template <std::size_t n> CASTFORGE_INLINE B8 load_parts(const std::byte* p, avx512bw) {
  const __m512i bytes = _mm512_maskz_loadu_epi32(static_cast<__mmask16>((1u << n) - 1), p);
  return B8(_mm512_permutexvar_epi32(constant_vector<u32, kDwordOfPart<n>>(), bytes));
}
template <std::size_t n, std::size_t kBytes>
constexpr auto kFromParts = [](std::size_t i) {
  const std::size_t byte = i * kBytes % (4 * n);
  return (byte / n * 16 + byte % n) / kBytes;
};
template <std::size_t n> CASTFORGE_INLINE void store_parts(std::byte* p, B8 v, avx512bw) {
  __m512i bytes;
  if constexpr (n % 4 == 0) bytes = _mm512_permutexvar_epi32(constant_vector<u32, kFromParts<n, 4>>(), v);
  else bytes = _mm512_permutexvar_epi16(constant_vector<u16, kFromParts<n, 2>>(), v);
  _mm512_mask_storeu_epi32(p, static_cast<__mmask16>((1u << n) - 1), bytes);
}

// The first n bytes, all where n is 64 or more, zeros above.
CASTFORGE_INLINE __mmask64 first_n(std::size_t n) {
  return n >= 64 ? ~__mmask64{0} : _bzhi_u64(~0ull, static_cast<unsigned>(n));
}
CASTFORGE_INLINE B8 load_first(const std::byte* p, std::size_t n, avx512bw) {
  return B8(_mm512_maskz_loadu_epi8(first_n(n), p));
}
CASTFORGE_INLINE void store_first(std::byte* p, B8 v, std::size_t n, avx512bw) {
  _mm512_mask_storeu_epi8(p, first_n(n), v);
}
// Past the caches, 64 bytes to a multiple of that. Loaded in halves, as some kernels store them: a load of more than
// one store waits until all of it is in the cache.
constexpr bool streams(avx512bw) { return true; }
CASTFORGE_INLINE void stream_line(std::byte* to, const std::byte* from, avx512bw) {
  Half<u64> low, high;
  std::memcpy(&low, from, 32);
  std::memcpy(&high, from + 32, 32);
  CASTFORGE_OPAQUE(low);
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), both<u64>(low, high, avx512bw{}));
}

// For a vector that several instructions use: otherwise the compiler loads it from memory for each of them.
template <class U> CASTFORGE_INLINE Batch<U> in_register(Batch<U> v) {
  __m512i loaded = v;
  CASTFORGE_OPAQUE(loaded);
  return Batch<U>(loaded);
}
// 256 words in eight registers, for tables loaded at run time. The low six bits of an index pick a word in two of them,
// by one permutation; the upper two bits pick which two.
struct Words256 {
  B16 part[8];
};
CASTFORGE_INLINE Words256 words256(const std::byte* table) {
  Words256 words;
  for (int i = 0; i < 8; ++i) words.part[i] = in_register(B16(first_bytes<64>(table + 64 * i)));
  return words;
}
CASTFORGE_INLINE B16 lookup256_wide(Words256 words, B16 index, avx512bw) {
  const auto has = [index](u16 bit) { return BatchMask<u16>(_mm512_test_epi16_mask(index, broadcast(bit))); };
  const auto of = [&](int i) { return B16(_mm512_permutex2var_epi16(words.part[i], index, words.part[i + 1])); };
  const BatchMask<u16> second = has(0x40);
  return xsimd::select(has(0x80), xsimd::select(second, of(6), of(4)), xsimd::select(second, of(2), of(0)));
}
constexpr int kAnyNan = 0x81;  // signaling or quiet
CASTFORGE_INLINE B32 nan_becomes(B32 a, B32 nan, avx512bw) {
  a = in_register(a);  // below: a & sign | nan
  return B32(
      _mm512_mask_ternarylogic_epi32(a, _mm512_fpclass_ps_mask(f32(a), kAnyNan), nan, broadcast(0x80000000u), 0xEC));
}
CASTFORGE_INLINE B64 nan_becomes(B64 a, B64 nan, avx512bw) {
  a = in_register(a);
  return B64(
      _mm512_mask_ternarylogic_epi64(a, _mm512_fpclass_pd_mask(f64(a), kAnyNan), nan, broadcast(u64{1} << 63), 0xEC));
}
CASTFORGE_INLINE B32 min_nan2(B32 a, B32 b, avx512bw) {
  return bits(F32(_mm512_min_round_ps(f32(a), f32(b), _MM_FROUND_NO_EXC)));
}
constexpr int kSmallerMagnitude = 2, kLargerMagnitude = 3, kSignOfFirst = 0 << 2, kNoSign = 2 << 2;  // of ranges
CASTFORGE_INLINE B32 limit_magnitude(B32 a, B32 most, B32 nan, avx512bw) {
#if defined(__clang__)  // which drops the last argument
  __mmask16 numbers;
  asm("vcmpordps %{sae%}, %1, %1, %0" : "=k"(numbers) : "v"(f32(a).data));
#else
  const __mmask16 numbers = _mm512_cmp_round_ps_mask(f32(a), f32(a), _CMP_ORD_Q, _MM_FROUND_NO_EXC);
#endif
  return bits(F32(_mm512_mask_range_round_ps(f32(nan), numbers, f32(a), f32(most), kSmallerMagnitude | kNoSign,
                                             _MM_FROUND_NO_EXC)));
}
// Codes of one binade count its ulps: up to the ceiling of a above the grid, down to its floor below.
CASTFORGE_INLINE B32 half_ulps_rto(B32 a, B32 grid, avx512bw) {
  const B32 ceiling = bits(F32(_mm512_add_round_ps(f32(grid), f32(a), kUp)));
  return ceiling - bits(F32(_mm512_sub_round_ps(f32(grid), f32(a), kUp)));
}
CASTFORGE_INLINE B32 binade(B32 a, B32 least, avx512bw) {
  return bits(F32(_mm512_range_round_ps(f32(a & broadcast(0xFF800000u)), f32(least), kLargerMagnitude | kSignOfFirst,
                                        _MM_FROUND_NO_EXC)));
}
CASTFORGE_INLINE B32 multiply_add(B32 a, B32 b, B32 c, avx512bw) {
  return bits(F32(_mm512_add_round_ps(f32(times_power(a, b)), f32(c), kNearest)));
}
CASTFORGE_INLINE B32 fused_multiply_add(B32 a, B32 b, B32 c, avx512bw) {
  return bits(F32(_mm512_fmadd_round_ps(f32(a), f32(b), f32(c), kNearest)));
}

CASTFORGE_INLINE B32 float32_of_uint32(B32 a, avx512bw) { return bits(F32(_mm512_cvt_roundepu32_ps(a, kNearest))); }
CASTFORGE_INLINE B64 float64_of_int64(B64 a, avx512bw) { return bits(F64(_mm512_cvt_roundepi64_pd(a, kNearest))); }
CASTFORGE_INLINE B64 float64_of_uint64(B64 a, avx512bw) { return bits(F64(_mm512_cvt_roundepu64_pd(a, kNearest))); }
CASTFORGE_INLINE B64 float64_of(B64 a, avx512bw) { return float64_of_uint64(a, avx512bw{}); }

template <int kMode> CASTFORGE_INLINE B32 singles(B32 v) { return bits(F32(_mm512_cvt_roundepi32_ps(v, kMode))); }
CASTFORGE_INLINE B32 float32_of_int32(B32 v, avx512bw) { return singles<kNearest>(v); }
CASTFORGE_INLINE B32 float32_of_int32_rtz(B32 v, avx512bw) { return singles<kTowardZero>(v); }
CASTFORGE_INLINE B32 float32_of_int32_rtn(B32 v, avx512bw) { return singles<kDown>(v); }
CASTFORGE_INLINE B32 float32_of_int32_rtp(B32 v, avx512bw) { return singles<kUp>(v); }

// Half vectors.
CASTFORGE_INLINE auto half_bits(__m256 v) { return reinterpret_cast<Half<u32>>(v); }
template <int kMode> CASTFORGE_INLINE auto singles(B64 v) { return half_bits(_mm512_cvt_roundepi64_ps(v, kMode)); }
template <int kMode> CASTFORGE_INLINE auto of_unsigned(B64 v) { return half_bits(_mm512_cvt_roundepu64_ps(v, kMode)); }
template <int kMode> CASTFORGE_INLINE auto shortened(B64 v) { return half_bits(_mm512_cvt_roundpd_ps(f64(v), kMode)); }
// Of the numbers beside an inexact one, one is odd; of an exact one both are the same.
CASTFORGE_INLINE auto odd_of(Half<u32> below, Half<u32> above) {
  const auto lower = reinterpret_cast<__m256i>(below), upper = reinterpret_cast<__m256i>(above);
  const __mmask8 odd = _mm256_test_epi32_mask(lower, _mm256_set1_epi32(1));
  return reinterpret_cast<Half<u32>>(_mm256_mask_mov_epi32(upper, odd, lower));
}
CASTFORGE_INLINE auto float32_of_int64(B64 v, avx512bw) { return singles<kNearest>(v); }
CASTFORGE_INLINE auto float32_of_int64_rtz(B64 v, avx512bw) { return singles<kTowardZero>(v); }
CASTFORGE_INLINE auto float32_of_int64_rtn(B64 v, avx512bw) { return singles<kDown>(v); }
CASTFORGE_INLINE auto float32_of_int64_rtp(B64 v, avx512bw) { return singles<kUp>(v); }
CASTFORGE_INLINE auto float32_of_int64_rto(B64 v, avx512bw) { return odd_of(singles<kDown>(v), singles<kUp>(v)); }
CASTFORGE_INLINE auto float32_of_uint64(B64 v, avx512bw) { return of_unsigned<kNearest>(v); }
CASTFORGE_INLINE auto float32_of_uint64_rto(B64 v, avx512bw) {
  return odd_of(of_unsigned<kDown>(v), of_unsigned<kUp>(v));
}
CASTFORGE_INLINE auto float32_of_float64(B64 v, avx512bw) { return shortened<kNearest>(v); }
CASTFORGE_INLINE auto float32_of_float64_rtz(B64 v, avx512bw) { return shortened<kTowardZero>(v); }

CASTFORGE_INLINE B64 float64_of_float32(Half<u32> v, avx512bw) {
  return bits(F64(_mm512_cvt_roundps_pd(reinterpret_cast<__m256>(v), _MM_FROUND_NO_EXC)));
}
CASTFORGE_INLINE B64 float64_of_int32(Half<u32> v, avx512bw) {
  return bits(F64(_mm512_cvtepi32_pd(reinterpret_cast<__m256i>(v))));
}
CASTFORGE_INLINE B32 float32_of_float16(Half<u16> v, avx512bw) {
  return bits(F32(_mm512_cvt_roundph_ps(reinterpret_cast<__m256i>(v), _MM_FROUND_NO_EXC)));
}
// GCC's intrinsic takes the wish to suppress exceptions and leaves {sae} out.
template <int kRounding> CASTFORGE_INLINE auto halves_of(B32 v) {
  Half<u16> halves;
  asm("vcvtps2ph %2, %{sae%}, %1, %0" : "=v"(halves) : "v"(f32(v).data), "i"(kRounding));
  return halves;
}
CASTFORGE_INLINE auto float16_of_float32(B32 v, avx512bw) { return halves_of<_MM_FROUND_TO_NEAREST_INT>(v); }
CASTFORGE_INLINE auto float16_of_float32_rtz(B32 v, avx512bw) { return halves_of<_MM_FROUND_TO_ZERO>(v); }
CASTFORGE_INLINE auto float16_of_float32_rtn(B32 v, avx512bw) { return halves_of<_MM_FROUND_TO_NEG_INF>(v); }
CASTFORGE_INLINE auto float16_of_float32_rtp(B32 v, avx512bw) { return halves_of<_MM_FROUND_TO_POS_INF>(v); }

CASTFORGE_INLINE B32 int32_of_float32_rtz(B32 a, avx512bw) {
  return B32(_mm512_cvtt_roundps_epi32(f32(a), _MM_FROUND_NO_EXC));
}
CASTFORGE_INLINE B32 int32_of_float32_rne(B32 a, avx512bw) { return B32(_mm512_cvt_roundps_epi32(f32(a), kNearest)); }
CASTFORGE_INLINE B32 int32_of_float32_rtn(B32 a, avx512bw) {
  return B32(_mm512_cvt_roundps_epi32(f32(a), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
}
CASTFORGE_INLINE B32 int32_of_float32_rtp(B32 a, avx512bw) {
  return B32(_mm512_cvt_roundps_epi32(f32(a), _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC));
}
CASTFORGE_INLINE B32 int32_of_float32_rna(B32 a, avx512bw) {
  // The largest float32 below 1/2, with the sign of a: only from halfway on does the sum reach the next integer.
  const B32 nudge = ternary<((kA & kB) | kC)>(a, broadcast(0x80000000u), broadcast(0x3EFFFFFFu));
  return int32_of_float32_rtz(bits(F32(_mm512_add_round_ps(f32(a), f32(nudge), kNearest))), avx512bw{});
}
CASTFORGE_INLINE B32 int32_of_float32_rto(B32 a, avx512bw) {
  const B32 below = int32_of_float32_rtn(a, avx512bw{}), above = int32_of_float32_rtp(a, avx512bw{});
  return below | (above - below);  // below | 1 between two integers
}
CASTFORGE_INLINE B64 int64_of_float64_rtz(F64 a) { return B64(_mm512_cvtt_roundpd_epi64(a, _MM_FROUND_NO_EXC)); }
CASTFORGE_INLINE B64 int64_of_float64_rne(F64 a) { return B64(_mm512_cvt_roundpd_epi64(a, kNearest)); }
CASTFORGE_INLINE B64 int64_of_float64_rtz(B64 a, avx512bw) { return int64_of_float64_rtz(f64(a)); }
CASTFORGE_INLINE B64 int64_of_float64_rne(B64 a, avx512bw) { return int64_of_float64_rne(f64(a)); }

// The arithmetic of what follows. Fused operations, as those have pipes of their own beside the additions.
CASTFORGE_INLINE F32 every(float v) { return f32(broadcast(std::bit_cast<u32>(v))); }
CASTFORGE_INLINE F64 every(double v) { return f64(broadcast(std::bit_cast<u64>(v))); }
CASTFORGE_INLINE F64 multiplied_add(F64 a, F64 b, F64 c) { return F64(_mm512_fmadd_round_pd(a, b, c, kNearest)); }
CASTFORGE_INLINE F64 difference(F64 a, F64 b) { return F64(_mm512_sub_round_pd(a, b, kNearest)); }
CASTFORGE_INLINE F32 difference(F32 a, F32 b) { return F32(_mm512_sub_round_ps(a, b, kNearest)); }

// a less the nearest multiple of 2^32: exact, at most 2^31 in magnitude; a itself when it has a fraction.
CASTFORGE_INLINE B32 less_turns(B32 a) {
  const F32 turns = F32(_mm512_roundscale_ps(_mm512_mul_round_ps(f32(a), every(0x1p-32f), kNearest), kNearest));
  return bits(F32(_mm512_add_round_ps(_mm512_mul_round_ps(turns, every(-0x1p32f), kNearest), f32(a), kNearest)));
}
// 2^31 itself gives 80000000, as it must.
CASTFORGE_INLINE B32 int32_of_float32_wrap_rtz(B32 a, avx512bw) {
  return int32_of_float32_rtz(less_turns(a), avx512bw{});
}
CASTFORGE_INLINE B32 int32_of_float32_wrap_rne(B32 a, avx512bw) {
  return int32_of_float32_rne(less_turns(a), avx512bw{});
}
// a less a multiple of 2^32, toward zero: exact, below 2^32 in magnitude.
CASTFORGE_INLINE F64 less_turns(B64 a) {
  const F64 turns = F64(_mm512_roundscale_pd(_mm512_mul_round_pd(f64(a), every(0x1p-32), kNearest), kTowardZero));
  return multiplied_add(turns, every(-0x1p32), f64(a));
}
CASTFORGE_INLINE B32 int32_of_float64_wrap_rtz(B64 a, B64 b, avx512bw) {
  return alternate<0>(int64_of_float64_rtz(less_turns(a)), int64_of_float64_rtz(less_turns(b)));
}
CASTFORGE_INLINE B32 int32_of_float64_wrap_rne(B64 a, B64 b, avx512bw) {
  return alternate<0>(int64_of_float64_rne(less_turns(a)), int64_of_float64_rne(less_turns(b)));
}

// a less the nearest multiple of 2^64, to which the addition of a number whose last bit is that rounds it. Exact, at
// most 2^63 in magnitude where a is below 2^115. What is multiplied, by 1, is never subnormal, as a may be; processors
// add and multiply in different places.
CASTFORGE_INLINE F64 less_long_turns(F64 a, F64 large) {
  const F64 sum = F64(_mm512_add_round_pd(a, large, kNearest));
  return difference(a, F64(_mm512_fmsub_round_pd(sum, every(1.0), large, kNearest)));
}
// Integers whose low halves are those of a truncated. Beyond 2^115 the rest is a multiple of 2^63 or no number, whose
// low half the conversion makes 0.
CASTFORGE_INLINE B64 truncate_modulo_32(B64 a) {
  return int64_of_float64_rtz(less_long_turns(f64(a), every(0x1.8p116)));
}
CASTFORGE_INLINE B32 truncate_float64_to_int32(B64 a, B64 b, avx512bw) {
  return alternate<0>(truncate_modulo_32(a), truncate_modulo_32(b));
}
CASTFORGE_INLINE B64 truncate_float64_to_int64(B64 a, avx512bw) {
  // The addend has the sign of a, lest the sum lose a binade: up to 2^116. Numbers from there on are multiples of 2^64.
  const F64 large = f64(ternary<kChosen>(broadcast(u64{1} << 63), a, bits(every(0x1p116))));
  const __mmask8 below = _mm512_cmplt_epi64_mask(a & broadcast(~u64{0} >> 1), bits(every(0x1p116)));
  return B64(_mm512_maskz_cvtt_roundpd_epi64(below, less_long_turns(f64(a), large),
                                             _MM_FROUND_NO_EXC));  // 2^63 gives 2^63, as it must
}
// 2^63 for NaN, infinities and what is out of range, a multiple of 2^40 then: the low halves are right, and zero.
CASTFORGE_INLINE B64 truncate_float32_modulo_32(Half<u32> v, avx512bw) {
  return B64(_mm512_cvtt_roundps_epi64(reinterpret_cast<__m256>(v), _MM_FROUND_NO_EXC));
}
CASTFORGE_INLINE B32 truncate_float32_to_int32(B32 a, avx512bw) {
  return alternate<0>(truncate_float32_modulo_32(half<0>(a), avx512bw{}),
                      truncate_float32_modulo_32(half<1>(a), avx512bw{}));
}
CASTFORGE_INLINE B64 truncate_float32_to_int64(Half<u32> v, avx512bw) {
  // Multiples of 2^40 from 2^63 on: divided by that in their exponent and multiplied again. The quotient is an integer,
  // or at least 2^63, as those of multiples of 2^64, of NaN and of infinities are: 2^63 then, of which no bit is left.
  const __m256i x = reinterpret_cast<__m256i>(v);
  const __m256i magnitude = _mm256_and_si256(x, _mm256_set1_epi32(0x7FFFFFFF));
  const __mmask8 large = _mm256_cmpge_epi32_mask(magnitude, _mm256_set1_epi32((127 + 63) << 23));
  const __m256i divided = _mm256_mask_sub_epi32(x, large, x, _mm256_set1_epi32(40 << 23));
  const B64 truncated = truncate_float32_modulo_32(reinterpret_cast<Half<u32>>(divided), avx512bw{});
  return B64(_mm512_mask_slli_epi64(truncated, large, truncated, 40));
}

}  // namespace castforge::inline CASTFORGE_ISA::lane::kernel
