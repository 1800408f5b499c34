// For programs that are not compiled for one instruction set.
#pragma once

#include <vector>

#include "unit/operations/ways.hpp"

namespace castforge::test {

/// In the order of operation_cases().
inline std::vector<const WaysOfCase*> all_ways(const WaysOfIsa& isa) {
  std::vector<const WaysOfCase*> all;
  for (const SomeWays* part : isa.parts) {
    for (std::size_t i = 0; i < part->count; ++i) all.push_back(&part->cases[i]);
  }
  return all;
}

}  // namespace castforge::test
