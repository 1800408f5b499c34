// Kernels to float16 in the form of generated files: tables, with and without byte shuffles.
#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_float16 {

//   plan     test.wide (by hand), runs on avx512vbmi
//   plan     test.high_bytes (by hand), runs on sse4_2 avx2 avx512 neon64
//   plan     test.table (by hand), runs on portable
struct from_int4__exact {
  static constexpr int kSrcBits = 4, kDstBits = 16;  // bits of one element in memory

  struct wide {
    static constexpr lane::Needs kNeeds = lane::Needs::avx512 | lane::Needs::vbmi;
    alignas(64) static constexpr std::array<std::uint16_t, 16> kCodes = {
        0x0000, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700,  // 0 ..
        0xC800, 0xC700, 0xC600, 0xC500, 0xC400, 0xC200, 0xC000, 0xBC00,  // -8 ..
    };
    static constexpr auto map(auto bits) noexcept { return lane::lookup16_wide<kCodes>(bits); }
  };
  struct high_bytes {  // the low bytes of all results are 0
    static constexpr lane::Needs kNeeds = lane::Needs::vector;
    alignas(64) static constexpr std::array<std::uint8_t, 16> kHigh = {
        0x00, 0x3C, 0x40, 0x42, 0x44, 0x45, 0x46, 0x47, 0xC8, 0xC7, 0xC6, 0xC5, 0xC4, 0xC2, 0xC0, 0xBC,
    };
    static constexpr auto map(auto bits) noexcept { return lane::join<std::uint16_t>(0, lane::lookup16<kHigh>(bits)); }
  };
  struct table {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr std::array<std::uint16_t, 16> kTable = {
        0x0000, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700,  // 0 ..
        0xC800, 0xC700, 0xC600, 0xC500, 0xC400, 0xC200, 0xC000, 0xBC00,  // -8 ..
    };
    static constexpr auto map(auto bits) noexcept { return lane::table<kTable>(bits); }
  };
  using plans = lane::Plans<wide, high_bytes, table>;
};
static_assert(lane::maps<from_int4__exact>({
    {0x0, 0x0000}, {0x7, 0x4700}, {0x8, 0xC800}, {0xF, 0xBC00},
}));

//   plan     test.convert (by hand), runs on sse4_2 avx2 avx512 avx512vbmi
//            neon64
//   plan     test.magnitudes (by hand), runs on portable
struct from_float32__rne_inf {
  static constexpr int kSrcBits = 32, kDstBits = 16;

  struct convert {
    static constexpr lane::Needs kNeeds = lane::Needs::vector;
    static constexpr lane::Environment kEnvironment = lane::Environment::rounding;
    static constexpr std::uint32_t kNaN = 0x7FC00000;
    static constexpr auto map(auto bits) noexcept { return lane::float16_of_float32(lane::nan_becomes(bits, kNaN)); }
  };
  // The same with lanes of 16 bits for the sign and of 32 bits for the rest.
  struct magnitudes {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr lane::Environment kEnvironment = lane::Environment::rounding;
    static constexpr std::uint32_t kMagnitude = 0x7FFFFFFF;
    static constexpr std::uint32_t kInf = 0x7F800000;
    static constexpr std::uint16_t kNaN = 0x7E00;
    static constexpr std::uint16_t kSign = 0x8000;
    static constexpr auto map(auto bits) noexcept {
      const auto mag = bits & kMagnitude;
      const auto half = lane::float16_of_float32(mag);
      const auto nan = lane::truncate<std::uint16_t>(lane::select(lane::gt(mag, kInf), 65535, 0));
      return lane::merge(nan, kNaN, half) | (lane::high_half(bits) & kSign);
    }
  };
  using plans = lane::Plans<convert, magnitudes>;
};
static_assert(lane::maps<from_float32__rne_inf>({
    {0x00000000, 0x0000}, {0x3F800000, 0x3C00}, {0xFF800001, 0xFE00}, {0x477FF000, 0x7C00}, {0x33000000, 0x0000},
}));

}  // namespace to_float16
}  // namespace CASTFORGE_ISA
}  // namespace castforge
