#include "lower/lower_cells.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "lower/byte_cells.hpp"

namespace castforge::lower {
namespace {

using ir::Op;
using ir::Value;

constexpr std::size_t kEntries = 16;

struct CellTables {
  ByteCells cells;
  bool nan_loses_sign = false;
  std::uint64_t first_place = 0;  // the cell of entry 0, which cells below it look up, too
  // Where even with one cell for small magnitudes there are more than 16: several have the result 1, which is looked
  // up for smaller ones as well, and taken off there.
  bool takes_off = false;
  bool tie_at_start = false;  // results of 1 begin past the first low byte of a cell
  std::vector<Cell> entries = {};
};

/// Makes the last cell with the result 1 that of entry 0. False where the results do not begin like that.
bool begin_at_one(CellTables& tables, const Results& results) {
  const std::uint64_t first = tables.cells.below + 1;
  const Cell at_first = tables.cells.cell(first, results).value_or(Cell{});
  const Cell one{.first = static_cast<std::uint8_t>(results[0] + 1)};
  tables.takes_off = true;
  tables.tie_at_start = at_first == Cell{.first = results[0], .once = 0};
  if (at_first != one && !tables.tie_at_start) return false;
  tables.first_place = first;
  while (tables.cells.cell(tables.first_place + 1, results) == one) ++tables.first_place;
  return tables.first_place != first;
}

std::optional<CellTables> tables_for(const spec::Meaning& meaning, const Results& results) {
  if (!narrows_ieee_16(meaning)) return std::nullopt;
  const std::uint64_t infinity = meaning.src->infinity_code(), sign = meaning.src->sign_mask();
  if (!meaning.dst->has_negative_zero() || results[infinity] != results[infinity - 1]) return std::nullopt;
  const bool carries = placing_of_nan(meaning, results) == NanPlacing::opposite_zero;
  const std::uint8_t nan = results[infinity + 1];
  if (!carries && nan != results[infinity]) return std::nullopt;
  const std::optional<ByteCells> cells = byte_cells(meaning, results, carries ? nan_carry(infinity) : 0);
  if (!cells) return std::nullopt;
  CellTables tables{.cells = *cells,
                    .nan_loses_sign = !carries && results[sign | (infinity + 1)] == nan,
                    .first_place = cells->below};
  if (cells->last - tables.first_place >= kEntries && !begin_at_one(tables, results)) return std::nullopt;
  if (cells->last - tables.first_place >= kEntries) return std::nullopt;
  for (std::uint64_t number = tables.first_place; number <= cells->last; ++number) {
    tables.entries.push_back(cells->cell(number, results).value_or(Cell{}));
    if (tables.entries.back().rise != 1) return std::nullopt;
  }
  return tables;
}

class CellsLowering {
 public:
  /// src_bits: 16, or 32 for the upper half of a longer format's codes, rounded to odd.
  CellsLowering(const spec::Meaning& meaning, const CellTables& tables, TableClass table_class, int src_bits)
      : meaning_(meaning),
        tables_(tables),
        cells_(tables.cells),
        neon_(table_class == TableClass::neon),
        b_(src_bits, meaning.dst->storage_bits, 16) {
    b_.needs(neon_ ? ir::kNeedsNeon : ir::kNeedsBytes16);
  }

  ir::Program program() {
    Value code = shortened(b_.element());
    if (cells_.added != 0) code = with_nan_carry(b_, code, cells_.infinity);
    Value signed_by = code;
    if (tables_.nan_loses_sign) signed_by = negative_number(b_, code, cells_.infinity);
    Value placed = code;
    if (cells_.lift != 0) placed = (code + code).named("doubled", "the exponent in the high byte, without the sign");
    b_.work_in(8);
    Value cell = byte(placed, 1);
    if (cells_.lift == 0) {
      if (!tables_.nan_loses_sign) signed_by = cell;
      cell = cell.named("high") & b_.constant("kMagnitude", 0x7F, "2^7 - 1");
    }
    low_ = byte(placed, 0).named("low", "the low byte: where in the cell");
    const Value result = risen(at_start(cell.named("cell", "the exponent, and what fits beside it" + more_by_carry())));
    return b_.finish(result |
                     sign8(signed_by, std::countr_zero(meaning_.dst->sign_mask()))
                         .named("sign", cells_.added == 0 ? "of the source" : "of the source, of NaN the opposite"));
  }

 private:
  const spec::Meaning& meaning_;
  const CellTables& tables_;
  const ByteCells& cells_;
  bool neon_;
  ir::Builder b_;
  Value low_, place_;

  std::string more_by_carry() const { return cells_.added == 0 ? "" : "; kNaNCarry included"; }

