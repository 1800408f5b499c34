// Kernels given as a table: one result per source code, for sources of 1, 2, 4 and 8 bits.
//
// Results of a byte or more are split into byte planes: plane j holds byte j of every result. A vector of source bytes is
// looked up once per plane and the planes are interleaved to results. Everything that a plane makes unnecessary is left out
// at compile time, planes of zeros and planes equal to another one to begin with. How 256 entries are looked up depends on
// the instruction set: AVX-512 VBMI has instructions for it and only saves the upper half of tables whose entry c + 128
// differs from entry c by a constant (formats with a sign bit); the others are given programs (rows.hpp). Between elements
// of 2 and 4 bits nothing is unpacked (packed.hpp), nor with VBMI from those to wider ones (small_table.hpp). The loops are shared by all kernels with the same pattern.
#pragma once

#include <array>

#include "simd/packed.hpp"
#include "simd/row_loop.hpp"
#include "simd/scalar_loop.hpp"
#include "simd/small_table.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

namespace detail {

#if CASTFORGE_VECTOR

static constexpr int kMaxPlanes = 8;

// How a result is put together from planes. A compile-time parameter of the loops: few values occur.
struct TablePattern {
  int entries = 0;              // of each plane: 16 (sources below 8 bits), 128 or 256
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

// Stores the results of a vector of codes, four vectors or more, with a load of the codes between each two, for nothing: as long
// as loads come with the stores, lines pass sooner between the first and the second-level cache (measured on AMD Zen 5 only; no
// difference in the first level or in memory).
template <int kBytes>
CASTFORGE_INLINE void store_with_loads([[maybe_unused]] const std::byte* in, std::byte* out, const Bytes* result) noexcept {
#pragma GCC unroll 8
  for (std::size_t j = 0; j < kBytes; ++j) {
#if CASTFORGE_X86 >= 4
    __m512i unused;
    if (j != 0) asm volatile("vmovdqu64 %1, %0" : "=v"(unused) : "m"(*reinterpret_cast<const std::byte(*)[kVectorBytes]>(in)));
#endif
    store(out + j * kVectorBytes, result[j]);
  }
}

template <TablePattern kPattern, int kSrcBits, int kDstBits>
__attribute__((flatten)) CASTFORGE_SHARED static void table_loop(const std::uint8_t* data, const void* src,
                                                                 void* dst, std::size_t count, std::size_t ahead) noexcept {
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
      src, dst, count, ahead, [&](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
        const Bytes code = interleave_order<kBytes>(load_unpack<kSrcBits, false>(in));
        Bytes looked_up[kMaxPlanes];
#pragma GCC unroll 8
        for (int p = 0; p < kPattern.planes; ++p) {
          looked_up[p] = planes[p](code);
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
        if constexpr (kDstBits < 8) store_pack<kDstBits, true>(out, result[0]);
        else if constexpr (kBytes >= 4 && kPattern.planes <= 2) store_with_loads<kBytes>(in, out, result);
        else store_results<kBytes>(out, result);
      });
}

template <class Results>
static constexpr bool is_identity(const Results& results) noexcept {
  for (std::size_t c = 0; c < results.size(); ++c) {
    if (results[c] != c) return false;
  }
  return true;
}

template <class K, class P>
static void run_vector_table(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  using Table = std::remove_cvref_t<decltype(P::kTable)>;
  if constexpr (K::kSrcBits == K::kDstBits && is_identity(P::kTable)) {
    copy_packed<K::kSrcBits>(src, dst, count, ahead);
  } else if constexpr (K::kSrcBits < 8 && K::kDstBits < 8 && K::kSrcBits > 1 && K::kDstBits > 1) {
    static constexpr NibbleTables kTables(P::kTable, K::kSrcBits, K::kDstBits);
    packed_loop<K::kSrcBits, K::kDstBits>(kTables, src, dst, count, ahead);
#if CASTFORGE_X86 >= 4
  } else if constexpr (K::kSrcBits < 8 && K::kDstBits >= 16) {
    static constexpr SmallTable<K::kSrcBits, K::kDstBits> kTable(P::kTable);
    small_table_loop(kTable, src, dst, count, ahead);
#endif
  } else {
#if CASTFORGE_X86 < 4
    if constexpr (K::kSrcBits == 8) {
      constexpr RowsLayout<K::kDstBits, Table> layout(P::kTable);
      static constexpr RowsData<layout.pattern> kData(layout);
      const auto* const tables = reinterpret_cast<const std::uint8_t*>(kData.rows);
      rows_loop<layout.pattern, K::kDstBits>(tables, kData.flips, src, dst, count, ahead);
    } else
#endif
    {
      constexpr TableLayout<K::kSrcBits, (K::kDstBits < 8 ? 1 : K::kDstBits / 8), Table> layout(P::kTable);
      static constexpr TableData<layout.pattern> kData(layout);
      table_loop<layout.pattern, K::kSrcBits, K::kDstBits>(kData.bytes, src, dst, count, ahead);
    }
  }
}

#else

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

#endif

}  // namespace detail

/// Converts `count` elements through plan P's kTable (see simd::run). kTable[c] is the result of source code c.
template <class K, class P>
static void run_table(const void* src, void* dst, std::size_t count, [[maybe_unused]] std::size_t ahead) noexcept {
  static_assert(K::kSrcBits <= 8, "tables serve sources of at most 8 bits");
  static_assert(P::kTable.size() == std::size_t{1} << K::kSrcBits, "one result per source code");
#if CASTFORGE_VECTOR
  detail::run_vector_table<K, P>(src, dst, count, ahead);
#else
  detail::run_scalar_table<K, P>(src, dst, count);
#endif
}

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge
