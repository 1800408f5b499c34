#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint2 {

//   plan     test.only (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_uint2__exact {
  static constexpr int kSrcBits = 2, kDstBits = 2;
  static constexpr Packing kSrcPacking = Packing::high_first;

  struct only {  // WRONG: a plan without kOfNibble
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr auto map(auto bits) noexcept {
      return bits;
    }
  };
  using plans = lane::Plans<only>;
};
static_assert(lane::maps<from_uint2__exact>({
    {0, 0}, {1, 1}, {2, 2}, {3, 3},
}));

}  // namespace to_uint2
}  // namespace CASTFORGE_ISA
}  // namespace castforge
