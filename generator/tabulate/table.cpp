#include "tabulate/table.hpp"

#include <algorithm>
#include <random>

#include "semantics/convert.hpp"
#include "semantics/value.hpp"
#include "spec/canonical.hpp"
#include "spec/hex.hpp"

namespace castforge::tabulate {
namespace {

using loadable::Blocks;
using loadable::Form;
using loadable::kWordBits;
using loadable::Positions;
using spec::Kind;
using spec::Meaning;

constexpr std::size_t kMostSteps = std::size_t{1} << 17;

std::size_t bytes_of_result(const spec::Type& dst) {
  return static_cast<std::size_t>(storage_unit(dst.value_bits)) / 8;
}
std::size_t bytes_of_position(const spec::Type& src) {
  return static_cast<std::size_t>(storage_unit(src.value_bits)) / 8;
}

/// The steps of a function, found by halving. Between two codes with one result, and no break, the function has that
/// result throughout: numbers that grow have results that grow, until they leave the range. A format without zero is
/// entered at a break, as what is below its range may have the result of what is above.
class StepFinder {
 public:
  StepFinder(const Meaning& meaning, const Positions& positions) : meaning_(meaning), positions_(positions) {}

  /// Empty where there are too many to be worth it.
  std::optional<Table> find() {
    const std::vector<std::uint64_t> breaks = breaks_of(*meaning_.src, *meaning_.dst);
    std::uint64_t last = 0, result = at(0);
    add(0, result);
    for (const std::uint64_t next : breaks) {
      if (next <= last) continue;
      const std::uint64_t end = at(next - 1);
      between(last, result, next - 1, end);
      last = next;
      result = at(next);
      if (result != end) add(next, result);
      if (full_) return std::nullopt;
    }
    between(last, result, positions_.last(), at(positions_.last()));
    if (full_) return std::nullopt;
    return std::move(table_);
  }

 private:
  /// Positions at which something else begins: signs, binades or lengths, what is not finite, the destination's range.
  std::vector<std::uint64_t> breaks_of(const spec::Type& src, const spec::Type& dst) const {
    std::vector<std::uint64_t> list;
    const int magnitude_bits = src.magnitude_bits();
    for (std::uint64_t sign = 0; sign <= (src.is_signed ? 1 : 0); ++sign) {
      const std::uint64_t first = sign << (src.value_bits - 1);
      list.insert(list.end(), {first, first + 1});
      if (dst.kind == Kind::floating && !dst.has_zero()) list.push_back(entry(first, dst.min_exponent()));
      if (src.kind == Kind::integer) {
        for (int bit = 1; bit < magnitude_bits; ++bit) list.push_back(first + (std::uint64_t{1} << bit));
        continue;
      }
      for (std::uint64_t field = 1; field >> src.exponent_bits == 0; ++field)
        list.push_back(first + (field << src.mantissa_bits));
      if (src.max_finite_code() < src.magnitude_mask()) list.push_back(first + src.max_finite_code() + 1);
      if (src.infinity && src.infinity_code() < src.magnitude_mask()) list.push_back(first + src.infinity_code() + 1);
    }
    std::sort(list.begin(), list.end());
    return list;
  }

