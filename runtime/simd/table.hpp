// Kernels given as a table: one result per source code, for sources of 2, 4 and 8 bits.
//
// The results are split into byte planes: plane j holds byte j of every result. A vector of source bytes is looked up
// once per plane and the planes are interleaved to results. Everything that a plane makes unnecessary is left out at
// compile time: planes of zeros, planes equal to another one, and the upper half of tables whose entry c + 128 differs
// from entry c by a constant (formats with a sign bit). The loops are shared by all kernels with the same pattern.
#pragma once

#include <array>

#include "simd/blocks.hpp"
#include "simd/narrow.hpp"
#include "simd/scalar_loop.hpp"
#include "simd/widen.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

namespace detail {

#if CASTFORGE_VECTOR

static constexpr int kMaxPlanes = 8;

// How a result is put together from planes. A compile-time parameter of the loops: few values occur.
struct TablePattern {
  int entries = 0;              // of each plane: 16 (2- and 4-bit sources), 128 or 256
  int planes = 0;               // distinct planes that are not all zero
  int from[kMaxPlanes] = {};    // result byte j is plane from[j], or zero for -1
  int sign[kMaxPlanes] = {};    // 128 entries: effect of code bit 7 on a plane: 0 none, 1 flips bit 7, 2 flips the
                                // bits of the plane's flip byte
  bool patched = false;         // 128 entries: code 128 is an exception (a format whose "negative zero" is its NaN)
};

// The distinct planes of a table at compile time; plane p has its entries at bytes[p * pattern.entries].
template <int kSrcBits, int kBytes, class Results>
struct TableLayout {
  TablePattern pattern{};
  std::uint8_t bytes[kMaxPlanes * 256] = {};
  std::uint8_t flips[kMaxPlanes] = {}, patches[kMaxPlanes] = {};

  constexpr explicit TableLayout(const Results& results) noexcept {
    constexpr int codes = 1 << kSrcBits;
    const auto byte = [&](int code, int j) {
      return static_cast<std::uint8_t>(static_cast<std::uint64_t>(results[static_cast<std::size_t>(code)]) >> (8 * j));
    };
    bool halves = kSrcBits == 8;
    for (int j = 0; halves && j < kBytes; ++j) {
      const int flip = byte(codes / 2 + 1, j) ^ byte(1, j);
      for (int c = 1; c < codes / 2; ++c) halves = halves && (byte(c, j) ^ byte(c + codes / 2, j)) == flip;
      pattern.patched = pattern.patched || (byte(0, j) ^ byte(codes / 2, j)) != flip;
    }
    pattern.patched = pattern.patched && halves;
    pattern.entries = kSrcBits < 8 ? 16 : halves ? 128 : 256;
    for (int j = 0; j < kBytes; ++j) {
      pattern.from[j] = -1;
      bool zero = true;
      for (int c = 0; c < codes; ++c) zero = zero && byte(c, j) == 0;
      if (zero) continue;
      for (int earlier = 0; earlier < j; ++earlier) {
        bool same = pattern.from[earlier] >= 0;
        for (int c = 0; c < codes; ++c) same = same && byte(c, j) == byte(c, earlier);
        if (same) pattern.from[j] = pattern.from[earlier];
      }
      if (pattern.from[j] >= 0) continue;
      const int p = pattern.planes++;
      pattern.from[j] = p;
      for (int c = 0; c < pattern.entries && c < codes; ++c) bytes[p * pattern.entries + c] = byte(c, j);
      if (halves) {
        flips[p] = static_cast<std::uint8_t>(byte(codes / 2 + 1, j) ^ byte(1, j));
        patches[p] = byte(codes / 2, j);
        pattern.sign[p] = flips[p] == 0 ? 0 : flips[p] == 0x80 ? 1 : 2;
      }
    }
  }
};

// What the program keeps of a layout: entries of all planes, then one flip byte per plane, then one patch byte.
template <TablePattern kPattern>
struct TableData {
  static constexpr int kEntries = kPattern.planes * kPattern.entries;
  alignas(64) std::uint8_t bytes[kEntries + 2 * kMaxPlanes] = {};

