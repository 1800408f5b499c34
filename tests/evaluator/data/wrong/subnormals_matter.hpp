#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint8 {

//   plan     test.only (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_uint8__exact {
  static constexpr int kSrcBits = 8, kDstBits = 8;

  struct only {  // WRONG: where subnormal numbers are flushed
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr auto map(auto bits) noexcept {
      const auto small = lane::float64_of_float32(lane::widen<std::uint32_t>(bits));
      const auto same = lane::float32_of_float64(small);
      return lane::byte<0>(same);
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
