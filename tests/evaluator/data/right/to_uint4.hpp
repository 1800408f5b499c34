// A kernel to uint4 in the form of generated files, its lookups in a file of their own.
#pragma once

#include "simd/kernel.hpp"
#include "right/to_uint4__lookups.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint4 {

//   plan     test.bytes (by hand), runs on sse4_2 avx2 avx512 avx512vbmi
//            neon64
//   plan     test.table (by hand), runs on portable
struct from_int4__wrap {
  static constexpr int kSrcBits = 4, kDstBits = 4;

  using bytes = from_int4__wrap_lookups::bytes;

  struct table {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr lane::Environment kEnvironment = lane::Environment::none;
    alignas(64) static constexpr std::array<std::uint8_t, 16> kTable = {
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,  // 0: 0 ..
    };
    static constexpr std::array<std::uint8_t, 16> kOfNibble = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    };
    static constexpr auto map(auto bits) noexcept {
      return lane::table<kTable>(bits);
    }
  };

  using plans = lane::Plans<bytes, table>;
};
static_assert(lane::maps<from_int4__wrap>({
    {0x0, 0x0}, {0x1, 0x1}, {0x8, 0x8}, {0xF, 0xF},
}));

//   plan     test.only (by hand), runs on portable sse4_2 avx2 avx512 avx512vbmi neon64
struct from_int2__wrap {
  static constexpr int kSrcBits = 2, kDstBits = 4;
  static constexpr Packing kSrcPacking = Packing::high_first;

  struct only {
    static constexpr lane::Needs kNeeds = lane::Needs::nothing;
    static constexpr std::uint8_t kSignBit = 0x02;
    static constexpr std::uint8_t kResultBits = 0x0F;
    static constexpr std::array<std::uint8_t, 16> kOfNibble = {
        0x00, 0x10, 0xE0, 0xF0, 0x01, 0x11, 0xE1, 0xF1, 0x0E, 0x1E, 0xEE, 0xFE, 0x0F, 0x1F, 0xEF, 0xFF,
    };
    static constexpr auto map(auto bits) noexcept {
      return (bits ^ kSignBit) - kSignBit & kResultBits;
    }
  };
  using plans = lane::Plans<only>;
};
static_assert(lane::maps<from_int2__wrap>({
    {0, 0}, {1, 1}, {2, 14}, {3, 15},
}));

}  // namespace to_uint4
}  // namespace CASTFORGE_ISA
}  // namespace castforge
