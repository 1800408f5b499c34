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
      packer.put(result(static_cast<lane::StorageWord<kSrcBits>>(code)));
    }
  }
}

// dst[i] = results[src[i]]. Kernels of the same layouts that look up by the code share it.
template <int kSrcBits, int kDstBits, Packing kSrcPacking, Packing kDstPacking>
CASTFORGE_SHARED static void look_up(const void* src, void* dst, std::size_t count,
                                     const lane::StorageWord<kDstBits>* results) noexcept {
  const std::size_t eights = count / kEight;
  const auto* in = static_cast<const std::byte*>(src);
  auto* out = static_cast<std::byte*>(dst);
  in_eights<kSrcBits, kDstBits, kSrcPacking, kDstPacking>(
      in, out, eights,
      [results](lane::StorageWord<kSrcBits> code) noexcept CASTFORGE_LAMBDA_INLINE { return results[code]; });
  in += eights * kSrcBits;
  ElementPacker packer(out + eights * kDstBits, kDstBits, kDstPacking);
  for (std::size_t j = 0; j < count % kEight; ++j) packer.put(results[load_element(in, j, kSrcBits, kSrcPacking)]);
  packer.finish();
}

}  // namespace castforge::inline CASTFORGE_ISA::simd::detail
