#include "ir/operations.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include "ir/smt_terms.hpp"

namespace castforge::ir {
namespace {

// Biased exponents, in the source, of the smallest normal number of the destination.
constexpr unsigned kLeastHalf = 127 - 14;      // 2^-14 in float32, for float16
constexpr unsigned kLeastSingle = 1023 - 126;  // 2^-126 in float64, for float32

using namespace smt;

// ---- numbers ----

std::uint64_t width(int bits) { return static_cast<std::uint64_t>(bits); }

std::int64_t as_signed(std::uint64_t lane, int bits) {
  const int unused = 64 - bits;
  return static_cast<std::int64_t>(lane << unused) >> unused;
}

float as_float(std::uint64_t lane) { return std::bit_cast<float>(static_cast<std::uint32_t>(lane)); }
double as_double(std::uint64_t lane) { return std::bit_cast<double>(lane); }
std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }
std::uint64_t infinity(int bits) { return bits == 64 ? 0x7FF0000000000000 : 0x7F800000; }

enum Rounding { kTruncated, kNearest, kAway, kFloor, kCeil, kOdd };

/// A number below 2^63 as an integer.
std::uint64_t whole(double x, Rounding mode) {
  const auto integer = [](double value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); };
  const double floor = std::floor(x);
  switch (mode) {
    case kTruncated: return integer(x);
    case kNearest: return integer(std::nearbyint(x));
    case kAway: return integer(std::round(x));
    case kFloor: return integer(floor);
    case kCeil: return integer(std::ceil(x));
    case kOdd: return floor == x ? integer(floor) : integer(floor) | 1;  // one of the two beside x
  }
  return 0;
}

std::uint64_t whole_or_top(double x, int bits, Rounding mode) {
  return std::fabs(x) < std::ldexp(1.0, bits - 1) ? whole(x, mode) : 1ull << (bits - 1);
}

/// Rounded to odd.
std::uint64_t odd_float32(bool negative, std::uint64_t magnitude) {
  const int dropped = std::max(0, static_cast<int>(std::bit_width(magnitude)) - 24);
  const bool inexact = (magnitude & low_bits(dropped)) != 0;
  const auto kept = static_cast<float>((magnitude >> dropped) | (inexact ? 1 : 0));
  return bits_of(std::ldexp(negative ? -kept : kept, dropped));
}

bool is_within_int32(std::uint64_t a) { return as_float(a) >= -2147483648.0f && as_float(a) < 2147483648.0f; }

bool wraps(double x) { return std::isfinite(x) && (x == 0 || std::fabs(x) >= 0.25); }

std::uint64_t wrapped(double x, Rounding mode) {
  const double integer = mode == kNearest ? std::nearbyint(x) : std::trunc(x);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::fmod(integer, 4294967296.0)));  // exact, signed as x
}

/// The integer part modulo 2^64; 0 for what is no number.
std::uint64_t modular(double x) {
  if (!std::isfinite(x)) return 0;
  const auto magnitude =
      static_cast<std::uint64_t>(std::fmod(std::trunc(std::fabs(x)), 0x1p64));  // exact
  return x < 0 ? 0 - magnitude : magnitude;
}

bool multiply_add_holds(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const std::uint64_t power = (a >> 23) & 0xFF, exponent = (b >> 23) & 0xFF;  // biased
  const bool is_power = (a & 0x7FFFFF) == 0 && power >= 1 && power <= 254;
  const bool is_normal = exponent >= 1 && exponent <= 254;
  const bool product_is_normal = power + exponent > 127 && power + exponent < 127 + 255;
  return (a == 0 || (is_power && product_is_normal)) && is_normal && !std::isnan(as_float(c));
}

bool is_subnormal(std::uint64_t a) { return (a & 0x7F800000) == 0 && (a & 0x007FFFFF) != 0; }

