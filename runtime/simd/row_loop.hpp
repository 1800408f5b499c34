// The loop of 8-bit sources that are looked up row by row (rows.hpp).
#pragma once

#include <bit>
#include <utility>

#include "simd/blocks.hpp"
#include "simd/planes.hpp"
#include "simd/rows.hpp"

#if CASTFORGE_VECTOR && CASTFORGE_X86 < 4

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

namespace detail {

// kBits as a sequence of the positions of its set bits.
template <std::uint64_t kBits, int... kFound>
constexpr auto bit_positions(std::integer_sequence<int, kFound...> found) noexcept {
  if constexpr (kBits == 0) {
    return found;
  } else {
    constexpr int lowest = std::countr_zero(kBits);
    return bit_positions<(kBits & (kBits - 1))>(std::integer_sequence<int, kFound..., lowest>{});
  }
}
template <std::uint64_t kBits>
using BitPositions = decltype(bit_positions<kBits>(std::integer_sequence<int>{}));

// Constants of the indices, 16 times each: 16 k, the code at which row k begins, then others.
enum RowConstant : int { kColumn = 16, kMagnitude = 17, kEight = 18, kOdd = 19, kConstants = 20 };
struct RowConstants {
  alignas(64) std::uint8_t bytes[kConstants][16] = {};
  constexpr RowConstants() noexcept {
    for (int k = 0; k < kConstants; ++k) {
      const int value = k == kColumn ? 0x0F : k == kMagnitude ? 0x7F : k == kEight ? 8 : k == kOdd ? 0x9F : 16 * k;
      for (auto& byte : bytes[k]) byte = static_cast<std::uint8_t>(value);
    }
  }
};
static constexpr RowConstants kRowConstants;

// kCount times 16 bytes in memory. Held: read before the loop; otherwise where they are used.
template <int kCount, bool kHeld>
class Rows16 {
 public:
  CASTFORGE_INLINE explicit Rows16(const std::uint8_t* p) noexcept : memory_(p) {
    if constexpr (kHeld) {
#pragma GCC unroll 32
      for (int i = 0; i < kCount; ++i) held_[i] = broadcast16(p + 16 * i);
    }
  }
  CASTFORGE_INLINE Bytes operator[](int i) const noexcept {
    if constexpr (kHeld) return held_[i];
    else return broadcast16(memory_ + 16 * i);
  }

 private:
  const std::uint8_t* memory_;
  Bytes held_[kHeld && kCount > 0 ? kCount : 1];
};

// out[i] = f(i) for N vectors that the same is done to, so that what is read from memory on the way serves them all.
// Arrays, of which only elements are assigned: GCC would copy a structure of vectors through memory.
template <int N, class F>
CASTFORGE_INLINE void each(Bytes* out, F f) noexcept {
  static_assert(N == 1 || N == 2);
  out[0] = f(0);
  if constexpr (N == 2) out[1] = f(1);
}

// The indices of rows.hpp.
template <int N, bool kAbsolute, class Constants>
struct CodeRows {
  Bytes code[N], folded[N];
  const Constants& constants;

  CASTFORGE_INLINE CodeRows(const Bytes* codes, const Constants& all) noexcept : constants(all) {
    each<N>(code, [&](int i) noexcept CASTFORGE_LAMBDA_INLINE { return codes[i]; });
    each<N>(folded, [&](int i) noexcept CASTFORGE_LAMBDA_INLINE {
      if constexpr (!kAbsolute) {
        return code[i] & constants[kMagnitude];
      } else {
#if CASTFORGE_NEON
        return Bytes(vreinterpretq_u8_s8(vabsq_s8(vreinterpretq_s8_u8(code[i]))));
#else
        return Bytes(CASTFORGE_MM(abs_epi8)(code[i]));
#endif
      }
    });
  }

  // All ones for a code with bit 7.
  CASTFORGE_INLINE Bytes sign(int i) const noexcept {
#if CASTFORGE_NEON
    return vcltzq_s8(vreinterpretq_s8_u8(code[i]));
#elif CASTFORGE_X86 == 3
    return Bytes(_mm512_movm_epi8(_mm512_movepi8_mask(code[i])));
#else
    return Bytes(CASTFORGE_MM(cmpgt_epi8)(CASTFORGE_MM_SI(setzero)(), code[i]));
#endif
  }

