// One element after the other, any storage width: the portable loop, and on vectors that of widths without one of their
// own.
#pragma once

#include <cstring>

#include "loops/blocks.hpp"
#include "simd/plans.hpp"

namespace castforge::inline CASTFORGE_ISA::simd::detail {

// Of a dense stream eight elements are whole bytes, and where each of them lies in those is a constant.
constexpr std::size_t kEight = 8;

// dst[i] = result(src[i]), truncated to kDstBits, in blocks of eight elements. Eight codes of 8 bits are read at once.
template <int kSrcBits, int kDstBits, Packing kSrcPacking, Packing kDstPacking, class Result>
CASTFORGE_INLINE void in_eights(const std::byte* in, std::byte* out, std::size_t blocks, Result result) noexcept {
  for (; blocks != 0; --blocks, in += kSrcBits, out += kDstBits) {
    ElementPacker packer(out, kDstBits, kDstPacking);
    std::uint64_t bytes = 0;
    if constexpr (kSrcBits == 8) std::memcpy(&bytes, in, sizeof bytes);
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kEight; ++j) {
      const std::uint64_t code = kSrcBits == 8 ? bytes >> (8 * j) : load_element(in, j, kSrcBits, kSrcPacking);
      packer.put(result(static_cast<lane::Unit<kSrcBits>>(code)));
    }
  }
}

}  // namespace castforge::inline CASTFORGE_ISA::simd::detail
