#include "lower/lower_table.hpp"

#include <algorithm>
#include <string>

#include "ir/program_text.hpp"
#include "semantics/convert.hpp"
#include "spec/hex.hpp"

namespace castforge::lower {

std::string hex(int code) { return spec::hex(static_cast<std::uint64_t>(code), 8).substr(2); }

namespace {

using ir::Op;
using ir::Value;

std::string first_code(int row) { return hex(16 * row); }
std::string codes_of(int first_row, int last_row) { return hex(16 * first_row) + " to " + hex(16 * last_row + 15); }

/// How an index is called: as part of the names of values and of tables.
struct IndexName {
  std::string value, table;
};
IndexName name_of(TermIndex index) {
  const std::string code = first_code(index.row);
  switch (index.kind) {
    case Index::magnitude_high: return {"mag_row", "MagRow"};
    case Index::magnitude_from: return {"mag_from" + code, "MagFrom" + code};
    case Index::magnitude_only: return {"mag_row" + code, "MagRow" + code};
    case Index::magnitude_ends: return {"mag_ends", "MagEnds"};
    case Index::unclamped_from: return {"mag_from" + code, "MagFrom" + code};
    case Index::unclamped_only: return {"mag_row" + code, "MagRow" + code};
    case Index::column: return {"column", "Column"};
    case Index::high: return {"row", "Row"};
    case Index::ends: return {"ends", "Ends"};
    case Index::lower_from: return {"low_from" + code, "LowFrom" + code};
    case Index::upper_from: return {"from" + code, "From" + code};
    case Index::only: return {"row" + code, "Row" + code};
    case Index::upper_odd: return {"odd", "Odd"};
  }
  return {};
}

/// Which codes a term serves.
std::string codes_of(TermIndex index, const Codes& codes) {
  const int k = index.row;
  const bool narrow = codes.narrow();
  switch (index.kind) {
    case Index::magnitude_high: return "by row of the magnitude, for all its columns";
    case Index::magnitude_from:
      return k == 0 ? "magnitudes, by column" : "added for magnitudes from " + first_code(k) + " on, by column";
    case Index::magnitude_only: return "added for magnitudes " + codes_of(k, k) + " alone, by column";
    case Index::magnitude_ends: return "added for magnitudes 78 to 7F, then 00 to 07";
    case Index::unclamped_from: return "added for magnitudes from " + first_code(k) + " on, by column";
    case Index::unclamped_only: return "added for magnitudes " + codes_of(k, k) + " alone, by column";
    case Index::column: return "for all rows, by column";
    case Index::high: return "by row, for all its columns";
    case Index::ends: return "added for codes F8 to FF, then 00 to 07";
    case Index::lower_from:
      if (narrow) return k == 0 ? "all codes, by column" : "added for codes from " + first_code(k) + " on, by column";
      return k == 0 ? "codes 00 to 7F, by column" : "added for codes " + first_code(k) + " to 7F, by column";
    case Index::upper_from:
      return k == 8 ? "added for codes 80 to FF, by column"
                    : "added for codes from " + first_code(k) + " on, by column";
    case Index::only: return "added for codes " + codes_of(k, k) + " alone, by column";
    case Index::upper_odd: return "added for odd rows from 90 on, by column";
  }
  return "";
}

constexpr int kAddendsPerLine = 5;

/// What the values and tables of a result byte are called, and what notes begin with; -1: there is only one byte.
struct Names {
  std::string value = "code", term = "t_", table = "k", of_value, of_table;

  explicit Names(int byte) {
    if (byte < 0) return;
    const std::string number = std::to_string(byte);
    value = "byte" + number;
    term = "b" + number + "_";
    table = "kByte" + number;
    of_value = "byte " + number + " of ";
    of_table = "byte " + number + ": ";
  }
};

class TableLowering {
 public:
  TableLowering(const TableProgram& table, bool is_signed)
      : table_(table),
        is_signed_(is_signed),
        neon_(table.table_class == TableClass::neon),
        b_(table.codes.bits, table.dst_bits, 8) {
    b_.needs(neon_ ? ir::kNeedsNeon : table.table_class == TableClass::vbmi ? ir::kNeedsVbmi : ir::kNeedsBytes16);
    code_ = b_.element();
  }

