// For elements that reach into the next byte (dense.hpp): tables, and a few bytes from and to memory.
#pragma once

#include "simd/batch.hpp"

#if CASTFORGE_VECTOR

namespace castforge::inline CASTFORGE_ISA::lane {

namespace detail {

// An index of a shuffle that gives zero.
inline constexpr std::size_t kNoByte = 0x80;

// n bytes at p, 4 to 16, as the first and the last ones of them, which may overlap: where byte k is.
constexpr std::size_t end_size(std::size_t n) { return n >= 16 ? 16 : n >= 8 ? 8 : 4; }
constexpr std::size_t place_in_ends(std::size_t n, std::size_t k) {
  const std::size_t end = end_size(n);
  return k < end ? k : k - (n - end) + end;
}
template <std::size_t n> CASTFORGE_INLINE Native<u8, 16> load_ends(const std::byte* p) {
  static_assert(n >= 4 && n <= 16);
  if constexpr (n == 16) {
    Native<u8, 16> whole;
    std::memcpy(&whole, p, 16);
    return whole;
  } else {
    using End = Unsigned<static_cast<int>(8 * end_size(n))>;
    End first, last;
    std::memcpy(&first, p, sizeof first);
    std::memcpy(&last, p + n - sizeof last, sizeof last);
    if constexpr (sizeof(End) == 8) return reinterpret_cast<Native<u8, 16>>(Native<u64, 16>{first, last});
    else return reinterpret_cast<Native<u8, 16>>(Native<u32, 16>{first, last, 0, 0});
  }
}
template <std::size_t kFrom, std::size_t... I>
CASTFORGE_INLINE Native<u8, 16> from_byte(Native<u8, 16> v, std::index_sequence<I...>) {
  return __builtin_shufflevector(v, Native<u8, 16>{}, (kFrom + I)...);
}
// The first n bytes of v, 4 to 16.
template <std::size_t n> CASTFORGE_INLINE void store_ends(std::byte* p, Native<u8, 16> v) {
  static_assert(n >= 4 && n <= 16);
  constexpr std::size_t kEnd = end_size(n);
  std::memcpy(p, &v, kEnd);
  if constexpr (n != kEnd) {
    const auto last = from_byte<n - kEnd>(v, std::make_index_sequence<16>{});
    std::memcpy(p + n - kEnd, &last, kEnd);
  }
}

}  // namespace detail

}  // namespace castforge::inline CASTFORGE_ISA::lane

#endif  // CASTFORGE_VECTOR
