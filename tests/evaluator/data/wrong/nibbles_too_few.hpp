#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint4 {

//   plan     test.only (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_int2__wrap {
  static constexpr int kSrcBits = 2, kDstBits = 4;

  struct only {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr std::uint8_t kSignBit = 0x02;
    static constexpr std::uint8_t kResultBits = 0x0F;
    static constexpr std::array<std::uint8_t, 15> kOfNibble = {  // WRONG: kOfNibble has 15 entries, not 16
        0x00, 0x01, 0x0E, 0x0F, 0x10, 0x11, 0x1E, 0x1F, 0xE0, 0xE1, 0xEE, 0xEF, 0xF0, 0xF1, 0xFE,
    };
    static constexpr auto map(auto bits) noexcept {
      return (bits ^ kSignBit) - kSignBit & kResultBits;
    }
  };
  using plans = lane::Plans<only>;
};
static_assert(lane::maps<from_int2__wrap>({
    {0, 0}, {1, 1}, {2, 14}, {3, 15},
}));

}  // namespace to_uint4
}  // namespace CASTFORGE_ISA
}  // namespace castforge
