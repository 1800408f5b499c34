// Masks.
#pragma once

#include <cstdint>

namespace castforge {

/// All ones in the low `count` bits, 0 <= count.
constexpr std::uint64_t low_bits(int count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace castforge
