#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint8 {

//   plan     test.only (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_uint16__wrap {
  static constexpr int kSrcBits = 16, kDstBits = 8;

  struct only {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr auto map(auto bits) noexcept {
      return lane::narrow<std::uint8_t>(bits);  // WRONG: narrow of 0x0100 is outside of its domain
    }
  };
  using plans = lane::Plans<only>;
};
static_assert(lane::maps<from_uint16__wrap>({
    {0, 0},
}));

}  // namespace to_uint8
}  // namespace CASTFORGE_ISA
}  // namespace castforge