  template <class Layout>
  constexpr explicit TableData(const Layout& layout) noexcept {
    for (int i = 0; i < kEntries; ++i) bytes[i] = layout.bytes[i];
    for (int p = 0; p < kMaxPlanes; ++p) {
      bytes[kEntries + p] = layout.flips[p];
      bytes[kEntries + kMaxPlanes + p] = layout.patches[p];
    }
  }
};

using Bytes = Batch<std::uint8_t>;

#if CASTFORGE_X86
CASTFORGE_INLINE Bytes broadcast16(const std::uint8_t* p) noexcept {
  const __m128i v = _mm_load_si128(reinterpret_cast<const __m128i*>(p));
#if CASTFORGE_X86 >= 3
  return _mm512_broadcast_i32x4(v);
#elif CASTFORGE_X86 == 2
  return _mm256_broadcastsi128_si256(v);
#else
  return v;
#endif
}
CASTFORGE_INLINE Bytes shuffle16(Bytes table, Bytes index) noexcept {
  return CASTFORGE_MM(shuffle_epi8)(table, index);
}
#endif

// A vector of codes, prepared once for the lookups in all planes.
template <int kEntries>
struct CodeVector {
  Bytes code;
#if CASTFORGE_X86 == 3
  Bytes low;
  __mmask64 bit4, bit5, bit6, bit7;
#elif CASTFORGE_X86 == 1 || CASTFORGE_X86 == 2
  Bytes low, bit4, bit5, bit6, bit7;  // bit n of the code as bit 7 of the byte, for blends
#endif

  CASTFORGE_INLINE explicit CodeVector(Bytes v) noexcept : code(v) {
    if constexpr (kEntries > 16) {
#if CASTFORGE_X86 == 3
      low = v & Bytes(0x0F);
      bit4 = _mm512_test_epi8_mask(v, Bytes(0x10));
      bit5 = _mm512_test_epi8_mask(v, Bytes(0x20));
      bit6 = _mm512_test_epi8_mask(v, Bytes(0x40));
      bit7 = _mm512_movepi8_mask(v);
#elif CASTFORGE_X86 == 1 || CASTFORGE_X86 == 2
      low = v & Bytes(0x0F);
      bit4 = Bytes(CASTFORGE_MM(slli_epi16)(v, 3));  // neighbours move in below bit 7, where a blend does not look
      bit5 = Bytes(CASTFORGE_MM(slli_epi16)(v, 2));
      bit6 = Bytes(CASTFORGE_MM(slli_epi16)(v, 1));
      bit7 = v;
#endif
    }
  }
};

#if CASTFORGE_X86 == 1 || CASTFORGE_X86 == 2
CASTFORGE_INLINE Bytes blend(Bytes bit7, Bytes clear, Bytes set) noexcept {
  return CASTFORGE_MM(blendv_epi8)(clear, set, bit7);
}
#endif

// One plane. Where registers suffice the table is held in them, otherwise it is read from memory, 16 entries at a time.
template <int kEntries>
class Plane {
 public:
#if CASTFORGE_X86 >= 4
  CASTFORGE_INLINE explicit Plane(const std::uint8_t* t) noexcept {
    if constexpr (kEntries == 16) {
      part_[0] = broadcast16(t);
    } else {
#pragma GCC unroll 4
      for (int i = 0; i < kEntries / 64; ++i) part_[i] = _mm512_load_si512(t + 64 * i);
    }
  }
  CASTFORGE_INLINE Bytes operator()(const CodeVector<kEntries>& x) const noexcept {
    if constexpr (kEntries == 16) {
      return shuffle16(part_[0], x.code);
    } else {
      const Bytes lower(_mm512_permutex2var_epi8(part_[0], x.code, part_[1]));
      if constexpr (kEntries == 128) return lower;
      else {
        const Bytes upper(_mm512_permutex2var_epi8(part_[2], x.code, part_[3]));
        return _mm512_mask_blend_epi8(_mm512_movepi8_mask(x.code), lower, upper);
      }
    }
  }

