// simd::kernel_ramp<K>: a sequence whose elements the kernel converts in registers, by the same map() as those of a
// buffer.
#pragma once

#include "loops/loop.hpp"
#include "loops/ramp.hpp"

#if CASTFORGE_VECTOR

namespace castforge::inline CASTFORGE_ISA::simd {

/// tables::KernelRamp::rounded, and ::fused where the instruction set has it. K is from float32 or float64 to elements
/// of whole bytes.
template <class K, bool kFused>
__attribute__((flatten)) static void kernel_ramp(const tables::Ramp& ramp, void* dst, std::size_t count) noexcept {
  using U = lane::StorageWord<K::kSrcBits>;
  using Lanes = lane::Lanes<U, detail::kBlock<K>>;
  static_assert(is_natural_width(K::kDstBits));
  using Block = detail::RampBlock<typename detail::RampFloat<U>::type, Lanes::kVectors>;
  const FloatGuard guard;
  const auto write = [](std::byte* out, const Block& block) noexcept CASTFORGE_LAMBDA_INLINE {
    Lanes lanes;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Lanes::kVectors; ++i) lanes.part[i] = lane::detail::batch_of<U>(block.part[i]);
    lane::store(out, detail::Plan<K>::map(lanes));
  };
  detail::float_ramp_blocks<U, kFused, Lanes::kVectors, K::kDstBits / 8>(ramp, static_cast<std::byte*>(dst), count,
                                                                         write);
}

template <class K>
constexpr tables::RampFn fused_kernel_ramp() noexcept {
  if constexpr (detail::kRampFuses) return kernel_ramp<K, true>;
  else return nullptr;
}

}  // namespace castforge::inline CASTFORGE_ISA::simd

#endif  // CASTFORGE_VECTOR
