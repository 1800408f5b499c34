// Kernels to integers and truth values in the form of generated files.
#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_int32 {

//   plan     test.truncate (by hand), runs on avx512 avx512vbmi
//   plan     test.wrapping (by hand), runs on portable sse4_2 avx2 neon64
struct from_float64__rtz_wrap {
  static constexpr int kSrcBits = 64, kDstBits = 32;

  struct truncate {
    static constexpr lane::Needs kNeeds = lane::Needs::avx512;
    static constexpr auto map(auto bits) noexcept { return lane::truncate_float64_to_int32(bits); }
  };
  struct wrapping {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr lane::Environment kEnvironment = lane::Environment::rounding;
    static constexpr std::uint64_t kMagnitude = 0x7FFFFFFFFFFFFFFF;
    static constexpr std::uint64_t kMaxFinite = 0x7FEFFFFFFFFFFFFF;
    static constexpr std::uint64_t kOne = 0x3FF0000000000000;
    static constexpr auto map(auto bits) noexcept {
      const auto mag = bits & kMagnitude;
      const auto zeroed = lane::select(lane::gt(kOne, mag), 0, bits);
      return lane::int32_of_float64_wrap_rtz(lane::select(lane::gt(mag, kMaxFinite), 0, zeroed));
    }
  };
  using plans = lane::Plans<truncate, wrapping>;
};
static_assert(lane::maps<from_float64__rtz_wrap>({
    {0x0000000000000001, 0x00000000}, {0xBFF8000000000000, 0xFFFFFFFF}, {0x41F0000000100000, 0x00000001},
    {0x7FF0000000000000, 0x00000000}, {0xFFF8000000000000, 0x00000000},
}));

}  // namespace to_int32

namespace to_int8 {

//   plan     test.clamp (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_int16__sat {
  static constexpr int kSrcBits = 16, kDstBits = 8;

  struct clamp {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr std::uint16_t kLowest = 0xFF80;  // -128
    static constexpr auto map(auto bits) noexcept {
      return lane::truncate<std::uint8_t>(lane::max_signed(lane::min_signed(bits, 127), kLowest));
    }
  };
  using plans = lane::Plans<clamp>;
};
static_assert(lane::maps<from_int16__sat>({
    {0x0000, 0x00}, {0x7FFF, 0x7F}, {0x8000, 0x80}, {0xFFFF, 0xFF},
}));

}  // namespace to_int8

namespace to_bool {

//   plan     test.compare (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_float16__exact {
  static constexpr int kSrcBits = 16, kDstBits = 8;

  struct compare {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr auto map(auto bits) noexcept {
      return lane::narrow<std::uint8_t>(lane::select(lane::eq(bits << 1, 0), 0, 1));
    }
  };
  using plans = lane::Plans<compare>;
};
static_assert(lane::maps<from_float16__exact>({
    {0x0000, 0x00}, {0x8000, 0x00}, {0x0001, 0x01}, {0x7E00, 0x01},
}));

}  // namespace to_bool
}  // namespace CASTFORGE_ISA
}  // namespace castforge
