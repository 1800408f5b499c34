#include "emit/truth_table.hpp"

#include <algorithm>
#include <bit>
#include <castforge/elements.hpp>
#include <charconv>
#include <cmath>
#include <functional>

#include "driver/catalogue.hpp"
#include "semantics/convert.hpp"
#include "semantics/results.hpp"
#include "semantics/value.hpp"
#include "spec/hex.hpp"
#include "spec/words.hpp"

namespace castforge::emit {
namespace {

using semantics::Value;
using spec::Kind;
using spec::Meaning;
using spec::Type;

/// Largest code in [low, high] for which `holds`, which is true at `low` and monotone.
std::uint64_t last_where(std::uint64_t low, std::uint64_t high, const std::function<bool(std::uint64_t)>& holds) {
  while (low < high) {
    const std::uint64_t middle = high - (high - low) / 2;  // rounded up, without overflow
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

double as_double(const Value& value) {
  return std::ldexp(static_cast<double>(value.significand), value.exponent) * (value.negative ? -1 : 1);
}

/// Code of the largest positive source value <= x.
std::uint64_t code_at(const Type& type, double x) {
  return last_where(0, type.largest_code(),
                    [&](std::uint64_t code) { return as_double(semantics::decode(type, code)) <= x; });
}

/// Of magnitudes, exactly: float64 does not hold all integers of 64 bits.
bool at_most(const Value& a, const Value& b) {
  if (a.is_zero() || b.is_zero()) return a.is_zero();
  if (a.log2_floor() != b.log2_floor()) return a.log2_floor() < b.log2_floor();
  return a.significand << std::countl_zero(a.significand) <= b.significand << std::countl_zero(b.significand);
}

std::string code_text(const Type& type, std::uint64_t code) {
  return spec::hex(code, (type.value_bits + 3) / 4 * 4).substr(2);
}

class Ranges {
 public:
  explicit Ranges(const Meaning& meaning) : meaning_(meaning), src_(*meaning.src), dst_(*meaning.dst) {}

  /// Last positive source codes of each zone of a floating destination.
  std::uint64_t last_zero() const {
    return last_where(0, top(), [&](std::uint64_t code) { return result(code) == 0; });
  }
  std::uint64_t last_subnormal() const {
    const std::uint64_t first_normal = 1ull << dst_.mantissa_bits;
    return last_where(0, top(), [&](std::uint64_t code) { return unlimited(code) < first_normal; });
  }
  /// Without infinity and NaN no result shows overflow: then the last source code that is not above the largest number.
  std::uint64_t last_in_range() const {
    const Value largest = semantics::decode(dst_, dst_.max_finite_code());
    return last_where(0, top(), [&](std::uint64_t code) {
      return shows_overflow() ? unlimited(code) <= dst_.max_finite_code()
                              : at_most(semantics::decode(src_, code), largest);
    });
  }
  bool shows_overflow() const { return dst_.infinity || dst_.has_nan(); }
  std::uint64_t top() const { return src_.largest_code(); }
  std::uint64_t result(std::uint64_t code) const { return semantics::convert_code(meaning_, code); }

 private:
  /// The result with overflow made visible, where it can be: above the largest finite code, whatever the rule says.
  std::uint64_t unlimited(std::uint64_t code) const {
    if (!shows_overflow()) return result(code);
    Meaning probe = meaning_;
    probe.overflow = spec::Overflow::infinity;
    return semantics::convert_code(probe, code);
  }
  const Meaning& meaning_;
  const Type& src_;
  const Type& dst_;
};

std::string upto(const Type& src, std::uint64_t from, std::uint64_t to) {
  if (from == to) return value_text(src, from);
  return (from == 0 ? "0" : value_text(src, from)) + " .. " + value_text(src, to);
}

void add_specials(const Meaning& meaning, std::vector<TruthRow>& rows) {
  const Type& src = *meaning.src;
  const Type& dst = *meaning.dst;
  if (src.kind != Kind::floating) return;
  const auto row = [&](const std::string& name, std::uint64_t code, const std::string& because) {
    const std::uint64_t result = semantics::convert_code(meaning, code);
    rows.push_back({name, code_text(dst, result), value_text(dst, result), because});
  };
  if (src.infinity) {
    row("Inf", src.infinity_code(), "infinity of the source");
    if (src.is_signed) row("-Inf", src.infinity_code() | src.sign_mask(), "");
  }
  if (src.has_nan()) {
    const bool has_payloads = src.nan == spec::NanCodes::ieee && src.mantissa_bits > 1;
    row("NaN", src.canonical_nan(false),
        has_payloads                               ? "every NaN, payload dropped"
        : src.nan == spec::NanCodes::negative_zero ? "the only NaN, code " + code_text(src, src.canonical_nan(false))
                                                   : "");
    if (src.is_signed && src.nan != spec::NanCodes::negative_zero) row("-NaN", src.canonical_nan(true), "");
  }
  if (src.has_negative_zero())
    row("-0", src.sign_mask(),
        meaning.zero_sign == spec::ZeroSign::positive           ? "a zero is +0"
        : dst.kind == Kind::floating && dst.has_negative_zero() ? "the sign of zero is kept"
        : dst.kind == Kind::floating && !dst.has_zero()         ? "zero of the source"
                                                                : "there is no negative zero");
}

/// Does a negative number, and not only a zero, have the result of zero, without a sign? Between zero and the smallest
/// number of the destination a rule tells apart at most what is below the middle, the middle and what is above it.
bool loses_sign(const Meaning& meaning) {
  const Type& src = *meaning.src;
  const double smallest = as_double(semantics::decode(*meaning.dst, 1));
  const std::uint64_t middle = code_at(src, smallest / 2), below = code_at(src, smallest) - 1;
  const auto vanishes = [&](std::uint64_t magnitude) {
    if (magnitude == 0 || magnitude > src.largest_code()) return false;
    const std::uint64_t negative =
        src.kind == Kind::floating ? magnitude | src.sign_mask() : (0 - magnitude) & low_bits(src.value_bits);
    return semantics::convert_code(meaning, negative) == 0;
  };
  return vanishes(1) || vanishes(middle - 1) || vanishes(middle) || vanishes(middle + 1) || vanishes(below);
}

/// Of a source with a sign: how negative numbers follow from the rows of positive ones.
TruthRow negative_numbers(const Meaning& meaning) {
  const Type& src = *meaning.src;
  const Type& dst = *meaning.dst;
  if (dst.is_signed) {
    const std::uint16_t carry = meaning.round == nullptr ? 0 : meaning.round->carry;
    const unsigned positive = spec::entries_of_sign(carry, false), negative = spec::entries_of_sign(carry, true);
    constexpr unsigned kAwayFromZero = 0xEE;  // wherever a dropped bit is set
    const std::string magnitude = negative == positive        ? "as |x|"
                                  : negative == 0             ? "as |x| rounded toward zero"
                                  : negative == kAwayFromZero ? "as |x| rounded away from zero"
                                                              : "as |x| by entries 8 to 15 of the carry table";
    return {"x < 0", "", "", magnitude + ", with the sign" + (loses_sign(meaning) ? " unless the result is zero" : "")};
  }
  const std::string why = "negative: " + std::string(spec::word_of(meaning.negative));
  // One row where all have one result: the nearest to zero, the largest and -1, or what is next to it.
  const bool floating = src.kind == Kind::floating;
  const std::uint64_t minus_one = floating ? code_at(src, 1.0) | src.sign_mask() : low_bits(src.value_bits),
                      nearest = floating ? 1 | src.sign_mask() : minus_one,
                      largest = floating ? src.max_finite_code() | src.sign_mask() : 1ull << (src.value_bits - 1);
  const std::uint64_t result = semantics::convert_code(meaning, largest);
  const auto alike = [&](std::uint64_t code) { return semantics::convert_code(meaning, code) == result; };
  // Which of them round to zero, the ends tell only where order is kept; a rule may not ask for it.
  const bool asks = meaning.negative == spec::NegativeResult::abs ||
                    (meaning.negative_test == spec::NegativeTest::rounded && dst.has_zero());
  const bool ends_tell = !asks || semantics::keeps_order(meaning, meaning.negative != spec::NegativeResult::abs);
  if (ends_tell && alike(nearest) && alike(minus_one))
    return {"x < 0", code_text(dst, result), value_text(dst, result), why};
  return {"x < 0", "", "", meaning.negative == spec::NegativeResult::abs ? "as |x|" : why};
}

std::vector<TruthRow> floating_table(const Meaning& meaning) {
  const Type& src = *meaning.src;
  const Type& dst = *meaning.dst;
  const Ranges ranges(meaning);
  std::vector<TruthRow> rows;
  const std::uint64_t top = ranges.top();
  std::uint64_t next = 0;
  bool complete = false;
  const auto zone = [&](std::uint64_t last, const std::string& because) {
    if (complete || last < next) return;
    complete = last == top;
    const std::uint64_t a = ranges.result(next), b = ranges.result(last);
    rows.push_back({upto(src, next, last), a == b ? code_text(dst, a) : code_text(dst, a) + ".." + code_text(dst, b),
                    a == b ? value_text(dst, a) : value_text(dst, a) + " .. " + value_text(dst, b), because});
    next = last + 1;
  };
  if (src.kind == Kind::floating && !src.has_zero()) return rows;
  const bool ordered = semantics::keeps_order(meaning, false);
  if (dst.has_zero() && !ordered) {
    zone(0, "zero");
  } else if (dst.has_zero()) {
    const std::uint64_t zero = ranges.last_zero();
    zone(zero, zero == 0 ? "zero" : "rounds to zero");
    if (dst.has_gap()) {
      const std::uint64_t smallest =
          last_where(zero, top, [&](std::uint64_t code) { return ranges.result(code) <= 1; });
      if (smallest > zero) zone(smallest, "rounds to the smallest number: there are no subnormal ones");
    }
    if (dst.subnormals) {
      const std::uint64_t subnormal = std::max(ranges.last_subnormal(), zero);
      if (subnormal > zero)
        zone(subnormal, "subnormal, ulp 2^" + std::to_string(dst.min_exponent() - dst.mantissa_bits));
    }
  } else {
    zone(0, "zero of the source");
    const std::uint64_t below = last_where(0, top, [&](std::uint64_t code) {
      const Value value = semantics::decode(src, code);
      return value.is_zero() || value.log2_floor() < dst.min_exponent();
    });
    if (below > 0) zone(below, "below the smallest value");
  }
  const std::string precision =
      meaning.round == nullptr                                        ? "exact"
      : &src == &dst && meaning.same_type == spec::SameType::integral ? "whole numbers"
      : dst.mantissa_bits == 0
          ? "powers of two"
          : std::to_string(dst.mantissa_bits) + (dst.mantissa_bits == 1 ? " fraction bit" : " fraction bits");
  if (!ordered) {
    if (!complete)
      rows.push_back(
          {upto(src, next, top), "", "", precision + "; no ranges, as a larger number may become a smaller one"});
  } else {
    zone(ranges.last_in_range(), precision);
    zone(top, ranges.shows_overflow() ? "above the range" : "above the largest number");
  }
  add_specials(meaning, rows);
  if (!src.is_signed) return rows;
  const TruthRow negative = negative_numbers(meaning);
  if (src.kind == Kind::integer && negative.code.empty() && negative.because.starts_with("as |x|")) {
    // No row of positive integers has its magnitude.
    const std::uint64_t least = 1ull << (src.value_bits - 1), result = semantics::convert_code(meaning, least);
    rows.push_back({value_text(src, least), code_text(dst, result), value_text(dst, result), "the least integer"});
  }
  rows.push_back(negative);
  return rows;
}

std::vector<TruthRow> integer_table(const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  std::vector<TruthRow> rows;
  // What both types hold.
  const Type& src = *meaning.src;
  const bool from_integer = src.kind == Kind::integer;
  if (src.kind == Kind::boolean) {
    for (const std::uint64_t code : {0, 1}) {
      const std::uint64_t result = semantics::convert_code(meaning, code);
      rows.push_back({value_text(src, code), code_text(dst, result), value_text(dst, result),
                      code == 0 ? "the byte 00" : "every other byte"});
    }
    return rows;
  }
  // The part of the destination that the rounded values reach unclamped.
  Type reached = dst;
  if (meaning.saturate_first) {
    Meaning saturating = meaning;
    saturating.overflow = spec::Overflow::saturate;
    const spec::IntegerRange range = *spec::clamp_range(saturating);
    reached.is_signed = range.is_signed;
    reached.value_bits = range.bits;
  }
  const bool src_is_lower = !src.is_signed || (reached.is_signed && src.value_bits < reached.value_bits);
  const Type& lowest = from_integer && src_is_lower ? src : reached;
  const Type& highest = from_integer && src.largest_code() < reached.largest_code() ? src : reached;
  std::string low = value_text(lowest, lowest.is_signed ? 1ull << (lowest.value_bits - 1) : 0);
  std::string high = value_text(highest, highest.largest_code());
  if (src.kind == Kind::floating) {  // whose largest number may be within that
    const std::uint64_t largest = src.max_finite_code(), least = src.is_signed ? largest | src.sign_mask() : 0;
    const auto value = [](const Type& type, std::uint64_t code) { return as_double(semantics::decode(type, code)); };
    if (value(src, largest) < value(highest, highest.largest_code())) high = value_text(src, largest);
    const std::uint64_t end = lowest.is_signed ? 1ull << (lowest.value_bits - 1) : 0;
    if (value(src, least) > value(lowest, end)) low = src.is_signed || src.has_zero() ? value_text(src, least) : "0";
  }
  const std::string mode = meaning.round != nullptr ? "rounded, " + meaning.round->name : "exact";
  const std::string low_bits = dst.value_bits == 1 ? "low bit" : "low " + std::to_string(dst.value_bits) + " bits";
  rows.push_back({low + " .. " + high, "", meaning.round != nullptr ? "the integer" : "same integer", mode});
  constexpr const char* kBeyond = "other numbers";
  if (meaning.saturate_first) {
    rows.push_back({kBeyond, "", "clamped to " + print(*meaning.saturate_first), "then the " + low_bits});
  } else if (driver::overflow_matters(meaning)) {
    const bool wraps = meaning.overflow == spec::Overflow::wrap;
    const bool indefinite = meaning.overflow == spec::Overflow::indefinite;
    const std::string result = wraps        ? low_bits
                               : indefinite ? value_text(dst, semantics::indefinite_result(dst))
                                            : "nearest end";
    const std::string why = wraps ? "two's complement" : indefinite ? "out of range" : "saturated";
    rows.push_back({kBeyond, "", result, why + (meaning.round != nullptr ? ", after rounding" : "")});
  }
  add_specials(meaning, rows);
  return rows;
}

/// What else than normal numbers a float has: "NaN and subnormals included".
std::string others_included(const Type& type) {
  if (type.kind != Kind::floating) return "";
  std::vector<std::string> kinds;
  if (type.has_nan()) kinds.push_back("NaN");
  if (type.infinity) kinds.push_back("infinities");
  if (type.subnormals && type.mantissa_bits > 0) kinds.push_back("subnormals");
  std::string text;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    text += (i == 0 ? "" : i + 1 == kinds.size() ? " and " : ", ") + kinds[i];
  return text.empty() ? "" : text + " included";
}

}  // namespace

std::string value_text(const Type& type, std::uint64_t code) {
  if (type.kind == Kind::boolean) return code != 0 ? "true" : "false";
  const Value value = semantics::decode(type, code);
  const std::string sign = value.negative ? "-" : "";
  if (value.cls == Value::Class::nan) return (type.nan == spec::NanCodes::negative_zero ? "" : sign) + "NaN";
  if (value.cls == Value::Class::infinity) return sign + "Inf";
  if (value.significand == 0) return sign + "0";
  if (type.kind == Kind::integer) return sign + std::to_string(value.significand);
  const bool power = std::has_single_bit(value.significand);
  const int exponent = value.log2_floor();
  if (power && (exponent < -4 || exponent > 20)) return sign + "2^" + std::to_string(exponent);
  char text[64];
  // Numbers of float32 read best as their shortest decimal there.
  const double x = as_double(value);
  const bool narrow = type.mantissa_bits <= 23 && exponent <= 127 && static_cast<float>(x) == x;
  const auto end = narrow ? std::to_chars(text, text + sizeof text, static_cast<float>(x))
                          : std::to_chars(text, text + sizeof text, x);
  return std::string(text, end.ptr);
}

std::vector<TruthRow> truth_table(const Meaning& meaning) {
  const Type& src = *meaning.src;
  const Type& dst = *meaning.dst;
  TruthRow copied{"every code", "", "the same code", "bit copy"};
  if (meaning.bits == spec::Bits::kept) return {copied};
  if (dst.kind == Kind::boolean) {
    std::vector<TruthRow> rows;
    const bool zero = src.kind != Kind::floating || src.has_zero();
    if (zero)
      rows.push_back({src.kind == Kind::floating && src.has_negative_zero() ? "0, -0" : "0", "00", "false", "zero"});
    rows.push_back({zero ? "anything else" : "anything", "01", "true", others_included(src)});
    return rows;
  }
  if (&src == &dst && meaning.same_type == spec::SameType::copy) {
    std::vector<TruthRow> rows;
    const auto infinity = [&](const std::string& name, std::uint64_t code) {
      const std::uint64_t result = semantics::convert_code(meaning, code);
      if (result != code)
        rows.push_back({name, code_text(dst, result), value_text(dst, result), "infinity of the source"});
    };
    if (src.kind == Kind::floating && src.infinity) {
      infinity("Inf", src.infinity_code());
      if (src.is_signed) infinity("-Inf", src.infinity_code() | src.sign_mask());
    }
    if (!rows.empty()) copied.source = "every other code";
    rows.push_back(copied);
    return rows;
  }
  return dst.kind == Kind::floating ? floating_table(meaning) : integer_table(meaning);
}

std::vector<Representative> representatives(const Meaning& meaning) {
  const Type& src = *meaning.src;
  const Type& dst = *meaning.dst;
  std::vector<std::uint64_t> codes{0};
  const std::uint64_t top = src.largest_code();
  const std::uint64_t sign = src.kind == Kind::floating ? src.sign_mask() : 0;
  const auto add = [&](std::uint64_t code) {
    if (code <= top) codes.push_back(code);
  };
  const auto around = [&](std::uint64_t code) {
    add(code);
    add(code + 1);
  };
  add(top);
  const bool kept = meaning.bits == spec::Bits::kept;
  if (src.kind == Kind::boolean) codes.push_back(low_bits(src.value_bits));
  if (kept && src.kind == Kind::boolean) codes.push_back(2);
  if (src.kind == Kind::integer) {
    add(1);
    if (src.is_signed) {
      codes.push_back(low_bits(src.value_bits));      // -1
      codes.push_back(1ull << (src.value_bits - 1));  // the minimum
    }
    if (dst.kind == Kind::integer && !kept) around(std::min(top, dst.largest_code()));
    if (dst.kind == Kind::floating && !kept) {
      // Halves of an ulp above an even code and an odd one, and a quarter.
      const std::uint64_t even = 1ull << (dst.mantissa_bits + 1);
      for (const std::uint64_t number : {even + 1, even + 3, 2 * even + 1}) {
        if (static_cast<int>(std::bit_width(number)) > src.magnitude_bits()) break;
        add(number);
        if (src.is_signed) codes.push_back((0 - number) & low_bits(src.value_bits));
      }
    }
  }
  const bool to_whole = dst.kind == Kind::integer || (&src == &dst && meaning.same_type == spec::SameType::integral);
  if (src.kind == Kind::floating && to_whole && !kept) {
    for (const double x : {0.5, 1.25, 1.5, 2.5}) {
      codes.push_back(code_at(src, x));
      if (sign != 0) codes.push_back(code_at(src, x) | sign);
    }
  }
  if (src.kind == Kind::floating && dst.kind == Kind::integer && !kept) {
    const double limit = std::ldexp(1.0, dst.magnitude_bits());
    const std::uint64_t at = code_at(src, limit);
    if (at > 0) codes.push_back(at - 1);
    codes.push_back(at);
    if (sign != 0) codes.push_back(at | sign);
  }
  if (dst.kind == Kind::floating && !kept && !(src.kind == Kind::floating && !src.has_zero())) {
    const Ranges ranges(meaning);
    if (&src != &dst) {
      if (dst.has_zero()) around(ranges.last_zero());
      if (dst.subnormals) around(ranges.last_subnormal());
      around(ranges.last_in_range());
      const double ulp = std::ldexp(1.0, -dst.mantissa_bits);
      for (const double x : {1.0, 1.0 + ulp / 2, 1.0 + 1.5 * ulp}) {
        if (src.kind == Kind::floating) around(code_at(src, x));
      }
      if (sign != 0) codes.push_back(code_at(src, 1.0 + 1.5 * ulp) | sign);
    }
    if (sign != 0) codes.push_back(top | sign);
  }
  if (src.kind == Kind::floating) {
    if (src.has_negative_zero()) codes.push_back(sign);
    if (src.infinity) {
      codes.push_back(src.infinity_code());
      if (sign != 0) codes.push_back(src.infinity_code() | sign);
    }
    if (src.has_nan()) {
      codes.push_back(src.canonical_nan(false));
      if (src.nan == spec::NanCodes::ieee && src.mantissa_bits > 1)
        codes.push_back(src.infinity_code() + 1);  // signalling
      if (sign != 0) codes.push_back(src.canonical_nan(true));
    }
  }
  std::vector<Representative> marks;
  for (const std::uint64_t code : codes) {
    const std::uint64_t source = semantics::storage_of_code(src, code);
    if (std::any_of(marks.begin(), marks.end(), [&](const Representative& mark) { return mark.source == source; }))
      continue;
    const std::uint64_t result = semantics::convert_code(meaning, code);
    marks.push_back(
        {source, semantics::storage_of_code(dst, result), value_text(src, code) + " -> " + value_text(dst, result)});
  }
  return marks;
}

}  // namespace castforge::emit
