#include "lower/lower_steps.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <string>

#include "lower/byte_cells.hpp"
#include "lower/cells.hpp"

namespace castforge::lower {
namespace {

using ir::Op;
using ir::Value;
/// How the sign of the source shows: in the cell, or where tables hold the results of one sign only, at the end. It
/// flips the sign of the result, as a NaN may have become a zero of the opposite sign.
enum class SignFrom { tables, source, source_unless_zero };

/// Cell and low byte, each in a lane of a byte, and what has the sign of the result.
struct Placed {
  Value cell, low, signed_by;
};

/// Of a lane of 16 bits.
Placed taken_apart(ir::Builder& b, Value word, Value signed_by) {
  word = word.named("placed", "the cell in the high byte");
  b.work_in(8);
  return {.cell = byte(word, 1).named("cell", "the high byte: which entry of the tables"),
          .low = byte(word, 0).named("low", "the low byte: where in the cell"),
          .signed_by = signed_by};
}

struct Steps {
  Bytes first{}, once{}, twice{}, rise{};
  bool has_small = false;  // cell 0 has more steps than that (subnormals, small integers): its results are small[low]
  Bytes small{};
  std::size_t cells = 256;              // of the tables: 64, 128 or 256
  std::size_t used = 256, whole = 256;  // cells that sources have; those with more than one low byte, from the first on
  std::function<Placed(ir::Builder&, Value)> place;  // empty: the source itself
  SignFrom sign_from = SignFrom::tables;
  std::uint8_t sign_bit = 0;
  bool flips_sign_of_nan = false;  // by the carry into it