  ir::Program program() {
    if (table_.identity) return b_.finish(code_);
    if (!table_.wide.empty()) return b_.finish(wide());
    std::vector<Value> planes;
    for (const PlaneProgram& plane : table_.planes) planes.push_back(lowered(plane, byte_of(planes.size())));
    std::vector<Value> bytes;
    for (const int from : table_.from) {
      bytes.push_back(from < 0 ? b_.literal(0) : planes[static_cast<std::size_t>(from)]);
    }
    if (planes.empty()) return b_.finish(b_.literal(0, storage_unit(table_.dst_bits)));
    return b_.finish(bytes.size() == 1 ? bytes.front() : ir::join(bytes, storage_unit(table_.dst_bits)));
  }

 private:
  const TableProgram& table_;
  bool is_signed_, neon_;
  ir::Builder b_;
  Value code_;
  Value zero_before_;  // mask: all bytes so far are zero

  Value constant(const std::string& name, int value, const std::string& formula) {
    return b_.constant(name, static_cast<std::uint64_t>(value), formula);
  }
  Value top() { return constant("kSign", 0x80, "2^7"); }
  Value begin(int row) {
    const int code = 16 * row;
    return constant("kCode" + hex(code), code, "16 * " + std::to_string(row) + ": the first code of its row");
  }
  /// What splits codes in halves: "the sign"; of types without one "bit 7".
  std::string half_bit() const { return is_signed_ ? "the sign" : "bit " + std::to_string(table_.codes.sign_place); }
  std::string without_half_bit() const {
    return is_signed_ ? "the code without its sign"
                      : "the low " + std::to_string(table_.codes.sign_place) + " bits of the code";
  }
  /// The code with its sign in bit 7.
  Value with_sign_on_top() {
    const Codes& codes = table_.codes;
    if (!codes.narrow()) return code_;
    const Value up =
        constant("kSignUp", 0x80 - codes.half(),
                 "2^7 - 2^" + std::to_string(codes.sign_place) + ": bit 7 becomes " + half_bit() + " of the code");
    return (code_ + up).named("sign_on_top");
  }
  Value sign() {
    return ir::sar(with_sign_on_top(), 7).named("sign", "all ones where " + half_bit() + " of the code is set");
  }
  Value magnitude() {
    if (table_.codes.narrow()) {
      const int place = table_.codes.sign_place;
      return (code_ & constant("kMagnitude", (1 << place) - 1, "2^" + std::to_string(place) + " - 1"))
          .named("mag", without_half_bit());
    }
    if (table_.codes.absolute) return ir::unary(Op::abs, code_).named("mag", "the absolute value; that of 80 is 80");
    return (code_ & constant("kMagnitude", 0x7F, "2^7 - 1")).named("mag", without_half_bit());
  }
  Value clamped_magnitude() {
    const Codes& codes = table_.codes;
    if (!codes.clamps()) return magnitude();
    const std::string last = hex(codes.last());
    return ir::binary(Op::min, magnitude(), constant("kLast", codes.last(), "the largest that is looked up"))
        .named("clamped", "at most " + last + ": above it what this looks up stays that of " + last);
  }

  /// The result byte that a plane is first used for; -1 where it is the only one.
  int byte_of(std::size_t plane) const {
    if (table_.from.size() == 1) return -1;
    for (std::size_t j = 0; j < table_.from.size(); ++j) {
      if (table_.from[j] == static_cast<int>(plane)) return static_cast<int>(j);
    }
    return -1;
  }

  /// Tables of equal entries are one, which then says what else it serves.
  int table_of(const ir::Table& table) {
    for (ir::Table& known : b_.program().tables) {
      if (known.bits == table.bits && known.entries == table.entries) known.note += "; also " + table.note;
    }
    return b_.table(table);
  }

