// Kernels to float8e4m3fn in the form of generated files.
#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_float8e4m3fn {

//   kernel   float32_to_float8e4m3fn__rne_max
//   plan     test.multiply_add (by hand), runs on sse4_2 avx2 avx512 avx512vbmi
//            neon64
//   plan     test.integer (by hand), runs on portable
struct from_float32__rne_max {
  static constexpr int kSrcBits = 32, kDstBits = 8;  // bits of one element in memory

  struct multiply_add {
    static constexpr lane::Needs kNeeds = lane::Needs::vector;
    static constexpr lane::Environment kEnvironment = lane::Environment::rounding;
    static constexpr std::uint32_t kMagnitude = 0x7FFFFFFF;  // 2^31 - 1
    static constexpr std::uint32_t kTop = 0x43E00000;        // the largest finite value, 448
    static constexpr std::uint32_t kNaN = 0x43F00000;        // 480, where the NaN code would be a number
    static constexpr std::uint32_t kMinNormal = 0x3C800000;  // bits of 2^-6
    static constexpr std::uint32_t kExponent = 0x7F800000;   // 255 << 23
    static constexpr std::uint32_t kScale = 0x49800098;      // 2^20 + 152 * 2^-3
    static constexpr auto map(auto bits) noexcept {
      const auto mag = bits & kMagnitude;
      const auto number = lane::min_nan2(kTop, mag);                     // a NaN stays
      const auto bounded = lane::min(number, kNaN);
      const auto binade = lane::max(bounded & kExponent, kMinNormal);
      const auto rounded = lane::multiply_add(binade, kScale, bounded);  // the one rounding
      const auto code = lane::fold<20>(rounded);
      return code | lane::sign8<7>(bits);
    }
  };
  struct integer {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr std::uint32_t kMagnitude = 0x7FFFFFFF;  // 2^31 - 1
    static constexpr std::uint32_t kFraction = 0x007FFFFF;   // 2^23 - 1
    static constexpr std::uint32_t kHidden = 0x00800000;     // 2^23
    static constexpr std::uint32_t kExpNormal = 121;         // 127 - 6
    static constexpr std::uint32_t kExpZero = 116;           // kExpNormal - 5
    static constexpr std::uint32_t kShiftBase = 141;         // kExpNormal + 20
    static constexpr std::uint32_t kInf = 0x7F800000;        // 255 << 23
    static constexpr std::uint32_t kMaxFinite = 0x7E;
    static constexpr std::uint32_t kNaN = 0x7F;
    static constexpr auto map(auto bits) noexcept {
      const auto mag = bits & kMagnitude;
      const auto sign = bits ^ mag;
      const auto exp = mag >> 23;
      const auto sig = (mag & kFraction) | kHidden;
      const auto shift = kShiftBase - lane::max(lane::min(exp, kExpNormal), kExpZero);
      const auto field = (lane::max(exp, kExpNormal) - kExpNormal) << 3;
      const auto odd = lane::shr(sig, shift) & 1;
      const auto half = lane::shl(1, shift - 1) - 1;
      const auto kept = lane::shr((sig + half) + odd, shift);
      const auto limited = lane::min(kept + field, kMaxFinite);
      return lane::narrow<std::uint8_t>(lane::select(lane::gt(mag, kInf), kNaN, limited) | sign >> 24);
    }
  };
  using plans = lane::Plans<multiply_add, integer>;
};
static_assert(lane::maps<from_float32__rne_max>({
    {0x00000000, 0x00}, {0x7F7FFFFF, 0x7E}, {0x3A800000, 0x00},  // 0 -> 0; 3.4028235e+38 -> 448; 2^-10 -> 0
    {0x3A800001, 0x01}, {0x3C6FFFFF, 0x07}, {0x3C700000, 0x08},
    {0x80000000, 0x80}, {0x7F800000, 0x7E}, {0xFF800000, 0xFE},  // -0 -> -0; Inf -> 448; -Inf -> -448
    {0x7FC00000, 0x7F}, {0x7F800001, 0x7F}, {0xFFC00000, 0xFF},  // NaN -> NaN
}));

}  // namespace to_float8e4m3fn
}  // namespace CASTFORGE_ISA
}  // namespace castforge