  Steps() {
    once.fill(kNoThreshold);
    twice.fill(kNoThreshold);
    rise.fill(1);
  }
  std::uint8_t result(std::size_t cell, std::size_t low) const {
    return static_cast<std::uint8_t>(first[cell] + (low > once[cell] ? rise[cell] : 0) + (low > twice[cell] ? 1 : 0));
  }
};

/// Writes the steps of one cell, whose results by low byte are given; false when there are too many.
bool set_cell(Steps& steps, std::size_t cell, const Bytes& results) {
  const std::optional<Cell> found = cell_of(results);
  if (!found) return false;
  steps.first[cell] = found->first;
  steps.once[cell] = found->once;
  steps.twice[cell] = found->twice;
  steps.rise[cell] = found->rise;
  return true;
}

/// The high byte of the code is the cell.
std::optional<Steps> plain_steps(const Results& results) {
  Steps steps;
  for (std::size_t cell = 0; cell < 256; ++cell) {
    Bytes of_cell;
    for (std::size_t low = 0; low < 256; ++low) of_cell[low] = results[cell << 8 | low];
    if (set_cell(steps, cell, of_cell)) continue;
    if (cell != 0) return std::nullopt;
    steps.has_small = true;
    steps.small = of_cell;
  }
  return steps;
}

/// After a clamp to the range that matters, for floating sources with a wider range than the destination.
std::optional<Steps> clamped_steps(const spec::Meaning& meaning, const Results& results) {
  const spec::Type& src = *meaning.src;
  const spec::Type& dst = *meaning.dst;
  if (!narrows_ieee_16(meaning) || dst.mantissa_bits >= src.mantissa_bits) return std::nullopt;

  // A cell holds the source codes that truncate to one normal code of the destination, so that one threshold lies in
  // it; at most 256 of them, which a byte counts.
  const int cell_bits = std::min(8, src.mantissa_bits - dst.mantissa_bits);
  const std::uint64_t cell = 1ull << cell_bits, infinity = src.infinity_code();
  const std::uint8_t over = results[infinity - 1], zero = results[0], infinite = results[infinity];
  if (infinite != over && infinite != results[infinity + 1]) return std::nullopt;
  const std::uint64_t last_number = infinite == over ? infinity : infinity - 1;
  std::uint64_t least = 0, most = infinity - cell;
  while (most > 0 && results[most - 1] == over) --most;
  most = (most + cell - 1) / cell * cell;  // everything from here on overflows
  while (least < most && results[least + 1] == zero) ++least;
  least = least / cell * cell;
  const NanPlacing nan = placing_of_nan(meaning, results);
  const bool nan_cell = nan == NanPlacing::apart;
  const std::uint64_t over_cell = (most - least) / cell;
  // Where regular cells would have its result, if that is near; nothing is in the cells between.
  const std::uint64_t nan_after = [&]() -> std::uint64_t {
    const auto more = static_cast<std::uint8_t>(results[infinity + 1] - over);
    return !nan_cell ? 0 : more >= 1 && more <= 4 ? more : 1;
  }();
  const std::uint64_t cells = over_cell + 1 + nan_after;
  if (cells > 256) return std::nullopt;

  Steps steps;
  const int lift = 8 - cell_bits;
  const auto number_in = [&](std::uint64_t at, std::size_t low) {
    if (nan_cell && at + 1 == cells) return infinity + 1;
    return std::min(least + at * cell + (low >> lift), infinity - 1);
  };
  bool sign_flips = true;
  for (std::uint64_t at = 0; at < cells; ++at) {
    for (std::size_t low = 0; low < 256; ++low) {
      const std::uint64_t number = number_in(at, low);
      sign_flips = sign_flips && results[src.sign_mask() | number] == (results[number] ^ dst.sign_mask());
    }
  }
  const bool sign_in_cell = cells <= 128 && !sign_flips;  // the tables then hold the results of both signs
  const int sign_shift = cells <= 32 ? 2 : 0;             // to the top of a cell of six bits
  for (const std::uint64_t sign : {std::uint64_t{0}, src.sign_mask()}) {
    if (sign != 0 && !sign_in_cell) break;
    for (std::uint64_t at = 0; at < cells; ++at) {
      Bytes of_cell;
      for (std::size_t low = 0; low < 256; ++low) of_cell[low] = results[sign | number_in(at, low)];
      if (!set_cell(steps, sign >> (8 + sign_shift) | at, of_cell)) return std::nullopt;
    }
  }
  if (sign_in_cell) {
    if (sign_shift != 0) steps.cells = 64;
  } else {
    if (cells <= 128) steps.cells = cells <= 64 ? 64 : 128;
    steps.sign_bit = static_cast<std::uint8_t>(dst.sign_mask());
    steps.sign_from = sign_flips ? SignFrom::source : SignFrom::source_unless_zero;
    steps.used = cells;
    steps.whole = over_cell;
    for (std::uint64_t at = over_cell + 1; at + 1 < cells; ++at)
      steps.first[at] = static_cast<std::uint8_t>(over + (at - over_cell));
  }
  const bool carries = nan == NanPlacing::opposite_zero;
  steps.flips_sign_of_nan = carries;
  steps.place = [=](ir::Builder& b, Value code) {
    const std::uint64_t more = carries ? nan_carry(last_number) : 0;
    const std::string plus = carries ? "; kNaNCarry included" : "";
    if (carries) code = with_nan_carry(b, code, last_number);
    const Value mag =
        (code & b.constant("kMagnitude", 0x7FFF, "2^15 - 1")).named("mag", "the code without its sign" + plus);
    const Value low = b.constant("kLow", least + more, "up to here every result is zero" + plus);
    const Value high =
        b.constant("kHigh", most + more, "larger codes of numbers become this one, which has their result" + plus);
    Value number = min(mag, high).named("bounded");
    if (nan_cell) {
      const char* last_formula =
          infinite == over ? "infinity: only NaN is above" : "the code below infinity, which has the result of NaN";
      const Value last = b.constant("kBelowNaN", last_number, last_formula);
      const std::string after =
          nan_after == 1 ? "the cell after kHigh" : std::to_string(nan_after) + " cells after kHigh";
      const Value place = b.constant("kNaNPlace", most + nan_after * cell, after);
      number = select(greater(mag, last), place, number).named("number");
    }
    const Value placed = ir::binary(Op::subtract_or_zero, number, low) << lift;
    if (!sign_in_cell) return taken_apart(b, placed, code);
    if (sign_shift == 0) return taken_apart(b, placed | (code & b.constant("kSign", 0x8000, "2^15")), code);
    const Value sign = b.constant("kSign", 0x2000, "2^13: bit 5 of the cell");
    return taken_apart(b, placed | ((code >> sign_shift) & sign), code);
  };
  return steps;
}

/// By cells whose bounds are those of bytes. Places are below 32, so that tables of 64 have both signs.
std::optional<Steps> byte_steps(const spec::Meaning& meaning, const Results& results) {
  if (!narrows_ieee_16(meaning)) return std::nullopt;
  const std::uint64_t sign = meaning.src->sign_mask(), infinity = meaning.src->infinity_code();
  const auto as_overflow = [&](std::uint64_t code) { return results[code] == results[(code & sign) | (infinity - 1)]; };
  const bool carries = placing_of_nan(meaning, results) == NanPlacing::opposite_zero;
  if (carries && !as_overflow(infinity)) return std::nullopt;
  const std::optional<ByteCells> cells = byte_cells(meaning, results, carries ? nan_carry(infinity) : 0);
  // Measured (Zen 4, bfloat16 to float4e2m1): codes to be doubled first make this 0.96 of the rate of a clamp.
  if (!cells || cells->lift != 0) return std::nullopt;
  const bool special =
      !carries && (!as_overflow(infinity) || !as_overflow(infinity + 1) || !as_overflow(sign | (infinity + 1)));
  // Entry 0: what is too small; `over`: what is too large; above, if they have results of their own: infinity and NaN.
  const std::uint64_t over = cells->last - cells->below, last_number = (infinity >> 8) - 1;
  const std::uint64_t places = over + 1 + (special ? 0x7F - last_number : 0);
  if (places > 32) return std::nullopt;
  Steps steps;
  steps.cells = 64;
  for (std::uint64_t entry = 0; entry < 64; ++entry) {
    const std::uint64_t place = entry % 32;
    if (place >= places) continue;
    Bytes of_cell;
    for (std::uint64_t low = 0; low < of_cell.size(); ++low) {
      const std::uint64_t magnitude =
          place <= over ? cells->magnitude(cells->below + place, low) : (last_number + place - over) << 8 | low;
      of_cell[low] = results[(entry < 32 ? 0 : sign) | magnitude];
    }
    if (!set_cell(steps, entry, of_cell)) return std::nullopt;
  }
  steps.place = [=, below = cells->below](ir::Builder& b, Value code) {
    const std::string plus = carries ? "; kNaNCarry included" : "";
    if (carries) code = with_nan_carry(b, code, infinity);
    b.work_in(8);
    const Value high = byte(code, 1).named("high");
    const Value number = (high & b.constant("kMagnitude", 0x7F, "2^7 - 1")).named("number", "without the sign" + plus);
    const Value first = b.constant("kFirstCell", below, "up to here every result is zero" + plus);
    Value place = min(ir::binary(Op::subtract_or_zero, number, first),
                      b.constant("kLastPlace", over, "from here on every number has the last result"));
    if (special) {
      const Value last =
          b.constant("kLastNumber", last_number, "the high byte of the largest numbers: above are infinity and NaN");
      place = (place.named("bounded") + ir::binary(Op::subtract_or_zero, number, last))
                  .named("place", "infinity and NaN have their own");
    }
    return Placed{
        .cell = (place | ((high >> 2) & b.constant("kSign", 0x20, "2^5"))).named("cell", "which entry of the tables"),
        .low = byte(code, 0).named("low", "the low byte: where in the cell"),
        .signed_by = code};
  };
  return steps;
}

/// Integers, exact while they are small, to destinations whose range ends early.
std::optional<Steps> integer_steps(const spec::Meaning& meaning, const Results& results) {
  const spec::Type& src = *meaning.src;
  if (src.value_bits != 16 || src.kind != spec::Kind::integer || meaning.dst->kind != spec::Kind::floating) {
    return std::nullopt;
  }
  // Integers below kExact have a cell each, then 8 share one, up to where all results are the same.
  constexpr std::uint64_t kExact = 64, kShared = 8;
  const std::uint64_t last = src.is_signed ? 0x7FFF : 0xFFFF;
  std::uint64_t limit = last;
  while (limit > 0 && results[limit - 1] == results[last]) --limit;
  if (src.is_signed) {
    std::uint64_t negative = 0x8000;
    while (negative < 0xFFFF && results[negative + 1] == results[0x8000]) ++negative;
    limit = std::max(limit, 0x10000 - negative);
  }
  limit = std::max(kExact, (limit + kShared - 1) / kShared * kShared);
  const std::uint64_t cells = kExact + (limit - kExact) / kShared + 1;
  if (cells > (src.is_signed ? 128u : 256u)) return std::nullopt;

  bool sign_flips = src.is_signed;
  for (std::uint64_t mag = 1; mag <= limit; ++mag) {
    sign_flips = sign_flips && results[0x10000 - mag] == (results[mag] ^ meaning.dst->sign_mask());
  }
  const bool sign_in_cell = src.is_signed && !sign_flips;  // the tables then hold the results of both signs
  Steps steps;
  if (!sign_in_cell && cells <= 128) steps.cells = cells <= 64 ? 64 : 128;
  if (const auto sign = static_cast<std::uint8_t>(meaning.dst->sign_mask()); sign_flips && sign != 0) {
    steps.sign_from = SignFrom::source;
    steps.sign_bit = sign;
  }
  for (const bool negative : {false, true}) {
    if (negative && !sign_in_cell) break;
    for (std::uint64_t at = 0; at < cells; ++at) {
      Bytes of_cell;
      for (std::size_t low = 0; low < 256; ++low) {
        const std::uint64_t mag = at < kExact ? at : std::min(limit, kExact + (at - kExact) * kShared + (low >> 5));
        of_cell[low] = results[(negative ? 0 - mag : mag) & 0xFFFF];
      }
      if (!set_cell(steps, (negative ? 128 : 0) + at, of_cell)) return std::nullopt;
    }
  }
  steps.place = [=, is_signed = src.is_signed](ir::Builder& b, Value code) {
    Value mag = code;
    if (is_signed) mag = max_signed(code, b.literal(0) - code).named("mag", "the absolute value");
    const Value bounded =
        min(mag, b.constant("kLimit", limit, "from here on every result is the same")).named("bounded");
    const Value offset = b.constant("kOffset", kExact * kShared - kExact,
                                    "8 * 64 - 64: from 64 on this sum is the smaller one, and 8 integers share a cell");
    const Value placed = min(bounded << 3, bounded + offset) << 5;
    if (!sign_in_cell) return taken_apart(b, placed, code);
    return taken_apart(b, placed.named("magnitude_cell") | (code & b.constant("kSign", 0x8000, "2^15")), code);
  };
  return steps;
}

/// How the entries of cells from 80 on follow from those below, so that a table of 128 is enough.
bool repeats(const Bytes& table, std::uint8_t difference) {
  for (std::size_t cell = 0; cell < 128; ++cell) {
    if (table[cell + 128] != static_cast<std::uint8_t>(table[cell] + difference)) return false;
  }
  return true;
}

/// From which even cell on results grow by two from a cell to the one after the next, and thresholds are the same, as
/// where each cell has one code and ties go to even ones. Nothing where that is beyond a table of 64.
std::optional<std::size_t> regular_from(const Steps& steps) {
  const auto follows = [&](std::size_t cell) {
    const bool whole = cell < steps.whole;
    return steps.first[cell] == static_cast<std::uint8_t>(steps.first[cell - 2] + 2) &&
           (!whole || (steps.once[cell] == steps.once[cell - 2] && steps.twice[cell] == steps.twice[cell - 2] &&
                       steps.rise[cell] == steps.rise[cell - 2]));
  };
  std::size_t last = steps.used;
  while (last > 2 && follows(last - 1)) --last;
  const std::size_t from = (last - 1) / 2 * 2;  // the cell two before `last`, or one more
  return from <= 62 ? std::optional(from) : std::nullopt;
}

bool is_all(const Bytes& table, std::uint8_t value) {
  return std::ranges::all_of(table, [value](std::uint8_t entry) { return entry == value; });
}

/// Are the results of negative sources those of positive ones with bit 7, but for zeros?
bool negative_half_has_signs(const Steps& steps) {
  if (steps.has_small || steps.place) return false;
  for (std::size_t cell = 0; cell < 128; ++cell) {
    for (std::size_t low = 0; low < 256; ++low) {
      const std::uint8_t magnitude = steps.result(cell, low);
      if (steps.result(cell + 128, low) != (magnitude == 0 ? 0 : magnitude | 0x80)) return false;
    }
  }
  return true;
}

class StepsLowering {
 public:
  StepsLowering(const Steps& steps, int src_bits, int dst_bits) : steps_(steps), b_(src_bits, dst_bits, 16) {
    b_.needs(ir::kNeedsVbmi);
  }