  static bool all_in_upper_half(const std::vector<std::uint64_t>& results) {
    return std::all_of(results.begin(), results.end(),
                       [](std::uint64_t r) { return static_cast<std::uint32_t>(r) == 0; });
  }
  /// Looked up by one permutation.
  Value wide() {
    ir::Table results{"kResults", storage_unit(table_.dst_bits), {}, "the result of every code"};
    // A vector has eight results of 64 bits: more are two, unless they are zero below bit 32.
    Op op = Op::lookup16_wide;
    if (results.bits == 64 && table_.wide.size() <= 8) op = Op::lookup8_wide;
    else if (results.bits == 64 && all_in_upper_half(table_.wide)) op = Op::lookup16_upper;
    if (op == Op::lookup16_upper)
      results = {"kUpper", 32, {}, "the upper half of the result of every code; the lower ones are 0"};
    const auto count = static_cast<std::size_t>(ir::operation(op).signature.entries);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t result = table_.wide[i % table_.wide.size()];
      results.entries.push_back(op == Op::lookup16_upper ? result >> 32 : result);
    }
    return ir::lookup(op, code_, b_.table(results));
  }

  /// v, at least 16 where the column is not wanted, so that it finds nothing there.
  Value below_16(Value v, bool seven_bits) {
    if (neon_) return v;
    const Value outside = constant("kOutside", 0x70, "128 - 16: from 16 on bit 7 gets set, where lookups give 0");
    return seven_bits ? v + outside : ir::binary(Op::add_saturated, v, outside);
  }
  /// The column of v, a number of seven bits or something with bit 7, where it is in rows k to 7.
  Value from(Value v, int row, bool seven_bits) {
    if (row != 0) v = seven_bits ? v - begin(row) : ir::binary(Op::subtract_saturated, v, begin(row));
    return neon_ ? v & constant("kColumnOrNone", 0x8F,
                                "2^7 + 15: keeps the column, and bit 7, with which it is too large")
                 : v;
  }

  Value index(TermIndex term) {
    const bool seven_bits = !table_.codes.absolute, seven_bits_of_code = table_.codes.narrow();
    const std::string nothing =
        neon_ ? "elsewhere 16 or more: the lookup gives 0" : "elsewhere bit 7 is set: the lookup gives 0";
    // Above them are what below_16 adds, or how many rows further it lies.
    const std::string low_bits = neon_ ? "" : "in its low four bits ";
    const auto of_rows_to = [&](int last) { return term.row < last ? low_bits : ""; };
    const std::string name = name_of(term).value, first = first_code(term.row);
    const bool clamped = of_clamped_magnitude(term.kind);
    const auto mag = [&] { return clamped ? clamped_magnitude() : magnitude(); };
    const auto upper = [&] { return (code_ ^ top()).named("upper", "80 less; below 80 bit 7 is set"); };
    const int k = term.row;
    switch (term.kind) {
      case Index::magnitude_high: return (mag() >> 4).named(name, "the row of the magnitude");
      case Index::magnitude_from:
      case Index::unclamped_from:
        if (k == 0 && neon_ && seven_bits) return column();
        return k == 0 && !neon_
                   ? mag()
                   : from(mag(), k, seven_bits)
                         .named(name, of_rows_to(7) + "the column, of magnitudes from " + first + " on; " + nothing);
      case Index::magnitude_only:
      case Index::unclamped_only:
        return below_16(k == 0 ? mag() : mag() ^ begin(k), seven_bits)
            .named(name, low_bits + "the column, of magnitudes " + codes_of(k, k) + "; " + nothing);
      case Index::magnitude_ends:
        return below_16((mag() + eight()) & constant("kMagnitude", 0x7F, "2^7 - 1"), true)
            .named(name, low_bits + "the place among 78 to 7F and 00 to 07; " + nothing);
      case Index::column: return column();
      case Index::high: return (code_ >> 4).named(name, "the row");
      case Index::ends:
        return below_16(code_ + eight(), false)
            .named(name, low_bits + "the place among F8 to FF and 00 to 07; " + nothing);
      case Index::lower_from:
        if (k == 0 && !neon_) return code_;
        return from(code_, k, seven_bits_of_code)
            .named(name, of_rows_to(seven_bits_of_code ? table_.codes.rows() - 1 : 7) + "the column, of codes " +
                             first + (seven_bits_of_code ? " and above; " : " to 7F; ") + nothing);
      case Index::upper_from:
        return k == 8 && !neon_
                   ? upper()
                   : from(upper(), k - 8, false)
                         .named(name, of_rows_to(15) + "the column, of codes " + first + " to FF; " + nothing);
      case Index::only:
        return below_16(k == 0 ? code_ : code_ ^ begin(k), seven_bits_of_code)
            .named(name, low_bits + "the column, of codes " + codes_of(k, k) + "; " + nothing);
      case Index::upper_odd: {
        const Value odd = upper() & constant("kOddRow", 0x9F, "2^7 + 31: even rows become row 0, odd ones row 1");
        return from(odd, 1, false).named(name, "the column, of odd rows from 90 on; " + nothing);
      }
    }
    return code_;
  }
  Value column() {
    return (code_ & constant("kLowFour", 0x0F, "2^4 - 1")).named("column", "the low four bits of the code");
  }
  Value eight() { return b_.literal(8); }