std::uint64_t float32_of_float16(std::uint64_t half) {
  const std::uint64_t sign = (half & 0x8000) << 16;
  const std::uint64_t mag = half & 0x7FFF;
  if (mag > 0x7C00) return sign | 0x7F800000 | 0x400000 | (mag & 0x3FF) << 13;
  if (mag == 0x7C00) return sign | 0x7F800000;
  const auto significand = static_cast<float>(mag < 0x400 ? mag : (mag & 0x3FF) | 0x400);
  return sign | bits_of(std::ldexp(significand, mag < 0x400 ? -24 : static_cast<int>(mag >> 10) - 25));
}

std::uint64_t float16_of_float32(std::uint64_t bits) {
  const std::uint64_t sign = (bits >> 16) & 0x8000;
  const std::uint64_t mag = bits & 0x7FFFFFFF;
  if (mag > 0x7F800000) return sign | 0x7E00 | ((mag >> 13) & 0x1FF);
  if (mag >= 0x477FF000) return sign | 0x7C00;  // 65520: halfway between 65504 and 65536
  const std::uint64_t exponent = std::max<std::uint64_t>(mag >> 23, kLeastHalf);
  const std::uint64_t significand = (mag & 0x7FFFFF) | ((mag >> 23) != 0 ? 0x800000 : 0);
  const std::uint64_t shift = std::min<std::uint64_t>(13 + (exponent - (mag >> 23 != 0 ? mag >> 23 : 1)), 25);
  const std::uint64_t odd = (significand >> shift) & 1;
  const std::uint64_t kept = (significand + ((1ull << (shift - 1)) - 1) + odd) >> shift;
  return sign | (kept + ((exponent - kLeastHalf) << 10));
}

std::uint64_t float64_of_float32(std::uint64_t bits) {
  const std::uint64_t sign = (bits >> 31) << 63;
  const std::uint64_t mag = bits & 0x7FFFFFFF;
  if (mag < 0x7F800000) return sign | bits_of(static_cast<double>(as_float(mag)));
  const std::uint64_t fraction = mag & 0x7FFFFF;
  return sign | 0x7FF0000000000000 | (fraction == 0 ? 0 : (fraction | 0x400000) << 29);
}

std::uint64_t float32_of_float64(std::uint64_t bits) {
  const std::uint64_t sign = (bits >> 63) << 31;
  const std::uint64_t mag = bits & 0x7FFFFFFFFFFFFFFF;
  if (mag > 0x7FF0000000000000) return sign | 0x7FC00000 | ((mag >> 29) & 0x3FFFFF);
  return sign | bits_of(static_cast<float>(as_double(mag)));
}

std::uint64_t truncated_float32_of_float64(std::uint64_t bits) {
  const std::uint64_t mag = bits & 0x7FFFFFFFFFFFFFFF;
  std::uint64_t single = float32_of_float64(mag);
  if (mag <= 0x7FF0000000000000 && float64_of_float32(single) > mag) --single;
  return (bits >> 63) << 31 | single;
}

void join_bytes(const Call& x) {
  for (std::size_t i = 0; i < x.count; ++i) {
    std::uint64_t value = 0;
    for (std::size_t j = 0; j < x.args.size(); ++j) value |= x.args[j][i] << (8 * j);
    x.out[i] = value;
  }
}

// ---- SMT-LIB terms ----

int fixed(const TermCall& x) { return static_cast<int>(x.imm); }

void require(const TermCall& x, const std::string& condition) { x.domain->push_back(condition); }

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

std::string table_term(const TermCall& x, const std::string& index, int index_bits) {
  std::string term = smt::constant(x.table->back(), x.to);
  for (std::size_t i = x.table->size() - 1; i-- > 0;) {
    term = ite(call("=", index, smt::constant(i, index_bits)), smt::constant((*x.table)[i], x.to), term);
  }
  return term;
}

