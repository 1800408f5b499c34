// Floating-point steps of the fast plans, on lanes that hold IEEE 754 bit patterns. Scalar and vector twins.
//
// Functions marked [environment] use the rounding mode, FTZ and DAZ of the thread unless the instruction set embeds the
// rounding: a plan that calls one states kUsesFloat = true and the loop runs under FloatGuard (environment.hpp), which
// makes them round to nearest, ties to even, with subnormals kept. AVX-512 forms embed the rounding and suppress all
// exceptions, so that flushing alone remains and plans that are kFlushSafe need no guard. The others give the same bits in
// any environment. NaN results, where a function does not say otherwise: some quiet NaN.
#pragma once

#include "simd/batch.hpp"

// Clang evaluates no fused multiply-add at compile time.
#if defined(__clang__)
#define CASTFORGE_FMA_CONSTEXPR inline
#else
#define CASTFORGE_FMA_CONSTEXPR constexpr
#endif

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace lane {

namespace detail {

constexpr float to_float(std::uint32_t bits) noexcept { return std::bit_cast<float>(bits); }
constexpr double to_double(std::uint64_t bits) noexcept { return std::bit_cast<double>(bits); }

// One IEEE 754 interchange format: significand field width M, exponent field width E.
template <int E, int M>
struct Ieee {
  static constexpr int kFraction = M, kBias = (1 << (E - 1)) - 1;
  static constexpr std::uint64_t kInfinity = ((std::uint64_t{1} << E) - 1) << M;
  static constexpr std::uint64_t kSign = std::uint64_t{1} << (E + M);
  static constexpr std::uint64_t kQuiet = std::uint64_t{1} << (M - 1);
  static constexpr std::uint64_t kHidden = std::uint64_t{1} << M;
};
using Half = Ieee<5, 10>;
using Single = Ieee<8, 23>;
using Double = Ieee<11, 52>;
constexpr std::uint32_t kTwoTo31 = (Single::kBias + 31) << Single::kFraction;
constexpr std::uint64_t kTwoTo63 = std::uint64_t{Double::kBias + 63} << Double::kFraction;

// Conversion to a narrower format, nearest with ties to even, by integer arithmetic. NaN: quieted, sign and the leading
// payload bits kept, as conversion instructions do.
template <class From, class To>
constexpr std::uint64_t narrow_float(std::uint64_t bits) noexcept {
  constexpr int dropped = From::kFraction - To::kFraction;
  const std::uint64_t sign = (bits & From::kSign) != 0 ? To::kSign : 0;
  const std::uint64_t mag = bits & (From::kSign - 1);
  if (mag > From::kInfinity) {
    return sign | To::kInfinity | To::kQuiet | ((mag >> dropped) & (To::kHidden - 1));
  }
  if (mag == From::kInfinity) return sign | To::kInfinity;
  const int field = static_cast<int>(mag >> From::kFraction);
  const std::uint64_t sig = (mag & (From::kHidden - 1)) | (field != 0 ? From::kHidden : 0);
  const int exponent = (field != 0 ? field : 1) - From::kBias + To::kBias;  // field in the destination, may be <= 0
  const int shift = dropped + (exponent < 1 ? 1 - exponent : 0);
  std::uint64_t kept = 0;
  if (shift <= From::kFraction + 2) {
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const std::uint64_t rest = sig & (2 * half - 1);
    kept = sig >> shift;
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  }
  // A normal result carries its hidden bit in `kept`: one less exponent unit makes the sum right, carries included.
  const std::uint64_t base = exponent > 1 ? static_cast<std::uint64_t>(exponent - 1) << To::kFraction : 0;
  const std::uint64_t code = base + kept;
  return sign | (code < To::kInfinity ? code : To::kInfinity);
}

// Exact conversion to a wider format; NaN quieted, sign and payload kept.
template <class From, class To>
constexpr std::uint64_t widen_float(std::uint64_t bits) noexcept {
  constexpr int added = To::kFraction - From::kFraction;
  const std::uint64_t sign = (bits & From::kSign) != 0 ? To::kSign : 0;
  const std::uint64_t mag = bits & (From::kSign - 1);
  if (mag > From::kInfinity) {
    return sign | To::kInfinity | To::kQuiet | ((mag & (From::kHidden - 1)) << added);
  }
  if (mag == From::kInfinity) return sign | To::kInfinity;
  if (mag == 0) return sign;
  const std::uint64_t rebias = static_cast<std::uint64_t>(To::kBias - From::kBias) << To::kFraction;
  if (mag >= From::kHidden) return sign | ((mag << added) + rebias);
  const int lead = 63 - std::countl_zero(mag);  // subnormal: the leading one becomes the hidden bit
  const std::uint64_t fraction = (mag << (To::kFraction - lead)) & (To::kHidden - 1);
  const int exponent = lead - From::kFraction + 1 - From::kBias + To::kBias;
  return sign | (static_cast<std::uint64_t>(exponent) << To::kFraction) | fraction;
}

// A finite number rounded to an integer modulo 2^64: toward zero, or to nearest with ties to even.
template <class From>
constexpr std::uint64_t whole_number(std::uint64_t bits, bool nearest) noexcept {
  const std::uint64_t mag = bits & (From::kSign - 1);
  const int up = static_cast<int>(mag >> From::kFraction) - From::kBias - From::kFraction;  // of the last significand bit
  const std::uint64_t sig = (mag & (From::kHidden - 1)) | From::kHidden;
  std::uint64_t whole = 0;
  if (up >= 0 && up < 64) whole = sig << up;
  if (up < 0 && up >= -From::kFraction - 2) {
    whole = sig >> -up;
    const std::uint64_t rest = sig & ((std::uint64_t{1} << -up) - 1), half = std::uint64_t{1} << (-up - 1);
    if (nearest && (rest > half || (rest == half && (whole & 1) != 0))) ++whole;
  }
  return (bits & From::kSign) != 0 ? 0 - whole : whole;
}

}  // namespace detail

/// float32 or float64 bits; a NaN becomes `nan`, a positive NaN, with the sign it had.
template <class U>
constexpr Word<U> nan_becomes(Word<U> v, Word<U> nan) noexcept {
  constexpr U infinity = static_cast<U>(sizeof(U) == 4 ? detail::Single::kInfinity : detail::Double::kInfinity);
  constexpr U sign = static_cast<U>(sizeof(U) == 4 ? detail::Single::kSign : detail::Double::kSign);
  return (v.value & ~sign) > infinity ? Word<U>(static_cast<U>((v.value & sign) | nan.value)) : v;
}

/// float32 bits of the two's complement integer v, |v| <= 2^24; +0 for 0.
constexpr Word<std::uint32_t> float32_of(Word<std::uint32_t> v) noexcept {
  return Word<std::uint32_t>(std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(v.value))));
}

