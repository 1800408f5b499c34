#include "ir/operation_terms.hpp"

#include <algorithm>

namespace castforge::ir::terms {

using namespace smt;
using namespace values;

namespace {

// Fields of a float.
std::string exponent_of(const Layout& layout, const std::string& a) {
  return extract(layout.sign_bit() - 1, layout.mantissa_bits, a);
}

std::string fraction_of(const Layout& layout, const std::string& a) { return extract(layout.mantissa_bits - 1, 0, a); }

std::string magnitude_of(const Layout& layout, const std::string& a) { return extract(layout.sign_bit() - 1, 0, a); }

std::string sign_of(const Layout& layout, const std::string& a) { return bit(layout.sign_bit(), a); }

std::string is_nan(const Layout& layout, const std::string& a) {
  return call("bvugt", magnitude_of(layout, a), smt::constant(layout.infinity(), layout.sign_bit()));
}

/// A number in as many bits as the exponent has: the biased exponent of 2^`exponent`.
std::string biased(const Layout& layout, int exponent) {
  return smt::constant(static_cast<std::uint64_t>(layout.bias + exponent), layout.exponent_bits);
}

/// float32 pattern, |a| < 2^31 or a = -2^31, to a 32-bit integer.
std::string int_of_float(const TermCall& x, Rounding mode) {
  const std::string& a = x.a();
  // significand * 2^(exponent - 126) counts in 2^-24: 24 bits below the point, at most 31 + 1 above.
  const std::string exponent = exponent_of(kFloat32, a), one_half = biased(kFloat32, -1);
  const std::string wide = x.name + "_wide", integer = x.name + "_whole", rest = x.name + "_rest";
  const std::string shift = concat(smt::constant(0, 56), call("bvsub", exponent, one_half));
  *x.bindings += let(wide, call("bvshl", concat(smt::constant(1, 41), fraction_of(kFloat32, a)), shift));
  // Below 1/2 nothing but whether there is anything matters.
  const std::string tiny = call("bvult", exponent, one_half);
  const std::string anything =
      ite(call("=", magnitude_of(kFloat32, a), smt::constant(0, 31)), smt::constant(0, 24), smt::constant(1, 24));
  *x.bindings += let(integer, ite(tiny, smt::constant(0, 32), extract(55, 24, wide)));
  *x.bindings += let(rest, ite(tiny, anything, extract(23, 0, wide)));
  const std::string negative = is_set(kFloat32.sign_bit(), a), odd = is_set(0, integer),
                    first_dropped = is_set(23, rest);
  const std::string inexact = "(distinct " + rest + " " + smt::constant(0, 24) + ")";
  const std::string more = "(distinct " + extract(22, 0, rest) + " " + smt::constant(0, 23) + ")";
  std::string up = "false";
  if (mode == kNearest) up = "(and " + first_dropped + " (or " + odd + " " + more + "))";
  if (mode == kAway) up = first_dropped;
  if (mode == kFloor) up = "(and " + negative + " " + inexact + ")";
  if (mode == kCeil) up = "(and (not " + negative + ") " + inexact + ")";
  if (mode == kOdd) up = "(and (not " + odd + ") " + inexact + ")";
  const std::string magnitude = x.name + "_magnitude";
  *x.bindings += let(magnitude, ite(up, call("bvadd", integer, smt::constant(1, 32)), integer));
  return ite(negative, call("bvneg", magnitude), magnitude);
}

/// The significand (hidden bit included, `bits` wide) in ulps of 2^shift, nearest even.
std::string nearest_ulps(const TermCall& x, const std::string& significand, const std::string& shift, int bits) {
  const std::string ulps = x.name + "_ulps", places = x.name + "_shift";
  const std::string one = smt::constant(1, bits);
  *x.bindings += let(places, shift);
  *x.bindings += let(ulps, call("bvlshr", significand, places));
  const std::string dropped = call("bvsub", significand, call("bvshl", ulps, places));
  const std::string tie = call("bvshl", one, call("bvsub", places, one));
  const std::string up =
      "(or " + call("bvugt", dropped, tie) + " (and " + call("=", dropped, tie) + " " + is_set(0, ulps) + "))";
  return ite(up, call("bvadd", ulps, one), ulps);
}

/// Low `kept` bits of a finite float32 or float64 pattern of `lane` bits rounded to an integer.
std::string low_integer_bits(const TermCall& x, const std::string& a, int lane, bool nearest, int kept) {
  const Layout& layout = float_of(lane);
  const int fraction = layout.mantissa_bits, exponent_bits = layout.exponent_bits, bias = layout.bias;
  const int width = std::max(lane, kept);  // of the intermediate integers
  const std::string exponent = x.name + "_exponent", significand = x.name + "_significand", low = x.name + "_low";
  *x.bindings += let(exponent, concat(smt::constant(0, width - exponent_bits), exponent_of(layout, a)));
  *x.bindings += let(significand, concat(smt::constant(1, width - fraction), fraction_of(layout, a)));
  const std::string at_integer = smt::constant(static_cast<std::uint64_t>(bias + fraction), width);
  const std::string down = call("bvsub", at_integer, exponent);
  const std::string integer = nearest ? nearest_ulps(x, significand, down, width) : call("bvlshr", significand, down);
  const std::string moved = ite(call("bvult", exponent, at_integer), integer,
                                call("bvshl", significand, call("bvsub", exponent, at_integer)));
  // Below 1/4 nothing is left; a subnormal, whose hidden bit this gets wrong, is far below.
  const std::string tiny = call("bvult", exponent, smt::constant(static_cast<std::uint64_t>(bias - 2), width));
  *x.bindings += let(low, extract(kept - 1, 0, ite(tiny, smt::constant(0, width), moved)));
  return ite(is_set(lane - 1, a), call("bvneg", low), low);
}

/// Toward zero, and 0 for NaN and infinities.
std::string truncated_pattern(const TermCall& x, const std::string& a, int lane, int kept) {
  const Layout& layout = float_of(lane);
  const std::string number = low_integer_bits(x, a, lane, false, kept);
  return ite(call("=", exponent_of(layout, a), ones(layout.exponent_bits)), smt::constant(0, kept), number);
}

}  // namespace

std::string sign_extend(int bits, const std::string& term) {
  return bits == 0 ? term : "((_ sign_extend " + std::to_string(bits) + ") " + term + ")";
}

std::string subtract_saturated(const std::string& a, const std::string& b) {
  const std::string difference = call("bvsub", sign_extend(1, a), sign_extend(1, b));
  const std::string limit = ite(is_set(8, difference), smt::constant(0x80, 8), smt::constant(0x7F, 8));
  return ite(call("=", bit(8, difference), bit(7, difference)), extract(7, 0, difference), limit);
}

std::string add_saturated(const std::string& a, const std::string& b) {
  const std::string sum = call("bvadd", concat("#b0", a), concat("#b0", b));
  return ite(is_set(8, sum), smt::constant(0xFF, 8), extract(7, 0, sum));
}

std::string join_terms(const TermCall& x) {
  std::string term;
  for (const std::string& byte : x.args) term = concat(byte, term);
  return term;
}

std::string table_term(const TermCall& x, const std::string& index, int index_bits, int entry_bits) {
  std::string term = smt::constant(x.table->back(), entry_bits);
  for (std::size_t i = x.table->size() - 1; i-- > 0;) {
    term = ite(call("=", index, smt::constant(i, index_bits)), smt::constant((*x.table)[i], entry_bits), term);
  }
  return term;
}

std::string table_term(const TermCall& x, const std::string& index, int index_bits) {
  return table_term(x, index, index_bits, x.to);
}

std::string exact_float(const std::string& integer, const Layout& layout) {
  const int lane = layout.bits(), mantissa = layout.mantissa_bits;
  std::string term = smt::constant(0, lane);
  for (int leading = 0; leading <= mantissa + 1 && leading < lane; ++leading) {
    const int kept = leading > mantissa ? mantissa : leading;
    const std::string fraction =
        concat(extract(leading - 1, leading - kept, integer), smt::constant(0, mantissa - kept));
    const std::string exponent = smt::constant(static_cast<std::uint64_t>(layout.bias + leading), lane - mantissa);
    term = ite(is_set(leading, integer), concat(exponent, fraction), term);
  }
  return term;
}

std::string exact_float_of_int(const TermCall& x) {
  require(x, call("bvsle", x.a(), smt::constant(1u << 24, 32)));
  require(x, call("bvsge", x.a(), smt::constant(0 - (1u << 24), 32)));
  const std::string magnitude = x.name + "_magnitude";
  *x.bindings += let(magnitude, ite(is_set(31, x.a()), call("bvneg", x.a()), x.a()));
  return call("bvor", exact_float(magnitude, kFloat32), concat(bit(31, x.a()), smt::constant(0, 31)));
}

std::string nan_becomes(const TermCall& x) {
  require(x, call("bvsge", x.b(), smt::constant(0, x.bits)));
  const std::string sign = concat(bit(x.bits - 1, x.a()), smt::constant(0, x.bits - 1));
  return ite(is_nan(float_of(x.bits), x.a()), call("bvor", sign, x.b()), x.a());
}

std::string leading_zeros(const TermCall& x) {
  std::string term = smt::constant(width(x.bits), x.bits);
  for (int place = 0; place < x.bits; ++place)
    term = ite(is_set(place, x.a()), smt::constant(width(x.bits - 1 - place), x.bits), term);
  return term;
}

std::string float_less(const std::string& a, const std::string& b) {
  const auto key = [](const std::string& x) {  // order of two's complement integers
    const std::string magnitude = concat("#b0", magnitude_of(kFloat32, x));
    return ite(is_set(31, x), call("bvneg", magnitude), magnitude);
  };
  return "(and (not " + is_nan(kFloat32, a) + ") (not " + is_nan(kFloat32, b) + ") " + call("bvslt", key(a), key(b)) +
         ")";
}

std::string half_ulps_rto(const TermCall& x) {
  const std::string least = smt::constant(kFloat32.power_of_two(1 - kFloat32.bias + kFloat32.mantissa_bits + 1), 32);
  const std::string infinity = smt::constant(kFloat32.infinity(), 32);
  const std::string third = smt::constant(kFloat32.quiet() + kFloat32.hidden(), 32);
  require(x, "(and " +
                 call("=", fraction_of(kFloat32, x.b()), smt::constant(kFloat32.quiet(), kFloat32.mantissa_bits)) +
                 " " + call("bvuge", x.b(), least) + " " + call("bvult", x.b(), infinity) + " " +
                 call("bvule", x.a(), call("bvsub", x.b(), third)) + ")");
  // The significand counts in ulps of a; half an ulp of b is 2^shift of them, and a shift from 32 on leaves nothing.
  const std::string significand = x.name + "_significand", shift = x.name + "_shift", half_ulps = x.name + "_ulps";
  const std::string one = smt::constant(1, kFloat32.exponent_bits), exponent = exponent_of(kFloat32, x.a());
  const std::string is_normal = call("bvuge", exponent, one);
  *x.bindings +=
      let(significand, concat(concat(smt::constant(0, 8), ite(is_normal, "#b1", "#b0")), fraction_of(kFloat32, x.a())));
  *x.bindings += let(shift, concat(smt::constant(0, 24), call("bvsub", call("bvsub", exponent_of(kFloat32, x.b()), one),
                                                              ite(is_normal, exponent, one))));
  *x.bindings += let(half_ulps, call("bvlshr", significand, shift));
  const std::string exact = call("=", call("bvshl", half_ulps, shift), significand);
  return call("bvor", half_ulps, ite(exact, smt::constant(0, 32), smt::constant(1, 32)));
}

std::string limit_magnitude(const TermCall& x) {
  require(x, "(and " + call("bvule", x.b(), x.c()) + " " +
                 call("bvule", x.c(), smt::constant(kFloat32.infinity(), 32)) + ")");
  const std::string magnitude = concat("#b0", magnitude_of(kFloat32, x.a()));
  return ite(is_nan(kFloat32, x.a()), x.c(), ite(call("bvult", magnitude, x.b()), magnitude, x.b()));
}

std::string binade(const TermCall& x) {
  const std::string& a = x.a();
  const std::string& b = x.b();
  const std::string is_power = call("=", concat(sign_of(kFloat32, b), fraction_of(kFloat32, b)), smt::constant(0, 24));
  const std::string exponent_a = exponent_of(kFloat32, a), exponent_b = exponent_of(kFloat32, b);
  const std::string is_normal = "(distinct " + exponent_b + " " + smt::constant(0, 8) + " " + ones(8) + ")";
  require(x, "(and (not " + is_nan(kFloat32, a) + ") " + is_power + " " + is_normal + ")");
  return concat(concat(sign_of(kFloat32, a), ite(call("bvult", exponent_a, exponent_b), exponent_b, exponent_a)),
                smt::constant(0, 23));
}

namespace {

/// a * b + c, where a is a power of two or, if `may_be_zero`, zero.
std::string sum_with_product(const TermCall& x, bool may_be_zero) {
  constexpr unsigned kBias = kFloat32.bias;
  const auto exponent = [](const std::string& value) { return concat("#b00", exponent_of(kFloat32, value)); };
  const auto is_normal = [&](const std::string& value) {
    return "(distinct " + exponent(value) + " " + smt::constant(0, 10) + " " + smt::constant(2 * kBias + 1, 10) + ")";
  };
  const std::string sum = call("bvadd", exponent(x.a()), exponent(x.b()));  // biased twice
  const std::string is_zero = call("=", x.a(), smt::constant(0, 32));
  require(x, call("=", fraction_of(kFloat32, x.a()), smt::constant(0, 23)));
  require(x, "(and " + is_normal(x.b()) + " (not " + is_nan(kFloat32, x.c()) + "))");
  const std::string normal = "(and " + is_normal(x.a()) + " " + call("bvugt", sum, smt::constant(kBias, 10)) + " " +
                             call("bvult", sum, smt::constant(kBias + 2 * kBias + 1, 10)) + ")";
  require(x, may_be_zero ? call("or", is_zero, normal) : normal);
  std::string product = call("bvadd", x.b(), call("bvsub", x.a(), smt::constant(kFloat32.power_of_two(0), 32)));
  if (may_be_zero) product = ite(is_zero, call("bvand", x.b(), smt::constant(kFloat32.sign(), 32)), product);
  const auto number = [](const std::string& bits) { return "((_ to_fp 8 24) " + bits + ")"; };
  return "(fp.to_ieee_bv (fp.add RNE " + number(product) + " " + number(x.c()) + "))";
}

}  // namespace

std::string multiply_add(const TermCall& x) { return sum_with_product(x, false); }

std::string fused_multiply_add(const TermCall& x) {
  require(x, "(not (fp.isSubnormal ((_ to_fp 8 24) " + x.c() + ")))");
  return sum_with_product(x, true);
}

std::string int_of_float_within(const TermCall& x, Rounding mode) {
  const std::string small = call("bvult", exponent_of(kFloat32, x.a()), biased(kFloat32, 31));
  const std::string least = smt::constant(kFloat32.sign() | kFloat32.power_of_two(31), 32);  // -2^31
  require(x, "(or " + small + " " + call("=", x.a(), least) + ")");
  return int_of_float(x, mode);
}

std::string int_of_float_or_top(const TermCall& x, Rounding mode) {
  const Layout& layout = float_of(x.bits);
  const std::string within = call("bvult", exponent_of(layout, x.a()), biased(layout, x.bits - 1));
  const std::string integer =
      x.bits == 32 ? int_of_float(x, mode) : low_integer_bits(x, x.a(), 64, mode == kNearest, 64);
  return ite(within, integer, smt::constant(1ull << (x.bits - 1), x.bits));
}

std::string wrap_int_of_float(const TermCall& x, bool nearest) {
  const Layout& layout = float_of(x.bits);
  const std::string exponent = exponent_of(layout, x.a());
  const std::string is_zero = call("=", magnitude_of(layout, x.a()), smt::constant(0, layout.sign_bit()));
  require(x, "(or " + is_zero + " " + call("bvuge", exponent, biased(layout, -2)) + ")");
  require(x, "(distinct " + exponent + " " + ones(layout.exponent_bits) + ")");
  return low_integer_bits(x, x.a(), x.bits, nearest, 32);
}

std::string truncated_term(const TermCall& x, int lane, int kept) { return truncated_pattern(x, x.a(), lane, kept); }

std::string wider_float(const Layout& from, const Layout& to, const std::string& a) {
  const std::string exponent = exponent_of(from, a), fraction = fraction_of(from, a);
  const int longer = to.mantissa_bits - from.mantissa_bits;
  const std::string no_fraction = smt::constant(0, to.mantissa_bits);
  std::string small = smt::constant(0, to.sign_bit());
  for (int leading = 0; leading < from.mantissa_bits; ++leading) {
    const std::string rest = concat(extract(leading - 1, 0, a), smt::constant(0, to.mantissa_bits - leading));
    const int place = from.min_exponent() - from.mantissa_bits + leading;
    small = ite(is_set(leading, a), concat(biased(to, place), rest), small);
  }
  const std::string moved = concat(fraction, smt::constant(0, longer));
  const std::string quiet = call("bvor", moved, smt::constant(to.quiet(), to.mantissa_bits));
  const std::string is_infinite = call("=", fraction, smt::constant(0, from.mantissa_bits));
  const std::string special = concat(ones(to.exponent_bits), ite(is_infinite, no_fraction, quiet));
  const std::string extended = concat(smt::constant(0, to.exponent_bits - from.exponent_bits), exponent);
  const std::string normal = concat(call("bvadd", extended, biased(to, -from.bias)), moved);
  const std::string number = ite(call("=", exponent, ones(from.exponent_bits)), special, normal);
  const std::string is_small = call("=", exponent, smt::constant(0, from.exponent_bits));
  return concat(sign_of(from, a), ite(is_small, small, number));
}

std::string narrower_float(const TermCall& x, const Layout& from, const Layout& to, bool nearest) {
  const std::string& a = x.a();
  const std::string exponent = exponent_of(from, a);
  const std::string small = x.name + "_small", normal = x.name + "_normal";
  const int dropped = from.mantissa_bits - to.mantissa_bits, ulp = to.min_exponent() - to.mantissa_bits;  // 2^ulp

  // Normal numbers: exponent and fraction as one number; the carry may run into the exponent, and up to infinity.
  const std::string rebias =
      smt::constant(static_cast<std::uint64_t>(from.bias - to.bias) << from.mantissa_bits, from.bits());
  const std::string rebased = call("bvsub", concat("#b0", magnitude_of(from, a)), rebias);
  const std::string tie = call("bvadd", smt::constant(low_bits(dropped - 1), from.bits()),
                               concat(smt::constant(0, from.bits() - 1), bit(dropped, a)));
  *x.bindings +=
      let(normal, extract(dropped + to.sign_bit(), dropped, nearest ? call("bvadd", rebased, tie) : rebased));

  // Subnormal numbers: the significand in ulps, of 2^ulp each.
  const std::string significand = concat(smt::constant(1, 1 + from.exponent_bits), fraction_of(from, a));
  const std::string shift = call("bvsub", smt::constant(width(from.bias + ulp + from.mantissa_bits), from.bits()),
                                 concat(smt::constant(0, from.bits() - from.exponent_bits), exponent));
  const std::string ulps =
      nearest ? nearest_ulps(x, significand, shift, from.bits()) : call("bvlshr", significand, shift);
  *x.bindings += let(small, extract(to.sign_bit(), 0, ulps));

  const std::string infinity = smt::constant(to.infinity(), to.bits()),
                    largest = smt::constant(to.infinity() - 1, to.bits());
  const std::string is_infinite = call("=", magnitude_of(from, a), smt::constant(from.infinity(), from.sign_bit()));
  const std::string beyond = nearest ? infinity : ite(is_infinite, infinity, largest);
  const std::string large = ite(call("bvugt", exponent, biased(from, to.bias)), beyond, normal);
  const std::string number = ite(call("bvult", exponent, biased(from, ulp - 1)), smt::constant(0, to.bits()),
                                 ite(call("bvult", exponent, biased(from, to.min_exponent())), small, large));
  const std::string quiet = smt::constant((to.infinity() | to.quiet()) >> (to.mantissa_bits - 1), to.exponent_bits + 2);
  const std::string nan = concat(quiet, extract(from.mantissa_bits - 2, dropped, a));
  const std::string magnitude = ite(is_nan(from, a), nan, number);
  return call("bvor", magnitude, concat(sign_of(from, a), smt::constant(0, to.sign_bit())));
}

std::string directed_float16_term(const TermCall& x, bool up) {
  const std::string toward_zero = x.name + "_toward_zero";
  const std::string truncated = narrower_float(x, kFloat32, kFloat16, false);
  *x.bindings += let(toward_zero, truncated);
  const std::string inexact = call("not", call("=", wider_float(kFloat16, kFloat32, toward_zero), x.a()));
  const std::string grows = call("and", call("=", sign_of(kFloat32, x.a()), smt::constant(up ? 0 : 1, 1)),
                                 call("and", call("not", is_nan(kFloat32, x.a())), inexact));
  return call("bvadd", toward_zero, ite(grows, smt::constant(1, 16), smt::constant(0, 16)));
}

std::string nearest_float(const TermCall& x, bool is_signed, const Layout& layout) {
  const int lane = x.bits, fraction = layout.mantissa_bits, magnitude_bits = layout.sign_bit();
  const std::string magnitude = x.name + "_magnitude";
  *x.bindings += let(magnitude, is_signed ? ite(is_set(lane - 1, x.a()), call("bvneg", x.a()), x.a()) : x.a());
  std::string term = smt::constant(0, magnitude_bits);
  for (int leading = 0; leading < lane; ++leading) {
    const std::string exponent = biased(layout, leading);
    std::string number;
    if (leading <= fraction) {
      number = concat(exponent, concat(extract(leading - 1, 0, magnitude), smt::constant(0, fraction - leading)));
    } else {
      const int dropped = leading - fraction;
      const std::string kept = concat(exponent, extract(leading - 1, dropped, magnitude));
      const std::string rest =
          dropped > 1 ? "(distinct " + extract(dropped - 2, 0, magnitude) + " " + smt::constant(0, dropped - 1) + ")"
                      : "false";
      const std::string up =
          "(and " + is_set(dropped - 1, magnitude) + " (or " + is_set(dropped, magnitude) + " " + rest + "))";
      number = ite(up, call("bvadd", kept, smt::constant(1, magnitude_bits)), kept);
    }
    term = ite(is_set(leading, magnitude), number, term);
  }
  return concat(is_signed ? bit(lane - 1, x.a()) : "#b0", term);
}

std::string odd_float32_term(const TermCall& x, bool is_signed) {
  constexpr int kFraction = kFloat32.mantissa_bits;
  const std::string magnitude = x.name + "_magnitude";
  *x.bindings += let(magnitude, is_signed ? ite(is_set(63, x.a()), call("bvneg", x.a()), x.a()) : x.a());
  std::string term = smt::constant(0, kFloat32.sign_bit());
  for (int leading = 0; leading < 64; ++leading) {
    const int dropped = std::max(0, leading - kFraction);
    std::string fraction = concat(extract(leading - 1, dropped, magnitude), smt::constant(0, kFraction - leading));
    if (dropped > 0) {
      const std::string exact = call("=", extract(dropped - 1, 0, magnitude), smt::constant(0, dropped));
      fraction = call("bvor", fraction, ite(exact, smt::constant(0, kFraction), smt::constant(1, kFraction)));
    }
    term = ite(is_set(leading, magnitude), concat(biased(kFloat32, leading), fraction), term);
  }
  return concat(is_signed ? bit(63, x.a()) : "#b0", term);
}

std::string directed_float32_term(const TermCall& x, Rounding mode) {
  constexpr int kFraction = kFloat32.mantissa_bits;
  const int top = x.bits - 1;
  const std::string magnitude = x.name + "_magnitude", sign = bit(top, x.a());
  *x.bindings += let(magnitude, ite(is_set(top, x.a()), call("bvneg", x.a()), x.a()));
  const auto number = [&](int leading) {
    const std::string exponent = biased(kFloat32, leading);
    if (leading <= kFraction)
      return concat(exponent, concat(extract(leading - 1, 0, magnitude), smt::constant(0, kFraction - leading)));
    const int dropped = leading - kFraction;
    const std::string kept = concat(exponent, extract(leading - 1, dropped, magnitude));
    if (mode == kTruncated) return kept;
    const std::string exact = call("=", extract(dropped - 1, 0, magnitude), smt::constant(0, dropped));
    const std::string stays = call("or", exact, call("=", sign, smt::constant(mode == kFloor ? 0 : 1, 1)));
    return ite(stays, kept, call("bvadd", kept, smt::constant(1, kFloat32.sign_bit())));
  };
  std::string term = smt::constant(0, kFloat32.sign_bit());
  for (int leading = 0; leading < x.bits; ++leading) term = ite(is_set(leading, magnitude), number(leading), term);
  return concat(sign, term);
}

}  // namespace castforge::ir::terms
