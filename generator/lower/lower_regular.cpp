#include "lower/lower_regular.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lower/cells.hpp"

namespace castforge::lower {
namespace {

using ir::Op;
using ir::Value;

enum class NanPlace { none, after_most, elsewhere, opposite_zero };

/// Where a magnitude lies: `cell` in the high byte, `low` in the low one.
struct Position {
  std::uint64_t base = 0;  // the magnitude at the start of cell 0
  int lift = 0;            // shifted left by it; -1: right by one, the bit that falls out kept in the lowest

  std::uint64_t of(std::uint64_t magnitude) const {
    const std::uint64_t from = magnitude - base;
    return lift >= 0 ? from << lift : from >> 1 | (from & 1);
  }
  std::uint64_t magnitude(std::uint64_t position) const {
    return base + (lift >= 0 ? position >> lift : position << 1);
  }
};

/// What a cell has where nothing is special.
struct Regular {
  std::uint8_t slope = 0, offset = 0;  // the first result is slope * cell + offset
  std::uint8_t once_even = 0, once_odd = 0, twice = 0;

  Cell cell(std::uint64_t number) const {
    Cell made;
    made.first = static_cast<std::uint8_t>(slope * number + offset);
    made.once = number % 2 == 0 ? once_even : once_odd;
    made.twice = twice;
    return made;
  }
};

struct Found {
  Position position;
  Regular regular;
  std::uint64_t least = 0, most = 0;  // magnitudes are brought between these
  std::uint64_t last_number = 0;      // above are NaN, or what has the result of NaN
  NanPlace nan = NanPlace::none;
  std::uint64_t nan_at = 0;
  bool nan_loses_sign = false;
  std::uint64_t last_cell = 0;
  std::map<std::uint64_t, Cell> irregular;

  /// Rows of 16 cells with an irregular one: those that are looked up.
  std::set<std::uint64_t> rows() const {
    std::set<std::uint64_t> rows;
    for (const auto& [number, cell] : irregular) rows.insert(number / 16);
    return rows;
  }
};

/// Is the conversion one of magnitudes, to a grid that the source's codes refine?
bool refines_grid(const spec::Meaning& meaning) {
  return narrows_ieee_16(meaning) && meaning.dst->mantissa_bits < meaning.src->mantissa_bits;
}

class RegularSearch {
 public:
  RegularSearch(const spec::Meaning& meaning, const Results& results) : meaning_(meaning), results_(results) {}

  std::optional<Found> found() {
    const spec::Type& src = *meaning_.src;
    const int dropped = src.mantissa_bits - meaning_.dst->mantissa_bits;
    if (dropped > 9) return std::nullopt;
    found_.position.lift = dropped <= 7 ? 7 - dropped : 8 - dropped;
    found_.regular.slope = dropped <= 7 ? 2 : 1;

    const std::uint64_t infinity = src.infinity_code();
    const std::uint8_t zero = results_[0], over = results_[infinity - 1], infinite = results_[infinity],
                       nan = results_[infinity + 1];
    if (infinite != over && infinite != nan) return std::nullopt;
    found_.last_number = infinite == over ? infinity : infinity - 1;
    std::uint64_t first_over = infinity - 1;
    while (first_over > 0 && results_[first_over - 1] == over) --first_over;
    while (found_.least + 1 < first_over && results_[found_.least + 1] == zero) ++found_.least;
    const std::uint64_t cell = found_.position.lift >= 0 ? 256u >> found_.position.lift : 512u;
    found_.position.base = found_.least / cell * cell;
    if (found_.position.of(first_over) > 0xFFFF) return std::nullopt;

    set_regular(found_.position.of(first_over) >> 8);
    found_.most = first_over;
    while (found_.most < infinity && regular_result(found_.most + 1) == over) ++found_.most;
    if (!place_nan(nan, over)) return std::nullopt;
    found_.nan_loses_sign = (nan & meaning_.dst->sign_mask()) == 0 && results_[src.sign_mask() | (infinity + 1)] == nan;
    const std::uint64_t last = std::max(found_.most, found_.nan == NanPlace::elsewhere ? found_.nan_at : 0);
    found_.last_cell = found_.position.of(last + 1) >> 8;
    if (found_.last_cell > 255 || !find_irregular()) return std::nullopt;
    return found_;
  }

