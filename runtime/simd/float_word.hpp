// The floating-point operations of lane::Word, on IEEE 754 codes: by integers, but for conversions that are exact.
//
// On vectors they are instructions. A plan that calls one marked [rounding] or [subnormals] says so in kEnvironment,
// and the loop sets the thread's floating-point environment where it would matter: [rounding], results depend on the
// rounding mode unless the instruction embeds it (AVX-512); [subnormals], operands or results may be subnormal, which
// the thread may have flushed. NaN results, where an operation does not say otherwise: some quiet NaN.
#pragma once

#include <bit>
#include <utility>

#include "simd/word.hpp"

namespace castforge::inline CASTFORGE_ISA::lane {

namespace detail {

// An IEEE 754 interchange format with E exponent and F fraction bits.
template <int E, int F> struct Ieee {
  static constexpr int kFraction = F, kBias = (1 << (E - 1)) - 1;
  static constexpr u64 kInfinity = ((u64{1} << E) - 1) << F;
  static constexpr u64 kSign = u64{1} << (E + F);
  static constexpr u64 kQuiet = u64{1} << (F - 1);
  static constexpr u64 kHidden = u64{1} << F;
};
using Binary16 = Ieee<5, 10>;
using Binary32 = Ieee<8, 23>;
using Binary64 = Ieee<11, 52>;
template <class U> using IeeeOf = std::conditional_t<sizeof(U) == 4, Binary32, Binary64>;

/// To nearest with ties to even, to nearest with ties away from zero, toward zero, down, up, to odd.
enum class Rounding { rne, rna, rtz, rtn, rtp, rto };

// significand / 2^down, an integer.
template <class Significand>
constexpr Significand rounded(Significand significand, int down, bool negative, Rounding rounding) {
  constexpr int kBits = static_cast<int>(sizeof(Significand) * 8);
  if (down <= 0) return significand << -down;
  const Significand kept = down < kBits ? significand >> down : 0;
  const Significand rest = down < kBits ? significand - (kept << down) : significand;
  const Significand half = down <= kBits ? Significand{1} << (down - 1) : 0;  // 0: more than any rest
  const bool above = half != 0 && rest > half, tie = half != 0 && rest == half;
  switch (rounding) {
    case Rounding::rne: return kept + (above || (tie && (kept & 1) != 0) ? 1 : 0);
    case Rounding::rna: return kept + (above || tie ? 1 : 0);
    case Rounding::rtz: return kept;
    case Rounding::rtn: return kept + (negative && rest != 0 ? 1 : 0);
    case Rounding::rtp: return kept + (!negative && rest != 0 ? 1 : 0);
    case Rounding::rto: break;
  }
  return kept | (rest != 0 ? 1 : 0);
}

constexpr int bit_width(u64 v) { return std::bit_width(v); }
__extension__ typedef unsigned __int128 u128;
constexpr int bit_width(u128 v) {
  const auto high = static_cast<u64>(v >> 64);
  return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<u64>(v));
}

// The code of +-significand * 2^exponent. Overflow gives infinity, or the largest number if rounded toward zero.
template <class To, class Significand>
constexpr u64 encode(bool negative, Significand significand, int exponent, Rounding rounding) {
  const u64 sign = negative ? To::kSign : 0;
  if (significand == 0) return sign;
  int field = exponent + bit_width(significand) - 1 + To::kBias;  // of a normal number
  if (field < 1) field = 1;
  const int down = field - To::kBias - To::kFraction - exponent;
  const auto kept = static_cast<u64>(rounded(significand, down, negative, rounding));
  // A normal number has its hidden bit in `kept`: with one less in the field the sum is right, carries included.
  if (field > 2 * To::kBias) field = 2 * To::kBias + 1;
  const u64 code = (static_cast<u64>(field - 1) << To::kFraction) + kept;
  if (code < To::kInfinity) return sign | code;
  const bool toward_zero = rounding == Rounding::rtz || rounding == (negative ? Rounding::rtp : Rounding::rtn);
  return sign | (To::kInfinity - (toward_zero ? 1 : 0));
}

// Significand, exponent of its last bit, and kind of a code.
template <class From> struct Decoded {
  bool negative, nan, infinite;
  u64 significand;
  int exponent;
  constexpr explicit Decoded(u64 code) : negative((code & From::kSign) != 0) {
    const u64 magnitude = code & (From::kSign - 1);
    const int field = static_cast<int>(magnitude >> From::kFraction);
    nan = magnitude > From::kInfinity;
    infinite = magnitude == From::kInfinity;
    significand = (magnitude & (From::kHidden - 1)) | (field != 0 ? From::kHidden : 0);
    exponent = (field != 0 ? field : 1) - From::kBias - From::kFraction;
  }
};

// From one format to another. NaN: quieted, sign and the leading payload bits kept, as conversion instructions do.
template <class From, class To> constexpr u64 convert(u64 code, Rounding rounding = Rounding::rne) {
  const Decoded<From> v(code);
  const u64 sign = v.negative ? To::kSign : 0;
  if (v.infinite) return sign | To::kInfinity;
  if (!v.nan) return encode<To>(v.negative, v.significand, v.exponent, rounding);
  constexpr int kDropped = From::kFraction - To::kFraction;
  const u64 payload = kDropped >= 0 ? v.significand >> (kDropped & 63) : v.significand << (-kDropped & 63);
  return sign | To::kInfinity | To::kQuiet | (payload & (To::kHidden - 1));
}

// A finite number rounded to an integer, modulo 2^64.
template <class From> constexpr u64 integer_of(u64 code, Rounding rounding) {
  const Decoded<From> v(code);
  u64 whole = 0;
  if (v.exponent < 64) whole = rounded(v.significand, -v.exponent, v.negative, rounding);
  return v.negative ? 0 - whole : whole;
}

// The same where it fits in U; only the top bit set for NaN and for numbers that do not fit.
template <class From, class U> constexpr Word<U> integer_or_indefinite(u64 code, Rounding rounding) {
  constexpr u64 kLimit = static_cast<u64>(From::kBias + kBitsOf<U> - 1) << From::kFraction;
  if ((code & (From::kSign - 1)) >= kLimit) return Word<U>(static_cast<U>(U{1} << (kBitsOf<U> - 1)));
  return Word<U>(static_cast<U>(integer_of<From>(code, rounding)));
}

// An unsigned or two's complement integer.
template <class To, class U> constexpr u64 of_unsigned(U v, Rounding mode = Rounding::rne) {
  return encode<To>(false, u64{v}, 0, mode);
}
template <class To, class U> constexpr u64 of_signed(U v, Rounding mode = Rounding::rne) {
  const bool negative = as_signed(v) < 0;
  return encode<To>(negative, u64{negative ? static_cast<U>(0 - v) : v}, 0, mode);
}

template <class From> constexpr bool finite(u64 code) { return (code & From::kInfinity) != From::kInfinity; }

// a * b + c, rounded once.
constexpr u32 multiply_add(u32 a, u32 b, u32 c) {
  constexpr auto kNan = static_cast<u32>(Binary32::kInfinity | Binary32::kQuiet);
  const Decoded<Binary32> x(a), y(b), z(c);
  const bool negative = x.negative != y.negative;
  if (x.nan || y.nan || z.nan) return kNan;
  if (x.infinite || y.infinite) {
    if (x.significand == 0 || y.significand == 0 || (z.infinite && z.negative != negative)) return kNan;
    return static_cast<u32>(Binary32::kInfinity | (negative ? Binary32::kSign : 0));
  }
  if (z.infinite) return c;
  u128 high = u128{x.significand} * y.significand, low = z.significand;
  int exponent = x.exponent + y.exponent, low_exponent = z.exponent;
  bool high_negative = negative, low_negative = z.negative;
  if (high == 0 || (low != 0 && low_exponent > exponent)) {
    if (high == 0 && low == 0) return negative && z.negative ? static_cast<u32>(Binary32::kSign) : 0;
    std::swap(high, low);
    std::swap(exponent, low_exponent);
    std::swap(high_negative, low_negative);
  }
  // One unit for both. A number further down than 76 bits only decides which side of `high` the sum is on.
  constexpr int kMost = 76;
  const int apart = low == 0 ? 0 : exponent - low_exponent;
  if (apart > kMost) low = 1;
  high <<= apart > kMost ? kMost : apart;
  exponent -= apart > kMost ? kMost : apart;
  if (high_negative == low_negative)
    return static_cast<u32>(encode<Binary32>(high_negative, high + low, exponent, Rounding::rne));
  if (high == low) return 0;
  const bool low_wins = low > high;
  const u128 difference = low_wins ? low - high : high - low;
  return static_cast<u32>(
      encode<Binary32>(low_wins ? low_negative : high_negative, difference, exponent, Rounding::rne));
}

// An integer that is a number of the format: no rounding, which the thread's environment might change.
constexpr Word<u32> exact_float32(std::int32_t v) { return Word(std::bit_cast<u32>(static_cast<float>(v))); }
constexpr Word<u64> exact_float64(std::int64_t v) { return Word(std::bit_cast<u64>(static_cast<double>(v))); }

// The order of float32 numbers as that of integers; both zeros are 0.
constexpr std::int32_t ordered(u32 v) {
  const auto magnitude = static_cast<std::int32_t>(v & 0x7FFFFFFF);
  return v >> 31 != 0 ? -magnitude : magnitude;
}

constexpr Word<u32> word32(u64 v) { return Word<u32>(static_cast<u32>(v)); }
constexpr u16 to_half(Word<u32> v, Rounding rounding) {
  return static_cast<u16>(convert<Binary32, Binary16>(v.value, rounding));
}

}  // namespace detail

