// lookup.cpp with byte shuffles: 8-bit sources to results of 16 bits, or to the upper halves of results whose lower
// ones are zero, by tables that are nearly regular, as those of most formats are. SSE4.2 and AVX2.
#pragma once

#include "simd/lanes.hpp"
#include "src/lookup_table.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

using lane::Arch, lane::B16, lane::B32, lane::B8;
using lane::detail::as, lane::detail::broadcast;

template <class U>
CASTFORGE_INLINE lane::Batch<U> vector_at(const U* from) noexcept {
  return lane::kernel::load(reinterpret_cast<const std::byte*>(from), lane::Batch<U>(), Arch{});
}
template <class U>
CASTFORGE_INLINE void put_vector(U* to, lane::Batch<U> v) noexcept {
  lane::kernel::store(reinterpret_cast<std::byte*>(to), v, Arch{});
}
/// Alternately a lane of a and of b, within 128 bits.
template <int kHalf, class U>
CASTFORGE_INLINE lane::Batch<U> unpacked(lane::Batch<U> a, lane::Batch<U> b) noexcept {
  return lane::kernel::interleave(std::integral_constant<int, kHalf>{}, a, b, Arch{});
}

// Most tables of floats are nearly regular: of numbers that are normal before and after, each result is the one before
// and a power of two. What differs, in bits, lies in a few rows of sixteen codes: subnormal numbers in the first,
// infinity and NaN in the last.
struct Regular {
  static constexpr std::size_t kMostRows = 4;
  std::uint16_t first;               // what code 0 would have
  int shift;                         // of a code, to be added to that
  bool folded;                       // the top bit of a code is that of the result, or nothing
  std::uint8_t code_mask, top_mask;  // of codes, and what of them goes to the top bit of the result where it is folded
  std::uint16_t at_80;               // folded: what is different at the code 80
  std::size_t rows;
  std::uint8_t at[kMostRows] = {};                                 // the first code of each
  std::uint8_t low[kMostRows][16] = {}, high[kMostRows][16] = {};  // exclusive or

  /// Takes the low 16 bits of the results of up to 256 codes; whether that is all there is to them.
  bool found(const std::uint16_t* words, std::size_t count) noexcept {
    code_mask = static_cast<std::uint8_t>(count - 1);
    top_mask = 0;
    at_80 = 0;
    folded = count <= 128;
    if (count == 256) {
      const auto sign = static_cast<std::uint16_t>(words[1] ^ words[129]);
      std::uint16_t other = 0;
      for (std::size_t k = 1; k < 128; ++k) other |= static_cast<std::uint16_t>(words[k] ^ words[k + 128] ^ sign);
      if (other == 0 && sign == 0x8000) {
        folded = true;
        top_mask = 0x80;
        at_80 = static_cast<std::uint16_t>(words[128] ^ words[0] ^ sign);
        count = 128;
      }
    }
    const std::size_t middle = count / 2;
    const auto step = static_cast<std::uint16_t>(words[middle + 1] - words[middle]);
    if (step == 0 || (step & (step - 1)) != 0) return false;
    for (shift = 0; step >> shift != 1;) ++shift;
    first = static_cast<std::uint16_t>(words[middle] - (middle << shift));
    rows = 0;
    for (std::size_t row = 0; row < count; row += 16) {
      std::uint16_t differs[16], any = 0;
      for (std::size_t k = 0; k < 16; ++k) {
        differs[k] =
            static_cast<std::uint16_t>(words[row + k] ^ static_cast<std::uint16_t>(first + ((row + k) << shift)));
        any |= differs[k];
      }
      if (any == 0) continue;
      if (rows == kMostRows) return false;
      at[rows] = static_cast<std::uint8_t>(row);
      for (std::size_t k = 0; k < 16; ++k) {
        low[rows][k] = static_cast<std::uint8_t>(differs[k]);
        high[rows][k] = static_cast<std::uint8_t>(differs[k] >> 8);
      }
      ++rows;
    }
    return true;
  }
};

/// Of fewer elements, looking at the whole table takes longer than they do by themselves.
inline constexpr std::size_t kWorthLooking = 512;

/// The results of an 8-bit source where they are words of 16 bits, or the upper halves of 32 with nothing below.
struct Words {
  std::uint16_t at[256];
  std::size_t count = 0;  // of codes; 0: they are no such results, or looking is not worth it