  /// The first number of a sign that is 2^exponent or more; the last of that sign where none is.
  std::uint64_t entry(std::uint64_t first, int exponent) const {
    const spec::Type& src = *meaning_.src;
    std::uint64_t low = first, high = positions_.last();
    if (src.kind == Kind::floating) high = first + src.max_finite_code();
    else if (src.is_signed && first == 0) high = src.magnitude_mask();
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      const semantics::Value value = semantics::decode(src, positions_.code(middle));
      // Some formats have their NaN where others have minus zero, before all numbers of that sign.
      const bool below =
          value.cls != semantics::Value::Class::finite || value.is_zero() || value.log2_floor() < exponent;
      if (below) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  std::uint64_t at(std::uint64_t position) const {
    return semantics::convert_code(meaning_, positions_.code(position));
  }

  void add(std::uint64_t position, std::uint64_t result) {
    full_ = full_ || table_.positions.size() >= kMostSteps;
    if (full_) return;
    table_.positions.push_back(position);
    table_.results.push_back(result);
  }

  void between(std::uint64_t low, std::uint64_t low_result, std::uint64_t high, std::uint64_t high_result) {
    while (low_result != high_result && !full_) {
      if (high - low == 1) return step(high, high_result);
      // In a binade steps are equally far apart: is the next one where it would be?
      const std::uint64_t next = last_step_ + stride_;
      if (next != tried_ && low < next && next <= high && at(next - 1) == low_result) {
        const std::uint64_t result = at(next);
        if (result != low_result) {
          step(next, result);
          low = next;
          low_result = result;
          continue;
        }
      }
      tried_ = next;
      const std::uint64_t middle = low + (high - low) / 2, result = at(middle);
      between(low, low_result, middle, result);
      low = middle;
      low_result = result;
    }
  }
  void step(std::uint64_t position, std::uint64_t result) {
    add(position, result);
    stride_ = position - last_step_;
    last_step_ = position;
  }

  const Meaning& meaning_;
  Positions positions_;
  Table table_;
  std::uint64_t last_step_ = 0, stride_ = 0;  // from the step before it
  std::uint64_t tried_ = 0;                   // where no step was
  bool full_ = false;
};

/// The least number of bits by which every block has one step inside at most; 0 where none will do.
int index_bits_of(const Positions& positions, const std::vector<std::uint64_t>& steps) {
  Blocks blocks{positions, 0};
  for (int bits = blocks.least_index_bits(); bits <= loadable::kMostIndexBits; ++bits) {
    blocks.index_bits = bits;
    std::uint64_t taken = ~std::uint64_t{0};
    const bool fits = std::all_of(steps.begin(), steps.end(), [&](std::uint64_t step) {
      const Blocks::Place place = blocks.place(step);
      if (place.rest == 0) return true;
      const bool free = place.index != taken;
      taken = place.index;
      return free;
    });
    if (fits) return bits;
  }
  return 0;
}

std::optional<Table> whole(const Meaning& meaning, int most_bits) {
  const int bits = meaning.src->value_bits;
  if (bits > most_bits) return std::nullopt;
  const std::size_t count = std::size_t{1} << bits;
  const auto stored = static_cast<std::size_t>(storage_unit(meaning.dst->storage_bits)) / 8;
  if (count * stored > loadable::kLargestTable) return std::nullopt;
  Table table;
  table.form = Form::whole;
  for (std::uint64_t code = 0; code < count; ++code) table.results.push_back(semantics::convert_code(meaning, code));
  return table;
}

/// Do numbers that grow between two neighbours change their result once at most? A carry table has four bits for each
/// sign and last kept bit: exact, below the tie, tie, above. Read from the last one down they are 0000, 1000, 1100 or
/// 1110.
bool rounds_in_order(const Meaning& meaning) {
  if (meaning.round == nullptr) return true;
  for (int word = 0; word < 16; word += 4) {
    const unsigned carries = static_cast<unsigned>(meaning.round->carry) >> word & 0xFU;
    if (carries != 0x0 && carries != 0x8 && carries != 0xC && carries != 0xE) return false;
  }
  return true;
}

/// The steps of a function by a look at every code.
Table every_step(const Meaning& meaning, const Positions& positions) {
  Table table;
  for (std::uint64_t position = 0; position <= positions.last(); ++position) {
    const std::uint64_t result = semantics::convert_code(meaning, positions.code(position));
    if (position != 0 && result == table.results.back()) continue;
    table.positions.push_back(position);
    table.results.push_back(result);
  }
  return table;
}

std::optional<Table> steps(const Meaning& meaning) {
  if (meaning.dst->storage_bits > kWordBits) return std::nullopt;
  const spec::Type& src = *meaning.src;
  const Positions positions = positions_of(src);
  const bool narrow = src.value_bits <= kWordBits;
  // Numbers whose low bits are kept come again and again.
  const bool wraps = meaning.dst->kind == Kind::integer && meaning.overflow == spec::Overflow::wrap &&
                     (meaning.saturate_first || spec::reach(meaning).overflow);
  const bool in_order = !wraps && rounds_in_order(meaning);
  if (!in_order && !narrow) return std::nullopt;
  std::optional<Table> table = in_order ? StepFinder(meaning, positions).find() : every_step(meaning, positions);
  if (!table) return table;
  table->form = Form::steps;
  if (narrow) {
    // A table of all results may be the smaller one.
    const std::size_t bytes = table->positions.size() * (bytes_of_position(src) + bytes_of_result(*meaning.dst));
    if (bytes >= bytes_of_result(*meaning.dst) << src.value_bits) return std::nullopt;
    return table;
  }
  table->index_bits = index_bits_of(positions, table->positions);
  return table->index_bits == 0 ? std::nullopt : table;
}

}  // namespace

Positions positions_of(const spec::Type& src) {
  return {.bits = src.value_bits, .by_magnitude = src.kind == Kind::integer, .has_sign = src.is_signed};
}

std::string describe(const Table& table) {
  switch (table.form) {
    case Form::whole: return "a table of all results: " + std::to_string(table.results.size());
    case Form::steps: {
      const std::string steps = "steps of the result: " + std::to_string(table.positions.size());
      return table.index_bits == 0 ? steps : steps + ", " + std::to_string(1U << table.index_bits) + " blocks";
    }
    case Form::rule: break;
  }
  return "the rule alone, in exact arithmetic element by element (slow)";
}

Table tabulate(const Meaning& meaning) {
  if (auto small = whole(meaning, 8)) return *std::move(small);
  if (auto table = steps(meaning)) return *std::move(table);
  return whole(meaning, kWordBits).value_or(Table{});  // where none fits, the rule alone is left
}

std::uint64_t look_up(const Meaning& meaning, const Table& table, std::uint64_t code) {
  if (table.form == Form::whole) return table.results.at(code);
  const std::uint64_t position = positions_of(*meaning.src).of(code);
  const auto after = std::upper_bound(table.positions.begin(), table.positions.end(), position);
  return table.results.at(static_cast<std::size_t>(after - table.positions.begin()) - 1);
}

std::optional<std::string> find_difference(const Meaning& meaning, const Table& table, std::size_t random_codes) {
  if (table.form == Form::rule) return std::nullopt;
  const Positions positions = positions_of(*meaning.src);
  std::optional<std::string> difference;
  const auto check = [&](std::uint64_t code) {
    const std::uint64_t expected = semantics::convert_code(meaning, code), found = look_up(meaning, table, code);
    if (found != expected && !difference)
      difference =
          "the source code " + spec::hex(code) + " gives " + spec::hex(found) + ", by the rule " + spec::hex(expected);
  };
  if (positions.bits <= kWordBits) {
    for (std::uint64_t code = 0; code <= positions.last(); ++code) check(code);
    return difference;
  }
  for (const std::uint64_t step : table.positions) {
    if (step != 0) check(positions.code(step - 1));
    check(positions.code(step));
  }
  std::mt19937_64 random(positions.last() ^ table.positions.size());
  for (std::size_t i = 0; i < random_codes; ++i) check(random() & positions.last());
  return difference;
}

}  // namespace castforge::tabulate