using namespace detail;  // NOLINT: for the definitions below
using W16 = Word<u16>;
using W32 = Word<u32>;
using W64 = Word<u64>;

/// Float bits of an unsigned integer, exact: below 2^24 as float32, below 2^53 as float64. +0 for 0.
constexpr W32 float32_of(W32 a) { return exact_float32(as_signed(a.value)); }
constexpr W64 float64_of(W64 a) { return exact_float64(as_signed(a.value)); }
/// float32 bits of a two's complement integer of magnitude 2^24 at most: exact.
constexpr W32 float32_of_int(W32 a) { return exact_float32(as_signed(a.value)); }

/// The nearest number, ties to even, of any integer. [rounding]
constexpr W32 float32_of_int32(W32 a) { return word32(of_signed<Binary32>(a.value)); }
constexpr W32 float32_of_uint32(W32 a) { return word32(of_unsigned<Binary32>(a.value)); }
constexpr W64 float64_of_int64(W64 a) { return Word(of_signed<Binary64>(a.value)); }
constexpr W64 float64_of_uint64(W64 a) { return Word(of_unsigned<Binary64>(a.value)); }
constexpr W32 float32_of_int64(W64 a) { return word32(of_signed<Binary32>(a.value)); }
constexpr W32 float32_of_uint64(W64 a) { return word32(of_unsigned<Binary32>(a.value)); }
/// Toward zero, down, up. AVX-512 only.
constexpr W32 float32_of_int32_rtz(W32 a) { return word32(of_signed<Binary32>(a.value, Rounding::rtz)); }
constexpr W32 float32_of_int32_rtn(W32 a) { return word32(of_signed<Binary32>(a.value, Rounding::rtn)); }
constexpr W32 float32_of_int32_rtp(W32 a) { return word32(of_signed<Binary32>(a.value, Rounding::rtp)); }
constexpr W32 float32_of_int64_rtz(W64 a) { return word32(of_signed<Binary32>(a.value, Rounding::rtz)); }
constexpr W32 float32_of_int64_rtn(W64 a) { return word32(of_signed<Binary32>(a.value, Rounding::rtn)); }
constexpr W32 float32_of_int64_rtp(W64 a) { return word32(of_signed<Binary32>(a.value, Rounding::rtp)); }
/// Rounded to odd. AVX-512 only.
constexpr W32 float32_of_int64_rto(W64 a) { return word32(of_signed<Binary32>(a.value, Rounding::rto)); }
constexpr W32 float32_of_uint64_rto(W64 a) { return word32(of_unsigned<Binary32>(a.value, Rounding::rto)); }
/// Exact.
constexpr W64 float64_of_int32(W32 a) { return exact_float64(as_signed(a.value)); }