  Value looked_up(const Term& term, const Names& names) {
    const IndexName name = name_of(term.index);
    ir::Table entries{names.table + name.table, 8, {}, names.of_table + codes_of(term.index, table_.codes)};
    for (const std::uint8_t byte : term.table.bytes) entries.entries.push_back(byte);
    const Value at = index(term.index);
    return ir::lookup(neon_ ? Op::lookup16_or_zero : Op::lookup16, at, table_of(entries))
        .named(names.term + name.value);
  }

  /// A table that is read as a whole.
  Value looked_up_whole(const PlaneProgram& plane, const Names& names) {
    const bool all = plane.whole != 128 || table_.codes.narrow();
    std::string note = all ? "the result of every code" : "codes 00 to 7F; others: ";
    if (!all) {
      if (table_.codes.absolute) note += "of the absolute value, ";
      if (plane.sign == SignEffect::none) note += "the same";
      else if (plane.sign == SignEffect::flips) note += "the same with bits " + hex(plane.flips) + " flipped";
      else if (plane.sign == SignEffect::replaces) note += names.table + "From80";
      else note += "negated";
      if (!plane.terms.empty()) note += ", then exceptions";
      if (plane.patch) note += "; code 80 is an exception";
    }
    ir::Table entries{
        names.table == "k" ? "kResults" : names.table, 8, {}, (all ? names.of_value : names.of_table) + note};
    for (int c = 0; c < plane.whole; ++c) entries.entries.push_back(plane.entries.at(c));
    const int table = table_of(entries);
    if (plane.whole == 64) return ir::lookup(Op::lookup64, code_, table);
    if (plane.whole == 16) return ir::lookup(Op::lookup16, code_, table);
    if (plane.whole == 256) return ir::lookup(Op::lookup256, code_, table);
    return ir::lookup(Op::lookup128, table_.codes.absolute ? magnitude() : code_, table);
  }

  /// What the sign of the code does to the sum of what is looked up by magnitude; no value: there is no sum, which is
  /// zero.
  Value with_sign(Value sum, const PlaneProgram& plane, const Names& names) {
    switch (plane.sign) {
      case SignEffect::none: return sum;
      case SignEffect::flips: {
        const Value flipped = plane.flips == 0x80 ? with_sign_on_top() & top()
                              : plane.flips == 0xFF
                                  ? sign()
                                  : sign() & constant(names.table + "Flips", plane.flips,
                                                      "bits that " + half_bit() + " of the code flips");
        return sum ? sum ^ flipped : flipped;
      }
      case SignEffect::negates: return sum ? ir::binary(Op::negate_where, sum, with_sign_on_top()) : sum;
      case SignEffect::negates_with_carry:
        // -v is ~v + 1; the 1 arrives here where the bytes below are zero.
        if (!sum) return ir::select(zero_before_, b_.literal(0), sign());
        return (sum ^ sign()) - ir::select(zero_before_, sign(), b_.literal(0));
      case SignEffect::replaces: {
        const Value magnitude = constant("kMagnitude", 0x7F, "2^7 - 1");
        const Value upper = ir::binary(Op::greater_unsigned, code_, magnitude).named("upper", "bit 7 is set");
        return ir::select(upper, constant(names.table + "From80", plane.other, "what all codes from 80 on have"), sum);
      }
    }
    return sum;
  }