/// An unsigned integer as a float with `mantissa` fraction bits: one line per position of the leading one, exact up to
/// 2^(mantissa + 1).
std::string exact_float(const std::string& integer, int lane, int mantissa, int bias) {
  std::string term = smt::constant(0, lane);
  for (int leading = 0; leading <= mantissa + 1 && leading < lane; ++leading) {
    const int kept = leading > mantissa ? mantissa : leading;
    const std::string fraction =
        concat(extract(leading - 1, leading - kept, integer), smt::constant(0, mantissa - kept));
    const std::string exponent = smt::constant(static_cast<std::uint64_t>(bias + leading), lane - mantissa);
    term = ite(is_set(leading, integer), concat(exponent, fraction), term);
  }
  return term;
}

std::string exact_float_of_int(const TermCall& x) {
  require(x, call("bvsle", x.a(), smt::constant(1ull << 24, 32)));
  require(x, call("bvsge", x.a(), smt::constant(0xFF000000, 32)));
  const std::string magnitude = x.name + "_magnitude";
  *x.bindings += let(magnitude, ite(is_set(31, x.a()), call("bvneg", x.a()), x.a()));
  return call("bvor", exact_float(magnitude, 32, 23, 127), concat(bit(31, x.a()), smt::constant(0, 31)));
}

std::string nan_becomes(const TermCall& x) {
  require(x, call("bvsge", x.b(), smt::constant(0, x.bits)));
  const std::string magnitude = concat("#b0", extract(x.bits - 2, 0, x.a()));
  const std::string is_nan = call("bvugt", magnitude, smt::constant(infinity(x.bits), x.bits));
  const std::string sign = concat(bit(x.bits - 1, x.a()), smt::constant(0, x.bits - 1));
  return ite(is_nan, call("bvor", sign, x.b()), x.a());
}

/// By the highest bit that is set.
std::string leading_zeros(const TermCall& x) {
  std::string term = smt::constant(width(x.bits), x.bits);
  for (int place = 0; place < x.bits; ++place)
    term = ite(is_set(place, x.a()), smt::constant(width(x.bits - 1 - place), x.bits), term);
  return term;
}

std::string float_is_nan(const std::string& a) {
  return call("bvugt", extract(30, 0, a), smt::constant(0x7F800000, 31));
}

/// a < b as numbers, float32 patterns: false with a NaN; both zeros are equal.
std::string float_less(const std::string& a, const std::string& b) {
  const auto key = [](const std::string& x) {  // order of two's complement integers
    const std::string magnitude = concat("#b0", extract(30, 0, x));
    return ite(is_set(31, x), call("bvneg", magnitude), magnitude);
  };
  return "(and (not " + float_is_nan(a) + ") (not " + float_is_nan(b) + ") " + call("bvslt", key(a), key(b)) + ")";
}

std::string binade(const TermCall& x) {
  const std::string& a = x.a();
  const std::string& b = x.b();
  const std::string is_power = call("=", concat(bit(31, b), extract(22, 0, b)), smt::constant(0, 24));
  const std::string exponent_a = extract(30, 23, a), exponent_b = extract(30, 23, b);
  const std::string is_normal = "(distinct " + exponent_b + " " + smt::constant(0, 8) + " " + ones(8) + ")";
  require(x, "(and (not " + float_is_nan(a) + ") " + is_power + " " + is_normal + ")");
  return concat(concat(bit(31, a), ite(call("bvult", exponent_a, exponent_b), exponent_b, exponent_a)),
                smt::constant(0, 23));
}