 private:
  const spec::Meaning& meaning_;
  const Results& results_;
  Found found_;

  std::optional<std::uint8_t> regular_result(std::uint64_t magnitude) const {
    const std::uint64_t position = found_.position.of(magnitude);
    if (position > 0xFFFF) return std::nullopt;
    return found_.regular.cell(position >> 8).result(position & 0xFF);
  }

  std::uint8_t result_at(std::uint64_t position) const {
    return results_[std::clamp(found_.position.magnitude(position), found_.least, found_.most)];
  }
  std::optional<Cell> cell_at(std::uint64_t number) const {
    Bytes results;
    for (std::size_t low = 0; low < 256; ++low) results[low] = result_at(number << 8 | low);
    return cell_of(results);
  }

  /// What most cells with an even number, and most with an odd one, have.
  void set_regular(std::uint64_t cells) {
    using Kind = std::tuple<std::uint8_t, std::uint8_t, std::uint8_t>;
    std::map<Kind, int> counts[2];
    found_.most = 0x7FFF;
    for (std::uint64_t number = 0; number < cells; ++number) {
      if (const auto cell = cell_at(number)) {
        const auto offset = static_cast<std::uint8_t>(cell->first - found_.regular.slope * number);
        ++counts[number % 2][Kind{offset, cell->once, cell->twice}];
      }
    }
    const auto most_frequent = [](const std::map<Kind, int>& count) {
      const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
      const auto best = std::max_element(count.begin(), count.end(), less);
      return best == count.end() ? Kind{} : best->first;
    };
    const auto [offset, once, twice] = most_frequent(counts[0]);
    found_.regular.offset = offset;
    found_.regular.once_even = found_.regular.once_odd = once;
    found_.regular.twice = twice;
    if (found_.regular.slope == 1) found_.regular.once_odd = std::get<1>(most_frequent(counts[1]));
  }

  bool place_nan(std::uint8_t nan, std::uint8_t over) {
    if (nan == over) return true;
    if (placing_of_nan(meaning_, results_) == NanPlacing::opposite_zero) {
      found_.nan = NanPlace::opposite_zero;
      return true;
    }
    if (regular_result(found_.most + 1) == nan) {
      found_.nan = NanPlace::after_most;
      return true;
    }
    for (std::uint64_t at = found_.most + 1; at < 0x8000; ++at) {
      const auto result = regular_result(at);
      if (!result) return false;
      if (*result != nan) continue;
      found_.nan = NanPlace::elsewhere;
      found_.nan_at = at;
      return true;
    }
    return false;
  }

  bool find_irregular() {
    // Where the base is subtracted, what lies below it comes to it.
    const std::uint64_t first = found_.position.base == 0 ? found_.position.of(found_.least) : 0,
                        last = found_.position.of(found_.most);
    for (std::uint64_t number = 0; number <= last >> 8; ++number) {
      const Cell regular = found_.regular.cell(number);
      bool differs = false;
      for (std::uint64_t at = number << 8; at <= std::min(last, number << 8 | 0xFF); ++at) {
        differs = differs || (at >= first && result_at(at) != regular.result(at & 0xFF));
      }
      if (!differs) continue;
      const auto cell = cell_at(number);
      if (!cell || cell->rise != 1) return false;
      found_.irregular[number] = *cell;
    }
    return true;
  }
};

class RegularLowering {
 public:
  RegularLowering(const spec::Meaning& meaning, const Found& found, TableClass table_class)
      : meaning_(meaning),
        found_(found),
        rows_(found.rows()),
        neon_(table_class == TableClass::neon),
        b_(16, meaning.dst->storage_bits, 16) {
    b_.needs(neon_ ? ir::kNeedsNeon : ir::kNeedsBytes16);
    // The source's high byte can be the number of the cell where at most one row is looked up.
    keeps_high_byte_ = found.position.lift == 0 && rows_.size() < 2 && found.last_cell + 0x70 < 0x100 &&
                       found.nan != NanPlace::opposite_zero;
  }

