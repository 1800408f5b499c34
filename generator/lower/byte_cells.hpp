// 16-bit floats whose results depend on little more than the byte with the exponent: cells whose bounds are those of
// bytes. Small magnitudes, which round to zero, and large ones, which overflow, share a cell each.
#pragma once

#include <cstdint>
#include <optional>

#include "lower/cells.hpp"
#include "spec/model.hpp"

namespace castforge::lower {

/// The number of a cell is the high byte of the magnitude, or of twice the magnitude where the exponent has eight bits,
/// and `low` the low byte.
struct ByteCells {
  int lift = 0;                // 1: of twice the magnitude
  std::uint64_t added = 0;     // to the magnitude before, see nan_carry()
  std::uint64_t infinity = 0;  // the magnitude of infinity, without what is added
  std::uint64_t below = 0;     // cells up to this one have the result of zero
  std::uint64_t last = 0;      // cells from this one on have the result of the largest number

  /// The magnitude of a number in a cell, the largest one beyond; 0 where less than what is added is there.
  std::uint64_t magnitude(std::uint64_t cell, std::uint64_t low) const;
  std::optional<Cell> cell(std::uint64_t number, const Results& results) const;
};

/// Of a conversion with narrows_ieee_16(). Nothing where results change too often within a byte, or every number has
/// the same.
std::optional<ByteCells> byte_cells(const spec::Meaning& meaning, const Results& results, std::uint64_t added = 0);

}  // namespace castforge::lower