  template <class Entry>
  Value looked_up(const std::string& name, const std::string& note, Entry entry) {
    ir::Table table{name, 8, std::vector<std::uint64_t>(kEntries), note};
    std::ranges::transform(tables_.entries, table.entries.begin(),
                           [&](const Cell& cell) { return static_cast<std::uint8_t>(entry(cell)); });
    return ir::lookup(neon_ ? Op::lookup16_or_zero : Op::lookup16, place_, b_.table(table));
  }

  /// The result of the cell's first low byte.
  Value at_start(Value cell) {
    const Value last =
        b_.constant("kLast", cells_.last, "from this cell on every result is that of the largest number");
    const Value bounded = min(cell, last).named("bounded");
    const char* before =
        tables_.takes_off ? "up to this cell results are 0 or 1" : "up to this cell every result is zero";
    place_ = ir::binary(Op::subtract_or_zero, bounded, b_.constant("kFirstCell", tables_.first_place, before))
                 .named("place", "the entry of the tables");
    const Value first = looked_up("kFirst", "results at the start of cells", [](const Cell& one) { return one.first; });
    if (!tables_.takes_off) return first.named("at_start", "the result at the start of the cell");
    return (first.named("first") + taken_off(bounded)).named("at_start", "the result at the start of the cell");
  }

  /// -1 where the result is 0 and that of entry 0 is 1.
  Value taken_off(Value bounded) {
    Value ceiling = bounded;
    if (tables_.tie_at_start)
      ceiling = (bounded + min(low_, b_.literal(1))).named("ceiling", "one more where the low byte is not 0");
    const std::uint64_t first_one = cells_.below + (tables_.tie_at_start ? 2 : 1);
    return ir::binary(Op::greater_signed_ones, b_.constant("kOne", first_one, "from here on the result is not zero"),
                      ceiling)
        .named("is_zero", "all ones, which is -1");
  }

  /// One more past each threshold of the cell.
  Value risen(Value at_start) {
    const auto all = [&](std::uint8_t Cell::*threshold, std::uint8_t value) {
      return std::ranges::all_of(tables_.entries, [&](const Cell& cell) {
        return cell.*threshold == value || cell.*threshold == kNoThreshold;
      });
    };
    const std::string once = "the first threshold", twice = "the second threshold", none = ", FF for none";
    if (all(&Cell::twice, kNoThreshold)) {
      if (all(&Cell::once, kNoThreshold)) return at_start;
      if (all(&Cell::once, 0)) {
        const Value rises = looked_up("kRises", "1 where results rise past the first low byte",
                                      [](const Cell& cell) { return cell.once == 0 ? 1 : 0; });
        return at_start + min(low_, rises).named("rise", "1 past the first low byte of a cell where results rise");
      }
      if (all(&Cell::once, kNoThreshold - 1)) {
        const Value threshold = looked_up("kOnce", once + none, [](const Cell& cell) { return cell.once; });
        return at_start +
               ir::binary(Op::subtract_or_zero, low_, threshold).named("rise", "1 past a threshold, which is FE");
      }
    }
    const Value top = b_.constant("kSignBit", 0x80, "2^7: makes unsigned order signed");
    const Value at = (low_ ^ top).named("at", "ordered as a number of two's complement");
    const auto past = [&](const std::string& name, const std::string& note, std::uint8_t Cell::*threshold) {
      const Value found = looked_up(name, note + " in signed order, 7F for none",
                                    [&](const Cell& cell) { return cell.*threshold ^ 0x80; });
      return ir::binary(Op::greater_signed_ones, at, found);
    };
    const Value result = (at_start - past("kOnce", once, &Cell::once)).named("risen", "one more past the threshold");
    if (all(&Cell::twice, kNoThreshold)) return result;
    return (result - past("kTwice", twice, &Cell::twice)).named("risen_twice");
  }
};

}  // namespace

std::optional<ir::Program> lower_cells(const spec::Meaning& meaning, TableClass table_class) {
  if (meaning.src->storage_bits != 16 || meaning.dst->storage_bits > 8) return std::nullopt;
  const Results results(meaning);
  const std::optional<CellTables> tables = tables_for(meaning, results);
  if (!tables) return std::nullopt;
  ir::Program program = CellsLowering(meaning, *tables, table_class, 16).program();
  if (!gives(program, results)) return std::nullopt;
  return program;
}

std::optional<ir::Program> lower_odd_cells(const spec::Meaning& meaning, TableClass table_class) {
  if (!has_upper_half(meaning)) return std::nullopt;
  const UpperHalf upper(meaning);
  const Results results(upper.meaning);
  const std::optional<CellTables> tables = tables_for(upper.meaning, results);
  if (!tables || !stands_for_all(meaning, results)) return std::nullopt;
  if (!gives(CellsLowering(upper.meaning, *tables, table_class, 16).program(), results)) return std::nullopt;
  return CellsLowering(upper.meaning, *tables, table_class, 32).program();
}

}  // namespace castforge::lower