  Value lowered(const PlaneProgram& plane, int byte) {
    const Names names(byte);
    Value sum;
    int addends = 0;
    const auto add = [&](Value v) {
      if (addends != 0 && addends % kAddendsPerLine == 0) sum.named(names.value + "_part", "the sum so far");
      sum = sum ? sum + v : v;
      ++addends;
    };
    const auto add_terms = [&](bool magnitudes) {
      for (const Term& term : plane.terms) {
        if (of_magnitude(term.index.kind) == magnitudes) add(looked_up(term, names));
      }
    };
    if (plane.whole != 0) add(looked_up_whole(plane, names));
    add_terms(true);
    const bool more = !plane.terms.empty() && !of_magnitude(plane.terms.back().index.kind);
    if (sum && (plane.sign != SignEffect::none || plane.tells_zero)) {
      sum.named(names.value + "_mag", names.of_value + "the result of the magnitude");
    }
    const Value of_mag = sum;
    sum = with_sign(sum, plane, names);
    if (sum && plane.sign != SignEffect::none && (more || plane.patch)) {
      sum.named(names.value + "_signed", "and with what " + half_bit() + " of the code does");
    }
    if (plane.tells_zero && of_mag) {
      const Value zero = ir::equal(of_mag, b_.literal(0));
      const std::string note =
          "the result of the magnitude is zero up to byte " + std::to_string(byte) + ": negating carries on";
      zero_before_ =
          (zero_before_ ? ir::mask_and(zero_before_, zero) : zero).named("zero_to" + std::to_string(byte), note);
    }
    add_terms(false);
    if (!sum) sum = b_.literal(0);
    if (plane.patch) {
      const Value exception = constant(names.table + "Of80", *plane.patch, "what code 80 has instead");
      sum = ir::select(ir::equal(code_, top()), exception, sum);
    }
    return sum.named(names.value, names.of_value + "the result");
  }
};

}  // namespace

ir::Program lower_table(const TableProgram& table, bool is_signed) { return TableLowering(table, is_signed).program(); }

std::vector<std::uint64_t> results_of_codes(const spec::Meaning& meaning) {
  std::vector<std::uint64_t> results;
  for (std::uint64_t code = 0; code < 1ull << meaning.src->storage_bits; ++code) {
    results.push_back(semantics::convert_storage(meaning, code));
  }
  return results;
}

ir::Program lower_table(const spec::Meaning& meaning, TableClass table_class) {
  return lower_table(program_of_table(results_of_codes(meaning), meaning.dst->storage_bits, table_class),
                     meaning.src->is_signed);
}

namespace {

/// What both classes have, needing `needs`.
std::optional<ir::Program> shared(const spec::Meaning& meaning, TableClass one, TableClass other, unsigned needs) {
  ir::Program program = lower_table(meaning, one);
  if (!ir::do_the_same(program, lower_table(meaning, other))) return {};
  program.needs = needs;
  return program;
}

}  // namespace

std::optional<ir::Program> lower_table(const spec::Meaning& meaning) {
  return shared(meaning, TableClass::bytes16, TableClass::neon, ir::kNeedsVector);
}

std::optional<ir::Program> lower_long_table(const spec::Meaning& meaning) {
  return shared(meaning, TableClass::vbmi, TableClass::neon, ir::kNeedsTables);
}

}  // namespace castforge::lower
