#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint8 {

//   plan     test.only (by hand), runs on sse4_2 avx2 avx512 avx512vbmi
//   plan     test.scalar (by hand), runs on portable neon64
struct from_uint8__exact {
  static constexpr int kSrcBits = 8, kDstBits = 8;

  struct only {
    static constexpr lane::Needs kNeeds = lane::Needs::bytes16;
    static constexpr auto map(auto bits) noexcept {
      const auto same = lane::negate_where(bits, bits & 64);  // WRONG: negate_where of 0x01, 0x00 is outside
      return same;
    }
  };
  struct scalar {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr auto map(auto bits) noexcept { return bits; }
  };
  using plans = lane::Plans<only, scalar>;
};
static_assert(lane::maps<from_uint8__exact>({
    {0, 0},
}));

}  // namespace to_uint8
}  // namespace CASTFORGE_ISA
}  // namespace castforge
