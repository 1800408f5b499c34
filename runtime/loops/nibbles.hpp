// Conversions between elements of 1, 2 and 4 bits. Each nibble of the source is an index of the plan's kOfNibble, whose
// entry holds the results of all elements in that nibble.
#pragma once

#include "loops/packing.hpp"
#include "simd/kernel.hpp"

#if CASTFORGE_VECTOR

namespace castforge::inline CASTFORGE_ISA::simd::detail {

/// Does the loop over nibbles serve kernels between these widths?
constexpr bool has_nibbles(int src_bits, int dst_bits) noexcept { return 4 % src_bits == 0 && 4 % dst_bits == 0; }
/// A block: a vector of source or results, whichever are narrower; two where both are as wide.
constexpr std::size_t elements_of_nibbles(int src_bits, int dst_bits) noexcept {
  return (src_bits == dst_bits ? 2 : 1) * 8 / static_cast<std::size_t>(src_bits < dst_bits ? src_bits : dst_bits) *
         kVectorBytes;
}

/// Is kOfNibble of the plan what its map() gives for the elements in each nibble?
template <class K>
constexpr bool nibbles_are_by_map() noexcept {
  using Plan = typename K::plans::chosen;
  for (unsigned nibble = 0; nibble < 16; ++nibble) {
    std::uint64_t results = 0;
    for (unsigned i = 0; i < 4 / K::kSrcBits; ++i) {
      const unsigned from = bit_in_group(i, K::kSrcBits, 4, lane::src_packing<K>());
      const unsigned to = bit_in_group(i, K::kDstBits, 4 / K::kSrcBits * K::kDstBits, lane::dst_packing<K>());
      results |= lane::at_plan<Plan, K::kSrcBits, K::kDstBits>(nibble >> from) << to;
    }
    if (Plan::kOfNibble[nibble] != results) return false;
  }
  return true;
}
/// Byte kByte of its entries, moved up by kUp bits.
template <class K, int kByte, int kUp>
inline constexpr std::array<std::uint8_t, 16> kNibbleResults = [] {
  std::array<std::uint8_t, 16> all{};
  for (std::size_t nibble = 0; nibble < 16; ++nibble)
    all[nibble] = static_cast<std::uint8_t>(K::plans::chosen::kOfNibble[nibble] >> (8 * kByte) << kUp);
  return all;
}();

template <class K>
struct Nibbles {
  static_assert(nibbles_are_by_map<K>(), "kOfNibble is what map() gives");
  static constexpr Packing kFrom = lane::src_packing<K>(), kTo = lane::dst_packing<K>();
  static constexpr int kResultBits = 4 / K::kSrcBits * K::kDstBits;  // of a nibble

  // Byte kByte of the results of the nibble that comes first in each byte, or of the other.
  template <bool kSecond, int kByte, int kUp, std::size_t kOrder>
  static CASTFORGE_INLINE auto results(const Lanes<u8, kVectorBytes, kOrder>& v) {
    if constexpr (kSecond == (kFrom == Packing::low_first))
      return lane::lookup16<kNibbleResults<K, kByte, kUp>>((v >> 4) & 15);
    else return lane::lookup16<kNibbleResults<K, kByte, kUp>>(v & 15);
  }
  /// The results of both nibbles of each byte, in the low bits of one byte.
  static CASTFORGE_INLINE B8 both(const std::byte* p) {
    constexpr int kFirstUp = kTo == Packing::high_first ? kResultBits : 0, kSecondUp = kResultBits - kFirstUp;
    const Lanes<u8, kVectorBytes> v = loaded(Source<u8, kVectorBytes>{p});
    return (results<false, 0, kFirstUp>(v) | results<true, 0, kSecondUp>(v)).part[0];
  }
  template <std::size_t... I>
  static CASTFORGE_INLINE Lanes<u8, sizeof...(I) * kVectorBytes> both(const std::byte* src, std::index_sequence<I...>) {
    return {{both(src + I * kVectorBytes)...}};
  }

  static CASTFORGE_INLINE void convert(const std::byte* src, std::byte* dst) noexcept {
    if constexpr (kResultBits >= 8) {
      const auto v = loaded(Source<u8, kVectorBytes, order_for(kResultBits / 4)>{src});
      const auto of_first = results<false, 0, 0>(v), of_second = results<true, 0, 0>(v);
      if constexpr (kResultBits == 8) lane::store(dst, interleaved(of_first, of_second));
      else lane::store(dst, joined(of_first, results<false, 1, 0>(v), of_second, results<true, 1, 0>(v)));
    } else {
      constexpr std::size_t kVectors = kResultBits == 1 ? 4 : 2;
      const auto packed = both(src, std::make_index_sequence<kVectors>{});
      if constexpr (kResultBits == 4) lane::store(dst, packed);
      else if constexpr (kResultBits == 2) store_nibbles<kTo>(dst, packed);
      else store_quarters<kTo>(dst, packed);
    }
  }
};

}  // namespace castforge::inline CASTFORGE_ISA::simd::detail

#endif  // CASTFORGE_VECTOR
