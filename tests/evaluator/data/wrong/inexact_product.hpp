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
    static constexpr std::uint32_t kThird = 0x3EAAAAAB;
    static constexpr auto map(auto bits) noexcept {
      const auto third = lane::fill<std::uint32_t>(bits, kThird);
      const auto sum = lane::multiply_add(third, third, 0);  // WRONG: multiply_add of 0x3EAAAAAB, 0x3EAAAAAB
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