  ir::Program program() {
    const Value code = shortened(b_.element());
    const Placed found = steps_.place ? steps_.place(b_, code) : taken_apart(b_, code, code);
    cell_ = found.cell;
    low_ = found.low;

    const auto offset = static_cast<std::uint8_t>(steps_.first[128] - steps_.first[0]);
    entry_ = cell_;
    const std::optional<std::size_t> regular = steps_.cells == 256 ? regular_from(steps_) : std::nullopt;
    if (regular) {
      const Value next =
          b_.constant("kRegular", *regular, "from this cell on every other one is like it, or like the next");
      entry_ = min(cell_, (cell_ & b_.literal(1)) | next).named("entry", "the cell, or the regular one like it");
    }
    const bool few = steps_.cells <= 128 || regular;
    const bool same_first = !few && repeats(steps_.first, offset);
    const bool sign_unless_zero = !few && !same_first && negative_half_has_signs(steps_);
    // Entries of every table; 0: as many as it needs.
    const int read = regular            ? (*regular < 15 ? 16 : 64)
                     : few              ? static_cast<int>(steps_.cells)
                     : sign_unless_zero ? 128
                                        : 0;
    const std::string sign_note = sign_unless_zero ? "from 80 on negative: the same, with bit 7 where it is not 0" : "",
                      same_note = sign_unless_zero ? "from 80 on the same" : "";
    const char* at_start = "results at the start of cells";
    Value sum = same_first ? with_offset(looked_up("kFirst", steps_.first, 128, at_start, offset_note(offset)), offset)
                           : looked_up("kFirst", steps_.first, read, at_start, sign_note);
    if (regular) sum = sum + (cell_ - entry_);
    sum = sum.named("first", "the result at the start of the cell");
    if (!is_all(steps_.once, kNoThreshold)) {
      const Value after = looked_up("kOnce", steps_.once, read, "the first threshold, FF for none", same_note);
      const Value past =
          ir::binary(Op::greater_unsigned, low_, after.named("once")).named("past_once", "past the first threshold");
      const auto rises_of_lower = [&] {
        return std::all_of(steps_.rise.begin(), steps_.rise.begin() + 128, [](int r) { return r == 1; });
      };
      const bool by_one = is_all(steps_.rise, 1) || (sign_unless_zero && rises_of_lower());
      const Value rise =
          by_one ? b_.literal(1)
                 : looked_up("kRise", steps_.rise, read, "what results grow by at the first threshold", same_note)
                       .named("rise");
      sum = select(past, sum + rise, sum).named("risen");
    }
    if (!is_all(steps_.twice, kNoThreshold)) {
      const Value after = looked_up("kTwice", steps_.twice, read, "the second threshold, FF for none", same_note);
      const Value past = ir::binary(Op::greater_unsigned, low_, after.named("twice"))
                             .named("past_twice", "past the second threshold: one more");
      sum = select(past, sum + b_.literal(1), sum).named("risen_twice");
    }
    if (steps_.has_small) {
      const Value small =
          ir::lookup(Op::lookup256, low_, table("kSmall", steps_.small, 256, "results of cell 00 by low byte"));
      sum = select(equal(cell_, b_.literal(0)), small, sum).named("all_steps", "cell 00 needs every bit");
    }
    return b_.finish(sign_unless_zero ? with_sign_of_cell(sum) : with_sign_of_source(sum, found.signed_by));
  }