  ir::Program program() {
    code_ = b_.element();
    const Value placed = place();
    b_.work_in(8);
    cell_ = byte(placed, 1).named("cell", "the high byte");
    const Value low = byte(placed, 0).named("low", "the low byte: where in the cell");
    index();

    const Regular& regular = found_.regular;
    const auto first_cell = keeps_high_byte_ ? found_.position.base >> 8 : 0;
    const auto offset = static_cast<std::uint8_t>(regular.offset - regular.slope * first_cell);
    Value first = regular.slope == 2 ? cell_ + cell_ : cell_;
    if (offset != 0)
      first = first + b_.constant("kOffset", offset, "the first result of a regular cell, minus " + slope_text());
    first = with_rows(first, "kFirst", "added to the first result",
                      [&](std::uint64_t number, const Cell& cell) { return cell.first - regular.cell(number).first; });
    Value code = first.named("first", "the result at the start of the cell");

    const bool has_once = uses(&Cell::once, regular.once_even, regular.once_odd),
               has_twice = uses(&Cell::twice, regular.twice, regular.twice);
    if (has_once || has_twice) flipped_ = (low ^ top()).named("at", "ordered as a number of two's complement");
    if (has_once) {
      const auto [at_first, at_next] = first_cell % 2 == 0 ? std::pair{regular.once_even, regular.once_odd}
                                                           : std::pair{regular.once_odd, regular.once_even};
      Value once = b_.constant("kOnceBase", at_first ^ 0x80u, threshold_text(at_first, "first"));
      if (at_first != at_next) {
        const Value odd = cell_ & b_.literal(1);
        once = at_next > at_first ? once + odd : once - odd;
      }
      once = with_rows(once, "kOnceMore", "added to the first threshold",
                       [&](std::uint64_t number, const Cell& cell) { return cell.once - regular.cell(number).once; });
      code = (code - past(once.named("once", "the first threshold, in signed order")))
                 .named("risen", "one more past the first threshold");
    }
    if (has_twice) code = (code - past_twice()).named("risen_twice");
    return b_.finish(with_sign(code));
  }

 private:
  const spec::Meaning& meaning_;
  const Found& found_;
  std::set<std::uint64_t> rows_;
  bool neon_;
  ir::Builder b_;
  bool keeps_high_byte_ = false;
  Value code_, signed_by_, cell_, flipped_;
  std::map<std::uint64_t, Value> index_;

  Value top() { return b_.constant("kSignBit", 0x80, "2^7: makes unsigned order signed"); }
  std::string slope_text() const { return found_.regular.slope == 2 ? "2 * cell" : "cell"; }
  static std::string threshold_text(std::uint8_t threshold, const std::string& which) {
    return threshold == kNoThreshold ? "255 - 128: no low byte is above"
                                     : std::to_string(threshold) + (threshold < 128 ? " + 128" : " - 128") + ": the " +
                                           which + " threshold of regular cells, in signed order";
  }