/// float64 bits of the unsigned integer v < 2^53; +0 for 0.
constexpr Word<std::uint64_t> float64_of(Word<std::uint64_t> v) noexcept {
  return Word<std::uint64_t>(std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(v.value))));
}

/// The nearest floating-point number, ties to even, of an integer of the whole lane; +0 for 0. [environment]
constexpr Word<std::uint32_t> float32_of_int32_rne(Word<std::uint32_t> v) noexcept {
  return Word<std::uint32_t>(std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(v.value))));
}
constexpr Word<std::uint32_t> float32_of_uint32_rne(Word<std::uint32_t> v) noexcept {
  return Word<std::uint32_t>(std::bit_cast<std::uint32_t>(static_cast<float>(v.value)));
}
constexpr Word<std::uint64_t> float64_of_int64_rne(Word<std::uint64_t> v) noexcept {
  return Word<std::uint64_t>(std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(v.value))));
}
constexpr Word<std::uint64_t> float64_of_uint64_rne(Word<std::uint64_t> v) noexcept {
  return Word<std::uint64_t>(std::bit_cast<std::uint64_t>(static_cast<double>(v.value)));
}
/// The same to float32, in the low half of the lane, upper half zero: one rounding, not two.
constexpr Word<std::uint64_t> float32_of_int64_rne(Word<std::uint64_t> v) noexcept {
  return Word<std::uint64_t>(std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(v.value))));
}
constexpr Word<std::uint64_t> float32_of_uint64_rne(Word<std::uint64_t> v) noexcept {
  return Word<std::uint64_t>(std::bit_cast<std::uint32_t>(static_cast<float>(v.value)));
}

