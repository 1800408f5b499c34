// Integers near floats and near the midpoints of floats: the ones that two roundings get wrong.
#pragma once

#include <cstdint>
#include <vector>

namespace castforge::test {

inline std::vector<std::uint64_t> near_floats() {
  std::vector<std::uint64_t> all;
  for (int leading = 20; leading < 64; ++leading) {
    for (int unit = 0; unit < leading; ++unit) {
      const std::uint64_t number = (1ull << leading) + (1ull << unit);
      for (const std::uint64_t x : {number - 1, number, number + 1}) {
        const std::uint64_t more = x | 1ull << (leading - 1);
        all.insert(all.end(), {x, 0 - x, more, 0 - more});
      }
    }
  }
  return all;
}

}  // namespace castforge::test