  Value place() {
    const std::uint64_t base = found_.position.base;
    const bool carries = found_.nan == NanPlace::opposite_zero;
    const std::uint64_t more = carries ? nan_carry(found_.last_number) : 0;
    const std::string plus = carries ? "; kNaNCarry included" : "";
    if (carries) code_ = with_nan_carry(b_, code_, found_.last_number);
    const bool subtracts = !keeps_high_byte_ && base + more != 0;
    const Value mag =
        (code_ & b_.constant("kMagnitude", 0x7FFF, "2^15 - 1")).named("mag", "the code without its sign" + plus);
    Value number = mag;
    if (found_.least != 0 && !subtracts)
      number = max(number, b_.constant("kLow", found_.least, "up to here every result is zero"));
    const Value high = b_.constant("kHigh", found_.most + more,
                                   "larger codes of numbers become this one, which has their result" + plus);
    number = min(number, high).named("bounded");
    signed_by_ = code_;
    if (found_.nan_loses_sign) signed_by_ = negative_number(b_, code_, found_.last_number);
    if (found_.nan != NanPlace::none && !carries) {
      const bool infinity = found_.last_number == meaning_.src->infinity_code();
      const Value last = b_.constant(
          "kBelowNaN", found_.last_number,
          infinity ? "infinity: only NaN is above" : "the code below infinity, which has the result of NaN");
      const Value ones = ir::binary(Op::greater_signed_ones, mag, last).named("is_nan");
      if (found_.nan == NanPlace::after_most) {
        number =
            (number - ones).named("number", "NaN goes to kHigh + 1, the first code for which its result comes out");
      } else {
        const Value further =
            b_.constant("kNaNPlace", found_.nan_at - found_.most, "from kHigh to a number with the result of NaN");
        number = (number + (ones & further)).named("number", "NaN where the result is");
      }
    }
    if (subtracts) {
      const Value start = b_.constant("kBase", base + more, "the start of cell 0; what is below has its result" + plus);
      number = ir::binary(Op::subtract_or_zero, number, start);
    }
    if (found_.position.lift > 0) number = number << found_.position.lift;
    if (found_.position.lift < 0) {
      number = number.named("from_base");
      number = (number >> 1) | (number & b_.literal(1));
    }
    return number.named("placed", "the cell in the high byte");
  }

  /// For each row, an index that finds its cells in a table of 16, and gives 0 for all others.
  void index() {
    for (const std::uint64_t row : rows_) {
      const std::uint64_t first = 16 * row + (keeps_high_byte_ ? found_.position.base >> 8 : 0);
      const std::string name = rows_.size() == 1 ? "column" : "column" + std::to_string(row);
      const std::string note = neon_ ? "16 or more in regular cells: the lookup gives 0"
                                     : "bit 7 is set in regular cells: the lookup gives 0";
      Value at = cell_;
      if (neon_) {
        if (first != 0) at = cell_ - b_.constant("kRow" + std::to_string(row), first, "the row's first cell");
      } else if (keeps_high_byte_) {
        at = cell_ +
             b_.constant(
                 "kColumn", 0x70 - first,
                 "112 less the row's first cell: from the next row on the sum has bit 7 set, where lookups give 0");
      } else {
        if (first != 0) at = cell_ ^ b_.constant("kRow" + std::to_string(row), first, "the row's first cell");
        const Value outside =
            b_.constant("kColumn", 0x70, "112: from 16 on the sum has bit 7 set, where lookups give 0");
        at = found_.last_cell + 0x70 < 0x100 && found_.last_cell < 0x80 ? at + outside
                                                                        : ir::binary(Op::add_saturated, at, outside);
      }
      index_[row] = at.named(name, note);
    }
  }

  template <class Difference>
  Value with_rows(Value sum, const std::string& name, const std::string& what, Difference difference) {
    for (const std::uint64_t row : rows_) {
      ir::Table table{rows_.size() == 1 ? name : name + std::to_string(row), 8, std::vector<std::uint64_t>(16), ""};
      bool any = false;
      for (const auto& [number, cell] : found_.irregular) {
        if (number / 16 != row) continue;
        const auto value = static_cast<std::uint8_t>(difference(number, cell));
        table.entries[number % 16] = value;
        any = any || value != 0;
      }
      if (!any) continue;
      table.note = what + ", subnormal and other irregular cells";
      sum = sum + ir::lookup(neon_ ? Op::lookup16_or_zero : Op::lookup16, index_[row], b_.table(table));
    }
    return sum;
  }

