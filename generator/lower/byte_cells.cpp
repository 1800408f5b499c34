#include "lower/byte_cells.hpp"

#include <algorithm>

namespace castforge::lower {

std::uint64_t ByteCells::magnitude(std::uint64_t cell, std::uint64_t low) const {
  const std::uint64_t position = (cell << 8 | low) >> lift;
  return std::min(position - std::min(position, added), infinity - 1);
}

std::optional<Cell> ByteCells::cell(std::uint64_t number, const Results& results) const {
  Bytes of_cell;
  for (std::uint64_t low = 0; low < of_cell.size(); ++low) of_cell[low] = results[magnitude(number, low)];
  return cell_of(of_cell);
}

std::optional<ByteCells> byte_cells(const spec::Meaning& meaning, const Results& results, std::uint64_t added) {
  const spec::Type& src = *meaning.src;
  ByteCells cells;
  cells.lift = src.exponent_bits == 8 ? 1 : 0;
  cells.added = added;
  cells.infinity = src.infinity_code();
  const auto has_all = [&](std::uint64_t number, std::uint8_t result) {
    const std::optional<Cell> cell = cells.cell(number, results);
    return cell == Cell{.first = result};
  };
  const std::uint8_t zero = results[0], over = results[cells.infinity - 1];
  cells.last = ((cells.infinity - 1 + added) << cells.lift) >> 8;
  if (zero == over || !has_all(0, zero) || !has_all(cells.last, over)) return std::nullopt;
  while (has_all(cells.below + 1, zero)) ++cells.below;
  while (has_all(cells.last - 1, over)) --cells.last;
  for (std::uint64_t number = cells.below + 1; number < cells.last; ++number) {
    if (!cells.cell(number, results)) return std::nullopt;
  }
  return cells;
}

}  // namespace castforge::lower
