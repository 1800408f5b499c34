// The exact position of a decimal on a binary grid: everything a rounding rule can ask about it.
#pragma once

#include <cstdint>

#include "src/text/scan.hpp"

namespace castforge::text {

/// A magnitude truncated on a floating-point grid. The ulp is 2^(binade - mantissa_bits).
struct GridPosition {
  /// The magnitude in halves of an ulp, so that bit 0 is the first dropped bit of a code. In whole ulps it has
  /// mantissa_bits + 1 bits, fewer below the smallest binade; or it is 2^(mantissa_bits + 1) exactly, the first value
  /// of the next binade.
  std::uint64_t half_ulps = 0;
  int binade = 0;
  bool sticky = false;  // whether anything below half_ulps is set
  bool beyond = false;  // 10^311 or more: above every format; the other members are unset
};

/// Positions a nonzero decimal, exactly. Grids: mantissa_bits <= 52, every grid value exact in float64.
GridPosition position(const Scanned& number, int mantissa_bits, int min_exponent);

}  // namespace castforge::text
