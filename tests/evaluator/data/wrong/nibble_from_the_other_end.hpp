#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint2 {

//   plan     test.only (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_uint1__wrap {
  static constexpr int kSrcBits = 1, kDstBits = 2;
  static constexpr Packing kSrcPacking = Packing::high_first;

  struct only {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr auto map(auto bits) noexcept {
      return bits;
    }
  };
  using plans = lane::Plans<only>;

  alignas(64) static constexpr std::array<std::uint8_t, 16> kOfNibble = {  // WRONG: entry 1 of kOfNibble is 01
      0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15, 0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55,
  };
};
static_assert(lane::maps<from_uint1__wrap>({
    {0, 0},
}));

}  // namespace to_uint2
}  // namespace CASTFORGE_ISA
}  // namespace castforge
