// lane::Word<U>, one scalar lane: what every operation of a kernel's map() means.
//
// map() is a template. With Word it is evaluated in assertions, proofs and the portable loop; with Lanes (lanes.hpp) it
// is the vector loop. Constants stand wherever a lane may and take its width. Where an operation has a domain, results
// outside it are undefined: the generator proves of every plan that it stays inside. Everything here is constexpr and
// integer arithmetic, float_word.hpp included: no floating-point environment changes a result.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "simd/isa.hpp"

namespace castforge::inline CASTFORGE_ISA::lane {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

namespace detail {
template <int kBits> struct UnsignedOf;
template <> struct UnsignedOf<8> { using type = u8; };
template <> struct UnsignedOf<16> { using type = u16; };
template <> struct UnsignedOf<32> { using type = u32; };
template <> struct UnsignedOf<64> { using type = u64; };

}  // namespace detail

/// Unsigned type of 8, 16, 32 or 64 bits.
template <int kBits> using Unsigned = typename detail::UnsignedOf<kBits>::type;

/// Unsigned number of exactly as many bits as U (std::uint8_t .. std::uint64_t); arithmetic wraps, nothing promotes.
template <std::unsigned_integral U> struct Word {
  using value_type = U;
  static constexpr int kBits = std::numeric_limits<U>::digits;

  U value;

  Word() = default;
  constexpr explicit Word(U v) : value(v) {}
};

/// The word that table() gives: one like any other, whose type tells a loop in which table map() looks up last.
template <std::unsigned_integral U, const auto& kTable> struct Entry : Word<U> {
  using Word<U>::Word;
  static constexpr const U* kEntries = kTable.data();
};

/// A truth value about lanes of U. Vectors have masks of that width, hence the type.
template <std::unsigned_integral U> struct Truth {
  bool value;
  constexpr operator bool() const { return value; }
};

namespace detail {

// The width of a lane or mask, as an unsigned type; void for a constant.
template <class T> struct LaneType { using type = void; };
template <class U> struct LaneType<Word<U>> { using type = U; };
template <class U, const auto& kTable> struct LaneType<Entry<U, kTable>> { using type = U; };
template <class U> struct LaneType<Truth<U>> { using type = U; };
template <class First, class... Rest> struct FirstLaneType {
  using type = typename std::conditional_t<std::is_void_v<typename LaneType<First>::type>, FirstLaneType<Rest...>,
                                           LaneType<First>>::type;
};
template <class Only> struct FirstLaneType<Only> : LaneType<Only> {};
template <class... A> using Lane = typename FirstLaneType<A...>::type;

template <class T> inline constexpr bool kIsWord = false;
template <class U> inline constexpr bool kIsWord<Word<U>> = true;
template <class U, const auto& kTable> inline constexpr bool kIsWord<Entry<U, kTable>> = true;
template <class U> inline constexpr bool kIsWord<Truth<U>> = true;

/// Words, truth values and constants, but not constants alone.
template <class... A>
concept Words = (kIsWord<A> || ...) && ((kIsWord<A> || std::integral<A>)&&...);

template <class U, class T> constexpr auto operand(T v) {
  if constexpr (std::is_same_v<T, Truth<U>>) {
    return v.value;
  } else if constexpr (kIsWord<T>) {
    static_assert(std::is_same_v<typename LaneType<T>::type, U>, "operands differ in width");
    return v.value;
  } else {
    return static_cast<U>(v);
  }
}

// f of words and constants of one width.
template <class F, class... A> constexpr auto on_words(F f, A... a) {
  using U = Lane<A...>;
  const auto result = f(operand<U>(a)...);
  if constexpr (std::is_same_v<decltype(result), const bool>) return Truth<U>{result};
  else return Word<U>(static_cast<U>(result));
}

template <std::unsigned_integral U> constexpr auto as_signed(U v) { return static_cast<std::make_signed_t<U>>(v); }

template <class U> inline constexpr int kBitsOf = std::numeric_limits<U>::digits;

}  // namespace detail

template <class A, class B>
requires detail::Words<A, B>
constexpr auto operator+(A a, B b) {
  return detail::on_words([](auto x, auto y) { return x + y; }, a, b);
}
template <class A, class B>
requires detail::Words<A, B>
constexpr auto operator-(A a, B b) {
  return detail::on_words([](auto x, auto y) { return x - y; }, a, b);
}
template <class A, class B>
requires detail::Words<A, B>
constexpr auto operator&(A a, B b) {
  return detail::on_words([](auto x, auto y) { return x & y; }, a, b);
}
template <class A, class B>
requires detail::Words<A, B>
constexpr auto operator|(A a, B b) {
  return detail::on_words([](auto x, auto y) { return x | y; }, a, b);
}
template <class A, class B>
requires detail::Words<A, B>
constexpr auto operator^(A a, B b) {
  return detail::on_words([](auto x, auto y) { return x ^ y; }, a, b);
}

/// Logical shifts by a constant of 0 .. width - 1.
template <class U> constexpr Word<U> operator<<(Word<U> a, int n) { return Word<U>(static_cast<U>(a.value << n)); }
template <class U> constexpr Word<U> operator>>(Word<U> a, int n) { return Word<U>(static_cast<U>(a.value >> n)); }

/// Arithmetic shift right by a constant: copies of the top bit move in.
template <int n, class U> constexpr Word<U> sar(Word<U> a) {
  return Word<U>(static_cast<U>(detail::as_signed(a.value) >> n));
}

/// Smaller and larger of unsigned numbers.
template <class A, class B>
requires detail::Words<A, B>
constexpr auto min(A a, B b) {
  return detail::on_words(
      [](auto x, auto y) {
        // Else g++ compares and moves, in 1.4 to 2.4 times the time of a test.
        if (__builtin_constant_p(y) && y == 1) return static_cast<decltype(x)>(x != 0);
        return x < y ? x : y;
      },
      a, b);
}
template <class A, class B>
requires detail::Words<A, B>
constexpr auto max(A a, B b) {
  return detail::on_words([](auto x, auto y) { return x < y ? y : x; }, a, b);
}

/// Smaller and larger of two's complement numbers.
template <class A, class B>
requires detail::Words<A, B>
constexpr auto min_signed(A a, B b) {
  return detail::on_words([](auto x, auto y) { return detail::as_signed(x) < detail::as_signed(y) ? x : y; }, a, b);
}
template <class A, class B>
requires detail::Words<A, B>
constexpr auto max_signed(A a, B b) {
  return detail::on_words([](auto x, auto y) { return detail::as_signed(x) < detail::as_signed(y) ? y : x; }, a, b);
}

/// All bits set where a > b as two's complement numbers, else 0.
template <class A, class B>
requires detail::Words<A, B>
constexpr auto gt_signed_ones(A a, B b) {
  const auto ones = [](auto x, auto y) {
    return detail::as_signed(x) > detail::as_signed(y) ? ~decltype(x){0} : decltype(x){0};
  };
  return detail::on_words(ones, a, b);
}

/// a == b.
template <class A, class B>
requires detail::Words<A, B>
constexpr auto eq(A a, B b) {
  return detail::on_words([](auto x, auto y) { return x == y; }, a, b);
}
/// a > b as two's complement numbers.
template <class A, class B>
requires detail::Words<A, B>
constexpr auto gt(A a, B b) {
  return detail::on_words([](auto x, auto y) { return detail::as_signed(x) > detail::as_signed(y); }, a, b);
}
/// a > b as unsigned numbers.
template <class A, class B>
requires detail::Words<A, B>
constexpr auto gt_unsigned(A a, B b) {
  return detail::on_words([](auto x, auto y) { return x > y; }, a, b);
}

template <class U> constexpr Truth<U> mask_and(Truth<U> a, Truth<U> b) { return {a.value && b.value}; }

/// a where the mask holds, else b.
template <class U, class A, class B> constexpr auto select(Truth<U> mask, A a, B b) {
  return detail::on_words([](bool m, U x, U y) { return m ? x : y; }, mask, a, b);
}
/// Bits of a where `bits` has ones, of b elsewhere.
template <class A, class B, class C>
requires detail::Words<A, B, C>
constexpr auto merge(A bits, B a, C b) {
  return detail::on_words([](auto m, auto x, auto y) { return (m & x) | (~m & y); }, bits, a, b);
}

/// Logical shifts of 16, 32 and 64 bits by a lane, an unsigned number: 0 when it is the width or more.
template <class A, class B>
requires detail::Words<A, B>
constexpr auto shl(A a, B count) {
  return detail::on_words([](auto x, auto n) { return n < detail::kBitsOf<decltype(x)> ? x << n : 0; }, a, count);
}
template <class A, class B>
requires detail::Words<A, B>
constexpr auto shr(A a, B count) {
  return detail::on_words([](auto x, auto n) { return n < detail::kBitsOf<decltype(x)> ? x >> n : 0; }, a, count);
}

/// a - b of two's complement numbers, limited to -128 .. 127. 8 bits.
template <class A, class B>
requires detail::Words<A, B>
constexpr auto subtract_saturated(A a, B b) {
  return detail::on_words(
      [](u8 x, u8 y) {
        const int difference = detail::as_signed(x) - detail::as_signed(y);
        return difference < -128 ? -128 : difference > 127 ? 127 : difference;
      },
      a, b);
}
/// a + b of unsigned numbers, limited to 255. 8 bits.
template <class A, class B>
requires detail::Words<A, B>
constexpr auto add_saturated(A a, B b) {
  return detail::on_words([](u8 x, u8 y) { return x + y > 255 ? 255 : x + y; }, a, b);
}
/// a - b of unsigned numbers, 0 where a < b. 8 and 16 bits.
template <class A, class B>
requires detail::Words<A, B>
constexpr auto subtract_or_zero(A a, B b) {
  return detail::on_words([](auto x, auto y) { return x > y ? x - y : 0; }, a, b);
}
/// How many bits lie above the highest set one; the width for 0. 32 and 64 bits. AVX-512 only.
template <class U>
requires(sizeof(U) >= 4) constexpr Word<U> leading_zeros(Word<U> a) {
  return Word<U>(static_cast<U>(std::countl_zero(a.value)));
}
/// Magnitude of a two's complement number; -128 stays 0x80. 8 bits.
constexpr Word<u8> abs(Word<u8> a) { return Word<u8>(static_cast<u8>(a.value < 128 ? a.value : 256 - a.value)); }
/// 0 - a where s has its top bit, else a. 8 bits. Domain: a is 0 wherever s is 0.
template <class A, class B>
requires detail::Words<A, B>
constexpr auto negate_where(A a, B s) {
  // Signs are data: no branch on them.
  return detail::on_words([](u8 x, u8 y) { return (x ^ (0 - (y >> 7))) + (y >> 7); }, a, s);
}

/// Wider lanes: zeros or copies of the top bit above.
template <class To, class U> constexpr Word<To> widen(Word<U> a) { return Word<To>(To{a.value}); }
template <class To, class U> constexpr Word<To> widen_signed(Word<U> a) {
  return Word<To>(static_cast<To>(detail::as_signed(a.value)));
}

/// Narrower lanes of the low bits. narrow(): domain: a fits.
template <class To, class U> constexpr Word<To> truncate(Word<U> a) { return Word<To>(static_cast<To>(a.value)); }
template <class To, class U> constexpr Word<To> narrow(Word<U> a) { return Word<To>(static_cast<To>(a.value)); }

/// Byte k of the lane, the lowest being 0. From 16 and 32 bits.
template <int k, class U> constexpr Word<u8> byte(Word<U> a) { return Word<u8>(static_cast<u8>(a.value >> (8 * k))); }

/// The upper 16 of 32 bits.
constexpr Word<u16> high_half(Word<u32> a) { return Word<u16>(static_cast<u16>(a.value >> 16)); }
/// The same rounded by the lower half, to nearest with ties to even, modulo 2^16.
constexpr Word<u16> round_high_half(Word<u32> a) {
  return Word<u16>(static_cast<u16>((a.value + 0x7FFF + (a.value >> 16 & 1)) >> 16));
}
/// The same rounded to odd: the last bit is set too where the lower half is not zero.
constexpr Word<u16> odd_high_half(Word<u32> a) {
  return Word<u16>(static_cast<u16>(a.value >> 16 | ((a.value & 0xFFFF) != 0 ? 1 : 0)));
}
/// The low byte of a + (a >> n), 16 <= n <= 23. From 32 bits.
template <int n> constexpr Word<u8> fold(Word<u32> a) { return Word<u8>(static_cast<u8>(a.value + (a.value >> n))); }
/// The top bit of the lane as bit k of a byte, other bits zero.
template <int k, class U> constexpr Word<u8> sign8(Word<U> a) {
  return Word<u8>(static_cast<u8>(a.value >> (detail::kBitsOf<U> - 1) << k));
}

/// Bytes, the first lowest, as a lane of To; an operand may be the constant 0.
template <class To, class... A>
requires detail::Words<A...>
constexpr Word<To> join(A... bytes) {
  static_assert(sizeof...(A) == sizeof(To));
  To all = 0;
  int place = 0;
  ((all |= static_cast<To>(static_cast<To>(detail::operand<u8>(bytes)) << place), place += 8), ...);
  return Word<To>(all);
}
/// The constant k in lanes of To, as many as `like` has.
template <class To, class U> constexpr Word<To> fill(Word<U> /*like*/, std::uint64_t k) {
  return Word<To>(static_cast<To>(k));
}

/// Entry a of a table; its element type is the lane of the result.
template <const auto& kTable, class U> constexpr auto table(Word<U> a) {
  return Entry<std::remove_cvref_t<decltype(kTable[0])>, kTable>(kTable[a.value]);
}
/// Entry a & 15 where bit 7 of a is clear, else 0.
template <const auto& kTable> constexpr Word<u8> lookup16(Word<u8> a) {
  static_assert(kTable.size() == 16);
  return Word<u8>(a.value < 128 ? kTable[a.value & 15] : u8{0});
}
/// Entry a where a < 16, else 0.
template <const auto& kTable> constexpr Word<std::uint8_t> lookup16_or_zero(Word<std::uint8_t> a) noexcept {
  static_assert(kTable.size() == 16);
  return Word<std::uint8_t>(a.value < 16 ? kTable[a.value] : std::uint8_t{0});
}
/// Entry a of 64. Domain: a < 64.
template <const auto& kTable> constexpr Word<u8> lookup64(Word<u8> a) {
  static_assert(kTable.size() == 64);
  return Word<u8>(kTable[a.value & 63]);
}
/// Entry a & 127.
template <const auto& kTable> constexpr Word<u8> lookup128(Word<u8> a) {
  static_assert(kTable.size() == 128);
  return Word<u8>(kTable[a.value & 127]);
}
/// Entry a.
template <const auto& kTable> constexpr Word<u8> lookup256(Word<u8> a) {
  static_assert(kTable.size() == 256);
  return Word<u8>(kTable[a.value]);
}
/// Entry a of 16, bits 16, 32 or 64 wide. Domain: a < 16.
template <const auto& kTable> constexpr auto lookup16_wide(Word<u8> a) {
  static_assert(kTable.size() == 16);
  return Word(kTable[a.value & 15]);
}
/// Entry a of 8. Domain: a < 8.
template <const auto& kTable> constexpr Word<u64> lookup8_wide(Word<u8> a) {
  static_assert(kTable.size() == 8);
  return Word<u64>(kTable[a.value & 7]);
}
/// Entry a of 16 in the upper 32 bits. Domain: a < 16.
template <const auto& kTable> constexpr Word<u64> lookup16_upper(Word<u8> a) {
  static_assert(kTable.size() == 16 && std::is_same_v<std::remove_cvref_t<decltype(kTable[0])>, u32>);
  return Word<u64>(u64{kTable[a.value & 15]} << 32);
}

}  // namespace castforge::inline CASTFORGE_ISA::lane
