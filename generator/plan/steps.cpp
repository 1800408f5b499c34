// Steps: the results of a 16-bit source as a few byte tables, taken from the semantics one source code at a time.
#include <algorithm>
#include <vector>

#include "plan/interpret.hpp"
#include "plan/planner.hpp"
#include "semantics/convert.hpp"

namespace castforge::plan {
namespace {

constexpr std::uint8_t kNever = 255;

struct Step {
  std::uint8_t after;   // the last low byte with the former result
  std::uint8_t height;  // modulo 256
};

}  // namespace

std::uint64_t StepsPlan::result(std::uint64_t source, std::uint64_t placed) const {
  const std::size_t high = (placed >> 8) & 0xFF;
  const std::uint64_t low = placed & 0xFF;
  if (has_small && high == 0) return small[low];
  const std::uint64_t code = (first[high] + (low > once[high] ? rise[high] : 0u) + (low > twice[high] ? 1u : 0u)) & 0xFF;
  const bool negative = (source & 0x8000) != 0 && !(sign_unless_zero && code == 0);
  return negative ? code | sign_bit : code;
}

bool StepsPlan::has_second_steps() const {
  return std::any_of(twice.begin(), twice.end(), [](std::uint8_t after) { return after != kNever; });
}

bool StepsPlan::rises_by_one() const {
  return std::all_of(rise.begin(), rise.end(), [](std::uint8_t height) { return height == 1; });
}

namespace {

void clear(StepsPlan& steps) {
  steps = StepsPlan{};
  steps.once.fill(kNever);
  steps.twice.fill(kNever);
  steps.rise.fill(1);
}

/// Writes the steps of one cell, whose results by low byte are given; false when there are too many.
bool set_cell(StepsPlan& steps, std::size_t high, const std::array<std::uint8_t, 256>& results) {
  std::vector<Step> units, others;
  steps.first[high] = results[0];
  for (std::size_t low = 1; low < 256; ++low) {
    const Step step{static_cast<std::uint8_t>(low - 1), static_cast<std::uint8_t>(results[low] - results[low - 1])};
    if (step.height == 1) units.push_back(step);
    else if (step.height != 0) others.push_back(step);
  }
  if (units.size() + others.size() > 2 || others.size() > 1) return false;
  if (units.empty() && others.size() == 1 && others.front().height == 2) {  // two units in one place
    units = {others.front(), others.front()};
    others.clear();
  }
  // The step that is no unit comes through `rise`; a unit beside it, before or after, through `twice`.
  const bool first_is_unit = others.empty();
  if (!first_is_unit) units.insert(units.begin(), others.front());
  steps.once[high] = units.empty() ? kNever : units[0].after;
  steps.rise[high] = first_is_unit ? 1 : others.front().height;
  steps.twice[high] = units.size() < 2 ? kNever : units[1].after;
  return true;
}

std::uint8_t result_of(const spec::Meaning& meaning, std::uint64_t code) { return static_cast<std::uint8_t>(semantics::convert_storage(meaning, code)); }

bool gives_every_result(const spec::Meaning& meaning, const StepsPlan& steps) {
  std::vector<std::uint64_t> placed(65536);
  for (std::uint64_t code = 0; code < placed.size(); ++code) placed[code] = code;
  if (!interpret(*steps.place, placed).empty()) return false;
  for (std::uint64_t code = 0; code < placed.size(); ++code) {
    if (steps.result(code, placed[code]) != result_of(meaning, code)) return false;
  }
  return true;
}

}  // namespace

bool plan_steps(const spec::Meaning& meaning, StepsPlan& steps) {
  if (meaning.src->storage_bits != 16 || meaning.dst->storage_bits > 8) return false;
  clear(steps);
  for (std::size_t high = 0; high < 256; ++high) {
    std::array<std::uint8_t, 256> results;
    for (std::size_t low = 0; low < 256; ++low) results[low] = result_of(meaning, high << 8 | low);
    if (set_cell(steps, high, results)) continue;
    if (high != 0) return false;
    steps.has_small = true;
    steps.small = results;
  }
  return true;
}

bool plan_placed_steps(const spec::Meaning& meaning, StepsPlan& steps) {
  const spec::Type& src = *meaning.src;
  const spec::Type& dst = *meaning.dst;
  if (src.storage_bits != 16 || src.value_bits != 16 || dst.storage_bits > 8) return false;
  if (src.kind != spec::Kind::floating || dst.kind != spec::Kind::floating || !src.is_signed || !dst.is_signed) return false;
  if (!src.infinity || src.nan != spec::NanCodes::ieee || dst.mantissa_bits >= src.mantissa_bits || dst.storage_high) return false;

  // One cell spans what shares a code of the destination's normal numbers, with the threshold to the next one in it.
  const int cell_bits = src.mantissa_bits - dst.mantissa_bits;
  if (cell_bits > 8) return false;
  const std::uint64_t cell = 1ull << cell_bits, infinity = src.infinity_code();
  const std::uint8_t over = result_of(meaning, infinity - 1), zero = result_of(meaning, 0);
  const std::uint8_t infinite = result_of(meaning, infinity);
  if (infinite != over && infinite != result_of(meaning, infinity + 1)) return false;
  const std::uint64_t last_number = infinite == over ? infinity : infinity - 1;
  std::uint64_t low = 0, high = infinity - cell;
  while (high > 0 && result_of(meaning, high - 1) == over) --high;
  high = (high + cell - 1) / cell * cell;  // everything from here on overflows
  while (low < high && result_of(meaning, low + 1) == zero) ++low;
  low = low / cell * cell;
  const std::uint64_t cells = (high - low) / cell + 2;  // that of overflow and that of NaN included
  if (cells > 256) return false;

  clear(steps);
  const int lift = 8 - cell_bits;
  const bool sign_in_place = cells <= 128;  // the tables then hold the results of both signs
  for (const std::uint64_t sign : {std::uint64_t{0}, src.sign_mask()}) {
    if (sign != 0 && !sign_in_place) break;
    for (std::uint64_t at = 0; at < cells; ++at) {
      std::array<std::uint8_t, 256> results;
      for (std::size_t place = 0; place < 256; ++place) {
        const std::uint64_t code = at + 1 == cells ? infinity + 1 : at + 2 == cells ? infinity - 1 : low + at * cell + (place >> lift);
        results[place] = result_of(meaning, sign | code);
      }
      if (!set_cell(steps, sign >> 8 | at, results)) return false;
    }
  }
  if (!sign_in_place) {
    steps.sign_bit = static_cast<std::uint8_t>(dst.sign_mask());
    steps.sign_unless_zero = !dst.has_negative_zero();
  }

  Builder b("place", "generator/plan/steps.cpp", 16);
  const Value mag = (b.input() & b.constant("kMagnitude", src.magnitude_mask(), "2^15 - 1")).named("mag");
  const Value least = b.constant("kLow", low, "up to here every result is zero");
  const Value most = b.constant("kHigh", high, "from here on every number overflows");
  const Value bounded = min(max(mag, least), most).named("bounded");
  const Value number = select(greater(mag, b.constant("kLastNumber", last_number, infinite == over ? "infinity" : "the code below infinity, which has the result of NaN")),
                              b.constant("kNaNPlace", high + cell, "the cell behind"), bounded)
                           .named("number");
  const Value place = (number - least) << lift;
  const Value sign = b.input() & b.constant("kSign", src.sign_mask(), "2^15");
  steps.place = std::make_shared<const LanePlan>(b.finish(sign_in_place ? place | sign : place));

  return gives_every_result(meaning, steps);
}

bool plan_placed_integers(const spec::Meaning& meaning, StepsPlan& steps) {
  const spec::Type& src = *meaning.src;
  if (src.storage_bits != 16 || src.value_bits != 16 || src.kind != spec::Kind::integer) return false;
  if (meaning.dst->storage_bits > 8 || meaning.dst->kind != spec::Kind::floating) return false;
  // Integers below kExact have a cell each, then 8 share one, up to where all results are the same.
  constexpr std::uint64_t kExact = 64, kShared = 8;
  const std::uint64_t last = src.is_signed ? 0x7FFF : 0xFFFF;
  const auto ends_at = [&](std::uint64_t from, std::uint64_t until, int direction) {
    std::uint64_t at = from;
    while (at != until && result_of(meaning, (at + static_cast<std::uint64_t>(direction)) & 0xFFFF) == result_of(meaning, from)) at += static_cast<std::uint64_t>(direction);
    return at;
  };
  std::uint64_t limit = ends_at(last, 0, -1);
  if (src.is_signed) limit = std::max(limit, 0x10000 - ends_at(0x8000, 0xFFFF, 1));
  limit = std::max(kExact, (limit + kShared - 1) / kShared * kShared);
  const std::uint64_t cells = kExact + (limit - kExact) / kShared + 1;
  if (cells > (src.is_signed ? 128u : 256u)) return false;

  clear(steps);
  for (const bool negative : {false, true}) {
    if (negative && !src.is_signed) break;
    for (std::uint64_t at = 0; at < cells; ++at) {
      std::array<std::uint8_t, 256> results;
      for (std::size_t place = 0; place < 256; ++place) {
        const std::uint64_t mag = at < kExact ? at : std::min(limit, kExact + (at - kExact) * kShared + (place >> 5));
        results[place] = result_of(meaning, (negative ? 0 - mag : mag) & 0xFFFF);
      }
      if (!set_cell(steps, (negative ? 128 : 0) + at, results)) return false;
    }
  }
  Builder b("place", "generator/plan/steps.cpp", 16);
  Value mag = b.input();
  if (src.is_signed) {
    const Value negative = sar(b.input(), 15).named("negative", "all ones where the value is negative");
    mag = ((b.input() ^ negative) - negative).named("mag", "absolute value");
  }
  const Value bounded = min(mag, b.constant("kLimit", limit, "from here on every result is the same")).named("bounded");
  const Value exact = b.constant("kExact", kExact, "integers below have a cell each; then 8 share one");
  const Value shared = (bounded + b.constant("kShift", kExact * kShared - kExact, "8 * kExact - kExact: cell kExact follows cell kExact - 1")) << 5;
  const Value place = select(greater(exact, bounded), bounded << 8, shared).named("place");
  steps.place = std::make_shared<const LanePlan>(b.finish(src.is_signed ? place | (b.input() & b.constant("kSign", 0x8000, "2^15")) : place));
  return gives_every_result(meaning, steps);
}

}  // namespace castforge::plan
