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
    static constexpr auto map(auto bits) noexcept {
      return bits;
    }
  };
  using plans = lane::Plans<only>;

  alignas(64) static constexpr std::array<std::uint8_t, 16> kOfNibble = {  // WRONG: entry 9 of kOfNibble is 08
      0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x08, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
  };
};
static_assert(lane::maps<from_uint4__exact>({
    {0, 0},
}));

}  // namespace to_uint4
}  // namespace CASTFORGE_ISA
}  // namespace castforge
