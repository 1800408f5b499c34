// lookup.cpp for 8-bit sources with byte shuffles, SSE4.2 and AVX2: tables that are nearly regular, as those of most
// formats are, by arithmetic and a few rows of sixteen results; on AVX2, others by sixteen rows.
#pragma once

#include <array>
#include <cstring>
#include <utility>

#include "loops/lookup_vectors.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

CASTFORGE_INLINE auto row_at(const std::uint8_t* row) noexcept {
  return lane::kernel::repeat16(reinterpret_cast<const std::byte*>(row), lane::Arch{});
}

/// Does setting the top bit of a code change the same bits of every result? The code 0x80, often NaN or zero, may
/// differ.
template <class Word>
CASTFORGE_INLINE bool folds(const Word* results) noexcept {
  using V = lane::Batch<Word>;
  constexpr std::size_t kLast = kAllCodes / 2 - V::size;
  const V change(static_cast<Word>(results[1] ^ results[129]));
  V differs(Word{0});
  // Codes 1 to 127: the last vector overlaps the one before it, and code 0 is left out.
  for (std::size_t code = 1;; code += V::size) {
    const std::size_t at = code < kLast ? code : kLast;
    differs = differs | (vector_at(results + at) ^ vector_at(results + at + kAllCodes / 2) ^ change);
    if (at == kLast) return xsimd::all(differs == V(Word{0}));
  }
}

/// Words of 16 bits as results, or as the upper halves of results of 32 bits.
template <class Result, class Words>
CASTFORGE_INLINE auto at_top(const Words& words) noexcept {
  if constexpr (sizeof(Result) == 2) return words;
  else return lane::detail::interleaved(words & std::uint16_t{0}, words);
}

// Most tables of floats are nearly regular: where source and result are normal numbers, each result is the one before
// it plus the same power of two. Results off that line lie in a few rows of sixteen codes: subnormal numbers in the
// first, infinity and NaN in the last.
struct Regular {
  static constexpr std::size_t kMostRows = 4;
  std::uint16_t first;  // the line is first + (code << shift)
  int shift;
  bool folded;          // the top bit of a code becomes that of the result, or changes nothing, but for 0x80
  std::uint8_t top;     // folded: that bit of the upper byte, or 0
  std::uint16_t at_80;  // folded: the bits in which the result of 0x80 differs
  std::size_t rows;     // how many are used
  std::uint8_t at[kMostRows] = {};                                 // the first code of each
  std::uint8_t low[kMostRows][16] = {}, high[kMostRows][16] = {};  // the bits in which results and line differ

  /// Finds the line and the rows of a table. False where the line has no step that is a power of two, or more than
  /// kMostRows rows differ.
  bool found(const std::uint16_t* words) noexcept {
    constexpr std::uint16_t kTop = 0x8000;
    const auto change = static_cast<std::uint16_t>(words[1] ^ words[129]);
    folded = (change == kTop || change == 0) && folds(words);
    top = static_cast<std::uint8_t>(change >> 8);
    at_80 = folded ? static_cast<std::uint16_t>(words[128] ^ words[0] ^ change) : std::uint16_t{0};
    // The step is taken in the middle, where numbers are normal.
    const std::size_t count = folded ? 128 : 256, middle = count / 2;
    const auto step = static_cast<std::uint16_t>(words[middle + 1] - words[middle]);
    if (step == 0 || (step & (step - 1)) != 0) return false;
    for (shift = 0; step >> shift != 1;) ++shift;
    first = static_cast<std::uint16_t>(words[middle] - (middle << shift));
    rows = 0;
    std::uint16_t differs[kAllCodes] = {};
    for (std::size_t code = 0; code < count; code += kStep) {
      const lane::Source<std::uint8_t, kStep> codes{reinterpret_cast<const std::byte*>(kCodes.data() + code)};
      const lane::Source<std::uint16_t, kStep> actual{reinterpret_cast<const std::byte*>(words + code)};
      const auto straight = (lane::widen<std::uint16_t>(codes) << shift) + first;
      lane::store(reinterpret_cast<std::byte*>(differs + code), straight ^ actual);
    }
    for (std::size_t row = 0; row < count; row += 16) {
      std::uint64_t four[4];
      std::memcpy(four, differs + row, sizeof four);
      if ((four[0] | four[1] | four[2] | four[3]) == 0) continue;
      if (rows == kMostRows) return false;
      at[rows] = static_cast<std::uint8_t>(row);
      for (std::size_t k = 0; k < 16; ++k) {
        low[rows][k] = static_cast<std::uint8_t>(differs[row + k]);
        high[rows][k] = static_cast<std::uint8_t>(differs[row + k] >> 8);
      }
      ++rows;
    }
    return true;
  }

