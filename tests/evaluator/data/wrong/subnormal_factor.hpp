#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint8 {

//   plan     test.only (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_uint8__exact {
  static constexpr int kSrcBits = 8, kDstBits = 8;

  struct only {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr lane::Environment kEnvironment = lane::Environment::rounding;
    static constexpr std::uint32_t kSmall = 0x00400000;
    static constexpr std::uint32_t kLarge = 0x71800000;
    static constexpr auto map(auto bits) noexcept {
      const auto small = lane::fill<std::uint32_t>(bits, kSmall);
      const auto sum = lane::multiply_add(small, kLarge, 0);  // WRONG: multiply_add of 0x00400000, 0x71800000
      return lane::byte<0>(sum) & 0 | bits;
    }
  };
  using plans = lane::Plans<only>;
};
static_assert(lane::maps<from_uint8__exact>({
    {0, 0},
}));

}  // namespace to_uint8
}  // namespace CASTFORGE_ISA
}  // namespace castforge
