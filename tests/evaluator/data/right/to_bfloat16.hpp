// Kernels to bfloat16 in the form of generated files.
#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_bfloat16 {

//   plan     test.halves (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_float32__rne_inf {
  static constexpr int kSrcBits = 32, kDstBits = 16;

  struct halves {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr std::uint32_t kMagnitude = 0x7FFFFFFF;
    static constexpr std::uint32_t kSign = 0x80000000;
    static constexpr std::uint32_t kInf = 0x7F800000;
    static constexpr std::uint32_t kNaN = 0x7FC00000;
    static constexpr auto map(auto bits) noexcept {
      const auto is_nan = lane::gt(bits & kMagnitude, kInf);
      return lane::round_high_half(lane::select(is_nan, bits & kSign | kNaN, bits));
    }
  };
  using plans = lane::Plans<halves>;
};
static_assert(lane::maps<from_float32__rne_inf>({
    {0x3F808000, 0x3F80}, {0x3F818000, 0x3F82}, {0x7F7FFFFF, 0x7F80}, {0x7F800001, 0x7FC0}, {0xFFFFFFFF, 0xFFC0},
}));

//   plan     test.sticky (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_float64__rne_inf {
  static constexpr int kSrcBits = 64, kDstBits = 16;

  // To float32 by truncation, with a last bit that says whether something is lost; then the one rounding.
  struct sticky {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr lane::Environment kEnvironment = lane::Environment::subnormals;
    static constexpr std::uint32_t kMagnitude = 0x7FFFFFFF;
    static constexpr std::uint32_t kSign = 0x80000000;
    static constexpr std::uint32_t kInf = 0x7F800000;
    static constexpr std::uint32_t kNaN = 0x7FC00000;
    static constexpr auto map(auto bits) noexcept {
      const auto single = lane::float32_of_float64_rtz(bits);
      const auto back = lane::float64_of_float32(single);
      const auto lost = lane::select(lane::eq(back, bits), 0, 1);
      const auto odd = single | lane::truncate<std::uint32_t>(lost);
      const auto is_nan = lane::gt(single & kMagnitude, kInf);
      return lane::round_high_half(lane::select(is_nan, single & kSign | kNaN, odd));
    }
  };
  using plans = lane::Plans<sticky>;
};
static_assert(lane::maps<from_float64__rne_inf>({
    {0x3FF0000000000000, 0x3F80}, {0x3FF0100000000000, 0x3F80}, {0x3FF0100000000001, 0x3F81},
    {0xFFF0000000000001, 0xFFC0}, {0x0000000000000001, 0x0000},
}));

}  // namespace to_bfloat16
}  // namespace CASTFORGE_ISA
}  // namespace castforge
