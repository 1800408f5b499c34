#include "emit/print_smt.hpp"

#include "ir/smt_terms.hpp"

namespace castforge::emit {
namespace {

using namespace smt;
using plan::Node;
using plan::Op;

/// Magnitude bits (no sign) of an integer as a float with `mantissa` fraction bits: one line per position of the
/// leading one, exact up to 2^(mantissa + 1).
std::string exact_float(const std::string& integer, int lane, int mantissa, int bias) {
  std::string term = constant(0, lane);
  for (int leading = 0; leading <= mantissa + 1 && leading < lane; ++leading) {
    const int kept = leading > mantissa ? mantissa : leading;
    const std::string fraction = concat(extract(leading - 1, leading - kept, integer), constant(0, mantissa - kept));
    term = ite(is_set(leading, integer), concat(constant(static_cast<std::uint64_t>(bias + leading), lane - mantissa), fraction), term);
  }
  return term;
}

std::string float_is_nan(const std::string& a) {
  return call("bvugt", extract(30, 0, a), constant(0x7F800000, 31));
}

/// a < b as numbers, float32 patterns: false with a NaN; both zeros are equal.
std::string float_less(const std::string& a, const std::string& b) {
  const auto key = [](const std::string& x) {  // order of two's complement integers
    const std::string magnitude = concat("#b0", extract(30, 0, x));
    return ite(is_set(31, x), call("bvneg", magnitude), magnitude);
  };
  return "(and (not " + float_is_nan(a) + ") (not " + float_is_nan(b) + ") " + call("bvslt", key(a), key(b)) + ")";
}

/// float32 pattern, |a| < 2^31 or a = -2^31, to a 32-bit integer, rounded as the operation says.
std::string int_of_float(const std::string& name, const std::string& a, Op op, std::string& bindings) {
  // significand * 2^(exponent - 126) counts in 2^-24: 24 bits below the point, at most 31 + 1 above.
  const std::string exponent = extract(30, 23, a);
  const std::string wide = name + "_wide", whole = name + "_whole", rest = name + "_rest";
  const std::string shift = concat(constant(0, 56), call("bvsub", exponent, constant(126, 8)));
  bindings += bind(wide, call("bvshl", concat(constant(1, 41), extract(22, 0, a)), shift));
  // Below 1/2 nothing but whether there is anything matters.
  const std::string tiny = call("bvult", exponent, constant(126, 8));
  const std::string anything = ite(call("=", extract(30, 0, a), constant(0, 31)), constant(0, 24), constant(1, 24));
  bindings += bind(whole, ite(tiny, constant(0, 32), extract(55, 24, wide)));
  bindings += bind(rest, ite(tiny, anything, extract(23, 0, wide)));
  const std::string negative = is_set(31, a), odd = is_set(0, whole), half = is_set(23, rest);
  const std::string inexact = "(distinct " + rest + " " + constant(0, 24) + ")";
  const std::string more = "(distinct " + extract(22, 0, rest) + " " + constant(0, 23) + ")";
  const std::string up = op == Op::int_of_float_nearest ? "(and " + half + " (or " + odd + " " + more + "))"
                         : op == Op::int_of_float_away  ? half
                         : op == Op::int_of_float_floor ? "(and " + negative + " " + inexact + ")"
                         : op == Op::int_of_float_ceil  ? "(and (not " + negative + ") " + inexact + ")"
                         : op == Op::int_of_float_odd   ? "(and (not " + odd + ") " + inexact + ")"
                                                        : "false";
  const std::string magnitude = name + "_magnitude";
  bindings += bind(magnitude, ite(up, call("bvadd", whole, constant(1, 32)), whole));
  return ite(negative, call("bvneg", magnitude), magnitude);
}

/// The significand (hidden bit included, `width` bits) in units of 2^shift, nearest even.
std::string nearest_units(const std::string& name, const std::string& significand, const std::string& shift, int width, std::string& bindings) {
  const std::string units = name + "_units", places = name + "_shift";
  const std::string one = constant(1, width);
  bindings += bind(places, shift);
  bindings += bind(units, call("bvlshr", significand, places));
  const std::string dropped = call("bvsub", significand, call("bvshl", units, places));
  const std::string half = call("bvshl", one, call("bvsub", places, one));
  const std::string up = "(or " + call("bvugt", dropped, half) + " (and " + call("=", dropped, half) + " " + is_set(0, units) + "))";
  return ite(up, call("bvadd", units, one), units);
}

/// Low `kept` bits of a finite float32 or float64 pattern rounded to an integer, in a word of the same width.
std::string wrap_int_of_float(const std::string& name, const std::string& a, int lane, bool nearest, std::string& bindings, int kept = 32) {
  const int fraction = lane == 32 ? 23 : 52, exponent_bits = lane - 1 - fraction, bias = (1 << (exponent_bits - 1)) - 1;
  const std::string exponent = name + "_exponent", significand = name + "_significand", low = name + "_low";
  bindings += bind(exponent, concat(constant(0, lane - exponent_bits), extract(lane - 2, fraction, a)));
  bindings += bind(significand, concat(constant(1, lane - fraction), extract(fraction - 1, 0, a)));
  const std::string whole = constant(static_cast<std::uint64_t>(bias + fraction), lane);
  const std::string down = call("bvsub", whole, exponent);
  const std::string units = nearest ? nearest_units(name, significand, down, lane, bindings) : call("bvlshr", significand, down);
  const std::string moved = ite(call("bvult", exponent, whole), units, call("bvshl", significand, call("bvsub", exponent, whole)));
  // Below 1/4 nothing is left; a subnormal, whose hidden bit this gets wrong, is far below.
  bindings += bind(low, extract(kept - 1, 0, ite(call("bvult", exponent, constant(static_cast<std::uint64_t>(bias - 2), lane)), constant(0, lane), moved)));
  const std::string result = ite(is_set(lane - 1, a), call("bvneg", low), low);
  return lane == kept ? result : concat(constant(0, lane - kept), result);
}

/// The same, toward zero, and 0 for NaN and infinities.
std::string cut(const std::string& name, const std::string& a, int lane, int kept, std::string& bindings) {
  const std::string exponent = lane == 32 ? extract(30, 23, a) : extract(62, 52, a);
  const std::string number = wrap_int_of_float(name, a, lane, false, bindings, kept);
  return ite(call("=", exponent, ones(lane == 32 ? 8 : 11)), constant(0, lane), number);
}

std::string half_to_float(const std::string& a) {
  const std::string sign = bit(15, a), exponent = extract(14, 10, a), fraction = extract(9, 0, a);
  std::string small = constant(0, 31);
  for (int leading = 0; leading < 10; ++leading) {
    const std::string rest = concat(extract(leading - 1, 0, a), constant(0, 23 - leading));
    small = ite(is_set(leading, a), concat(constant(static_cast<std::uint64_t>(127 - 24 + leading), 8), rest), small);
  }
  const std::string moved = concat(fraction, constant(0, 13));
  const std::string special = concat("#xff", ite(call("=", fraction, constant(0, 10)), constant(0, 23), call("bvor", moved, constant(1 << 22, 23))));
  const std::string normal = concat(call("bvadd", concat("#b000", exponent), constant(112, 8)), moved);
  return concat(sign, ite(call("=", exponent, constant(0, 5)), small, ite(call("=", exponent, ones(5)), special, normal)));
}

std::string float_to_half(const std::string& name, const std::string& a, std::string& bindings) {
  const std::string exponent = extract(30, 23, a);
  const std::string small = name + "_small", normal = name + "_normal";
  // Normal numbers: exponent and fraction as one number; the carry may run into the exponent.
  const std::string rebased = call("bvsub", concat("#b0", extract(30, 0, a)), constant(112u << 23, 32));
  const std::string tie = call("bvadd", constant(0xFFF, 32), concat(constant(0, 31), bit(13, a)));
  bindings += bind(normal, extract(28, 13, call("bvadd", rebased, tie)));
  // Subnormal numbers: units of 2^-24.
  const std::string significand = concat(constant(1, 9), extract(22, 0, a));
  const std::string units = nearest_units(name, significand, call("bvsub", constant(126, 32), concat(constant(0, 24), exponent)), 32, bindings);
  bindings += bind(small, extract(15, 0, units));
  const std::string number = ite(call("bvult", exponent, constant(102, 8)), constant(0, 16),
                                 ite(call("bvult", exponent, constant(113, 8)), small,
                                     ite(call("bvugt", exponent, constant(142, 8)), constant(0x7C00, 16), normal)));
  const std::string nan = concat(constant(0x3F, 7), extract(21, 13, a));
  const std::string magnitude = ite(float_is_nan(a), nan, number);
  return concat(constant(0, 16), call("bvor", magnitude, concat(bit(31, a), constant(0, 15))));
}

/// float64 bits to float32 bits, nearest even.
std::string double_to_float(const std::string& name, const std::string& a, std::string& bindings) {
  const std::string exponent = extract(62, 52, a);
  const std::string small = name + "_small", normal = name + "_rounded";
  // Normal numbers: exponent and fraction as one number; the carry may run into the exponent, and up to infinity.
  const std::string rebased = call("bvsub", concat("#b0", extract(62, 0, a)), constant(896ull << 52, 64));
  const std::string tie = call("bvadd", constant((1ull << 28) - 1, 64), concat(constant(0, 63), bit(29, a)));
  bindings += bind(normal, extract(60, 29, call("bvadd", rebased, tie)));
  const std::string shift = call("bvsub", constant(926, 64), concat(constant(0, 53), exponent));  // units of 2^-149
  bindings += bind(small, extract(31, 0, nearest_units(name, concat(constant(1, 12), extract(51, 0, a)), shift, 64, bindings)));
  const std::string infinity = constant(0x7F800000, 32);
  const std::string number = ite(call("bvult", exponent, constant(897 - 24, 11)), constant(0, 32),
                                 ite(call("bvult", exponent, constant(897, 11)), small, ite(call("bvugt", exponent, constant(1150, 11)), infinity, normal)));
  const std::string is_nan = call("bvugt", extract(62, 0, a), constant(0x7FF0000000000000, 63));
  const std::string magnitude = ite(is_nan, concat(constant(0x1FF, 10), extract(50, 29, a)), number);
  return call("bvor", magnitude, concat(bit(63, a), constant(0, 31)));
}

/// The same toward zero.
std::string cut_double_to_float(const std::string& name, const std::string& a, std::string& bindings) {
  const std::string exponent = extract(62, 52, a), small = name + "_small";
  const std::string rebased = call("bvsub", concat("#b0", extract(62, 0, a)), constant(896ull << 52, 64));
  const std::string places = call("bvsub", constant(926, 64), concat(constant(0, 53), exponent));  // units of 2^-149
  bindings += bind(small, call("bvlshr", concat(constant(1, 12), extract(51, 0, a)), places));
  const std::string is_infinite = call("=", extract(62, 0, a), constant(0x7FF0000000000000, 63));
  const std::string large = ite(is_infinite, constant(0x7F800000, 32), constant(0x7F7FFFFF, 32));
  const std::string number = ite(call("bvult", exponent, constant(897 - 24, 11)), constant(0, 32),
                                 ite(call("bvult", exponent, constant(897, 11)), extract(31, 0, small),
                                     ite(call("bvugt", exponent, constant(1150, 11)), large, extract(60, 29, rebased))));
  const std::string is_nan = call("bvugt", extract(62, 0, a), constant(0x7FF0000000000000, 63));
  const std::string magnitude = ite(is_nan, concat(constant(0x1FF, 10), extract(50, 29, a)), number);
  return call("bvor", magnitude, concat(bit(63, a), constant(0, 31)));
}

/// float32 bits to float64 bits, exact.
std::string float_to_double(const std::string& a) {
  const std::string sign = bit(31, a), exponent = extract(30, 23, a), fraction = extract(22, 0, a);
  std::string small = constant(0, 63);
  for (int leading = 0; leading < 23; ++leading) {
    const std::string rest = concat(extract(leading - 1, 0, a), constant(0, 52 - leading));
    small = ite(is_set(leading, a), concat(constant(static_cast<std::uint64_t>(1023 - 149 + leading), 11), rest), small);
  }
  const std::string moved = concat(fraction, constant(0, 29));
  const std::string special = concat(constant(0x7FF, 11), ite(call("=", fraction, constant(0, 23)), constant(0, 52), call("bvor", moved, constant(1ull << 51, 52))));
  const std::string normal = concat(call("bvadd", concat("#b000", exponent), constant(896, 11)), moved);
  return concat(sign, ite(call("=", exponent, constant(0, 8)), small, ite(call("=", exponent, ones(8)), special, normal)));
}

/// Two's complement or unsigned integer to a float with `fraction` fraction bits, nearest even: one line per position of
/// the leading one.
std::string nearest_float(const std::string& name, const std::string& a, int lane, bool is_signed, int exponent_bits, int fraction, std::string& bindings) {
  const int bias = (1 << (exponent_bits - 1)) - 1, width = exponent_bits + fraction;
  const std::string magnitude = name + "_magnitude";
  bindings += bind(magnitude, is_signed ? ite(is_set(lane - 1, a), call("bvneg", a), a) : a);
  std::string term = constant(0, width);
  for (int leading = 0; leading < lane; ++leading) {
    const std::string exponent = constant(static_cast<std::uint64_t>(bias + leading), exponent_bits);
    std::string number;
    if (leading <= fraction) {
      number = concat(exponent, concat(extract(leading - 1, 0, magnitude), constant(0, fraction - leading)));
    } else {
      const int dropped = leading - fraction;
      const std::string kept = concat(exponent, extract(leading - 1, dropped, magnitude));
      const std::string rest = dropped > 1 ? "(distinct " + extract(dropped - 2, 0, magnitude) + " " + constant(0, dropped - 1) + ")" : "false";
      const std::string up = "(and " + is_set(dropped - 1, magnitude) + " (or " + is_set(dropped, magnitude) + " " + rest + "))";
      number = ite(up, call("bvadd", kept, constant(1, width)), kept);
    }
    term = ite(is_set(leading, magnitude), number, term);
  }
  return concat(is_signed ? bit(lane - 1, a) : "#b0", term);
}

/// What a load or a store makes of an element or a lane.
std::string loaded(plan::Load load, const std::string& a, std::string& bindings) {
  switch (load) {
    case plan::Load::plain: return a;
    case plan::Load::float16: return half_to_float(a);
    case plan::Load::float32_cut: return cut("load", a, 32, 32, bindings);
    case plan::Load::float64: return double_to_float("load", a, bindings);
    case plan::Load::float64_cut: return extract(31, 0, cut("load", a, 64, 32, bindings));
    case plan::Load::float64_toward_zero: return cut_double_to_float("load", a, bindings);
    case plan::Load::int64:
    case plan::Load::uint64: return nearest_float("load", a, 64, load == plan::Load::int64, 8, 23, bindings);
  }
  return a;
}

std::string stored(plan::Store store, const std::string& a, std::string& bindings) {
  switch (store) {
    case plan::Store::plain: return a;
    case plan::Store::upper_half: return concat(constant(0, 16), extract(31, 16, a));
    case plan::Store::upper_nearest: {
      const std::string tie = call("bvadd", constant(0x7FFF, 32), concat(constant(0, 31), bit(16, a)));
      return concat(constant(0, 16), extract(31, 16, call("bvadd", a, tie)));
    }
    case plan::Store::float16: return extract(15, 0, float_to_half("store", a, bindings));
    case plan::Store::float64: return float_to_double(a);
    case plan::Store::int64: return "((_ sign_extend 32) " + a + ")";
    case plan::Store::float32_cut: return cut("cut", float_to_double(a), 64, 64, bindings);
    case plan::Store::float64_of_int: return nearest_float("store", a, 32, true, 11, 52, bindings);
  }
  return a;
}

/// a * b + c on float32 patterns, a a power of two and the product a normal number: exact, then one rounding.
std::string multiply_add(const std::string& a, const std::string& b, const std::string& c, std::vector<std::string>& domain) {
  const auto exponent = [](const std::string& x) { return concat("#b00", extract(30, 23, x)); };
  const std::string sum = call("bvadd", exponent(a), exponent(b));  // biased twice
  domain.push_back(call("=", extract(22, 0, a), constant(0, 23)));
  domain.push_back("(and (distinct " + exponent(a) + " " + constant(0, 10) + ") (distinct " + exponent(b) + " " + constant(0, 10) + ") " +
                   call("bvugt", sum, constant(127, 10)) + " " + call("bvult", sum, constant(127 + 255, 10)) + ")");
  const std::string product = call("bvadd", b, call("bvsub", a, constant(127u << 23, 32)));
  const auto number = [](const std::string& bits) { return "((_ to_fp 8 24) " + bits + ")"; };
  return "(fp.to_ieee_bv (fp.add RNE " + number(product) + " " + number(c) + "))";
}

/// Node names begin with `prefix`.
SmtPlan print_lanes(const plan::LanePlan& plan, const std::string& input, const std::string& prefix) {
  SmtPlan out;
  const int lane = plan.lane_bits;
  const auto leave_out = [](const std::string& operation) {
    SmtPlan nothing;
    nothing.left_out = operation;
    return nothing;
  };
  for (std::size_t id = 0; id < plan.nodes.size(); ++id) {
    const Node& node = plan.nodes[id];
    const std::string name = prefix + std::to_string(id);
    const std::string a = prefix + std::to_string(node.a), b = prefix + std::to_string(node.b), c = prefix + std::to_string(node.c);
    const int fixed = static_cast<int>(node.imm);  // shifts
    const auto at_most = [&](const char* compare, const std::string& x, std::uint64_t limit) { return call(compare, x, constant(limit, lane)); };
    std::string term;
    switch (node.op) {
      case Op::input: term = input; break;
      case Op::constant: term = constant(lane >= 64 ? node.imm : node.imm & ((1ull << lane) - 1), lane); break;
      case Op::bit_and: term = call("bvand", a, b); break;
      case Op::bit_or: term = call("bvor", a, b); break;
      case Op::bit_xor: term = call("bvxor", a, b); break;
      case Op::add: term = call("bvadd", a, b); break;
      case Op::sub: term = call("bvsub", a, b); break;
      // Fixed shifts as moved bits: constants fold through them.
      case Op::shl_imm: term = concat(extract(lane - 1 - fixed, 0, a), constant(0, fixed)); break;
      case Op::shr_imm: term = concat(constant(0, fixed), extract(lane - 1, fixed, a)); break;
      case Op::sar_imm: term = "((_ sign_extend " + std::to_string(fixed) + ") " + extract(lane - 1, fixed, a) + ")"; break;
      case Op::shl: term = call("bvshl", a, b); break;  // SMT-LIB too shifts everything out from the width on
      case Op::shr: term = call("bvlshr", a, b); break;
      case Op::min: term = ite(call("bvult", a, b), a, b); break;
      case Op::max: term = ite(call("bvugt", a, b), a, b); break;
      case Op::min_signed: term = ite(call("bvslt", a, b), a, b); break;
      case Op::max_signed: term = ite(call("bvsgt", a, b), a, b); break;
      case Op::equal: term = call("=", a, b); break;
      case Op::greater:
        out.domain.push_back(call("=", bit(lane - 1, call("bvor", a, b)), "#b0"));
        term = call("bvugt", a, b);
        break;
      case Op::mask_and: term = call("and", a, b); break;
      case Op::mask_or: term = call("or", a, b); break;
      case Op::select: term = ite(a, b, c); break;
      case Op::merge: term = call("bvor", call("bvand", a, b), call("bvand", call("bvnot", a), c)); break;
      case Op::float_of_uint:
        if (lane != 32 && lane != 64) return leave_out("float_of_uint outside lanes of 32 and 64 bits");
        out.domain.push_back(at_most("bvule", a, lane == 32 ? 1ull << 24 : 1ull << 53));
        term = lane == 32 ? exact_float(a, 32, 23, 127) : exact_float(a, 64, 52, 1023);
        break;
      case Op::float_of_int: {
        if (lane != 32) return leave_out("float_of_int outside lanes of 32 bits");
        out.domain.push_back(at_most("bvsle", a, 1ull << 24));
        out.domain.push_back(at_most("bvsge", a, 0xFF000000));
        const std::string magnitude = name + "_magnitude";
        out.bindings += bind(magnitude, ite(is_set(31, a), call("bvneg", a), a));
        term = call("bvor", exact_float(magnitude, 32, 23, 127), concat(bit(31, a), constant(0, 31)));
        break;
      }
      case Op::min_or_second: term = ite(float_less(a, b), a, b); break;
      case Op::binade: {
        out.domain.push_back("(and (not " + float_is_nan(a) + ") " + call("=", concat(bit(31, b), extract(22, 0, b)), constant(0, 24)) + ")");
        const std::string larger = ite(call("bvult", extract(30, 23, a), extract(30, 23, b)), extract(30, 23, b), extract(30, 23, a));
        term = concat(concat(bit(31, a), larger), constant(0, 23));
        break;
      }
      case Op::int_of_float_toward_zero:
      case Op::int_of_float_nearest:
        term = lane == 64 ? ite(call("bvult", extract(62, 52, a), constant(1023 + 63, 11)),
                                wrap_int_of_float(name, a, lane, node.op == Op::int_of_float_nearest, out.bindings, 64), constant(1ull << 63, 64))
                          : ite(call("bvult", extract(30, 23, a), constant(127 + 31, 8)), int_of_float(name, a, node.op, out.bindings), constant(1ull << 31, 32));
        break;
      case Op::int_of_float_away:
      case Op::int_of_float_floor:
      case Op::int_of_float_ceil:
      case Op::int_of_float_odd:
        out.domain.push_back("(or " + call("bvult", extract(30, 23, a), constant(127 + 31, 8)) + " " + call("=", a, constant(0xCF000000, 32)) + ")");
        term = int_of_float(name, a, node.op, out.bindings);
        break;
      case Op::half_to_float: term = half_to_float(a); break;
      case Op::float_to_half: term = float_to_half(name, a, out.bindings); break;
      case Op::double_to_float:
        term = concat(constant(0, 32), double_to_float(name, a, out.bindings));
        break;
      case Op::nearest_float_of_int:
      case Op::nearest_float_of_uint:
        term = nearest_float(name, a, lane, node.op == Op::nearest_float_of_int, lane == 32 ? 8 : 11, lane == 32 ? 23 : 52, out.bindings);
        break;
      case Op::nearest_single_of_int:
      case Op::nearest_single_of_uint:
        term = concat(constant(0, 32), nearest_float(name, a, 64, node.op == Op::nearest_single_of_int, 8, 23, out.bindings));
        break;
      case Op::wrap_int_of_float_toward_zero:
      case Op::wrap_int_of_float_nearest:
        out.domain.push_back("(distinct " + (lane == 32 ? extract(30, 23, a) : extract(62, 52, a)) + " " + ones(lane == 32 ? 8 : 11) + ")");
        term = wrap_int_of_float(name, a, lane, node.op == Op::wrap_int_of_float_nearest, out.bindings);
        break;
      case Op::nan_becomes: {
        const std::string is_nan = call("bvugt", concat("#b0", extract(lane - 2, 0, a)), constant(lane == 64 ? 0x7FF0000000000000 : 0x7F800000, lane));
        term = ite(is_nan, concat(bit(lane - 1, a), extract(lane - 2, 0, b)), a);
        break;
      }
      case Op::cut_to_int: term = cut(name, a, lane, 32, out.bindings); break;
      case Op::cut_to_long: term = cut(name, a, 64, 64, out.bindings); break;
      case Op::cut_double_to_float: term = concat(constant(0, 32), cut_double_to_float(name, a, out.bindings)); break;
      case Op::multiply_add:
        out.domain.push_back("(not " + float_is_nan(c) + ")");
        term = multiply_add(a, b, c, out.domain);
        break;
    }
    if (term.empty()) return leave_out("operation " + std::to_string(static_cast<int>(node.op)));
    out.bindings += bind(name, term);
    out.result = name;
  }
  return out;
}

}  // namespace

SmtPlan print_smt(const plan::LanePlan& plan, const std::string& input) {
  SmtPlan out;
  std::string lane = input;
  if (plan.prepare) {
    out = print_lanes(*plan.prepare, input, "p");
    if (!out.left_out.empty()) return out;
    lane = plan.load == plan::Load::plain ? extract(plan.lane_bits - 1, 0, out.result) : out.result;
  }
  if (plan.load_shift != 0) {
    out.bindings += bind("shifted", call("bvshl", lane, constant(static_cast<std::uint64_t>(plan.load_shift), plan.lane_bits)));
    lane = "shifted";
  }
  if (plan.load != plan::Load::plain) {
    const std::string term = loaded(plan.load, lane, out.bindings);
    out.bindings += bind("loaded", term);
    lane = "loaded";
  }
  SmtPlan mapped = print_lanes(plan, lane, "n");
  if (!mapped.left_out.empty()) return mapped;
  out.bindings += mapped.bindings;
  out.domain.insert(out.domain.end(), mapped.domain.begin(), mapped.domain.end());
  out.result = mapped.result;
  const std::string signed_lane = plan.sign_in_result ? mapped.result : lane;
  if (plan.fold != 0) {
    if (plan.sign_in_result) {  // see folded_sign() in interpret.cpp
      const auto part = [&](int high, int shift) {
        const std::string half = "((_ sign_extend 16) " + extract(high, high - 15, mapped.result) + ")";
        return call("bvshl", half, constant(static_cast<std::uint64_t>(shift), 32));
      };
      out.domain.push_back(call("=", bit(31, call("bvadd", part(15, 8), part(31, 24 - plan.fold))), bit(31, mapped.result)));
    }
    out.bindings += bind("folded", call("bvadd", mapped.result, call("bvlshr", mapped.result, constant(static_cast<std::uint64_t>(plan.fold), 32))));
    out.result = "folded";
  }
  if (plan.sign_bit != 0) {
    const std::string zero = constant(0, plan.lane_bits);
    std::string negative = is_set(plan.lane_bits - 1, signed_lane);
    if (plan.sign_unless_zero) {
      negative = call("and", negative, call("distinct", call("bvand", out.result, constant(2 * plan.sign_bit - 1, plan.lane_bits)), zero));
    }
    out.bindings += bind("signed", call("bvor", out.result, ite(negative, constant(plan.sign_bit, plan.lane_bits), zero)));
    out.result = "signed";
  }
  if (plan.store != plan::Store::plain) {
    const std::string term = stored(plan.store, out.result, out.bindings);
    out.bindings += bind("stored", term);
    out.result = "stored";
  }
  return out;
}

}  // namespace castforge::emit