/// A NaN becomes `nan`, a positive NaN, with the sign it had; others stay. 32 and 64 bits.
template <class A, class B>
requires Words<A, B>
constexpr auto nan_becomes(A a, B nan) {
  return on_words(
      [](auto v, auto to) {
        using Format = IeeeOf<decltype(v)>;
        return (v & (Format::kSign - 1)) > Format::kInfinity ? (v & Format::kSign) | to : v;
      },
      a, nan);
}
/// float32: a < b ? a : b; hence b when either is a NaN, and b for two zeros. [subnormals]
template <class A, class B>
requires Words<A, B>
constexpr auto min_nan2(A a, B b) {
  return on_words(
      [](u32 x, u32 y) {
        const bool nan = (x & 0x7FFFFFFF) > Binary32::kInfinity || (y & 0x7FFFFFFF) > Binary32::kInfinity;
        return !nan && ordered(x) < ordered(y) ? x : y;
      },
      a, b);
}
/// float32: |a|, but at most `most`; `nan` where a is a NaN. Domain: 0 <= most <= nan <= infinity. [subnormals]
template <class A, class B, class C>
requires Words<A, B, C>
constexpr auto limit_magnitude(A a, B most, C nan) { return min(min_nan2(most, a & 0x7FFFFFFF), nan); }
/// float32: how often half an ulp of `grid` goes into a, rounded to odd. Domain: 0 <= a <= grid / 3, `grid` 1.5 times a
/// power of two from 2^-102 on. AVX-512 only. [subnormals]
template <class A, class B>
requires Words<A, B>
constexpr auto half_ulps_rto(A a, B grid) {
  return on_words(
      [](u32 v, u32 of) {
        const detail::Decoded<detail::Binary32> number(v), ulp(of);
        return detail::rounded(static_cast<u32>(number.significand), ulp.exponent - 1 - number.exponent, false,
                               detail::Rounding::rto);
      },
      a, grid);
}
/// float32: the power of two with the exponent of a, but not below `least`, a power of two, with the sign of a. Domain:
/// no NaN.
template <class A, class B>
requires Words<A, B>
constexpr auto binade(A a, B least) {
  return on_words(
      [](u32 v, u32 low) {
        const u32 power = v & 0x7F800000;
        return (power < low ? low : power) | (v & 0x80000000);
      },
      a, least);
}
/// float32: a * b + c rounded once, to nearest with ties to even. Domain: |a| is a power of two; a, b and a * b are
/// normal, so that a sum of exponents is the product; c is no NaN. [rounding, subnormals]
template <class A, class B, class C>
requires Words<A, B, C>
constexpr auto multiply_add(A a, B b, C c) {
  return on_words([](u32 x, u32 y, u32 z) { return detail::multiply_add(x, y, z); }, a, b, c);
}
/// The same, where a may be 0 too and c is no subnormal number. [rounding, subnormals]
template <class A, class B, class C>
requires Words<A, B, C>
constexpr auto fused_multiply_add(A a, B b, C c) { return multiply_add(a, b, c); }