/// The product is exact, the sum is rounded.
std::string multiply_add(const TermCall& x) {
  const auto exponent = [](const std::string& value) { return concat("#b00", extract(30, 23, value)); };
  const auto is_normal = [&](const std::string& value) {
    return "(distinct " + exponent(value) + " " + smt::constant(0, 10) + " " + smt::constant(255, 10) + ")";
  };
  const std::string sum = call("bvadd", exponent(x.a()), exponent(x.b()));  // biased twice
  const std::string zero = smt::constant(0, 32), is_zero = call("=", x.a(), zero);
  require(x, call("=", extract(22, 0, x.a()), smt::constant(0, 23)));
  require(x, "(and " + is_normal(x.b()) + " (not " + float_is_nan(x.c()) + "))");
  require(x, "(or " + is_zero + " (and " + is_normal(x.a()) + " " + call("bvugt", sum, smt::constant(127, 10)) + " " +
                 call("bvult", sum, smt::constant(127 + 255, 10)) + "))");
  const std::string of_powers = call("bvadd", x.b(), call("bvsub", x.a(), smt::constant(127u << 23, 32)));
  const std::string product = ite(is_zero, call("bvand", x.b(), smt::constant(1u << 31, 32)), of_powers);
  const auto number = [](const std::string& bits) { return "((_ to_fp 8 24) " + bits + ")"; };
  return "(fp.to_ieee_bv (fp.add RNE " + number(product) + " " + number(x.c()) + "))";
}

/// float32 pattern, |a| < 2^31 or a = -2^31, to a 32-bit integer.
std::string int_of_float(const TermCall& x, Rounding mode) {
  const std::string& a = x.a();
  // significand * 2^(exponent - 126) counts in 2^-24: 24 bits below the point, at most 31 + 1 above.
  const std::string exponent = extract(30, 23, a);
  const std::string wide = x.name + "_wide", integer = x.name + "_whole", rest = x.name + "_rest";
  const std::string shift = concat(smt::constant(0, 56), call("bvsub", exponent, smt::constant(126, 8)));
  *x.bindings += let(wide, call("bvshl", concat(smt::constant(1, 41), extract(22, 0, a)), shift));
  // Below 1/2 nothing but whether there is anything matters.
  const std::string tiny = call("bvult", exponent, smt::constant(126, 8));
  const std::string anything =
      ite(call("=", extract(30, 0, a), smt::constant(0, 31)), smt::constant(0, 24), smt::constant(1, 24));
  *x.bindings += let(integer, ite(tiny, smt::constant(0, 32), extract(55, 24, wide)));
  *x.bindings += let(rest, ite(tiny, anything, extract(23, 0, wide)));
  const std::string negative = is_set(31, a), odd = is_set(0, integer), half = is_set(23, rest);
  const std::string inexact = "(distinct " + rest + " " + smt::constant(0, 24) + ")";
  const std::string more = "(distinct " + extract(22, 0, rest) + " " + smt::constant(0, 23) + ")";
  std::string up = "false";
  if (mode == kNearest) up = "(and " + half + " (or " + odd + " " + more + "))";
  if (mode == kAway) up = half;
  if (mode == kFloor) up = "(and " + negative + " " + inexact + ")";
  if (mode == kCeil) up = "(and (not " + negative + ") " + inexact + ")";
  if (mode == kOdd) up = "(and (not " + odd + ") " + inexact + ")";
  const std::string magnitude = x.name + "_magnitude";
  *x.bindings += let(magnitude, ite(up, call("bvadd", integer, smt::constant(1, 32)), integer));
  return ite(negative, call("bvneg", magnitude), magnitude);
}

std::string int_of_float_within(const TermCall& x, Rounding mode) {
  const std::string small = call("bvult", extract(30, 23, x.a()), smt::constant(127 + 31, 8));
  require(x, "(or " + small + " " + call("=", x.a(), smt::constant(0xCF000000, 32)) + ")");
  return int_of_float(x, mode);
}

/// The significand (hidden bit included, `bits` wide) in units of 2^shift, nearest even.
std::string nearest_units(const TermCall& x, const std::string& significand, const std::string& shift, int bits) {
  const std::string units = x.name + "_units", places = x.name + "_shift";
  const std::string one = smt::constant(1, bits);
  *x.bindings += let(places, shift);
  *x.bindings += let(units, call("bvlshr", significand, places));
  const std::string dropped = call("bvsub", significand, call("bvshl", units, places));
  const std::string half = call("bvshl", one, call("bvsub", places, one));
  const std::string up =
      "(or " + call("bvugt", dropped, half) + " (and " + call("=", dropped, half) + " " + is_set(0, units) + "))";
  return ite(up, call("bvadd", units, one), units);
}

