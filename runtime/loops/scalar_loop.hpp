// One element after the other, any storage width: the portable loop, and on vectors that of widths without one of their
// own.
#pragma once

#include <cstring>

#include "loops/blocks.hpp"
#include "simd/plans.hpp"

namespace castforge::inline CASTFORGE_ISA::simd::detail {

// dst[i] = result(src[i]), truncated to kDstBits. Eight elements of a dense stream are whole bytes, and where each of
// them lies is a constant. kLookup: result() is a memory access, which compilers do not vectorise; then 8-bit codes are
// read eight at a time.
template <int kSrcBits, int kDstBits, Packing kSrcPacking, Packing kDstPacking, bool kLookup, class Result>
CASTFORGE_INLINE void each_element(const void* src, void* dst, std::size_t count, Result result) noexcept {
  const auto* in = static_cast<const std::byte*>(src);
  auto* out = static_cast<std::byte*>(dst);
  constexpr bool kWords = is_natural_width(kSrcBits) && is_natural_width(kDstBits);
  if constexpr (!kWords || (kSrcBits == 8 && kLookup)) {
    for (; count >= 8; count -= 8, in += kSrcBits, out += kDstBits) {
      ElementPacker packer(out, kDstBits, kDstPacking);
      std::uint64_t bytes = 0;
      if constexpr (kSrcBits == 8) std::memcpy(&bytes, in, 8);
#pragma GCC unroll 8
      for (std::size_t j = 0; j < 8; ++j) {
        if constexpr (kSrcBits == 8) packer.put(result(bytes >> (8 * j) & 0xFF));
        else packer.put(result(load_element(in, j, kSrcBits, kSrcPacking)));
      }
    }
  }
  ElementPacker packer(out, kDstBits, kDstPacking);
  for (std::size_t i = 0; i < count; ++i) packer.put(result(load_element(in, i, kSrcBits, kSrcPacking)));
  packer.finish();
}

}  // namespace castforge::inline CASTFORGE_ISA::simd::detail