/// Low 32 bits, upper half of the lane zero, of a finite number rounded to an integer, toward zero or to nearest with ties
/// to even; v is 0 or |v| >= 1/4. [environment]
constexpr Word<std::uint32_t> int32_of_float32_wrap_rtz(Word<std::uint32_t> v) noexcept {
  return Word<std::uint32_t>(static_cast<std::uint32_t>(detail::whole_number<detail::Single>(v.value, false)));
}
constexpr Word<std::uint32_t> int32_of_float32_wrap_rne(Word<std::uint32_t> v) noexcept {
  return Word<std::uint32_t>(static_cast<std::uint32_t>(detail::whole_number<detail::Single>(v.value, true)));
}
constexpr Word<std::uint64_t> int32_of_float64_wrap_rtz(Word<std::uint64_t> v) noexcept {
  return Word<std::uint64_t>(static_cast<std::uint32_t>(detail::whole_number<detail::Double>(v.value, false)));
}
constexpr Word<std::uint64_t> int32_of_float64_wrap_rne(Word<std::uint64_t> v) noexcept {
  return Word<std::uint64_t>(static_cast<std::uint32_t>(detail::whole_number<detail::Double>(v.value, true)));
}

/// float32 bits, in the low half of the lane, upper half zero, of a float64 rounded toward zero: no number becomes infinity.
/// NaN: as in float32_of_float64. [environment: FTZ, DAZ; Needs::avx512]
constexpr Word<std::uint64_t> float32_of_float64_toward_zero(Word<std::uint64_t> v) noexcept {
  using detail::Double, detail::Single;
  const std::uint64_t mag = v.value & (Double::kSign - 1);
  std::uint64_t single = detail::narrow_float<Double, Single>(mag);
  if (mag <= Double::kInfinity && detail::widen_float<Single, Double>(single) > mag) --single;
  return Word<std::uint64_t>(single | (v.value & Double::kSign) >> 32);
}

/// Any number cut to an integer, modulo 2^32 (upper half of the lane zero) or 2^64; 0 for NaN and infinities.
/// [environment; Needs::avx512]
constexpr Word<std::uint32_t> cut_float32_to_int32(Word<std::uint32_t> v) noexcept {
  const bool number = (v.value & 0x7FFFFFFF) < detail::Single::kInfinity;
  return Word<std::uint32_t>(number ? static_cast<std::uint32_t>(detail::whole_number<detail::Single>(v.value, false)) : 0);
}
constexpr Word<std::uint64_t> cut_float64_to_int64(Word<std::uint64_t> v) noexcept {
  const bool number = (v.value & (detail::Double::kSign - 1)) < detail::Double::kInfinity;
  return Word<std::uint64_t>(number ? detail::whole_number<detail::Double>(v.value, false) : 0);
}

constexpr Word<std::uint64_t> cut_float64_to_int32(Word<std::uint64_t> v) noexcept {
  return Word<std::uint64_t>(cut_float64_to_int64(v).value & 0xFFFFFFFF);
}

/// float32: a * b + c rounded once. [environment; Needs::fma]
CASTFORGE_FMA_CONSTEXPR Word<std::uint32_t> fma32(Word<std::uint32_t> a, Word<std::uint32_t> b,
                                                  Word<std::uint32_t> c) noexcept {
  return Word<std::uint32_t>(std::bit_cast<std::uint32_t>(
      __builtin_fmaf(detail::to_float(a.value), detail::to_float(b.value), detail::to_float(c.value))));
}

/// float32: a * b + c rounded once, where a * b is exact: the same bits with and without a fused instruction.
/// [environment]
constexpr Word<std::uint32_t> multiply_add32(Word<std::uint32_t> a, Word<std::uint32_t> b, Word<std::uint32_t> c) noexcept {
  const float product = detail::to_float(a.value) * detail::to_float(b.value);
  return Word<std::uint32_t>(std::bit_cast<std::uint32_t>(product + detail::to_float(c.value)));
}

/// float32: a + b. [environment]
constexpr Word<std::uint32_t> add32(Word<std::uint32_t> a, Word<std::uint32_t> b) noexcept {
  return Word<std::uint32_t>(
      std::bit_cast<std::uint32_t>(detail::to_float(a.value) + detail::to_float(b.value)));
}