 private:
  Bytes part_[kEntries == 16 ? 1 : kEntries / 64];
#elif CASTFORGE_X86
  CASTFORGE_INLINE explicit Plane(const std::uint8_t* t) noexcept : table_(t) {}
  CASTFORGE_INLINE Bytes operator()(const CodeVector<kEntries>& x) const noexcept {
    if constexpr (kEntries == 16) {
      return shuffle16(broadcast16(table_), x.code);
    } else {
      constexpr int rows = kEntries / 16;
      Bytes r[rows / 2];
#pragma GCC unroll 8
      for (int i = 0; i < rows / 2; ++i) {
        const Bytes even = broadcast16(table_ + 32 * i), odd = broadcast16(table_ + 32 * i + 16);
#if CASTFORGE_X86 == 3
        r[i] = _mm512_mask_shuffle_epi8(shuffle16(even, x.low), x.bit4, odd, x.low);
#else
        r[i] = blend(x.bit4, shuffle16(even, x.low), shuffle16(odd, x.low));
#endif
      }
      halve_rows<rows / 4>(r, x.bit5);
      halve_rows<rows / 8>(r, x.bit6);
      if constexpr (kEntries == 256) halve_rows<1>(r, x.bit7);
      return r[0];
    }
  }

 private:
  template <int kRows, class Bit>
  static CASTFORGE_INLINE void halve_rows(Bytes* r, const Bit& bit) noexcept {
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
#if CASTFORGE_X86 == 3
      r[i] = _mm512_mask_blend_epi8(bit, r[2 * i], r[2 * i + 1]);
#else
      r[i] = blend(bit, r[2 * i], r[2 * i + 1]);
#endif
    }
  }
  const std::uint8_t* table_;
#else
  CASTFORGE_INLINE explicit Plane(const std::uint8_t* t) noexcept : table_(t) {}
  CASTFORGE_INLINE Bytes operator()(const CodeVector<kEntries>& x) const noexcept {
    if constexpr (kEntries == 16) {
      return vqtbl1q_u8(vld1q_u8(table_), x.code);
    } else {
      // An index outside a group of 64 entries leaves the result of the other groups alone.
      const uint8x16_t index = kEntries == 128 ? x.code & Bytes(0x7F) : x.code;
      uint8x16_t r = vqtbl4q_u8(vld1q_u8_x4(table_), index);
#pragma GCC unroll 3
      for (int i = 1; i < kEntries / 64; ++i) {
        const uint8x16_t within = vsubq_u8(index, vdupq_n_u8(static_cast<std::uint8_t>(64 * i)));
        r = vqtbx4q_u8(r, vld1q_u8_x4(table_ + 64 * i), within);
      }
      return r;
    }
  }

 private:
  const std::uint8_t* table_;
#endif
};

// Orders codes so that interleaving within 128-bit lanes, kBytes planes to kBytes vectors, gives results in order: the
// group of 16 / kBytes codes that belongs to lane l of result vector j goes to group j of lane l.
template <int kBytes>
CASTFORGE_INLINE Bytes interleave_order(Bytes v) noexcept {
#if CASTFORGE_X86 >= 3
  if constexpr (kBytes == 2) {
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), v);
  } else if constexpr (kBytes == 4) {
    return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), v);
  } else if constexpr (kBytes == 8) {
    const __m512i order = _mm512_set_epi16(31, 27, 23, 19, 15, 11, 7, 3, 30, 26, 22, 18, 14, 10, 6, 2,  //
                                           29, 25, 21, 17, 13, 9, 5, 1, 28, 24, 20, 16, 12, 8, 4, 0);
    return _mm512_permutexvar_epi16(order, v);
  }