/// Low `kept` bits of a finite float32 or float64 pattern of `lane` bits rounded to an integer.
std::string low_integer_bits(const TermCall& x, const std::string& a, int lane, bool nearest, int kept) {
  const int fraction = lane == 32 ? 23 : 52, exponent_bits = lane - 1 - fraction, bias = (1 << (exponent_bits - 1)) - 1;
  const int width = std::max(lane, kept);  // of the intermediate integers
  const std::string exponent = x.name + "_exponent", significand = x.name + "_significand", low = x.name + "_low";
  *x.bindings += let(exponent, concat(smt::constant(0, width - exponent_bits), extract(lane - 2, fraction, a)));
  *x.bindings += let(significand, concat(smt::constant(1, width - fraction), extract(fraction - 1, 0, a)));
  const std::string unit = smt::constant(static_cast<std::uint64_t>(bias + fraction), width);
  const std::string down = call("bvsub", unit, exponent);
  const std::string units = nearest ? nearest_units(x, significand, down, width) : call("bvlshr", significand, down);
  const std::string moved =
      ite(call("bvult", exponent, unit), units, call("bvshl", significand, call("bvsub", exponent, unit)));
  // Below 1/4 nothing is left; a subnormal, whose hidden bit this gets wrong, is far below.
  const std::string tiny = call("bvult", exponent, smt::constant(static_cast<std::uint64_t>(bias - 2), width));
  *x.bindings += let(low, extract(kept - 1, 0, ite(tiny, smt::constant(0, width), moved)));
  return ite(is_set(lane - 1, a), call("bvneg", low), low);
}

std::string int_of_float_or_top(const TermCall& x, Rounding mode) {
  if (x.bits == 32) {
    const std::string within = call("bvult", extract(30, 23, x.a()), smt::constant(127 + 31, 8));
    return ite(within, int_of_float(x, mode), smt::constant(1ull << 31, 32));
  }
  const std::string within = call("bvult", extract(62, 52, x.a()), smt::constant(1023 + 63, 11));
  return ite(within, low_integer_bits(x, x.a(), 64, mode == kNearest, 64), smt::constant(1ull << 63, 64));
}

std::string wrap_int_of_float(const TermCall& x, bool nearest) {
  const int exponent_bits = x.bits == 32 ? 8 : 11;
  const std::uint64_t least = x.bits == 32 ? 127 - 2 : 1023 - 2;
  const std::string exponent = x.bits == 32 ? extract(30, 23, x.a()) : extract(62, 52, x.a());
  const std::string is_zero = call("=", extract(x.bits - 2, 0, x.a()), smt::constant(0, x.bits - 1));
  require(x, "(or " + is_zero + " " + call("bvuge", exponent, smt::constant(least, exponent_bits)) + ")");
  require(x, "(distinct " + exponent + " " + ones(exponent_bits) + ")");
  return low_integer_bits(x, x.a(), x.bits, nearest, 32);
}

/// Toward zero, and 0 for NaN and infinities.
std::string truncated_pattern(const TermCall& x, const std::string& a, int lane, int kept) {
  const std::string exponent = lane == 32 ? extract(30, 23, a) : extract(62, 52, a);
  const std::string number = low_integer_bits(x, a, lane, false, kept);
  return ite(call("=", exponent, ones(lane == 32 ? 8 : 11)), smt::constant(0, kept), number);
}

std::string truncated_term(const TermCall& x, int lane, int kept) { return truncated_pattern(x, x.a(), lane, kept); }

