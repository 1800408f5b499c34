// The lookups of a kernel to uint4 in the form of generated files.
#pragma once

#include "simd/kernel.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace to_uint4 {

struct from_int4__wrap_lookups {

  struct bytes {
    static constexpr lane::Needs kNeeds = lane::Needs::vector;
    static constexpr lane::Environment kEnvironment = lane::Environment::none;
    alignas(64) static constexpr std::array<std::uint8_t, 16> kBytes = {
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
    };
    static constexpr std::array<std::uint8_t, 16> kOfNibble = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    };
    static constexpr auto map(auto bits) noexcept {
      return lane::lookup16<kBytes>(bits);
    }
  };
};

}  // namespace to_uint4
}  // namespace CASTFORGE_ISA
}  // namespace castforge
