#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint8 {

//   plan     test.only (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_uint8__exact {
  static constexpr int kSrcBits = 8, kDstBits = 8;

  struct only {  // WRONG: with another arithmetic NaN
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr lane::Environment kEnvironment = lane::Environment::rounding;
    static constexpr std::uint32_t kInf = 0x7F800000;
    static constexpr std::uint32_t kMinusInf = 0xFF800000;
    static constexpr std::uint32_t kOne = 0x3F800000;
    static constexpr auto map(auto bits) noexcept {
      const auto nan = lane::multiply_add(lane::fill<std::uint32_t>(bits, kInf), kOne, kMinusInf);
      return bits | lane::sign8<0>(nan);
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