std::string float32_of_float16_term(const std::string& a) {
  const std::string sign = bit(15, a), exponent = extract(14, 10, a), fraction = extract(9, 0, a);
  std::string small = smt::constant(0, 31);
  for (int leading = 0; leading < 10; ++leading) {
    const std::string rest = concat(extract(leading - 1, 0, a), smt::constant(0, 23 - leading));
    small =
        ite(is_set(leading, a), concat(smt::constant(static_cast<std::uint64_t>(127 - 24 + leading), 8), rest), small);
  }
  const std::string moved = concat(fraction, smt::constant(0, 13));
  const std::string quiet = call("bvor", moved, smt::constant(1 << 22, 23));
  const std::string special =
      concat("#xff", ite(call("=", fraction, smt::constant(0, 10)), smt::constant(0, 23), quiet));
  const std::string normal = concat(call("bvadd", concat("#b000", exponent), smt::constant(112, 8)), moved);
  const std::string number = ite(call("=", exponent, ones(5)), special, normal);
  return concat(sign, ite(call("=", exponent, smt::constant(0, 5)), small, number));
}

std::string float16_of_float32_term(const TermCall& x) {
  const std::string& a = x.a();
  const std::string exponent = extract(30, 23, a);
  const std::string small = x.name + "_small", normal = x.name + "_normal";
  // Normal numbers: exponent and fraction as one number; the carry may run into the exponent.
  const std::string rebased =
      call("bvsub", concat("#b0", extract(30, 0, a)), smt::constant((kLeastHalf - 1) << 23, 32));
  const std::string tie = call("bvadd", smt::constant(0xFFF, 32), concat(smt::constant(0, 31), bit(13, a)));
  *x.bindings += let(normal, extract(28, 13, call("bvadd", rebased, tie)));
  // Subnormal numbers: units of 2^-24.
  const std::string significand = concat(smt::constant(1, 9), extract(22, 0, a));
  const std::string shift = call("bvsub", smt::constant(126, 32), concat(smt::constant(0, 24), exponent));
  *x.bindings += let(small, extract(15, 0, nearest_units(x, significand, shift, 32)));
  const std::string large = ite(call("bvugt", exponent, smt::constant(127 + 15, 8)), smt::constant(0x7C00, 16), normal);
  const std::string number = ite(call("bvult", exponent, smt::constant(127 - 25, 8)), smt::constant(0, 16),
                                 ite(call("bvult", exponent, smt::constant(kLeastHalf, 8)), small, large));
  const std::string nan = concat(smt::constant(0x3F, 7), extract(21, 13, a));
  const std::string magnitude = ite(float_is_nan(a), nan, number);
  return call("bvor", magnitude, concat(bit(31, a), smt::constant(0, 15)));
}

std::string float64_of_float32_term(const std::string& a) {
  const std::string sign = bit(31, a), exponent = extract(30, 23, a), fraction = extract(22, 0, a);
  std::string small = smt::constant(0, 63);
  for (int leading = 0; leading < 23; ++leading) {
    const std::string rest = concat(extract(leading - 1, 0, a), smt::constant(0, 52 - leading));
    small = ite(is_set(leading, a), concat(smt::constant(static_cast<std::uint64_t>(1023 - 149 + leading), 11), rest),
                small);
  }
  const std::string moved = concat(fraction, smt::constant(0, 29));
  const std::string quiet = call("bvor", moved, smt::constant(1ull << 51, 52));
  const std::string special =
      concat(smt::constant(0x7FF, 11), ite(call("=", fraction, smt::constant(0, 23)), smt::constant(0, 52), quiet));
  const std::string normal = concat(call("bvadd", concat("#b000", exponent), smt::constant(1023 - 127, 11)), moved);
  const std::string number = ite(call("=", exponent, ones(8)), special, normal);
  return concat(sign, ite(call("=", exponent, smt::constant(0, 8)), small, number));
}

