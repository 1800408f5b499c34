// The scalar side of the lane vocabulary: one unsigned word with wrapping arithmetic, usable in constant expressions.
//
// A kernel's map() is a template; with Word it serves static_assert, the portable loop and proofs, with Batch
// (batch.hpp) it is the vector loop. Every function here has a twin of the same name and meaning there. Where a
// function has a domain, results outside it are undefined: the generator interprets every plan over its whole source
// range and refuses one that leaves the domain.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "simd/isa.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace lane {

/// Unsigned word of exactly as many bits as U (std::uint8_t .. std::uint64_t); arithmetic wraps, nothing promotes.
template <std::unsigned_integral U>
struct Word {
  using value_type = U;
  static constexpr int kBits = std::numeric_limits<U>::digits;

  U value;

  Word() = default;
  constexpr explicit Word(U v) noexcept : value(v) {}

  friend constexpr Word operator+(Word a, Word b) noexcept { return Word(static_cast<U>(a.value + b.value)); }
  friend constexpr Word operator-(Word a, Word b) noexcept { return Word(static_cast<U>(a.value - b.value)); }
  friend constexpr Word operator&(Word a, Word b) noexcept { return Word(static_cast<U>(a.value & b.value)); }
  friend constexpr Word operator|(Word a, Word b) noexcept { return Word(static_cast<U>(a.value | b.value)); }
  friend constexpr Word operator^(Word a, Word b) noexcept { return Word(static_cast<U>(a.value ^ b.value)); }
  friend constexpr Word operator~(Word a) noexcept { return Word(static_cast<U>(~a.value)); }
  /// Logical shifts by a count of 0 .. width - 1, the same for every lane.
  friend constexpr Word operator<<(Word a, int n) noexcept { return Word(static_cast<U>(a.value << n)); }
  friend constexpr Word operator>>(Word a, int n) noexcept { return Word(static_cast<U>(a.value >> n)); }
};

namespace detail {
template <class U>
constexpr auto as_signed(Word<U> a) noexcept {
  return static_cast<std::make_signed_t<U>>(a.value);
}
}  // namespace detail

/// Bits of a where the mask has ones, of b elsewhere.
template <class U>
constexpr Word<U> merge(Word<U> mask, Word<U> a, Word<U> b) noexcept {
  return (mask & a) | (~mask & b);
}


/// mask ? a : b, lane by lane.
template <class U>
constexpr Word<U> select(bool mask, Word<U> a, Word<U> b) noexcept {
  return mask ? a : b;
}

/// a == b.
template <class U>
constexpr bool eq(Word<U> a, Word<U> b) noexcept {
  return a.value == b.value;
}

/// a != b.
template <class U>
constexpr bool ne(Word<U> a, Word<U> b) noexcept {
  return a.value != b.value;
}

/// a > b as two's complement integers; hence also as unsigned ones where both top bits are clear (the cheap case).
template <class U>
constexpr bool gt(Word<U> a, Word<U> b) noexcept {
  return detail::as_signed(a) > detail::as_signed(b);
}

/// a > b as unsigned integers.
template <class U>
constexpr bool gt_unsigned(Word<U> a, Word<U> b) noexcept {
  return a.value > b.value;
}

constexpr bool mask_and(bool a, bool b) noexcept { return a && b; }
constexpr bool mask_or(bool a, bool b) noexcept { return a || b; }
constexpr bool mask_not(bool a) noexcept { return !a; }

/// All bits set where the mask holds, zero elsewhere. U = std::uint32_t etc. names the lane.
template <class U>
constexpr Word<U> ones_where(bool mask) noexcept {
  return Word<U>(mask ? static_cast<U>(~U{0}) : U{0});
}

/// v where the mask holds, zero elsewhere.
template <class U>
constexpr Word<U> zero_unless(bool mask, Word<U> v) noexcept {
  return mask ? v : Word<U>(U{0});
}

/// Smaller / larger as unsigned integers.
template <class U>
constexpr Word<U> min(Word<U> a, Word<U> b) noexcept {
  return a.value < b.value ? a : b;
}
template <class U>
constexpr Word<U> max(Word<U> a, Word<U> b) noexcept {
  return a.value > b.value ? a : b;
}

/// Smaller / larger as two's complement integers.
template <class U>
constexpr Word<U> min_signed(Word<U> a, Word<U> b) noexcept {
  return detail::as_signed(a) < detail::as_signed(b) ? a : b;
}
template <class U>
constexpr Word<U> max_signed(Word<U> a, Word<U> b) noexcept {
  return detail::as_signed(a) > detail::as_signed(b) ? a : b;
}

/// v limited to [low, high] as unsigned integers, low <= high.
template <class U>
constexpr Word<U> clamp(Word<U> v, Word<U> low, Word<U> high) noexcept {
  return min(max(v, low), high);
}

/// Logical shift of each lane by its own count n (the whole lane, unsigned): 0 when n >= width. 16-, 32-, 64-bit lanes.
template <class U>
constexpr Word<U> shl(Word<U> v, Word<U> n) noexcept {
  return n.value >= Word<U>::kBits ? Word<U>(U{0}) : v << static_cast<int>(n.value);
}
template <class U>
constexpr Word<U> shr(Word<U> v, Word<U> n) noexcept {
  return n.value >= Word<U>::kBits ? Word<U>(U{0}) : v >> static_cast<int>(n.value);
}

/// Arithmetic shift right by the constant N, 0 <= N < width: copies of the top bit move in.
template <int N, class U>
constexpr Word<U> sar(Word<U> v) noexcept {
  return Word<U>(static_cast<U>(detail::as_signed(v) >> N));
}

/// 0 - v.
template <class U>
constexpr Word<U> neg(Word<U> v) noexcept {
  return Word<U>(U{0}) - v;
}

/// Low half of the product. 16- and 32-bit lanes.
template <class U>
constexpr Word<U> mul_low(Word<U> a, Word<U> b) noexcept {
  return Word<U>(static_cast<U>(std::uint64_t{a.value} * b.value));
}

/// kTable[v & 15] where bit 7 of v is clear, 0 where it is set. 8-bit lanes.
template <std::array<std::uint8_t, 16> kTable>
constexpr Word<std::uint8_t> lookup16(Word<std::uint8_t> v) noexcept {
  return Word<std::uint8_t>((v.value & 0x80) != 0 ? std::uint8_t{0} : kTable[v.value & 15]);
}

}  // namespace lane
}  // namespace CASTFORGE_ISA
}  // namespace castforge