/// Two's complement integers of floats, rounded toward zero (rtz) and to nearest, ties to even (rne); only the top bit
/// set for NaN and where there is none. rne: [rounding]
constexpr W32 int32_of_float32_rtz(W32 a) { return integer_or_indefinite<Binary32, u32>(a.value, Rounding::rtz); }
constexpr W32 int32_of_float32_rne(W32 a) { return integer_or_indefinite<Binary32, u32>(a.value, Rounding::rne); }
/// The same, AVX-512 only.
constexpr W64 int64_of_float64_rtz(W64 a) { return integer_or_indefinite<Binary64, u64>(a.value, Rounding::rtz); }
constexpr W64 int64_of_float64_rne(W64 a) { return integer_or_indefinite<Binary64, u64>(a.value, Rounding::rne); }
/// To nearest with ties away from zero, down, up, to the odd one of the integers beside a. Domain: -2^31 <= a < 2^31.
/// [rounding]
constexpr W32 int32_of_float32_rna(W32 a) { return word32(integer_of<Binary32>(a.value, Rounding::rna)); }
constexpr W32 int32_of_float32_rtn(W32 a) { return word32(integer_of<Binary32>(a.value, Rounding::rtn)); }
constexpr W32 int32_of_float32_rtp(W32 a) { return word32(integer_of<Binary32>(a.value, Rounding::rtp)); }
constexpr W32 int32_of_float32_rto(W32 a) {
  const u32 down = int32_of_float32_rtn(a).value;  // two's complement: floor, and the one above it if that is odd
  return word32(down | (down != int32_of_float32_rtp(a).value ? 1u : 0u));
}

/// Low 32 bits of the integer. Domain: finite, 0 or |a| >= 1/4. [rounding]
constexpr W32 int32_of_float32_wrap_rtz(W32 a) { return word32(integer_of<Binary32>(a.value, Rounding::rtz)); }
constexpr W32 int32_of_float32_wrap_rne(W32 a) { return word32(integer_of<Binary32>(a.value, Rounding::rne)); }
constexpr W32 int32_of_float64_wrap_rtz(W64 a) { return word32(integer_of<Binary64>(a.value, Rounding::rtz)); }
constexpr W32 int32_of_float64_wrap_rne(W64 a) { return word32(integer_of<Binary64>(a.value, Rounding::rne)); }

/// Truncated toward zero, modulo 2^32 or 2^64; 0 for NaN and infinities. AVX-512 only.
constexpr W32 truncate_float32_to_int32(W32 a) {
  return word32(finite<Binary32>(a.value) ? integer_of<Binary32>(a.value, Rounding::rtz) : 0);
}
constexpr W64 truncate_float32_to_int64(W32 a) {
  return W64(finite<Binary32>(a.value) ? integer_of<Binary32>(a.value, Rounding::rtz) : 0);
}
constexpr W64 truncate_float64_to_int64(W64 a) {
  return W64(finite<Binary64>(a.value) ? integer_of<Binary64>(a.value, Rounding::rtz) : 0);
}
constexpr W32 truncate_float64_to_int32(W64 a) { return word32(truncate_float64_to_int64(a).value); }

/// Between formats: nearest with ties to even, or exact. NaN: quieted, sign and the leading payload bits kept.
/// float32_of_float64: [rounding, subnormals]; float64_of_float32: [subnormals]
constexpr W32 float32_of_float16(W16 a) { return word32(convert<Binary16, Binary32>(a.value)); }
constexpr W16 float16_of_float32(W32 a) { return W16(to_half(a, Rounding::rne)); }
constexpr W32 float32_of_float64(W64 a) { return word32(convert<Binary64, Binary32>(a.value)); }
constexpr W64 float64_of_float32(W32 a) { return W64(convert<Binary32, Binary64>(a.value)); }
/// Toward zero, down, up; toward zero no number becomes infinity. rtn, rtp: [subnormals]
constexpr W16 float16_of_float32_rtz(W32 a) { return W16(to_half(a, Rounding::rtz)); }
constexpr W16 float16_of_float32_rtn(W32 a) { return W16(to_half(a, Rounding::rtn)); }
constexpr W16 float16_of_float32_rtp(W32 a) { return W16(to_half(a, Rounding::rtp)); }
/// Toward zero: no number becomes infinity. AVX-512 only. [subnormals]
constexpr W32 float32_of_float64_rtz(W64 a) { return word32(convert<Binary64, Binary32>(a.value, Rounding::rtz)); }

}  // namespace castforge::inline CASTFORGE_ISA::lane