/// float32: a * b. [environment]
constexpr Word<std::uint32_t> mul32(Word<std::uint32_t> a, Word<std::uint32_t> b) noexcept {
  return Word<std::uint32_t>(
      std::bit_cast<std::uint32_t>(detail::to_float(a.value) * detail::to_float(b.value)));
}

/// float32: a < b ? a : b. Hence b when either is a NaN, and b for two zeros. [environment: DAZ]
constexpr Word<std::uint32_t> min_nan2_32(Word<std::uint32_t> a, Word<std::uint32_t> b) noexcept {
  return detail::to_float(a.value) < detail::to_float(b.value) ? a : b;
}

/// float32: the power of two with the exponent of v, but not below `least`, a power of two, with the sign of v, which is no
/// NaN. [environment: DAZ]
constexpr Word<std::uint32_t> binade32(Word<std::uint32_t> v, Word<std::uint32_t> least) noexcept {
  const std::uint32_t power = v.value & detail::Single::kInfinity;
  return Word<std::uint32_t>((power < least.value ? least.value : power) | (v.value & detail::Single::kSign));
}

/// float64: a * b + c rounded once. [environment; Needs::fma]
CASTFORGE_FMA_CONSTEXPR Word<std::uint64_t> fma64(Word<std::uint64_t> a, Word<std::uint64_t> b,
                                                  Word<std::uint64_t> c) noexcept {
  return Word<std::uint64_t>(std::bit_cast<std::uint64_t>(
      __builtin_fma(detail::to_double(a.value), detail::to_double(b.value), detail::to_double(c.value))));
}

/// float64: a + b. [environment]
constexpr Word<std::uint64_t> add64(Word<std::uint64_t> a, Word<std::uint64_t> b) noexcept {
  return Word<std::uint64_t>(
      std::bit_cast<std::uint64_t>(detail::to_double(a.value) + detail::to_double(b.value)));
}

/// float64: a * b. [environment]
constexpr Word<std::uint64_t> mul64(Word<std::uint64_t> a, Word<std::uint64_t> b) noexcept {
  return Word<std::uint64_t>(
      std::bit_cast<std::uint64_t>(detail::to_double(a.value) * detail::to_double(b.value)));
}

/// float16 bits, in the low half of the lane, upper half zero, of a float32: nearest, ties to even, subnormals made.
/// NaN: quieted, sign and the leading 9 payload bits kept. [environment]
constexpr Word<std::uint32_t> float16_of_float32(Word<std::uint32_t> v) noexcept {
  return Word<std::uint32_t>(
      static_cast<std::uint32_t>(detail::narrow_float<detail::Single, detail::Half>(v.value)));
}

/// float32 bits of the float16 in the low half of the lane (the upper half is ignored); exact; NaN quieted, payload
/// kept. [environment]
constexpr Word<std::uint32_t> float32_of_float16(Word<std::uint32_t> v) noexcept {
  return Word<std::uint32_t>(
      static_cast<std::uint32_t>(detail::widen_float<detail::Half, detail::Single>(v.value & 0xFFFF)));
}

/// Two's complement integer of a float32, towards zero; 80000000 for NaN and for |v| >= 2^31.
constexpr Word<std::uint32_t> int32_of_float32_rtz(Word<std::uint32_t> v) noexcept {
  if ((v.value & 0x7FFFFFFF) >= detail::kTwoTo31) return Word<std::uint32_t>(0x80000000);
  return Word<std::uint32_t>(
      static_cast<std::uint32_t>(static_cast<std::int32_t>(detail::to_float(v.value))));
}

/// The same to nearest, ties to even. [environment]
constexpr Word<std::uint32_t> int32_of_float32_rne(Word<std::uint32_t> v) noexcept {
  const std::uint32_t mag = v.value & 0x7FFFFFFF;
  if (mag >= detail::kTwoTo31) return Word<std::uint32_t>(0x80000000);
  const int exponent = static_cast<int>(mag >> 23) - 127;
  const std::uint64_t sig = (mag & 0x7FFFFF) | (mag >= 0x800000 ? 0x800000u : 0u);
  std::uint64_t whole = 0;
  if (exponent >= 23) {
    whole = sig << (exponent - 23);
  } else if (exponent >= -1) {
    const int shift = 23 - exponent;
    const std::uint64_t half = std::uint64_t{1} << (shift - 1), rest = sig & (2 * half - 1);
    whole = sig >> shift;
    if (rest > half || (rest == half && (whole & 1) != 0)) ++whole;
  }
  const std::uint32_t bits = static_cast<std::uint32_t>(whole);
  return Word<std::uint32_t>((v.value >> 31) != 0 ? 0u - bits : bits);
}

