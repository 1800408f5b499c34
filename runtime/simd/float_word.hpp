// The floating-point operations of lane::Word, on IEEE 754 bit patterns and by integer arithmetic.
//
// On vectors they are instructions. A plan that calls one marked [rounding] or [subnormals] says so in kEnvironment, and the
// loop sets the thread's floating-point environment where it would matter: [rounding], results depend on the rounding mode
// unless the instruction embeds it (AVX-512); [subnormals], operands or results may be subnormal, which the thread may have
// flushed. NaN results, where an operation does not say otherwise: some quiet NaN.
#pragma once

#include <utility>

#include "simd/word.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace lane {

namespace detail {

// An IEEE 754 interchange format with E exponent and F fraction bits.
template <int E, int F>
struct Ieee {
  static constexpr int kFraction = F, kBias = (1 << (E - 1)) - 1;
  static constexpr std::uint64_t kInfinity = ((std::uint64_t{1} << E) - 1) << F;
  static constexpr std::uint64_t kSign = std::uint64_t{1} << (E + F);
  static constexpr std::uint64_t kQuiet = std::uint64_t{1} << (F - 1);
  static constexpr std::uint64_t kHidden = std::uint64_t{1} << F;
};
using Binary16 = Ieee<5, 10>;
using Binary32 = Ieee<8, 23>;
using Binary64 = Ieee<11, 52>;
template <class U>
using IeeeOf = std::conditional_t<sizeof(U) == 4, Binary32, Binary64>;

/// To nearest with ties to even, to nearest with ties away from zero, toward zero, down, up, to odd.
enum class Rounding { rne, rna, rtz, rtn, rtp, rto };

// significand / 2^down, an integer.
template <class Significand>
constexpr Significand rounded(Significand significand, int down, bool negative, Rounding rounding) noexcept {
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

// The number +-significand * 2^exponent as a code. Overflow gives infinity, or toward zero the largest number.
template <class To, class Significand>
constexpr std::uint64_t encode(bool negative, Significand significand, int exponent, Rounding rounding) noexcept {
  const std::uint64_t sign = negative ? To::kSign : 0;
  if (significand == 0) return sign;
  int length = 0;
  for (Significand rest = significand; rest != 0; rest >>= 1) ++length;
  int field = exponent + length - 1 + To::kBias;  // of a normal number
  if (field < 1) field = 1;
  const int down = field - To::kBias - To::kFraction - exponent;
  const auto kept = static_cast<std::uint64_t>(rounded(significand, down, negative, rounding));
  // A normal number has its hidden bit in `kept`: with one less in the field the sum is right, carries included.
  if (field > 2 * To::kBias) field = 2 * To::kBias + 1;
  const std::uint64_t code = (static_cast<std::uint64_t>(field - 1) << To::kFraction) + kept;
  if (code < To::kInfinity) return sign | code;
  return sign | (To::kInfinity - (rounding == Rounding::rtz ? 1 : 0));
}

// Significand, exponent of its last bit, and kind of a code.
template <class From>
struct Decoded {
  bool negative, nan, infinite;
  std::uint64_t significand;
  int exponent;
  constexpr explicit Decoded(std::uint64_t code) noexcept : negative((code & From::kSign) != 0) {
    const std::uint64_t magnitude = code & (From::kSign - 1);
    const int field = static_cast<int>(magnitude >> From::kFraction);
    nan = magnitude > From::kInfinity;
    infinite = magnitude == From::kInfinity;
    significand = (magnitude & (From::kHidden - 1)) | (field != 0 ? From::kHidden : 0);
    exponent = (field != 0 ? field : 1) - From::kBias - From::kFraction;
  }
};

// From one format to another. NaN: quieted, sign and the leading payload bits kept, as conversion instructions do.
template <class From, class To>
constexpr std::uint64_t convert(std::uint64_t code, Rounding rounding = Rounding::rne) noexcept {
  const Decoded<From> v(code);
  const std::uint64_t sign = v.negative ? To::kSign : 0;
  if (v.infinite) return sign | To::kInfinity;
  if (!v.nan) return encode<To>(v.negative, v.significand, v.exponent, rounding);
  constexpr int kDropped = From::kFraction - To::kFraction;
  const std::uint64_t payload = kDropped >= 0 ? v.significand >> (kDropped & 63) : v.significand << (-kDropped & 63);
  return sign | To::kInfinity | To::kQuiet | (payload & (To::kHidden - 1));
}

// A finite number rounded to an integer, modulo 2^64.
template <class From>
constexpr std::uint64_t integer_of(std::uint64_t code, Rounding rounding) noexcept {
  const Decoded<From> v(code);
  std::uint64_t whole = 0;
  if (v.exponent < 64) whole = rounded(v.significand, -v.exponent, v.negative, rounding);
  return v.negative ? 0 - whole : whole;
}

// The same where it fits in U; only the top bit set for NaN and for numbers that do not fit.
template <class From, class U>
constexpr Word<U> integer_or_indefinite(std::uint64_t code, Rounding rounding) noexcept {
  constexpr std::uint64_t kLimit = static_cast<std::uint64_t>(From::kBias + kBitsOf<U> - 1) << From::kFraction;
  if ((code & (From::kSign - 1)) >= kLimit) return Word<U>(static_cast<U>(U{1} << (kBitsOf<U> - 1)));
  return Word<U>(static_cast<U>(integer_of<From>(code, rounding)));
}

// An unsigned or two's complement integer, to nearest with ties to even.
template <class To, class U>
constexpr std::uint64_t of_unsigned(U v) noexcept {
  return encode<To>(false, std::uint64_t{v}, 0, Rounding::rne);
}
template <class To, class U>
constexpr std::uint64_t of_signed(U v) noexcept {
  const bool negative = as_signed(v) < 0;
  return encode<To>(negative, std::uint64_t{negative ? static_cast<U>(0 - v) : v}, 0, Rounding::rne);
}

template <class From>
constexpr bool finite(std::uint64_t code) noexcept {
  return (code & From::kInfinity) != From::kInfinity;
}

// a * b + c, rounded once.
constexpr std::uint32_t multiply_add(std::uint32_t a, std::uint32_t b, std::uint32_t c) noexcept {
  constexpr auto kNan = static_cast<std::uint32_t>(Binary32::kInfinity | Binary32::kQuiet);
  __extension__ typedef unsigned __int128 Wide;
  const Decoded<Binary32> x(a), y(b), z(c);
  const bool negative = x.negative != y.negative;
  if (x.nan || y.nan || z.nan) return kNan;
  if (x.infinite || y.infinite) {
    if (x.significand == 0 || y.significand == 0 || (z.infinite && z.negative != negative)) return kNan;
    return static_cast<std::uint32_t>(Binary32::kInfinity | (negative ? Binary32::kSign : 0));
  }
  if (z.infinite) return c;
  Wide high = Wide{x.significand} * y.significand, low = z.significand;
  int exponent = x.exponent + y.exponent, low_exponent = z.exponent;
  bool high_negative = negative, low_negative = z.negative;
  if (high == 0 || (low != 0 && low_exponent > exponent)) {
    if (high == 0 && low == 0) return negative && z.negative ? static_cast<std::uint32_t>(Binary32::kSign) : 0;
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
  if (high_negative == low_negative) return static_cast<std::uint32_t>(encode<Binary32>(high_negative, high + low, exponent, Rounding::rne));
  if (high == low) return 0;
  const bool low_wins = low > high;
  const Wide difference = low_wins ? low - high : high - low;
  return static_cast<std::uint32_t>(encode<Binary32>(low_wins ? low_negative : high_negative, difference, exponent, Rounding::rne));
}

// The order of float32 numbers as that of integers; both zeros are 0.
constexpr std::int32_t ordered(std::uint32_t v) noexcept {
  const auto magnitude = static_cast<std::int32_t>(v & 0x7FFFFFFF);
  return v >> 31 != 0 ? -magnitude : magnitude;
}

constexpr Word<std::uint32_t> word32(std::uint64_t v) noexcept { return Word<std::uint32_t>(static_cast<std::uint32_t>(v)); }

}  // namespace detail

// clang-format off
/// Float bits of an unsigned integer, exact: below 2^24 as float32, below 2^53 as float64. +0 for 0.
constexpr Word<std::uint32_t> float32_of(Word<std::uint32_t> a) noexcept { return detail::word32(detail::of_unsigned<detail::Binary32>(a.value)); }
constexpr Word<std::uint64_t> float64_of(Word<std::uint64_t> a) noexcept { return Word(detail::of_unsigned<detail::Binary64>(a.value)); }
/// float32 bits of a two's complement integer of magnitude 2^24 at most: exact.
constexpr Word<std::uint32_t> float32_of_int(Word<std::uint32_t> a) noexcept { return detail::word32(detail::of_signed<detail::Binary32>(a.value)); }

/// The nearest number, ties to even, of any integer. [rounding]
constexpr Word<std::uint32_t> float32_of_int32(Word<std::uint32_t> a) noexcept { return detail::word32(detail::of_signed<detail::Binary32>(a.value)); }
constexpr Word<std::uint32_t> float32_of_uint32(Word<std::uint32_t> a) noexcept { return detail::word32(detail::of_unsigned<detail::Binary32>(a.value)); }
constexpr Word<std::uint64_t> float64_of_int64(Word<std::uint64_t> a) noexcept { return Word(detail::of_signed<detail::Binary64>(a.value)); }
constexpr Word<std::uint64_t> float64_of_uint64(Word<std::uint64_t> a) noexcept { return Word(detail::of_unsigned<detail::Binary64>(a.value)); }
constexpr Word<std::uint32_t> float32_of_int64(Word<std::uint64_t> a) noexcept { return detail::word32(detail::of_signed<detail::Binary32>(a.value)); }
constexpr Word<std::uint32_t> float32_of_uint64(Word<std::uint64_t> a) noexcept { return detail::word32(detail::of_unsigned<detail::Binary32>(a.value)); }
/// Exact.
constexpr Word<std::uint64_t> float64_of_int32(Word<std::uint32_t> a) noexcept { return Word(detail::of_signed<detail::Binary64>(a.value)); }

/// A NaN becomes `nan`, a positive NaN, with the sign it had; others stay. 32 and 64 bits.
template <class A, class B> requires detail::Words<A, B>
constexpr auto nan_becomes(A a, B nan) noexcept {
  return detail::on_words([](auto v, auto to) {
    using Format = detail::IeeeOf<decltype(v)>;
    return (v & (Format::kSign - 1)) > Format::kInfinity ? (v & Format::kSign) | to : v;
  }, a, nan);
}
/// float32: a < b ? a : b; hence b when either is a NaN, and b for two zeros. [subnormals]
template <class A, class B> requires detail::Words<A, B>
constexpr auto min_nan2(A a, B b) noexcept {
  return detail::on_words([](std::uint32_t x, std::uint32_t y) {
    const bool nan = (x & 0x7FFFFFFF) > detail::Binary32::kInfinity || (y & 0x7FFFFFFF) > detail::Binary32::kInfinity;
    return !nan && detail::ordered(x) < detail::ordered(y) ? x : y;
  }, a, b);
}
/// float32: the power of two with the exponent of a, but not below `least`, a power of two, with the sign of a. Domain: no NaN.
template <class A, class B> requires detail::Words<A, B>
constexpr auto binade(A a, B least) noexcept {
  return detail::on_words([](std::uint32_t v, std::uint32_t low) {
    const std::uint32_t power = v & 0x7F800000;
    return (power < low ? low : power) | (v & 0x80000000);
  }, a, least);
}
/// float32: a * b + c rounded once, to nearest with ties to even. Domain: a * b is exact, so that a separate multiplication and
/// addition give the same. [rounding, subnormals]
template <class A, class B, class C> requires detail::Words<A, B, C>
constexpr auto multiply_add(A a, B b, C c) noexcept {
  return detail::on_words([](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return detail::multiply_add(x, y, z); }, a, b, c);
}

/// Two's complement integers of floats, rounded toward zero (rtz) and to nearest, ties to even (rne); only the top bit set for
/// NaN and where there is none. rne: [rounding]
constexpr Word<std::uint32_t> int32_of_float32_rtz(Word<std::uint32_t> a) noexcept { return detail::integer_or_indefinite<detail::Binary32, std::uint32_t>(a.value, detail::Rounding::rtz); }
constexpr Word<std::uint32_t> int32_of_float32_rne(Word<std::uint32_t> a) noexcept { return detail::integer_or_indefinite<detail::Binary32, std::uint32_t>(a.value, detail::Rounding::rne); }
/// The same, AVX-512 only.
constexpr Word<std::uint64_t> int64_of_float64_rtz(Word<std::uint64_t> a) noexcept { return detail::integer_or_indefinite<detail::Binary64, std::uint64_t>(a.value, detail::Rounding::rtz); }
constexpr Word<std::uint64_t> int64_of_float64_rne(Word<std::uint64_t> a) noexcept { return detail::integer_or_indefinite<detail::Binary64, std::uint64_t>(a.value, detail::Rounding::rne); }
/// To nearest with ties away from zero, down, up, to the odd one of the integers beside a. Domain: -2^31 <= a < 2^31. [rounding]
constexpr Word<std::uint32_t> int32_of_float32_rna(Word<std::uint32_t> a) noexcept { return detail::word32(detail::integer_of<detail::Binary32>(a.value, detail::Rounding::rna)); }
constexpr Word<std::uint32_t> int32_of_float32_rtn(Word<std::uint32_t> a) noexcept { return detail::word32(detail::integer_of<detail::Binary32>(a.value, detail::Rounding::rtn)); }
constexpr Word<std::uint32_t> int32_of_float32_rtp(Word<std::uint32_t> a) noexcept { return detail::word32(detail::integer_of<detail::Binary32>(a.value, detail::Rounding::rtp)); }
constexpr Word<std::uint32_t> int32_of_float32_rto(Word<std::uint32_t> a) noexcept {
  const std::uint32_t down = int32_of_float32_rtn(a).value;  // two's complement: floor, and the one above it if that is odd
  return detail::word32(down | (down != int32_of_float32_rtp(a).value ? 1u : 0u));
}

/// Low 32 bits of the integer. Domain: finite, 0 or |a| >= 1/4. [rounding]
constexpr Word<std::uint32_t> int32_of_float32_wrap_rtz(Word<std::uint32_t> a) noexcept { return detail::word32(detail::integer_of<detail::Binary32>(a.value, detail::Rounding::rtz)); }
constexpr Word<std::uint32_t> int32_of_float32_wrap_rne(Word<std::uint32_t> a) noexcept { return detail::word32(detail::integer_of<detail::Binary32>(a.value, detail::Rounding::rne)); }
constexpr Word<std::uint32_t> int32_of_float64_wrap_rtz(Word<std::uint64_t> a) noexcept { return detail::word32(detail::integer_of<detail::Binary64>(a.value, detail::Rounding::rtz)); }
constexpr Word<std::uint32_t> int32_of_float64_wrap_rne(Word<std::uint64_t> a) noexcept { return detail::word32(detail::integer_of<detail::Binary64>(a.value, detail::Rounding::rne)); }

/// Truncated toward zero, modulo 2^32 or 2^64; 0 for NaN and infinities. AVX-512 only.
constexpr Word<std::uint32_t> truncate_float32_to_int32(Word<std::uint32_t> a) noexcept {
  return detail::word32(detail::finite<detail::Binary32>(a.value) ? detail::integer_of<detail::Binary32>(a.value, detail::Rounding::rtz) : 0);
}
constexpr Word<std::uint64_t> truncate_float32_to_int64(Word<std::uint32_t> a) noexcept {
  return Word<std::uint64_t>(detail::finite<detail::Binary32>(a.value) ? detail::integer_of<detail::Binary32>(a.value, detail::Rounding::rtz) : 0);
}
constexpr Word<std::uint64_t> truncate_float64_to_int64(Word<std::uint64_t> a) noexcept {
  return Word<std::uint64_t>(detail::finite<detail::Binary64>(a.value) ? detail::integer_of<detail::Binary64>(a.value, detail::Rounding::rtz) : 0);
}
constexpr Word<std::uint32_t> truncate_float64_to_int32(Word<std::uint64_t> a) noexcept { return detail::word32(truncate_float64_to_int64(a).value); }

/// Between formats: nearest with ties to even, or exact. NaN: quieted, sign and the leading payload bits kept.
/// float32_of_float64: [rounding, subnormals]; float64_of_float32: [subnormals]
constexpr Word<std::uint32_t> float32_of_float16(Word<std::uint16_t> a) noexcept { return detail::word32(detail::convert<detail::Binary16, detail::Binary32>(a.value)); }
constexpr Word<std::uint16_t> float16_of_float32(Word<std::uint32_t> a) noexcept { return Word<std::uint16_t>(static_cast<std::uint16_t>(detail::convert<detail::Binary32, detail::Binary16>(a.value))); }
constexpr Word<std::uint32_t> float32_of_float64(Word<std::uint64_t> a) noexcept { return detail::word32(detail::convert<detail::Binary64, detail::Binary32>(a.value)); }
constexpr Word<std::uint64_t> float64_of_float32(Word<std::uint32_t> a) noexcept { return Word<std::uint64_t>(detail::convert<detail::Binary32, detail::Binary64>(a.value)); }
/// Toward zero: no number becomes infinity. AVX-512 only. [subnormals]
constexpr Word<std::uint32_t> float32_of_float64_rtz(Word<std::uint64_t> a) noexcept { return detail::word32(detail::convert<detail::Binary64, detail::Binary32>(a.value, detail::Rounding::rtz)); }
// clang-format on

}  // namespace lane
}  // namespace CASTFORGE_ISA
}  // namespace castforge
