// Operations on batches for which AVX-512 VBMI has permutations of bytes. Packs keep the order; interleaving is left to
// unpacks: permutations of two vectors take two or three times as long, on a Zen 4 only beside stores.
#pragma once

#include "simd/batch.hpp"

namespace castforge::inline CASTFORGE_ISA::lane::kernel {

using namespace detail;  // NOLINT: the helpers of batch.hpp
using xsimd::avx512vbmi;

constexpr std::size_t order_of_pack(int /*from_bytes*/, int /*to_bytes*/, avx512vbmi) { return 1; }

// Byte kIndex(i) of a followed by b.
template <auto kIndex> CASTFORGE_INLINE B8 bytes_of(__m512i a, __m512i b) {
  alignas(64) static constexpr auto kAt = [] {
    std::array<u8, 64> at{};
    for (std::size_t i = 0; i < 64; ++i) at[i] = static_cast<u8>(kIndex(i));
    return at;
  }();
  return B8(_mm512_permutex2var_epi8(a, B8::load_aligned(kAt.data()), b));
}
// Byte k of each of 128 / kWidth lanes; then these repeat.
template <std::size_t kWidth, std::size_t k>
constexpr auto kByteOf = [](std::size_t i) { return (i * kWidth + k) % 128; };
CASTFORGE_INLINE B8 lower_halves(B8 a, B8 b) { return B8(_mm512_inserti64x4(a, _mm512_castsi512_si256(b), 1)); }
template <std::size_t k> CASTFORGE_INLINE B8 bytes_of_dwords(B32 a, B32 b, B32 c, B32 d) {
  return lower_halves(bytes_of<kByteOf<4, k>>(a, b), bytes_of<kByteOf<4, k>>(c, d));
}
template <std::size_t k> CASTFORGE_INLINE B8 bytes_of_qwords(B64 a, B64 b, B64 c, B64 d, B64 e, B64 f, B64 g, B64 h) {
  // Sixteen bytes of each two.
  const auto quarter = [](B8 low, B8 high) noexcept CASTFORGE_LAMBDA_INLINE {
    return B8(_mm512_inserti32x4(low, _mm512_castsi512_si128(high), 1));
  };
  const B8 abcd = quarter(bytes_of<kByteOf<8, k>>(a, b), bytes_of<kByteOf<8, k>>(c, d));
  return lower_halves(abcd, quarter(bytes_of<kByteOf<8, k>>(e, f), bytes_of<kByteOf<8, k>>(g, h)));
}
// One operation where the instruction that truncates lanes is two.
template <class U> CASTFORGE_INLINE B8 low_bytes(Batch<U> v, avx512vbmi) {
  return B8(_mm512_permutexvar_epi8(constant_vector<u8, kByteOf<sizeof(U), 0>>(), v));
}
CASTFORGE_INLINE B8 narrow(B16 a, B16 b, avx512vbmi) { return bytes_of<kByteOf<2, 0>>(a, b); }
CASTFORGE_INLINE B8 truncate(B16 a, B16 b, avx512vbmi) { return bytes_of<kByteOf<2, 0>>(a, b); }
CASTFORGE_INLINE B8 signs(B16 a, B16 b, avx512vbmi) { return bytes_of<kByteOf<2, 1>>(a, b); }
CASTFORGE_INLINE B8 narrow(B32 a, B32 b, B32 c, B32 d, avx512vbmi) { return bytes_of_dwords<0>(a, b, c, d); }
CASTFORGE_INLINE B8 truncate(B32 a, B32 b, B32 c, B32 d, avx512vbmi) { return bytes_of_dwords<0>(a, b, c, d); }
CASTFORGE_INLINE B8 signs(B32 a, B32 b, B32 c, B32 d, avx512vbmi) { return bytes_of_dwords<3>(a, b, c, d); }
CASTFORGE_INLINE B8 narrow(B64 a, B64 b, B64 c, B64 d, B64 e, B64 f, B64 g, B64 h, avx512vbmi) {
  return bytes_of_qwords<0>(a, b, c, d, e, f, g, h);
}
CASTFORGE_INLINE B8 truncate(B64 a, B64 b, B64 c, B64 d, B64 e, B64 f, B64 g, B64 h, avx512vbmi) {
  return bytes_of_qwords<0>(a, b, c, d, e, f, g, h);
}
CASTFORGE_INLINE B8 signs(B64 a, B64 b, B64 c, B64 d, B64 e, B64 f, B64 g, B64 h, avx512vbmi) {
  return bytes_of_qwords<7>(a, b, c, d, e, f, g, h);
}
template <int k> CASTFORGE_INLINE B8 byte(std::integral_constant<int, k>, B16 a, B16 b, avx512vbmi) {
  return bytes_of<kByteOf<2, k>>(a, b);
}
template <int k> CASTFORGE_INLINE B8 byte(std::integral_constant<int, k>, B32 a, B32 b, B32 c, B32 d, avx512vbmi) {
  return bytes_of_dwords<k>(a, b, c, d);
}
// The average, (dropped + 7FFF + (kept & 1)) / 2, has its top bit set where the sum carries. No mask, because few
// instructions that make masks are done in a cycle of AMD's processors.
CASTFORGE_INLINE B16 round_high_half(B32 a, B32 b, avx512vbmi) {
  const B16 kept = alternate<1>(a, b), dropped = alternate<0>(a, b);
  // 0x7FFF where `kept` is odd, else 0x7FFE.
  const B16 bias = ternary<((kA & kB) | kC)>(kept, broadcast(u16{1}), broadcast(u16{0x7FFE}));
  return kept - as<u16>(as_signed(B16(_mm512_avg_epu16(dropped, bias))) >> 15);
}
template <int n> CASTFORGE_INLINE B8 fold(std::integral_constant<int, n>, B32 a, B32 b, B32 c, B32 d, avx512vbmi) {
  return bytes_of_dwords<1>(fold_up<n>(a), fold_up<n>(b), fold_up<n>(c), fold_up<n>(d));
}

constexpr bool places_bytes(avx512vbmi) { return true; }
template <std::size_t R, std::size_t kPart, int kFirst>
constexpr auto kPlaced = [](std::size_t i) { return (i + kPart * 64) / R + (i % R == kFirst ? 0 : 64); };
template <std::size_t R, std::size_t kPart, int kFirst, int kSecond>
CASTFORGE_INLINE B8 place_bytes(Places<R, kPart, kFirst, kSecond>, B8 a, B8 b, avx512vbmi) {
  constexpr u64 kEach = ~u64{0} / ((u64{1} << R) - 1);  // byte 0 of each lane
  constexpr __mmask64 kUsed = kEach << kFirst | kEach << kSecond;
  const B8 at = constant_vector<u8, kPlaced<R, kPart, kFirst>>();
  if constexpr (kFirst == kSecond) return B8(_mm512_maskz_permutexvar_epi8(kUsed, at, a));
  else return B8(_mm512_maskz_permutex2var_epi8(kUsed, a, at, b));
}

// kBits bits of elements in every quadword; 128 bits are dealt out, an eighth to each.
template <std::size_t kBits> CASTFORGE_INLINE __m512i dealt(const std::byte* p) {
  if constexpr (kBits == 128) {
    return kernel::load_widened(p, std::false_type{}, u16{}, B64{}, avx512vbmi{});
  } else {
    Unsigned<static_cast<int>(kBits)> word;
    std::memcpy(&word, p, sizeof word);
    return Batch<decltype(word)>(word);
  }
}
// Eight bits from where an element begins, later elements above it, in every byte of the element's lane.
template <class U, int kBits, Packing kPacking> CASTFORGE_INLINE Batch<U> spread(const std::byte* p, avx512vbmi) {
  constexpr std::size_t kAll = kVectorBytes / sizeof(U) * kBits;
  alignas(64) static constexpr auto kBegin = [] {
    std::array<u8, 64> at{};
    for (std::size_t byte = 0; byte < 64; ++byte) {
      const unsigned bit = bit_in_group(byte / sizeof(U), kBits, 8, kPacking);
      at[byte] = static_cast<u8>(bit % (kAll > 64 ? kAll / 8 : 64));
    }
    return at;
  }();
  return Batch<U>(_mm512_multishift_epi64_epi8(B8::load_aligned(kBegin.data()), dealt<kAll>(p)));
}

// Elements that reach into the next byte, see dense.hpp: those of a quadword are brought to it, then a shift takes
// eight bits from anywhere.
template <std::size_t kEach> constexpr auto kQuadwordOf = [](std::size_t i) { return i / 8 * kEach + i % 8 % kEach; };
template <int kBits, std::size_t kWidth>
constexpr auto kBitOf = [](std::size_t i) { return i % 8 / kWidth * kBits + i % kWidth * 8; };
template <int kBits, class U>
CASTFORGE_INLINE Batch<U> unpack(const std::byte* p, std::integral_constant<int, kBits>, Batch<U>, avx512vbmi) {
  constexpr std::size_t kEach = kBits / sizeof(U);  // bytes of elements in a quadword
  const __m512i bytes = _mm512_maskz_loadu_epi64(static_cast<__mmask8>((1u << kEach) - 1), p);
  const __m512i dealt = _mm512_permutexvar_epi8(constant_vector<u8, kQuadwordOf<kEach>>(), bytes);
  const Batch<U> found = Batch<U>(_mm512_multishift_epi64_epi8(constant_vector<u8, kBitOf<kBits, sizeof(U)>>(), dealt));
  return found & broadcast(static_cast<U>((1 << kBits) - 1));
}
template <std::size_t kGroup, std::size_t kUsed>
constexpr auto kByteOfGroups = [](std::size_t i) { return (i / kUsed * kGroup + i % kUsed) % 64; };
template <std::size_t kGroup, std::size_t kUsed>
CASTFORGE_INLINE void store_groups(std::byte* p, B8 v, std::index_sequence<kGroup, kUsed>, avx512vbmi) {
  constexpr auto kDwords = static_cast<__mmask16>((1u << 16 / kGroup * kUsed) - 1);
  _mm512_mask_storeu_epi32(p, kDwords, _mm512_permutexvar_epi8(constant_vector<u8, kByteOfGroups<kGroup, kUsed>>(), v));
}

CASTFORGE_INLINE __m512i table_part(const std::byte* table, int i) { return first_bytes<64>(table + 64 * i); }
CASTFORGE_INLINE B8 lookup64(const std::byte* table, B8 index, avx512vbmi) {
  return B8(_mm512_permutexvar_epi8(index, table_part(table, 0)));
}
CASTFORGE_INLINE B8 lookup128(const std::byte* table, B8 index, avx512vbmi) {
  return B8(_mm512_permutex2var_epi8(table_part(table, 0), index, table_part(table, 1)));
}
CASTFORGE_INLINE B8 lookup256(const std::byte* table, B8 index, avx512vbmi) {
  const B8 lower = lookup128(table, index, avx512vbmi{}), upper = lookup128(table + 128, index, avx512vbmi{});
  return B8(_mm512_mask_blend_epi8(_mm512_movepi8_mask(index), lower, upper));
}
// A permutation takes the low bits of a lane as its index: words repeat, and 16 entries of 64 bits are two vectors.
CASTFORGE_INLINE B16 lookup16_wide(const std::byte* table, B16 index, avx512vbmi) {
  return B16(_mm512_permutexvar_epi16(index, _mm512_broadcast_i64x4(first_bytes<32>(table))));
}
CASTFORGE_INLINE B32 lookup16_wide(const std::byte* table, B32 index, avx512vbmi) {
  return B32(_mm512_permutexvar_epi32(index, table_part(table, 0)));
}
CASTFORGE_INLINE B64 lookup8_wide(const std::byte* table, B64 index, avx512vbmi) {
  return B64(_mm512_permutexvar_epi64(index, table_part(table, 0)));
}
// By the index in the upper half of each lane.
CASTFORGE_INLINE B64 lookup16_upper(const std::byte* table, B64 index, avx512vbmi) {
  return B64(_mm512_maskz_permutexvar_epi32(0xAAAA, index, table_part(table, 0)));
}
CASTFORGE_INLINE B64 lookup16_wide(const std::byte* table, B64 index, avx512vbmi) {
  return B64(_mm512_permutex2var_epi64(table_part(table, 0), index, table_part(table, 1)));
}

}  // namespace castforge::inline CASTFORGE_ISA::lane::kernel