 private:
  static constexpr std::array<std::uint8_t, kAllCodes> kCodes = [] {
    std::array<std::uint8_t, kAllCodes> all{};
    for (std::size_t code = 0; code < kAllCodes; ++code) all[code] = static_cast<std::uint8_t>(code);
    return all;
  }();
};

/// By a table with kRows rows at most.
template <std::size_t kRows, bool kFolded, class Result>
CASTFORGE_INLINE std::size_t by_regular_rows(const Regular& regular, const std::uint8_t* from, Result* to,
                                             std::size_t count) noexcept {
  using Codes = LoadedCodes<Result>;
  Codes at[kRows];
  lane::B8 low_row[kRows], high_row[kRows];
  for (std::size_t k = 0; k < kRows; ++k) {
    at[k] = Codes{{lane::detail::broadcast(regular.at[k])}};
    low_row[k] = row_at(regular.low[k]);
    high_row[k] = row_at(regular.high[k]);
  }
  const auto low_80 = static_cast<std::uint8_t>(regular.at_80), high_80 = static_cast<std::uint8_t>(regular.at_80 >> 8);
  return each_vector(from, to, count, [&](const Codes& code) CASTFORGE_LAMBDA_INLINE {
    const Codes mag = code & std::uint8_t{kFolded ? 0x7F : 0xFF};
    Codes low = mag & std::uint8_t{0}, high = low;
    if constexpr (kFolded) {
      const auto is_80 = lane::eq(code, std::uint8_t{0x80});
      low = lane::select(is_80, low_80, std::uint8_t{0});
      high = lane::select(is_80, high_80, std::uint8_t{0}) ^ (code & regular.top);
    }
    for (std::size_t k = 0; k < kRows; ++k) {
      // Below 16 in this row; with 0x70 added, all others have the top bit, for which a shuffle gives zero.
      const Codes place = lane::add_saturated(mag - at[k], std::uint8_t{0x70});
      low = low ^ lane::detail::lookup16_in(place, low_row[k]);
      high = high ^ lane::detail::lookup16_in(place, high_row[k]);
    }
    const auto straight = (lane::widen<std::uint16_t>(mag) << regular.shift) + regular.first;
    return at_top<Result>(straight ^ lane::detail::interleaved(low, high));
  });
}

template <class Result>
CASTFORGE_INLINE std::size_t by_regular(const Regular& regular, const std::uint8_t* from, Result* to,
                                        std::size_t count) noexcept {
  if (regular.folded) {
    return regular.rows <= 2 ? by_regular_rows<2, true>(regular, from, to, count)
                             : by_regular_rows<Regular::kMostRows, true>(regular, from, to, count);
  }
  return regular.rows <= 2 ? by_regular_rows<2, false>(regular, from, to, count)
                           : by_regular_rows<Regular::kMostRows, false>(regular, from, to, count);
}

// A byte shuffle picks one of 16 entries by the low four bits of an index, and gives zero where its top bit is set. Row
// k holds the bits in which entries 16k to 16k + 15 differ from those 16 places before. An index is looked up in every
// row and lowered by 16 after each; once it is negative nothing more is added. The exclusive or of what was found is
// the entry.
struct Rows {
  std::uint8_t row[16][16];
  std::uint8_t negative, at_80;  // the bits that the top bit of a code changes, and the entry of 0x80
  bool folded;                   // the top bit changes nothing else, but for 0x80