  // The column where v, a number of seven bits, is in rows kRow to 7. Elsewhere, and for other v, an index to nowhere.
  // kSeven: there are no other v, and so no need to saturate, which fewer execution units can do.
  template <int kRow, bool kSeven = false>
  CASTFORGE_INLINE Bytes from(Bytes v) const noexcept {
#if CASTFORGE_NEON
    if constexpr (kRow != 0) {
      v = vreinterpretq_u8_s8(vqsubq_s8(vreinterpretq_s8_u8(v), vreinterpretq_s8_u8(constants[kRow])));
    }
    return v & Bytes(0x8F);  // a lookup by an index above 15 gives zero
#else
    if constexpr (kRow == 0) return v;  // a lookup by an index with bit 7 gives zero, bits 4 to 6 are ignored
    else if constexpr (kSeven) return v - constants[kRow];
    else return Bytes(CASTFORGE_MM(subs_epi8)(v, constants[kRow]));
#endif
  }
  // v where it is below 16, elsewhere an index to nowhere.
  template <bool kSeven = false>
  CASTFORGE_INLINE Bytes below_16(Bytes v) const noexcept {
#if CASTFORGE_NEON
    return v;
#else
    if constexpr (kSeven) return v + constants[7];
    else return Bytes(CASTFORGE_MM(adds_epu8)(v, constants[7]));
#endif
  }
  // The column where v is in row kRow.
  template <int kRow, bool kSeven = false>
  CASTFORGE_INLINE Bytes only(Bytes v) const noexcept {
    if constexpr (kRow == 0) return below_16<kSeven>(v);
    else return below_16<kSeven>(v ^ constants[kRow]);
  }
  CASTFORGE_INLINE Bytes high(Bytes v) const noexcept {
#if CASTFORGE_NEON
    return vshrq_n_u8(v, 4);
#else
    return Bytes(CASTFORGE_MM(srli_epi16)(v, 4)) & constants[kColumn];
#endif
  }

