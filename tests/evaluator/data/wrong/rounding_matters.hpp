#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint8 {

//   plan     test.only (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_uint8__exact {
  static constexpr int kSrcBits = 8, kDstBits = 8;

  struct only {  // WRONG: where the thread rounds toward zero
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr auto map(auto bits) noexcept {
      const auto number = lane::float32_of_uint32(lane::widen<std::uint32_t>(bits) << 24 | 511);
      return bits ^ lane::byte<0>(number) & 1;
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