 private:
  const Steps& steps_;
  ir::Builder b_;
  Value cell_, low_, entry_;  // entry_: where the tables have the cell

  int table(const std::string& name, const Bytes& entries, int count, const std::string& note) {
    ir::Table made{name, 8, {}, note};
    made.entries.assign(entries.begin(), entries.begin() + count);
    return b_.table(made);
  }
  /// count: entries that are enough; 0: 128 where the upper half repeats the lower.
  Value looked_up(const std::string& name, const Bytes& entries, int count, const std::string& what,
                  std::string upper) {
    if (count == 0 && repeats(entries, 0)) {
      count = 128;
      upper = "from 80 on the same";
    }
    const std::string note = count == 128 && !upper.empty() ? what + ", cells 00 to 7F; " + upper : what;
    const Op lookup = count == 16    ? Op::lookup16
                      : count == 64  ? Op::lookup64
                      : count == 128 ? Op::lookup128
                                     : Op::lookup256;
    return ir::lookup(lookup, entry_, table(name, entries, count == 0 ? 256 : count, note));
  }
  static std::string offset_note(std::uint8_t offset) {
    return offset == 0      ? "from 80 on the same"
           : offset == 0x80 ? "from 80 on with bit 7 flipped"
                            : "from 80 on kOffset more";
  }
  Value top() { return b_.constant("kSignBit", 0x80, "2^7"); }
  Value with_offset(Value first, std::uint8_t offset) {
    if (offset == 0) return first;
    if (offset == 0x80) return first ^ (cell_ & top());
    const Value more = b_.constant("kOffset", offset, "what results from cell 80 on have more");
    return select(ir::binary(Op::greater_unsigned, cell_, b_.constant("kLastLower", 0x7F, "2^7 - 1")), first + more,
                  first);
  }
  /// Bit 7 of the cell, the sign, goes to results that are not zero: those whose sum with 7F has bit 7.
  Value with_sign_of_cell(Value magnitude) {
    const Value nonzero =
        magnitude + b_.constant("kCarry", 0x7F, "2^7 - 1: the sum has the bit of the sign unless the code is 0");
    return magnitude | ((cell_ & nonzero) & top()).named("sign", "bit 7 of the cell, where the result is not zero");
  }
  Value with_sign_of_source(Value magnitude, Value code) {
    if (steps_.sign_from == SignFrom::tables) return magnitude;
    const Value sign =
        sign8(code, std::countr_zero(steps_.sign_bit))
            .named("sign", steps_.flips_sign_of_nan ? "of the source, of NaN the opposite" : "of the source");
    if (steps_.sign_from == SignFrom::source) return magnitude ^ sign;
    return magnitude | select(equal(magnitude, b_.literal(0)), b_.literal(0), sign);
  }
};

}  // namespace

std::optional<ir::Program> lower_steps(const spec::Meaning& meaning) {
  if (meaning.src->storage_bits != 16 || meaning.dst->storage_bits > 8) return std::nullopt;
  const Results results(meaning);
  const auto lowered = [&](const std::optional<Steps>& steps) -> std::optional<ir::Program> {
    if (!steps) return std::nullopt;
    ir::Program program = StepsLowering(*steps, 16, meaning.dst->storage_bits).program();
    if (!gives(program, results)) return std::nullopt;
    return program;
  };
  // Tables of 64 entries take one lookup of one register. One of 256 is four registers, eight operations on Intel's
  // processors: more than the clamp, where negative codes need entries of their own.
  const std::optional<Steps> plain = plain_steps(results), clamped = clamped_steps(meaning, results);
  const bool needs_256 =
      !plain || !repeats(plain->first, static_cast<std::uint8_t>(plain->first[128] - plain->first[0]));
  if (needs_256) {
    if (auto program = lowered(byte_steps(meaning, results))) return program;
    if (clamped && clamped->cells == 64) {
      if (auto program = lowered(clamped)) return program;
    }
  }
  if (auto program = lowered(plain)) return program;
  if (auto program = lowered(clamped)) return program;
  return lowered(integer_steps(meaning, results));
}

std::optional<ir::Program> lower_odd_steps(const spec::Meaning& meaning) {
  // Measured on AVX-512 VBMI (Zen 5, 256 Ki elements), rate over that of the encoder by multiplication: 6 bits 1.9, 4
  // bits 1.1; 8 bits, which need tables of 256, 0.86, and 6 bits with a cell for NaN 0.95. With one and tables of 64, 4
  // bits 1.08 (Zen 4, 16 Ki elements).
  if (!has_upper_half(meaning) || meaning.dst->storage_bits >= 8) return std::nullopt;
  const UpperHalf upper(meaning);
  const Results results(upper.meaning);
  const std::optional<Steps> steps = clamped_steps(upper.meaning, results);
  if (!steps || !stands_for_all(meaning, results)) return std::nullopt;
  if (placing_of_nan(upper.meaning, results) == NanPlacing::apart && steps->cells > 64) return std::nullopt;
  const int bits = meaning.dst->storage_bits;
  if (!gives(StepsLowering(*steps, 16, bits).program(), results)) return std::nullopt;
  return StepsLowering(*steps, 32, bits).program();
}

}  // namespace castforge::lower
