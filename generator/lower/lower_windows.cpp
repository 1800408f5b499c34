#include "lower/lower_windows.hpp"

#include <string>

#include "lower/lower_table.hpp"

namespace castforge::lower {
namespace {

using ir::Op;
using ir::Value;

class WindowLowering {
 public:
  WindowLowering(const WindowProgram& program, int dst_bits, bool is_signed)
      : program_(program), is_signed_(is_signed), neon_(program.table_class == TableClass::neon), b_(8, dst_bits, 8) {
    b_.needs(neon_ ? ir::kNeedsNeon : ir::kNeedsBytes16);
    code_ = b_.element();
    seen_ = seen();
  }

  ir::Program program() {
    const auto* line = std::get_if<Line>(&program_.base);
    Value sum = line != nullptr ? of_line(*line) : of_rows(std::get<Rows>(program_.base));
    for (const Window& window : program_.windows) sum = sum ? sum + looked_up(window) : looked_up(window);
    if (!sum) sum = b_.literal(0);
    return b_.finish(patched(signed_(sum)).named("code", "the result"));
  }

 private:
  const WindowProgram& program_;
  bool is_signed_, neon_;
  ir::Builder b_;
  Value code_, seen_;

  Value constant(const std::string& name, int value, const std::string& formula) {
    return b_.constant(name, static_cast<std::uint64_t>(value), formula);
  }
  Value low_seven() { return constant("kMagnitude", 0x7F, "2^7 - 1"); }
  Value sign_bit() { return constant("kSign", 0x80, "2^7"); }
  int table(const std::string& name, const ByteRow& row, const std::string& note) {
    ir::Table entries{name, 8, {}, note};
    entries.entries.assign(row.bytes.begin(), row.bytes.end());
    return b_.table(entries);
  }
  /// What a number is called that the program sees, and several.
  std::string number() const { return program_.seen == Seen::code ? "code" : "magnitude"; }
  std::string numbers() const { return number() + "s"; }

  Value seen() {
    switch (program_.seen) {
      case Seen::code: return code_;
      case Seen::below_sign:
        return (code_ & low_seven())
            .named("mag", is_signed_ ? "the code without its sign" : "the low 7 bits of the code");
      case Seen::absolute: return ir::unary(Op::abs, code_).named("mag", "the absolute value; that of 80 is 80");
    }
    return code_;
  }

  /// No value: the line is zero.
  Value of_line(const Line& line) {
    if (line.most == 0) return {};
    Value value = seen_;
    if (line.least != 0) {
      const Value least = constant("kLeast", line.least, "the last " + number() + " of the level start");
      value = ir::binary(Op::subtract_or_zero, value, least).named("above", "by how much it is above kLeast, or 0");
    }
    if (line.twice) value = value + value;
    if (line.offset != 0) value = value + constant("kOffset", line.offset, "the line at 00, modulo 256");
    if (line.most != 0xFF)
      value = ir::binary(Op::min, value, constant("kMost", line.most, "the highest result of the line"));
    return value.named("line", "the result, or near it: " + numbers() + " in windows differ");
  }

  Value of_rows(const Rows& rows) {
    const Value row = (seen_ >> 4).named("row", "the row");
    Value sum = ir::lookup(Op::lookup16, row, table("kRow", rows.first, "by row, the first result"));
    sum.named("t_row");
    if (rows.columns) {
      const int k = rows.columns_from;
      const std::string note = numbers() + " from " + hex(16 * k) + " on: what the column has more";
      const Op op = neon_ ? Op::lookup16_or_zero : Op::lookup16;
      sum = sum + ir::lookup(op, column_from(k), table("kColumn", *rows.columns, note)).named("t_column");
    }
    int count = 0;
    for (const ByteRow& step : rows.steps) {
      const std::string name = std::to_string(++count);
      const std::string way = rows.down ? "down" : "up";
      const int last = table("kLast" + name, step,
                             "by row, threshold " + name + ": the last " + number() + " before results go " + way);
      const Value in_front = ir::lookup(Op::lookup16, row, last).named("last" + name);
      const Value behind = ir::binary(Op::greater_signed_ones, seen_, in_front)
                               .named("behind" + name, "-1 past the threshold, 0 before it");
      sum = rows.down ? sum + behind : sum - behind;
    }
    return sum.named("in_rows", "the result, or near it: " + numbers() + " in windows differ");
  }