  /// All ones past the second threshold, which is -1.
  Value past_twice() {
    const Regular& regular = found_.regular;
    const Value base = b_.constant("kTwiceBase", regular.twice ^ 0x80u, threshold_text(regular.twice, "second"));
    if (const auto mirror = mirror_of_row()) {
      const Value end = b_.constant("kMirror", *mirror, "15 - 128 modulo 256, plus the row's first cell");
      const Value regular_only =
          (end - cell_).named("regular_only", "at most 15 - 128 in the row, above kTwiceBase elsewhere");
      return ir::binary(Op::greater_signed_ones, min_signed(flipped_, regular_only), base);
    }
    const Value twice =
        with_rows(base, "kTwiceMore", "added to the second threshold",
                  [&](std::uint64_t number, const Cell& cell) { return cell.twice - regular.cell(number).twice; });
    return past(twice.named("twice", "the second threshold, in signed order"));
  }

  /// A number from which the cell is subtracted: as numbers of two's complement, differences are not above the second
  /// threshold of regular cells in the only row, whose cells have none, and above it elsewhere. Tables of 16 are dear
  /// where registers are few.
  std::optional<std::uint8_t> mirror_of_row() const {
    const std::uint64_t first = found_.irregular.empty() ? 0 : found_.irregular.begin()->first,
                        offset = keeps_high_byte_ ? found_.position.base >> 8 : 0;
    if (neon_ || rows_.size() != 1 || first != 0 || found_.irregular.size() != 16) return std::nullopt;
    const bool once_only =
        std::ranges::all_of(found_.irregular, [](const auto& one) { return one.second.twice == kNoThreshold; });
    // The last cell is that far behind the row, and the difference that far below 127.
    const bool stays_above = 127 - static_cast<int>(found_.last_cell - 16) > found_.regular.twice - 128;
    if (!once_only || !stays_above || found_.last_cell < 16 || found_.regular.twice < 15) return std::nullopt;
    return static_cast<std::uint8_t>(offset + 15 - 128);
  }

  bool uses(std::uint8_t Cell::*threshold, std::uint8_t even, std::uint8_t odd) const {
    if (even != kNoThreshold || odd != kNoThreshold) return true;
    return std::ranges::any_of(found_.irregular,
                               [&](const auto& one) { return one.second.*threshold != kNoThreshold; });
  }

  /// All ones past the threshold, which is -1.
  Value past(Value threshold) { return ir::binary(Op::greater_signed_ones, flipped_, threshold); }

  Value with_sign(Value magnitude) {
    const int place = std::countr_zero(meaning_.dst->sign_mask());
    const Value sign = sign8(signed_by_, place)
                           .named("sign", found_.nan == NanPlace::opposite_zero ? "of the source, of NaN the opposite"
                                          : found_.nan_loses_sign               ? "of the source, none for NaN"
                                                                                : "of the source");
    if (meaning_.dst->has_negative_zero()) return magnitude | sign;
    const auto carry = (std::uint64_t{1} << place) - 1;
    const Value nonzero = magnitude + b_.constant("kCarry", carry,
                                                  ir::power_formula(place) +
                                                      " - 1: the sum has the bit of the sign unless the code is 0");
    return magnitude | (sign & nonzero);
  }
};

}  // namespace

std::optional<ir::Program> lower_regular(const spec::Meaning& meaning, TableClass table_class) {
  if (!refines_grid(meaning)) return std::nullopt;
  const Results results(meaning);
  const std::optional<Found> found = RegularSearch(meaning, results).found();
  if (!found) return std::nullopt;
  constexpr std::size_t kMostRows = 2;
  if (found->rows().size() > kMostRows) return std::nullopt;
  ir::Program program = RegularLowering(meaning, *found, table_class).program();
  if (!gives(program, results)) return std::nullopt;
  return program;
}

std::optional<ir::Program> lower_regular_without_tables(const spec::Meaning& meaning) {
  std::optional<ir::Program> program = lower_regular(meaning, TableClass::bytes16);
  if (!program || !program->tables.empty()) return std::nullopt;
  program->needs = ir::kNeedsVector;
  return program;
}

}  // namespace castforge::lower