  template <int kPlace, class Word>
  static CASTFORGE_INLINE Rows of_byte(const Word* results) noexcept {
    Plane plane;
    take_byte<kPlace>(plane, results);
    Rows rows;
    rows.negative = static_cast<std::uint8_t>(plane[1] ^ plane[129]);
    rows.at_80 = plane[128];
    rows.folded = folds(plane);
    std::memcpy(rows.row, plane, sizeof plane);
    // Rows 0 and 8, the first ones of codes without and with bit 7, stay as they are.
    for (std::size_t half = 0; half < kAllCodes; half += 128) {
      for (std::size_t code = half + 16; code < half + 128; code += 16) {
        for (std::size_t k = 0; k < 16; k += 8) {
          std::uint64_t here, before;
          std::memcpy(&here, plane + code + k, 8);
          std::memcpy(&before, plane + code + k - 16, 8);
          here ^= before;
          std::memcpy(rows.row[code / 16] + k, &here, 8);
        }
      }
    }
    return rows;
  }

  /// bytes ^ the entries in eight rows; unchanged where the index is 128 or more.
  template <std::size_t kFirst, class Codes>
  CASTFORGE_INLINE Codes combined(Codes bytes, Codes index) const noexcept {
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 8; ++k) {
      bytes = bytes ^ lane::detail::lookup16_in(index, row_at(row[kFirst + k]));
      index = lane::subtract_saturated(index, std::uint8_t{16});
    }
    return bytes;
  }
  /// The bytes that these codes lead to.
  template <bool kFolded, class Codes>
  CASTFORGE_INLINE Codes of(const Codes& codes) const noexcept {
    constexpr std::uint8_t kTop = 0x80;
    if constexpr (kFolded) {
      const auto bytes = combined<0>(lane::sar<7>(codes) & negative, codes & std::uint8_t{kTop - 1});
      return lane::select(lane::eq(codes, kTop), at_80, bytes);
    } else {
      return combined<8>(combined<0>(codes & std::uint8_t{0}, codes), codes ^ kTop);
    }
  }
};

/// By the rows of each byte of the results, of which words of 32 bits have the upper two. Returns how many elements
/// were done.
template <bool kFolded, class Result, std::size_t... kByte>
CASTFORGE_INLINE std::size_t by_prepared_rows(const Rows* bytes, const std::uint8_t* from, Result* to,
                                              std::size_t count, std::index_sequence<kByte...>) noexcept {
  return each_vector(from, to, count, [&](const auto& codes) CASTFORGE_LAMBDA_INLINE {
    if constexpr (sizeof(Result) == 4) return lane::join<Result>(0, 0, bytes[kByte].template of<kFolded>(codes)...);
    else return lane::join<Result>(bytes[kByte].template of<kFolded>(codes)...);
  });
}
/// Two bytes by all sixteen rows take longer than to load results one by one.
template <class Result, std::size_t... kByte>
CASTFORGE_INLINE std::size_t by_rows(const Result* results, const std::uint8_t* from, Result* to, std::size_t count,
                                     std::index_sequence<kByte...> all) noexcept {
  constexpr int kFirst = static_cast<int>(sizeof(Result) - sizeof...(kByte));
  const Rows bytes[] = {Rows::of_byte<kFirst + static_cast<int>(kByte)>(results)...};
  if ((bytes[kByte].folded && ...)) return by_prepared_rows<true>(bytes, from, to, count, all);
  if constexpr (sizeof...(kByte) == 1) return by_prepared_rows<false>(bytes, from, to, count, all);
  return 0;
}

/// Returns how many elements were done.
template <class Result>
CASTFORGE_INLINE std::size_t by_table(const Result* results, const std::uint8_t* from, Result* to,
                                      std::size_t count) noexcept {
  // With vectors of 16 bytes it is always faster to load results one by one.
  constexpr bool kRowsPay = lane::kVectorBytes > 16;
  if constexpr (sizeof(Result) > 1) {
    if (!lower_halves_are_zero(results)) return 0;
    Regular regular;
    std::uint16_t halves[kAllCodes];
    if (regular.found(upper_halves(results, halves))) return by_regular(regular, from, to, count);
  }
  if constexpr (kRowsPay) {
    constexpr std::size_t kBytes = sizeof(Result) == 1 ? 1 : 2;
    return by_rows(results, from, to, count, std::make_index_sequence<kBytes>{});
  }
  return 0;
}

}  // namespace
}  // namespace CASTFORGE_ISA
}  // namespace castforge
