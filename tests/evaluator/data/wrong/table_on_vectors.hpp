#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint4 {

//   plan     test.only (by hand), runs on sse4_2 avx2 avx512 avx512vbmi
//            neon64
//   plan     test.scalar (by hand), runs on portable
struct from_uint4__exact {
  static constexpr int kSrcBits = 4, kDstBits = 4;

  struct only {  // WRONG: lane::table of more than 16 bytes in a plan that a vector set runs
    static constexpr lane::Needs kNeeds = lane::Needs::vector;
    static constexpr std::array<std::uint8_t, 17> kTable = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    };
    static constexpr auto map(auto bits) noexcept {
      return lane::table<kTable>(bits);
    }
  };
  struct scalar {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr auto map(auto bits) noexcept { return bits; }
  };
  using plans = lane::Plans<only, scalar>;
};
static_assert(lane::maps<from_uint4__exact>({
    {0, 0},
}));

}  // namespace to_uint4
}  // namespace CASTFORGE_ISA
}  // namespace castforge