  template <class Result>
  CASTFORGE_INLINE Words(const tables::Lookup& lookup, const Result* results, std::size_t elements) noexcept {
    constexpr std::size_t kFewest = 32;  // codes: of fewer, rows are no whole ones
    const std::size_t codes = static_cast<std::size_t>(lookup.mask) + 1;
    if (elements < kWorthLooking || lookup.shift != 0 || codes < kFewest || codes > 256) return;
    if constexpr (sizeof(Result) == 2) {
      std::memcpy(at, results, codes * sizeof(Result));
    } else {
      constexpr std::size_t kStep = B32::size;
      B32 any(0u);
      for (std::size_t k = 0; k < codes; k += 2 * kStep) {
        const B32 a = vector_at(results + k), b = vector_at(results + k + kStep);
        any = any | a | b;
        put_vector(at + k, lane::detail::to_natural<2>(lane::kernel::high_half(a, b, Arch{})));
      }
      if (!xsimd::all((any << 16) == B32(0u))) return;
    }
    count = codes;
  }
};

/// How many elements were done; the table has kRows rows at most.
template <std::size_t kRows, bool kFolded, class Result>
CASTFORGE_INLINE std::size_t by_regular_rows(const Regular& regular, const std::uint8_t* from, Result* to,
                                             std::size_t count) noexcept {
  const B8 zero(std::uint8_t{0}), top = broadcast(std::uint8_t{0x80});
  const B8 magnitude = broadcast(static_cast<std::uint8_t>(regular.code_mask & (kFolded ? 0x7F : 0xFF))),
           top_mask = broadcast(regular.top_mask), low_80 = broadcast(static_cast<std::uint8_t>(regular.at_80)),
           high_80 = broadcast(static_cast<std::uint8_t>(regular.at_80 >> 8)), seventy = broadcast(std::uint8_t{0x70});
  const B16 first = broadcast(regular.first);
  B8 at[kRows], low_row[kRows], high_row[kRows];
  const auto row_at = [](const std::uint8_t* row) CASTFORGE_LAMBDA_INLINE {
    return lane::kernel::repeat16(reinterpret_cast<const std::byte*>(row), Arch{});
  };
  for (std::size_t k = 0; k < kRows; ++k) {
    at[k] = broadcast(regular.at[k]);
    low_row[k] = row_at(regular.low[k]);
    high_row[k] = row_at(regular.high[k]);
  }
  std::size_t i = 0;
  for (; i + B8::size <= count; i += B8::size) {
    const B8 code = lane::detail::from_natural<sizeof(Result)>(vector_at(from + i)), mag = code & magnitude;
    B8 low = zero, high = zero;
    if constexpr (kFolded) {
      const B8 is_80((code == top).data);
      low = is_80 & low_80;
      high = (is_80 & high_80) ^ (code & top_mask);
    }
    for (std::size_t k = 0; k < kRows; ++k) {
      // 70 to 7F from at[k] on, and 80 and above, where a shuffle gives zero, after sixteen bytes and before.
      const B8 index = xsimd::sadd(mag - at[k], seventy);
      low = low ^ lane::kernel::lookup16(low_row[k], index, Arch{});
      high = high ^ lane::kernel::lookup16(high_row[k], index, Arch{});
    }
    const auto words = [&](auto half) CASTFORGE_LAMBDA_INLINE {
      const B16 straight = (as<std::uint16_t>(unpacked<half>(mag, zero)) << regular.shift) + first;
      return straight ^ as<std::uint16_t>(unpacked<half>(low, high));
    };
    const B16 a = words(std::integral_constant<int, 0>{}), b = words(std::integral_constant<int, 1>{});
    if constexpr (sizeof(Result) == 2) {
      put_vector(to + i, a);
      put_vector(to + i + B16::size, b);
    } else {
      const B16 none(std::uint16_t{0});
      put_vector(to + i, as<Result>(unpacked<0>(none, a)));
      put_vector(to + i + B32::size, as<Result>(unpacked<1>(none, a)));
      put_vector(to + i + 2 * B32::size, as<Result>(unpacked<0>(none, b)));
      put_vector(to + i + 3 * B32::size, as<Result>(unpacked<1>(none, b)));
    }
  }
  return i;
}

/// How many elements of an 8-bit source were done; none where the table is not regular.
template <class Result>
CASTFORGE_INLINE std::size_t by_regular(const Words& words, const std::uint8_t* from, Result* to,
                                        std::size_t count) noexcept {
  Regular regular;
  if (words.count == 0 || !regular.found(words.at, words.count)) return 0;
  if (regular.folded) {
    return regular.rows <= 2 ? by_regular_rows<2, true>(regular, from, to, count)
                             : by_regular_rows<Regular::kMostRows, true>(regular, from, to, count);
  }
  return regular.rows <= 2 ? by_regular_rows<2, false>(regular, from, to, count)
                           : by_regular_rows<Regular::kMostRows, false>(regular, from, to, count);
}

}  // namespace
}  // namespace CASTFORGE_ISA
}  // namespace castforge
