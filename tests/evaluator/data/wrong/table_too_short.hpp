#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint4 {

//   plan     test.only (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_uint4__exact {
  static constexpr int kSrcBits = 4, kDstBits = 4;

  struct only {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr std::array<std::uint8_t, 16> kTable = {  // WRONG: kTable has 15 entries, not 16
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    };
    static constexpr auto map(auto bits) noexcept {
      return lane::table<kTable>(bits);
    }
  };
  using plans = lane::Plans<only>;
};
static_assert(lane::maps<from_uint4__exact>({
    {0, 0},
}));

}  // namespace to_uint4
}  // namespace CASTFORGE_ISA
}  // namespace castforge
