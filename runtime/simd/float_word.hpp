// Floating-point steps of the fast plans, on scalar words that hold IEEE 754 bit patterns, constexpr: the meaning of the
// vocabulary. The same functions on vectors: float_batch.hpp.
//
// Functions marked [environment] use the rounding mode, FTZ and DAZ of the thread unless the instruction set embeds the
// rounding: a plan that calls one states kUsesFloat = true and the loop runs under FloatGuard (environment.hpp), which
// makes them round to nearest, ties to even, with subnormals kept. AVX-512 forms embed the rounding and suppress all
// exceptions, so that flushing alone remains and plans that are kFlushSafe need no guard. The others give the same bits in
// any environment. NaN results, where a function does not say otherwise: some quiet NaN.
#pragma once

#include <bit>

#include "simd/word.hpp"

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

}  // namespace lane
}  // namespace CASTFORGE_ISA
}  // namespace castforge
