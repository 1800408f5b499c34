// Elements of 2 and 4 bits from one to the other, low ones first: each nibble of the source is looked up in the
// kernel's own table of what becomes of the elements in it.
#pragma once

#include "loops/packing.hpp"
#include "simd/kernel.hpp"

#if CASTFORGE_VECTOR

namespace castforge::inline CASTFORGE_ISA::simd::detail {

/// Does the loop over nibbles serve the kernel?
template <class K>
constexpr bool has_nibbles() noexcept {
  return (K::kSrcBits == 2 || K::kSrcBits == 4) && (K::kDstBits == 2 || K::kDstBits == 4) &&
         lane::src_packing<K>() == Packing::low_first && lane::dst_packing<K>() == Packing::low_first;
}

/// The results of each nibble, which stand beside the kernel's plans, moved up by kUp bits.
template <class K, int kUp>
inline constexpr std::array<std::uint8_t, 16> kNibbleMovedUp = [] {
  std::array<std::uint8_t, 16> all = K::kOfNibble;
  for (std::uint8_t& results : all) results = static_cast<std::uint8_t>(results << kUp);
  return all;
}();

template <class K>
struct Nibbles {
  using Bytes = Lanes<u8, kVectorBytes>;
  static constexpr int kResultBits = 4 / K::kSrcBits * K::kDstBits;  // of a nibble
  /// A block: a vector of source or results, whichever are narrower; two where both are as wide.
  static constexpr std::size_t kLanes =
      (kResultBits == 4 ? 2 : 1) * 8 / (K::kSrcBits < K::kDstBits ? K::kSrcBits : K::kDstBits) * kVectorBytes;

  template <std::size_t kOrder>
  static CASTFORGE_INLINE auto lower(const Lanes<u8, kVectorBytes, kOrder>& v) {
    return lane::lookup16<K::kOfNibble>(v & 15);
  }
  template <int kUp, std::size_t kOrder>
  static CASTFORGE_INLINE auto upper(const Lanes<u8, kVectorBytes, kOrder>& v) {
    return lane::lookup16<kNibbleMovedUp<K, kUp>>((v >> 4) & 15);
  }
  /// The results of both nibbles of each byte, in one byte.
  static CASTFORGE_INLINE B8 both(const std::byte* p) {
    const Bytes v = loaded(Source<u8, kVectorBytes>{p});
    return (lower(v) | upper<kResultBits>(v)).part[0];
  }

  static CASTFORGE_INLINE void convert(const std::byte* src, std::byte* dst) noexcept {
    if constexpr (kResultBits == 8) {
      const auto v = loaded(Source<u8, kVectorBytes, order_for(2)>{src});
      lane::store(dst, interleaved(lower(v), upper<0>(v)));
    } else {
      const Lanes<u8, 2 * kVectorBytes> results = {{both(src), both(src + kVectorBytes)}};
      if constexpr (kResultBits == 4) lane::store(dst, results);
      else store_nibbles<Packing::low_first>(dst, results);
    }
  }
};

}  // namespace castforge::inline CASTFORGE_ISA::simd::detail

#endif  // CASTFORGE_VECTOR