/// The same of a float64: 8000000000000000 for NaN and for |v| >= 2^63. [Needs::avx512]
constexpr Word<std::uint64_t> int64_of_float64_rtz(Word<std::uint64_t> v) noexcept {
  if ((v.value & ~detail::Double::kSign) >= detail::kTwoTo63) return Word<std::uint64_t>(std::uint64_t{1} << 63);
  return Word<std::uint64_t>(static_cast<std::uint64_t>(static_cast<std::int64_t>(detail::to_double(v.value))));
}
constexpr Word<std::uint64_t> int64_of_float64_rne(Word<std::uint64_t> v) noexcept {
  const std::uint64_t mag = v.value & ~detail::Double::kSign;
  if (mag >= detail::kTwoTo63) return Word<std::uint64_t>(std::uint64_t{1} << 63);
  const double x = detail::to_double(mag);
  auto whole = static_cast<std::uint64_t>(x);
  const double rest = x - static_cast<double>(whole);  // exact: where there is one, both are below 2^52
  if (rest > 0.5 || (rest == 0.5 && (whole & 1) != 0)) ++whole;
  return Word<std::uint64_t>((v.value & detail::Double::kSign) != 0 ? 0 - whole : whole);
}

/// The same for float32, |v| < 2^31 and v = -2^31: to nearest, ties away from zero; downwards; upwards; to the odd one of the integers
/// beside v. [environment]
constexpr Word<std::uint32_t> int32_of_float32_rna(Word<std::uint32_t> v) noexcept {
  const double x = detail::to_float(v.value);
  return Word<std::uint32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(x < 0 ? x - 0.5 : x + 0.5)));  // exact sums
}
constexpr Word<std::uint32_t> int32_of_float32_rtn(Word<std::uint32_t> v) noexcept {
  const double x = detail::to_float(v.value);
  const auto cut = static_cast<std::int64_t>(x);
  return Word<std::uint32_t>(static_cast<std::uint32_t>(cut - (static_cast<double>(cut) > x ? 1 : 0)));
}
constexpr Word<std::uint32_t> int32_of_float32_rtp(Word<std::uint32_t> v) noexcept {
  const double x = detail::to_float(v.value);
  const auto cut = static_cast<std::int64_t>(x);
  return Word<std::uint32_t>(static_cast<std::uint32_t>(cut + (static_cast<double>(cut) < x ? 1 : 0)));
}
constexpr Word<std::uint32_t> int32_of_float32_rto(Word<std::uint32_t> v) noexcept {
  const double x = detail::to_float(v.value);
  const std::uint32_t below = int32_of_float32_rtn(v).value;
  return Word<std::uint32_t>(below | (static_cast<double>(static_cast<std::int32_t>(below)) != x ? 1u : 0u));
}

/// float64 bits of the float32 in the low half of a 64-bit lane (the upper half is ignored); exact; NaN quieted,
/// payload kept. [environment: DAZ]
constexpr Word<std::uint64_t> float64_of_float32(Word<std::uint64_t> v) noexcept {
  return Word<std::uint64_t>(detail::widen_float<detail::Single, detail::Double>(v.value & 0xFFFFFFFF));
}

/// float32 bits, in the low half of the lane, upper half zero, of a float64: nearest, ties to even, subnormals made.
/// NaN: quieted, sign and the leading 22 payload bits kept. [environment]
constexpr Word<std::uint64_t> float32_of_float64(Word<std::uint64_t> v) noexcept {
  return Word<std::uint64_t>(detail::narrow_float<detail::Double, detail::Single>(v.value));
}

#if CASTFORGE_VECTOR

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
}  // namespace detail

namespace detail {
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


#endif  // CASTFORGE_VECTOR

}  // namespace lane
}  // namespace CASTFORGE_ISA
}  // namespace castforge