  /// The column, where lookups give 0 in front of row k.
  Value column_from(int k) {
    if (program_.seen == Seen::code)
      return (code_ & constant("kLowFour", 0x0F, "2^4 - 1")).named("column", "the low four bits");
    Value index = seen_;
    if (k != 0) {
      const Value start = constant("kCode" + hex(16 * k), 16 * k, "16 * " + std::to_string(k));
      // An absolute value of 128 has bit 7 set, as what lies in front of the row gets it.
      index = program_.seen == Seen::absolute ? ir::binary(Op::subtract_saturated, index, start) : index - start;
    }
    if (neon_)
      index =
          index & constant("kColumnOrNone", 0x8F, "2^7 + 15: keeps the column, and bit 7, with which it is too large");
    return k == 0 && !neon_ ? index
                            : index.named("column", "the column; with bit 7 set in front of it, 0 is looked up");
  }

  Value looked_up(const Window& window) {
    const int start = window.start;
    const std::string first = hex(start), codes = first + " to " + hex(std::min(start + 15, last_seen(program_.seen)));
    Value index = seen_;
    if (start != 0) index = index - constant("kFirst" + first, start, "the first of the window " + codes);
    const bool seven_bits = program_.seen == Seen::below_sign;
    if (!neon_ && (start == 0 || !seven_bits || start + 15 < last_seen(program_.seen))) {
      const Value outside = constant("kOutside", 0x70, "128 - 16: from 16 on bit 7 gets set, where lookups give 0");
      index = start == 0 && seven_bits ? index + outside : ir::binary(Op::add_saturated, index, outside);
    }
    if (start != 0 || !neon_) {
      // Behind the last code of all there are the first ones.
      const bool goes_round = program_.seen == Seen::code && start + 15 > last_seen(program_.seen);
      index.named("in" + first, (neon_ ? "the place in the window " : "in its low four bits the place in the window ") +
                                    codes + (goes_round ? ", behind which entries are 0" : "") +
                                    (neon_ ? "; elsewhere 16 or more: the lookup gives 0"
                                           : "; elsewhere bit 7 is set: the lookup gives 0"));
    }
    const auto* line = std::get_if<Line>(&program_.base);
    const bool alone = line != nullptr && line->most == 0;
    const std::string what = alone ? ": the result" : ": what the result has more, modulo 256";
    const int entries = table("kFrom" + first, window.added, numbers() + " " + codes + what);
    return ir::lookup(neon_ ? Op::lookup16_or_zero : Op::lookup16, index, entries).named("t_from" + first);
  }

  Value signed_(Value sum) {
    const SignOfCode& sign = program_.sign;
    if (sign.negates) return ir::binary(Op::negate_where, sum.named("code_mag", "of the magnitude"), code_);
    if (sign.flips == 0) return sum;
    sum.named("code_mag", "the result of the magnitude");
    Value with_sign = code_;
    if (sign.without != 0) {
      const Value without = constant(
          "kWithoutSign", sign.without,
          "how many magnitudes, from 00 on, have results without sign: bit 7 of their negative codes is cleared");
      with_sign = ir::binary(Op::subtract_or_zero, code_, without).named("has_sign", "in bit 7: the result has a sign");
    }
    if (sign.flips == 0x80) return sum ^ (with_sign & sign_bit());
    const Value all = ir::sar(with_sign, 7).named("sign", "all ones where the result has a sign");
    if (sign.flips == 0xFF) return sum ^ all;
    return sum ^
           (all & constant("kFlips", sign.flips, is_signed_ ? "bits that the sign flips" : "bits that bit 7 flips"));
  }

  Value patched(Value sum) {
    if (!program_.sign.patch) return sum;
    const Value exception = constant("kOf80", *program_.sign.patch, "what code 80 has instead");
    return ir::select(ir::equal(code_, sign_bit()), exception, sum.named("code_signed", "with what the sign does"));
  }
};

}  // namespace

ir::Program operations_of(const WindowProgram& program, int dst_bits, bool is_signed) {
  return WindowLowering(program, dst_bits, is_signed).program();
}

std::optional<ir::Program> lower_windows(const spec::Meaning& meaning, TableClass table_class) {
  if (meaning.src->storage_bits != 8 || meaning.dst->storage_bits > 8) return {};
  const std::vector<std::uint64_t> results = results_of_codes(meaning);
  const TableProgram by_lookups = program_of_table(results, meaning.dst->storage_bits, table_class);
  if (by_lookups.identity) return {};
  const int limit = price(by_lookups, lookup_costs(table_class));
  const std::optional<WindowProgram> found = program_of_windows(results, table_class, limit);
  return found ? std::optional(operations_of(*found, meaning.dst->storage_bits, meaning.src->is_signed)) : std::nullopt;
}

}  // namespace castforge::lower