/// float64 to float32: `small` are subnormal results, `normal` others, `large` what is beyond.
std::string single_of_double(const TermCall& x, const std::string& small, const std::string& normal,
                             const std::string& large) {
  const std::string& a = x.a();
  const std::string exponent = extract(62, 52, a);
  const std::string number = ite(call("bvult", exponent, smt::constant(kLeastSingle - 24, 11)), smt::constant(0, 32),
                                 ite(call("bvult", exponent, smt::constant(kLeastSingle, 11)), small,
                                     ite(call("bvugt", exponent, smt::constant(1023 + 127, 11)), large, normal)));
  const std::string is_nan = call("bvugt", extract(62, 0, a), smt::constant(0x7FF0000000000000, 63));
  const std::string magnitude = ite(is_nan, concat(smt::constant(0x1FF, 10), extract(50, 29, a)), number);
  return call("bvor", magnitude, concat(bit(63, a), smt::constant(0, 31)));
}

/// Exponent and fraction of a float64 as one number, in the exponent of float32.
std::string rebased_double(const std::string& a) {
  return call("bvsub", concat("#b0", extract(62, 0, a)), smt::constant((1023ull - 127) << 52, 64));
}
/// How far its significand is above units of 2^-149.
std::string subnormal_shift(const std::string& a) {
  return call("bvsub", smt::constant(1023 - 149 + 52, 64), concat(smt::constant(0, 53), extract(62, 52, a)));
}
std::string double_significand(const std::string& a) { return concat(smt::constant(1, 12), extract(51, 0, a)); }

std::string float32_of_float64_term(const TermCall& x) {
  const std::string small = x.name + "_small", normal = x.name + "_rounded";
  // The carry may run into the exponent, and up to infinity.
  const std::string tie =
      call("bvadd", smt::constant((1ull << 28) - 1, 64), concat(smt::constant(0, 63), bit(29, x.a())));
  *x.bindings += let(normal, extract(60, 29, call("bvadd", rebased_double(x.a()), tie)));
  *x.bindings += let(small, extract(31, 0, nearest_units(x, double_significand(x.a()), subnormal_shift(x.a()), 64)));
  return single_of_double(x, small, normal, smt::constant(0x7F800000, 32));
}

std::string truncated_float32_of_float64_term(const TermCall& x) {
  const std::string small = x.name + "_small";
  *x.bindings += let(small, call("bvlshr", double_significand(x.a()), subnormal_shift(x.a())));
  const std::string is_infinite = call("=", extract(62, 0, x.a()), smt::constant(0x7FF0000000000000, 63));
  const std::string large = ite(is_infinite, smt::constant(0x7F800000, 32), smt::constant(0x7F7FFFFF, 32));
  return single_of_double(x, extract(31, 0, small), extract(60, 29, rebased_double(x.a())), large);
}

