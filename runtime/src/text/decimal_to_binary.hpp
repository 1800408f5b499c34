// The exact position of a decimal on a binary grid: everything a rounding rule can ask about it.
#pragma once

#include <cstdint>

#include "src/text/scan.hpp"

namespace castforge::text {

/// A magnitude cut off on a floating-point grid, in *half* units: bit 0 is the first dropped bit, `sticky`
/// the OR of all further ones. The unit is 2^(binade - mantissa_bits); units (halves >> 1) has
/// mantissa_bits + 1 bits, fewer below the smallest binade, or is 2^(mantissa_bits + 1): the first value of the
/// next binade, and then `halves` is even.
struct GridPosition {
  std::uint64_t halves = 0;
  int binade = 0;
  bool sticky = false;
  bool beyond = false;  // 10^311 or more: above every format; the other members are unset
};

/// Positions a nonzero decimal, exactly. Grids: mantissa_bits <= 52, every grid value exact in float64.
GridPosition position(const Scanned& number, int mantissa_bits, int min_exponent);

}  // namespace castforge::text