  template <int kIndex>
  CASTFORGE_INLINE Bytes index(int i) const noexcept {
    const Bytes c = code[i], f = folded[i];
    if constexpr (kIndex == kFoldedHigh) return high(f);
    else if constexpr (kIndex < kFoldedOnly) return from<kIndex - kFoldedFrom, !kAbsolute>(f);
    else if constexpr (kIndex < kFoldedEnds) return only<kIndex - kFoldedOnly, !kAbsolute>(f);
    else if constexpr (kIndex == kFoldedEnds) return below_16<true>((f + constants[kEight]) & constants[kMagnitude]);
    else if constexpr (kIndex == kLow) return c & constants[kColumn];
    else if constexpr (kIndex == kHigh) return high(c);
    else if constexpr (kIndex == kEnds) return below_16(c + constants[kEight]);
    else if constexpr (kIndex < kUpperFrom) return from<kIndex - kLowerFrom>(c);
    else if constexpr (kIndex < kOnly) return from<kIndex - kUpperFrom>(c ^ constants[8]);
    else if constexpr (kIndex < kUpperOdd) return only<kIndex - kOnly>(c);
    else return from<1>((c ^ constants[8]) & constants[kOdd]);  // in odd rows bit 4 is set and remains the only one
  }
};

// Adds one term to the sums, or begins with it.
template <int kIndex, bool kFirst, int N, class Rows>
CASTFORGE_INLINE void add_term(Bytes* sum, const Rows& rows, Bytes table) noexcept {
  each<N>(sum, [&](int i) noexcept CASTFORGE_LAMBDA_INLINE {
    const Bytes term = shuffle16(table, rows.template index<kIndex>(i));
    if constexpr (kFirst) return term;
    else return sum[i] + term;
  });
}

// Adds terms whose tables follow one another from number `at` on.
template <bool kBegin, int N, class Rows, class Tables, int... kIndices, int... kPositions>
CASTFORGE_INLINE void add_terms([[maybe_unused]] Bytes* sum, [[maybe_unused]] const Rows& rows,
                                [[maybe_unused]] const Tables& tables, [[maybe_unused]] int at,
                                std::integer_sequence<int, kIndices...>,
                                std::integer_sequence<int, kPositions...>) noexcept {
  (add_term<kIndices, kBegin && kPositions == 0, N>(sum, rows, tables[at + kPositions]), ...);
}

CASTFORGE_INLINE Bytes zero_bytes() noexcept {
#if CASTFORGE_NEON
  return vdupq_n_u8(0);
#else
  return Bytes(CASTFORGE_MM_SI(setzero)());
#endif
}

// All ones in the bytes that are zero.
CASTFORGE_INLINE Bytes where_zero(Bytes v) noexcept {
#if CASTFORGE_NEON
  return vceqzq_u8(v);
#elif CASTFORGE_X86 == 3
  return Bytes(_mm512_movm_epi8(_mm512_testn_epi8_mask(v, v)));
#else
  return Bytes(CASTFORGE_MM(cmpeq_epi8)(v, CASTFORGE_MM_SI(setzero)()));
#endif
}

// The effect of the sign on a sum of folded terms. zeros: where all bytes below are zero.
template <Sign kSign, int N, class Rows>
CASTFORGE_INLINE void apply_sign(Bytes* sum, const Rows& rows, const std::uint8_t* flips, const Bytes* zeros) noexcept {
  if constexpr (kSign != Sign::none) {
    each<N>(sum, [&](int i) noexcept CASTFORGE_LAMBDA_INLINE {
      const Bytes v = sum[i], code = rows.code[i];
      if constexpr (kSign == Sign::flips_top) return v ^ (code & rows.constants[8]);
      else if constexpr (kSign == Sign::flips_all) return v ^ rows.sign(i);
      else if constexpr (kSign == Sign::flips_some) return v ^ (rows.sign(i) & Bytes(*flips));
      else if constexpr (kSign == Sign::negates_with_carry) return (v ^ rows.sign(i)) - (rows.sign(i) & zeros[i]);
#if CASTFORGE_X86 == 3
      else return Bytes(_mm512_mask_sub_epi8(v, _mm512_movepi8_mask(code), _mm512_setzero_si512(), v));
#elif CASTFORGE_X86
      else return Bytes(CASTFORGE_MM(sign_epi8)(v, code));  // code 0, whose result is zero, gives zero
#else
      else return (v ^ rows.sign(i)) - rows.sign(i);
#endif
    });
  }
}

template <std::uint64_t kTerms>
using Positions = std::make_integer_sequence<int, std::popcount(kTerms)>;

// One plane. `at`: the number of its first table among those of terms; direct: its table that is read as a whole.
template <PlaneProgram kProgram, int N, class Rows, class Tables>
CASTFORGE_INLINE void plane_of(Bytes* sum, Bytes* zeros, const Rows& rows, const Tables& tables, int at,
                               const std::uint8_t* direct, const std::uint8_t* flips) noexcept {
  constexpr std::uint64_t kBeforeSign = (std::uint64_t{1} << kFirstUnfolded) - 1;
  constexpr std::uint64_t kFolded = kProgram.terms & kBeforeSign, kOthers = kProgram.terms & ~kBeforeSign;
  constexpr bool kEmpty = kProgram.direct == 0 && kFolded == 0;
  if constexpr (kProgram.direct != 0) {
    const Plane<kProgram.direct> plane(direct);
    each<N>(sum, [&](int i) noexcept CASTFORGE_LAMBDA_INLINE {
      return plane(kProgram.direct == 128 ? rows.folded[i] : rows.code[i]);
    });
  } else if constexpr (kFolded != 0) {
    add_terms<true, N>(sum, rows, tables, at, BitPositions<kFolded>{}, Positions<kFolded>{});
  } else if constexpr (kProgram.sign != Sign::none) {
    each<N>(sum, [](int) noexcept CASTFORGE_LAMBDA_INLINE { return zero_bytes(); });
  }
  if constexpr (kProgram.zeros == Zeros::ignores) {
    apply_sign<kProgram.sign, N>(sum, rows, flips, zeros);
  } else {
    Bytes here[N];
    each<N>(here, [&](int i) noexcept CASTFORGE_LAMBDA_INLINE { return where_zero(sum[i]); });
    apply_sign<kProgram.sign, N>(sum, rows, flips, zeros);
    each<N>(zeros, [&](int i) noexcept CASTFORGE_LAMBDA_INLINE {
      if constexpr (kProgram.zeros == Zeros::begins) return here[i];
      else return zeros[i] & here[i];
    });
  }
  add_terms<kEmpty && kProgram.sign == Sign::none, N>(
      sum, rows, tables, at + std::popcount(kFolded), BitPositions<kOthers>{}, Positions<kOthers>{});
}

template <RowsPattern kPattern, int N, class Rows, class Tables, int... kPlanes>
CASTFORGE_INLINE void planes_of([[maybe_unused]] Bytes (*looked_up)[N], const Rows& rows, const Tables& tables,
                                const std::uint8_t* direct, const std::uint8_t* flips,
                                std::integer_sequence<int, kPlanes...>) noexcept {
  int at = 0;
  [[maybe_unused]] Bytes zeros[N];
  ((plane_of<kPattern.plane[kPlanes], N>(looked_up[kPlanes], zeros, rows, tables, at, direct, flips + kPlanes),
    at += std::popcount(kPattern.plane[kPlanes].terms), direct += kPattern.plane[kPlanes].direct),
   ...);
}

// How many tables can stay in registers, with one vector at a time and with two. More are read in every pass, for two
// vectors.
#if CASTFORGE_X86 == 1
static constexpr int kMostHeld[2] = {6, 3};
#elif CASTFORGE_X86 == 2
static constexpr int kMostHeld[2] = {6, 6};
#else
static constexpr int kMostHeld[2] = {18, 18};
#endif

template <RowsPattern kPattern, int kDstBits>
__attribute__((flatten)) CASTFORGE_SHARED static void rows_loop(const std::uint8_t* data, const std::uint8_t* flips,
                                                                const void* src, void* dst, std::size_t count,
                                                                std::size_t ahead) noexcept {
  constexpr int kBytes = kDstBits < 8 ? 1 : kDstBits / 8;
  constexpr bool kHeld = kPattern.terms <= kMostHeld[0];
  constexpr int N = kHeld && (kBytes > 1 || kPattern.terms > kMostHeld[1]) ? 1 : 2;
  const std::uint8_t* all_constants = kRowConstants.bytes[0];
  asm("" : "+r"(all_constants));  // otherwise the compiler builds constants from immediates in every pass
  const Rows16<kConstants, kHeld> constants(all_constants);
  const Rows16<kPattern.terms, kHeld> tables(data);

  constexpr std::size_t kOut = kVectorBytes * (kDstBits < 8 ? kDstBits : 8) / 8;  // bytes of one result vector
  for_each_block<8, kDstBits, N * kVectorBytes>(
      src, dst, count, ahead, [&](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
        Bytes code[N], looked_up[kMostPlanes][N];
        each<N>(code, [&](int i) noexcept CASTFORGE_LAMBDA_INLINE {
          return interleave_order<kBytes>(load<std::uint8_t>(in + static_cast<std::size_t>(i) * kVectorBytes));
        });
        const CodeRows<N, kPattern.absolute, decltype(constants)> rows(code, constants);
        planes_of<kPattern, N>(looked_up, rows, tables, data + 16 * kPattern.terms, flips,
                               std::make_integer_sequence<int, kPattern.planes>{});
        const auto finish = [&](int i) noexcept CASTFORGE_LAMBDA_INLINE {
          Bytes byte[kBytes], result[kBytes];
#pragma GCC unroll 8
          for (int j = 0; j < kBytes; ++j) {
            byte[j] = kPattern.from[j] < 0 ? Bytes(0) : looked_up[kPattern.from[j] < 0 ? 0 : kPattern.from[j]][i];
          }
          interleave<kBytes>(byte, result);
          std::byte* to = out + static_cast<std::size_t>(i * kBytes) * kOut;
          if constexpr (kDstBits < 8) store_pack<kDstBits, !kPattern.masked>(to, result[0]);
          else store_results<kBytes>(to, result);
        };
        finish(0);
        if constexpr (N == 2) finish(1);
      });
}

}  // namespace detail

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge

#endif  // CASTFORGE_VECTOR && CASTFORGE_X86 < 4