/// Two's complement or unsigned integer to a float, nearest even: one line per position of the leading one.
std::string nearest_float(const TermCall& x, bool is_signed, int exponent_bits, int fraction) {
  const int lane = x.bits, bias = (1 << (exponent_bits - 1)) - 1, magnitude_bits = exponent_bits + fraction;
  const std::string magnitude = x.name + "_magnitude";
  *x.bindings += let(magnitude, is_signed ? ite(is_set(lane - 1, x.a()), call("bvneg", x.a()), x.a()) : x.a());
  std::string term = smt::constant(0, magnitude_bits);
  for (int leading = 0; leading < lane; ++leading) {
    const std::string exponent = smt::constant(static_cast<std::uint64_t>(bias + leading), exponent_bits);
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

/// An integer to float32, rounded to odd: one line per position of the leading one.
std::string odd_float32_term(const TermCall& x, bool is_signed) {
  constexpr int kFraction = 23, kBias = 127;
  const std::string magnitude = x.name + "_magnitude";
  *x.bindings += let(magnitude, is_signed ? ite(is_set(63, x.a()), call("bvneg", x.a()), x.a()) : x.a());
  std::string term = smt::constant(0, 31);
  for (int leading = 0; leading < 64; ++leading) {
    const int dropped = std::max(0, leading - kFraction);
    std::string fraction = concat(extract(leading - 1, dropped, magnitude), smt::constant(0, kFraction - leading));
    if (dropped > 0) {
      const std::string exact = call("=", extract(dropped - 1, 0, magnitude), smt::constant(0, dropped));
      fraction = call("bvor", fraction, ite(exact, smt::constant(0, kFraction), smt::constant(1, kFraction)));
    }
    const std::string exponent = smt::constant(static_cast<std::uint64_t>(kBias + leading), 8);
    term = ite(is_set(leading, magnitude), concat(exponent, fraction), term);
  }
  return concat(is_signed ? bit(63, x.a()) : "#b0", term);
}

// ---- rows ----

Signature source() { return {Shape::source, 0, kAnyWidth, 0, Argument::none}; }
Signature number() { return {Shape::constant, 0, kAnyWidth, 0, Argument::none}; }
Signature same(int arity, unsigned widths = kAnyWidth) { return {Shape::same, arity, widths, 0, Argument::none}; }
Signature shifted() { return {Shape::same, 1, kAnyWidth, 0, Argument::number}; }
Signature compare() { return {Shape::compare, 2, kAnyWidth, 0, Argument::none}; }
Signature logic() { return {Shape::logic, 2, kAnyWidth, 0, Argument::none}; }
Signature choose() { return {Shape::choose, 3, kAnyWidth, 0, Argument::none}; }
Signature resize(unsigned widths) { return {Shape::resize, 1, widths, 0, Argument::type}; }
Signature convert(unsigned from, int to) { return {Shape::convert, 1, from, to, Argument::none}; }
Signature part(unsigned widths) { return {Shape::convert, 1, widths, 8, Argument::number}; }
Signature joined() { return {Shape::join, -1, k8, 0, Argument::type}; }
Signature lookup(int to, int entries = 0) { return {Shape::lookup, 1, k8, to, Argument::table, entries}; }

// One loop per operation, so that the compiler sees the whole of it.
#define LANES(expression)                                                          \
  for (std::size_t i = 0; i < x.count; ++i) {                                      \
    [[maybe_unused]] const std::uint64_t a = !x.args.empty() ? x.args[0][i] : 0;   \
    [[maybe_unused]] const std::uint64_t b = x.args.size() > 1 ? x.args[1][i] : 0; \
    [[maybe_unused]] const std::uint64_t c = x.args.size() > 2 ? x.args[2][i] : 0; \
    [[maybe_unused]] const int bits = x.bits, to = x.to;                           \
    [[maybe_unused]] const std::uint64_t imm = x.imm;                              \
    expression;                                                                    \
  }
#define EACH(...) [](const Call& x) { LANES(x.out[i] = static_cast<std::uint64_t>(__VA_ARGS__) & low_bits(to)) }
#define LOOKUP(index) [](const Call& x) { LANES(x.out[i] = (*x.table)[index]) }
#define LOOKUP16 [](const Call& x) { LANES(x.out[i] = (a & 0x80) != 0 ? 0 : (*x.table)[a & 15]) }
#define LOOKUP16_OR_ZERO [](const Call& x) { LANES(x.out[i] = a < 16 ? (*x.table)[a] : 0) }
#define NO_DOMAIN "", nullptr
#define DOMAIN(text, ...) text, [](const Call& x) { LANES(if (!(__VA_ARGS__)) return false) return true; }
#define WITHIN_INT32 DOMAIN("-2^31 <= a < 2^31", is_within_int32(a))
#define TERM(...) [](const TermCall& x) -> std::string { return (void)x, __VA_ARGS__; }
#define NEEDS(what) kNeeds##what

const Operation kOperations[] = {
#define OPERATION(name, spelling, signature, environment, doc, ...) \
  {#name, spelling, signature, environment, doc, __VA_ARGS__},
#include "ir/operations.def"
#undef OPERATION
};

}  // namespace

const Operation& operation(Op op) { return kOperations[static_cast<std::size_t>(op)]; }
std::span<const Operation> operations() { return kOperations; }
bool is_infix(Op op) { return std::ispunct(static_cast<unsigned char>(operation(op).spelling[0])) != 0; }

}  // namespace castforge::ir
