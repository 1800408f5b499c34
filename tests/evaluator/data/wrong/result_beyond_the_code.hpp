#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint4 {

//   plan     test.only (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_uint8__wrap {
  static constexpr int kSrcBits = 8, kDstBits = 4;

  struct only {  // WRONG: 10 (16) gives 10 (0), expected 00 (0); 240 of 256 codes differ
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr auto map(auto bits) noexcept {
      return bits;
    }
  };
  using plans = lane::Plans<only>;
};
static_assert(lane::maps<from_uint8__wrap>({
    {0, 0},
}));

}  // namespace to_uint4
}  // namespace CASTFORGE_ISA
}  // namespace castforge