#elif CASTFORGE_X86 == 2
  if constexpr (kBytes == 2) {
    return _mm256_permute4x64_epi64(v, 0xD8);
  } else if constexpr (kBytes == 4) {
    return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
  } else if constexpr (kBytes == 8) {
    const __m256i even_then_odd = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15,  //
                                                   0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(v, even_then_odd), 0xD8);
  }
#endif
  return v;
}

// Interleaves units of kUnit bytes of each 128-bit lane: a from the lower (upper) half, then b.
template <int kUnit>
CASTFORGE_INLINE Bytes zip_lower(Bytes a, Bytes b) noexcept {
#if CASTFORGE_X86
  if constexpr (kUnit == 1) return CASTFORGE_MM(unpacklo_epi8)(a, b);
  else if constexpr (kUnit == 2) return CASTFORGE_MM(unpacklo_epi16)(a, b);
  else return CASTFORGE_MM(unpacklo_epi32)(a, b);
#else
  if constexpr (kUnit == 1) {
    return vzip1q_u8(a, b);
  } else if constexpr (kUnit == 2) {
    return vreinterpretq_u8_u16(vzip1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
  } else {
    return vreinterpretq_u8_u32(vzip1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
  }
#endif
}
template <int kUnit>
CASTFORGE_INLINE Bytes zip_upper(Bytes a, Bytes b) noexcept {
#if CASTFORGE_X86
  if constexpr (kUnit == 1) return CASTFORGE_MM(unpackhi_epi8)(a, b);
  else if constexpr (kUnit == 2) return CASTFORGE_MM(unpackhi_epi16)(a, b);
  else return CASTFORGE_MM(unpackhi_epi32)(a, b);
#else
  if constexpr (kUnit == 1) {
    return vzip2q_u8(a, b);
  } else if constexpr (kUnit == 2) {
    return vreinterpretq_u8_u16(vzip2q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
  } else {
    return vreinterpretq_u8_u32(vzip2q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
  }
#endif
}

// result[0 .. kBytes) <- planes byte[0 .. kBytes), interleaved: kBytes vectors of results of kBytes bytes each.
template <int kBytes>
CASTFORGE_INLINE void interleave(const Bytes* byte, Bytes* result) noexcept {
  if constexpr (kBytes == 1) {
    result[0] = byte[0];
  } else {
    constexpr int half = kBytes / 2;
    Bytes lower[half], upper[half];
    interleave<half>(byte, lower);
    interleave<half>(byte + half, upper);
#pragma GCC unroll 4
    for (int i = 0; i < half; ++i) {
      result[2 * i] = zip_lower<half>(lower[i], upper[i]);
      result[2 * i + 1] = zip_upper<half>(lower[i], upper[i]);
    }
  }
}

template <TablePattern kPattern, int kSrcBits, int kDstBits>
__attribute__((flatten)) CASTFORGE_SHARED static void table_loop(const std::uint8_t* data, const void* src,
                                                                 void* dst, std::size_t count) noexcept {
  constexpr int kBytes = kDstBits < 8 ? 1 : kDstBits / 8;
  constexpr int kEntries = kPattern.entries;
  using LoadedPlane = Plane<kEntries>;
  // Planes past the last one in use repeat plane 0 and are optimised away.
  const auto plane_at = [&](int p) noexcept CASTFORGE_LAMBDA_INLINE {
    return LoadedPlane(data + (p < kPattern.planes ? p : 0) * kEntries);
  };
  const LoadedPlane planes[kMaxPlanes] = {plane_at(0), plane_at(1), plane_at(2), plane_at(3),
                                          plane_at(4), plane_at(5), plane_at(6), plane_at(7)};
  Bytes flips[kMaxPlanes], patches[kMaxPlanes];
#pragma GCC unroll 8
  for (int p = 0; p < kPattern.planes; ++p) {
    flips[p] = Bytes(data[kPattern.planes * kEntries + p]);
    patches[p] = Bytes(data[kPattern.planes * kEntries + kMaxPlanes + p]);
  }

  for_each_block<kSrcBits, kDstBits, kVectorBytes>(
      src, dst, count, [&](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
        const Bytes code = interleave_order<kBytes>(load_unpack<kSrcBits, false>(in));
        const CodeVector<kEntries> prepared(code);
        Bytes looked_up[kMaxPlanes];
#pragma GCC unroll 8
        for (int p = 0; p < kPattern.planes; ++p) {
          looked_up[p] = planes[p](prepared);
          if (kPattern.sign[p] == 1) {
            looked_up[p] = looked_up[p] ^ (code & Bytes(0x80));
          } else if (kPattern.sign[p] == 2) {
            looked_up[p] = looked_up[p] ^ lane::zero_unless(lane::gt(Bytes(0), code), flips[p]);
          }
          if (kPattern.patched) {
            looked_up[p] = lane::select(lane::eq(code, Bytes(0x80)), patches[p], looked_up[p]);
          }
        }
        Bytes byte[kBytes], result[kBytes];
#pragma GCC unroll 8
        for (int j = 0; j < kBytes; ++j) {
          byte[j] = kPattern.from[j] < 0 ? Bytes(0) : looked_up[kPattern.from[j] < 0 ? 0 : kPattern.from[j]];
        }
        interleave<kBytes>(byte, result);
        if constexpr (kDstBits < 8) {
          store_pack<kDstBits, true>(out, result[0]);
        } else {
#pragma GCC unroll 8
          for (int j = 0; j < kBytes; ++j) store(out + static_cast<std::size_t>(j) * kVectorBytes, result[j]);
        }
      });
}

// Lookups of 16 entries per block, over all planes, up to which they beat one scalar lookup per element.
#if CASTFORGE_X86 == 1
static constexpr int kMostLookups = 8;
#elif CASTFORGE_X86 == 2
static constexpr int kMostLookups = 16;
#else
static constexpr int kMostLookups = 128;
#endif

#endif

template <int kSrcBits, int kDstBits, class Code>
__attribute__((flatten)) CASTFORGE_SHARED static void scalar_table_loop(
    const Code* results, const void* src, void* dst, std::size_t count) noexcept {
  each_element<kSrcBits, kDstBits, true>(src, dst, count,
                                         [=](std::uint64_t code) noexcept CASTFORGE_LAMBDA_INLINE {
                                           return results[code];
                                         });
}

template <class K, class P>
static void run_scalar_table(const void* src, void* dst, std::size_t count) noexcept {
  using Code = lane::Unsigned<(K::kDstBits < 8 ? 8 : K::kDstBits)>;
  static constexpr auto kResults = [] {
    std::array<Code, P::kTable.size()> r{};
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = static_cast<Code>(P::kTable[i]);
    return r;
  }();
  scalar_table_loop<K::kSrcBits, K::kDstBits>(kResults.data(), src, dst, count);
}

}  // namespace detail

/// Converts `count` elements through plan P's kTable (see simd::run). kTable[c] is the result of source code c.
template <class K, class P>
static void run_table(const void* src, void* dst, std::size_t count) noexcept {
  static_assert(K::kSrcBits <= 8, "tables serve sources of at most 8 bits");
  static_assert(P::kTable.size() == std::size_t{1} << K::kSrcBits, "one result per source code");
#if CASTFORGE_VECTOR
  using Table = std::remove_cvref_t<decltype(P::kTable)>;
  constexpr int kBytes = K::kDstBits < 8 ? 1 : K::kDstBits / 8;
  constexpr detail::TableLayout<K::kSrcBits, kBytes, Table> layout(P::kTable);
  if constexpr (layout.pattern.planes * layout.pattern.entries / 16 <= detail::kMostLookups) {
    static constexpr detail::TableData<layout.pattern> kData(layout);
    detail::table_loop<layout.pattern, K::kSrcBits, K::kDstBits>(kData.bytes, src, dst, count);
  } else
#endif
    detail::run_scalar_table<K, P>(src, dst, count);
}

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge
