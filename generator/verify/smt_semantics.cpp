#include "verify/smt_semantics.hpp"

#include <algorithm>
#include <castforge/elements.hpp>
#include <cstdint>
#include <optional>

#include "ir/smt_terms.hpp"
#include "semantics/convert.hpp"
#include "semantics/value.hpp"

namespace castforge::verify {
namespace {

using namespace smt;
using spec::Kind;
using spec::Meaning;
using spec::Overflow;
using spec::Type;

constexpr int kWide = 192;  // 64 bits of a significand, shifted left by at most 64 + 52, and a sign: 181

/// (-1)^negative * significand * 2^exponent with 2^leading <= |x| < 2^(leading+1). The term has `width` bits.
struct Number {
  bool negative;
  int leading, exponent, width;
  std::string significand;
};

struct Rounded {
  std::string units;  // kWide bits
  int unit;           // in units of 2^unit
};

std::string storage_word(const Type& type, const std::string& code) {
  const int rest = type.storage_bits - type.value_bits;
  if (type.storage_high) return concat(code, constant(0, rest));
  if (rest == 0) return code;
  if (type.storage_sign_fill) return "((_ sign_extend " + std::to_string(rest) + ") " + code + ")";
  return concat(constant(0, rest), code);
}

std::string fixed_result(const Type& dst, std::uint64_t code) {
  return storage_word(dst, constant(code, dst.value_bits));
}

/// Does the carry table have a one in the row (sign, last kept, first dropped, sticky)? Bool term.
std::string moves_up(const spec::Rounding& mode, bool negative, const std::string& last, const std::string& first,
                     const std::string& sticky) {
  std::string any = "(or false";
  for (int row = 0; row < 8; ++row) {
    if (((mode.carry >> (negative * 8 + row)) & 1) == 0) continue;
    const auto literal = [&](int bit_of_row, const std::string& term) {
      return (row & bit_of_row) != 0 ? term : call("not", term);
    };
    any += " (and " + literal(4, last) + " " + literal(2, first) + " " + literal(1, sticky) + ")";
  }
  return any + ")";
}

/// The number on the grid of 2^unit, moved up where the mode says so. `code_parity` (0 or 1) overrides the parity of
/// the last kept unit where a code has no fraction bits.
Rounded round_to(const Meaning& meaning, const Number& x, int unit, std::optional<bool> code_parity = {}) {
  const std::string wide = resize(x.significand, x.width, kWide);
  const int drop = unit - x.exponent;
  if (drop <= 0) return {call("bvshl", wide, constant(static_cast<std::uint64_t>(-drop), kWide)), unit};
  const std::string units =
      drop >= kWide ? constant(0, kWide) : resize(extract(kWide - 1, drop, wide), kWide - drop, kWide);
  if (meaning.round == nullptr) return {units, unit};
  const bool dropped_whole = drop > x.width;
  const std::string first = dropped_whole ? "false" : is_set(drop - 1, wide);
  const std::string sticky = dropped_whole ? "true"
                             : drop == 1   ? "false"
                                           : call("distinct", extract(drop - 2, 0, wide), constant(0, drop - 1));
  std::string last = is_set(0, units);
  if (code_parity) last = *code_parity ? call("distinct", units, constant(0, kWide)) : "false";
  const std::string up = moves_up(*meaning.round, x.negative, last, first, sticky);
  return {call("bvadd", units, ite(up, constant(1, kWide), constant(0, kWide))), unit};
}

// ---------------------------------------------------------------- results

std::string signed_code(const Type& dst, const std::string& magnitude, bool negative) {
  if (!negative || !dst.is_signed) return magnitude;
  const std::string with_sign = call("bvor", magnitude, constant(dst.sign_mask(), dst.value_bits));
  if (dst.has_negative_zero()) return with_sign;
  return ite(call("=", magnitude, constant(0, dst.value_bits)), magnitude, with_sign);
}

int max_exponent(const Type& dst) { return semantics::decode(dst, dst.max_finite_code()).log2_floor(); }

/// A rounded magnitude: its code, which may lie beyond the finite ones, and its units in the binade of x.
struct Magnitude {
  std::string code, units;
};

/// `x` below 2^(smallest exponent + 1), where the destination has nothing between zero and the smallest number, one
/// unit above 2^smallest: `above` where it is not below that number.
std::string code_in_gap(const Meaning& meaning, const Number& x, const std::string& above) {
  const Type& dst = *meaning.dst;
  const int bits = dst.value_bits, smallest = dst.min_exponent();
  const auto moved = [&](int dropped) {  // from an even code
    const bool up = meaning.round != nullptr && (meaning.round->carry >> (x.negative * 8 + dropped) & 1) != 0;
    return constant(up ? 1 : 0, bits);
  };
  if (x.leading < smallest - 1) return moved(1);
  // The smallest number, or half of it, in units of x; both have the leading bit of x.
  const int place = x.leading - dst.mantissa_bits - x.exponent;
  const std::string units = resize(x.significand, x.width, kWide);
  const std::string unit = constant((1ull << dst.mantissa_bits) + 1, kWide);
  const auto moved_left = [&](const std::string& term, int by) {
    return by <= 0 ? term : call("bvshl", term, constant(static_cast<std::uint64_t>(by), kWide));
  };
  const std::string left = moved_left(units, -place), right = moved_left(unit, place);
  if (x.leading == smallest) return ite(call("bvult", left, right), moved(3), above);
  return ite(call("bvult", left, right), moved(1), ite(call("=", left, right), moved(2), moved(3)));
}

Magnitude floating_magnitude(const Meaning& meaning, const Number& x) {
  const Type& dst = *meaning.dst;
  const int bits = dst.value_bits, fraction_bits = dst.mantissa_bits, smallest = dst.min_exponent();
  const int binade = std::max(x.leading, smallest);
  const int field = binade - smallest + (dst.subnormals ? 1 : 0);  // of a normal number in this binade
  const Rounded rounded = round_to(meaning, x, binade - fraction_bits,
                                   fraction_bits == 0 ? std::optional<bool>((field & 1) != 0) : std::nullopt);
  // Below the hidden bit: a subnormal number. Twice the hidden bit: the next power of two.
  const std::uint64_t hidden = 1ull << fraction_bits;
  const auto code = [&](int exponent_field, std::uint64_t offset) {
    const std::uint64_t high = static_cast<std::uint64_t>(exponent_field) << fraction_bits;
    return call("bvor", constant(high, bits),
                call("bvsub", resize(rounded.units, kWide, bits), constant(offset, bits)));
  };
  std::string magnitude = ite(call("bvult", rounded.units, constant(hidden, kWide)), code(0, 0),
                              ite(call("bvult", rounded.units, constant(2 * hidden, kWide)), code(field, hidden),
                                  constant(static_cast<std::uint64_t>(field + 1) << fraction_bits, bits)));
  if (dst.has_gap() && x.leading <= smallest) magnitude = code_in_gap(meaning, x, magnitude);
  return {magnitude, rounded.units};
}

std::string floating_result(const Meaning& meaning, Number x) {
  const Type& dst = *meaning.dst;
  const int bits = dst.value_bits, smallest = dst.min_exponent();
  if (!dst.is_signed && x.negative) {
    if (meaning.negative != spec::NegativeResult::abs) {
      const std::string negative = constant(semantics::negative_result(meaning), dst.value_bits);
      if (meaning.negative_test == spec::NegativeTest::exact || !dst.has_zero() || x.leading > max_exponent(dst))
        return storage_word(dst, negative);
      const std::string zero = call("=", floating_magnitude(meaning, x).code, constant(0, dst.value_bits));
      return storage_word(dst, ite(zero, constant(0, dst.value_bits), negative));
    }
    x.negative = false;
  }
  if (!dst.has_zero() && x.leading < smallest) return fixed_result(dst, semantics::below_result(meaning));
  const std::string overflow = constant(semantics::overflow_result(meaning, x.negative), bits);
  if (x.leading > max_exponent(dst)) return storage_word(dst, overflow);  // rounding never falls below the binade

  const Magnitude magnitude = floating_magnitude(meaning, x);
  std::string result = signed_code(dst, magnitude.code, x.negative);
  if (meaning.zero_sign == spec::ZeroSign::positive)
    result = ite(call("=", magnitude.code, constant(0, bits)), constant(0, bits), result);
  if (std::max(x.leading, smallest) == max_exponent(dst)) {  // the largest number counts in the same unit
    const std::uint64_t largest = semantics::decode(dst, dst.max_finite_code()).significand;
    result = ite(call("bvugt", magnitude.units, constant(largest, kWide)), overflow, result);
  }
  return storage_word(dst, result);
}

/// The integer (-1)^negative * magnitude under the overflow rule; `magnitude` has kWide bits and is below 2^(kWide-1).
std::string integer_code(const Meaning& meaning, const std::string& magnitude, bool negative) {
  const Type& dst = *meaning.dst;
  const std::string value = negative ? call("bvneg", magnitude) : magnitude;
  const auto clamp = [&](bool is_signed, int bits) {
    const std::string one = constant(1, kWide);
    const auto power = [&](int exponent) {
      return call("bvshl", one, constant(static_cast<std::uint64_t>(exponent), kWide));
    };
    const std::string low = is_signed ? call("bvneg", power(bits - 1)) : constant(0, kWide);
    const std::string high = call("bvsub", power(is_signed ? bits - 1 : bits), one);
    return ite(call("bvslt", value, low), low, ite(call("bvsgt", value, high), high, value));
  };
  std::string result = value;
  if (const auto range = spec::clamp_range(meaning)) result = clamp(range->is_signed, range->bits);
  if (meaning.overflow == Overflow::indefinite) {
    const std::uint64_t indefinite = dst.is_signed ? 1ull << (dst.value_bits - 1) : low_bits(dst.value_bits);
    result = ite(call("=", result, value), result, constant(indefinite, kWide));
  }
  return extract(dst.value_bits - 1, 0, result);
}

std::string integer_result(const Meaning& meaning, const Number& x) {
  return storage_word(*meaning.dst, integer_code(meaning, round_to(meaning, x, 0).units, x.negative));
}

/// Rounded to an integral value and still a number of the same format.
std::string integral_result(const Meaning& meaning, const Number& x, const std::string& unchanged) {
  const Type& type = *meaning.dst;
  if (x.exponent >= 0) return unchanged;
  const std::string units = round_to(meaning, x, 0).units;
  const int bits = type.value_bits;
  const auto power = [&](int exponent) {
    return constant(static_cast<std::uint64_t>(exponent - type.min_exponent() + 1) << type.mantissa_bits, bits);
  };
  std::string magnitude;
  if (x.leading < 0) {  // 0 or 1
    magnitude = ite(call("=", units, constant(0, kWide)), constant(0, bits), power(0));
  } else {  // 2^leading .. 2^(leading+1)
    const std::string fraction = call("bvshl", resize(units, kWide, bits),
                                      constant(static_cast<std::uint64_t>(type.mantissa_bits - x.leading), bits));
    const std::string next = call("=", units, constant(2ull << x.leading, kWide));
    magnitude =
        ite(next, power(x.leading + 1),
            call("bvor", power(x.leading), call("bvand", fraction, constant(low_bits(type.mantissa_bits), bits))));
  }
  return storage_word(type, signed_code(type, magnitude, x.negative));
}

// ---------------------------------------------------------------- sources

class Cases {
 public:
  explicit Cases(const Meaning& meaning) : meaning_(meaning), src_(*meaning.src), dst_(*meaning.dst) {}

  SmtSemantics build() {
    const bool to_integral = src_.kind == Kind::floating && meaning_.same_type == spec::SameType::integral;
    if (meaning_.bits == spec::Bits::kept ||
        (meaning_.src == meaning_.dst && !spec::converts_to_itself(meaning_) && !to_integral))
      same_bits();
    else if (src_.kind == Kind::integer && dst_.kind != Kind::floating) integer_to_integer();
    else if (src_.kind == Kind::integer) integer_source();
    else if (src_.kind == Kind::floating && src_.infinity && src_.nan == spec::NanCodes::ieee && src_.subnormals &&
             src_.is_signed)
      floating_source();
    else out_.left_out = "no formula for sources like " + src_.name;
    if (!out_.left_out.empty()) out_.cases.clear();
    return std::move(out_);
  }

 private:
  /// The whole source word for a term of its code.
  std::string word(const std::string& code) const {
    const int rest = src_.storage_bits - src_.value_bits;
    if (rest == 0) return code;
    return src_.storage_high ? concat(code, extract(rest - 1, 0, "w"))
                             : concat(extract(src_.storage_bits - 1, src_.value_bits, "w"), code);
  }
  int code_low() const { return src_.storage_high ? src_.storage_bits - src_.value_bits : 0; }
  std::string source_bits(int high, int low) const { return extract(high + code_low(), low + code_low(), "w"); }

  void add(const std::string& name, const std::string& code, const std::string& condition,
           const std::string& expected) {
    out_.cases.push_back({name, word(code), condition, expected});
  }

  std::string by_semantics(std::uint64_t code) const {
    return fixed_result(dst_, semantics::convert_code(meaning_, code));
  }

  std::string result(const Number& x, const std::string& code) const {
    if (meaning_.src == meaning_.dst && !spec::converts_to_itself(meaning_))
      return integral_result(meaning_, x, storage_word(dst_, code));
    if (dst_.kind == Kind::boolean) return fixed_result(dst_, 1);
    return dst_.kind == Kind::floating ? floating_result(meaning_, x) : integer_result(meaning_, x);
  }

  void same_bits() {
    const std::string code = source_bits(src_.value_bits - 1, 0);
    if (src_.kind != Kind::floating || !src_.infinity)
      return add("every source", code, "true", storage_word(dst_, code));
    for (const bool negative : {false, true}) {
      if (negative && !src_.is_signed) continue;
      const std::uint64_t infinity = src_.infinity_code() | (negative ? src_.sign_mask() : 0);
      add(negative ? "minus infinity" : "infinity", constant(infinity, src_.value_bits), "true",
          by_semantics(infinity));
    }
    const std::string magnitude = src_.is_signed ? source_bits(src_.value_bits - 2, 0) : code;
    add("not infinity", code,
        call("distinct", magnitude, constant(src_.infinity_code(), src_.value_bits - src_.is_signed)),
        storage_word(dst_, code));
  }

  void integer_to_integer() {
    const std::string code = source_bits(src_.value_bits - 1, 0);
    if (dst_.kind == Kind::boolean) {
      const std::string zero = call("=", code, constant(0, src_.value_bits));
      return add("every source", code, "true", ite(zero, fixed_result(dst_, 0), fixed_result(dst_, 1)));
    }
    const std::string extend =
        (src_.is_signed ? "(_ sign_extend " : "(_ zero_extend ") + std::to_string(kWide - src_.value_bits) + ")";
    add("every source", code, "true", storage_word(dst_, integer_code(meaning_, call(extend.c_str(), code), false)));
  }

  void integer_source() {
    const int bits = src_.value_bits;
    add("zero", constant(0, bits), "true", by_semantics(0));
    for (int leading = 0; leading < bits - (src_.is_signed ? 1 : 0); ++leading) {
      const std::string code = concat(constant(1, bits - leading), source_bits(leading - 1, 0));
      const Number x{false, leading, 0, leading + 1, extract(leading, 0, code)};
      add("2^" + std::to_string(leading) + " and above", code, "true", result(x, code));
    }
    for (int leading = 0; src_.is_signed && leading < bits; ++leading) {
      // Two's complement: ones, then low bits 1 .. 2^leading, whose distance to 2^(leading+1) is the magnitude.
      const std::string low = source_bits(leading, 0);
      const std::string code = concat(ones(bits - leading - 1), low);
      if (leading == bits - 1) {
        const Number x{true, leading, leading, 1, "#b1"};
        add("the minimum", constant(1ull << (bits - 1), bits), "true", result(x, ""));
        continue;
      }
      const Number x{true, leading, 0, leading + 1,
                     extract(leading, 0, call("bvadd", call("bvnot", code), constant(1, bits)))};
      const std::string condition = call("and", call("bvuge", low, constant(1, leading + 1)),
                                         call("bvule", low, constant(1ull << leading, leading + 1)));
      add("-2^" + std::to_string(leading) + " and below", code, condition, result(x, code));
    }
  }

  void floating_source() {
    const int fraction_bits = src_.mantissa_bits;
    const int magnitude_bits = src_.value_bits - 1;
    const std::uint64_t infinity = src_.infinity_code();
    const std::uint64_t last = src_.max_finite_code();
    // Exponents below `first` leave less than half a unit, above `end` nothing changes any more.
    int first = -2, end = 66;
    if (dst_.kind == Kind::boolean) first = end = 0;
    if (dst_.kind == Kind::integer && !spec::clamp_range(meaning_)) end = 64 + fraction_bits;
    const bool integral = meaning_.src == meaning_.dst && !spec::converts_to_itself(meaning_);
    if (integral) end = fraction_bits;
    if (dst_.kind == Kind::floating && !integral) {
      first = dst_.min_exponent() - (dst_.has_zero() ? dst_.mantissa_bits + 2 : 1);
      end = max_exponent(dst_) + 1;
    }
    const auto code_of_power = [&](int exponent) -> std::uint64_t {  // smallest magnitude code not below 2^exponent
      if (exponent > semantics::decode(src_, last).log2_floor()) return infinity;
      const int lowest = src_.min_exponent() - fraction_bits;
      if (exponent <= lowest) return 1;
      if (exponent < src_.min_exponent()) return 1ull << (exponent - lowest);
      return static_cast<std::uint64_t>(exponent - src_.min_exponent() + 1) << fraction_bits;
    };
    const std::uint64_t near_begin = code_of_power(first), near_end = code_of_power(end);

    for (const bool negative : {false, true}) {
      const std::string sign = negative ? "#b1" : "#b0";
      const std::string prefix = negative ? "negative, " : "";
      const std::uint64_t sign_bit = negative ? src_.sign_mask() : 0;
      const std::string any = concat(sign, source_bits(magnitude_bits - 1, 0));
      const std::string magnitude = source_bits(magnitude_bits - 1, 0);
      const auto between = [&](std::uint64_t from, std::uint64_t to) {
        return call("and", call("bvuge", magnitude, constant(from, magnitude_bits)),
                    call("bvule", magnitude, constant(to, magnitude_bits)));
      };
      add(prefix + "zero", constant(sign_bit, src_.value_bits), "true", by_semantics(sign_bit));
      add(prefix + "infinity", constant(sign_bit | infinity, src_.value_bits), "true",
          by_semantics(sign_bit | infinity));
      add(prefix + "NaN", any, call("bvugt", magnitude, constant(infinity, magnitude_bits)),
          by_semantics(sign_bit | src_.canonical_nan(false)));
      if (near_begin > 1) {
        // One number stands for all: nothing kept, first dropped bit 0, something below.
        const Number tiny{negative, first - 1, first - 1, 1, "#b1"};
        add(prefix + "tiny", any, between(1, near_begin - 1), result(tiny, any));
      }
      if (near_end < infinity) {
        const Number huge{negative, end, end, 1, "#b1"};
        add(prefix + "huge", any, between(near_end, last), result(huge, any));
      }
      for (int leading = 0; leading < fraction_bits; ++leading) {  // subnormal
        const std::uint64_t lowest = 1ull << leading;
        if (lowest < near_begin || lowest >= near_end) continue;
        const std::string code =
            concat(sign, concat(constant(1, magnitude_bits - leading), source_bits(leading - 1, 0)));
        const int exponent = src_.min_exponent() - fraction_bits;
        const Number x{negative, exponent + leading, exponent, leading + 1, extract(leading, 0, code)};
        add(prefix + "exponent " + std::to_string(exponent + leading), code, "true", result(x, code));
      }
      for (std::uint64_t field = 1; field < infinity >> fraction_bits; ++field) {
        const std::uint64_t lowest = field << fraction_bits;
        if (lowest < near_begin || lowest >= near_end) continue;
        const std::string code =
            concat(sign, concat(constant(field, magnitude_bits - fraction_bits), source_bits(fraction_bits - 1, 0)));
        const int leading = static_cast<int>(field) - 1 + src_.min_exponent();
        const Number x{negative, leading, leading - fraction_bits, fraction_bits + 1,
                       concat("#b1", extract(fraction_bits - 1, 0, code))};
        add(prefix + "exponent " + std::to_string(leading), code, "true", result(x, code));
      }
    }
  }

  const Meaning& meaning_;
  const Type& src_;
  const Type& dst_;
  SmtSemantics out_;
};

}  // namespace

SmtSemantics smt_semantics(const Meaning& meaning) { return Cases(meaning).build(); }

}  // namespace castforge::verify
