#include "lower/cells.hpp"

#include <numeric>

#include "ir/interpret.hpp"
#include "semantics/convert.hpp"

namespace castforge::lower {

std::optional<Cell> cell_of(const Bytes& results) {
  struct Step {
    std::uint8_t after;   // the last low byte with the former result
    std::uint8_t height;  // modulo 256
  };
  std::vector<Step> units, others;
  for (std::size_t low = 1; low < 256; ++low) {
    const Step step{static_cast<std::uint8_t>(low - 1), static_cast<std::uint8_t>(results[low] - results[low - 1])};
    if (step.height == 1) units.push_back(step);
    else if (step.height != 0) others.push_back(step);
  }
  if (units.size() + others.size() > 2 || others.size() > 1) return std::nullopt;
  if (units.empty() && others.size() == 1 && others.front().height == 2) {  // two units in one place
    units = {others.front(), others.front()};
    others.clear();
  }
  // The step that is no unit comes through `rise`; a unit beside it, before or after, through `twice`.
  Cell cell;
  cell.first = results[0];
  if (!others.empty()) cell.rise = others.front().height;
  units.insert(units.begin(), others.begin(), others.end());
  if (!units.empty()) cell.once = units[0].after;
  if (units.size() == 2) cell.twice = units[1].after;
  return cell;
}

std::uint8_t Results::operator[](std::uint64_t code) const {
  std::optional<std::uint8_t>& known = known_[code];
  if (!known) known = static_cast<std::uint8_t>(semantics::convert_storage(meaning_, code));
  return *known;
}

bool gives(const ir::Program& program, const Results& results) {
  std::vector<std::uint64_t> codes(results.size());
  std::iota(codes.begin(), codes.end(), 0);
  if (!ir::interpret(program, codes).empty()) return false;
  for (std::size_t code = 0; code < codes.size(); ++code) {
    if (codes[code] != results[code]) return false;
  }
  return true;
}

}  // namespace castforge::lower
