#include "operations.hpp"

#include <bit>
#include <cmath>
#include <vector>

#include "floats.hpp"

namespace castforge::evaluator {

namespace {

using U64 = std::uint64_t;

template <int W>
constexpr U64 kOnes = W == 64 ? ~U64{0} : (U64{1} << (W % 64)) - 1;
template <int W>
constexpr U64 kTop = U64{1} << (W - 1);

/// The float format of lanes of 32 and 64 bits.
template <int W>
constexpr Layout kFloat = W == 64 ? kDouble : kSingle;

/// The two's complement number in a lane of W bits.
template <int W>
constexpr std::int64_t as_signed(U64 a) {
  return static_cast<std::int64_t>(a << (64 - W)) >> (64 - W);
}

// ---- loops over a block ----------------------------------------------------------------------------------

// `Meaning` is a lambda <lane width>(operands..., call) of one element.

template <class Meaning, int W>
void one(const Call& call) {
  const Call c = call;  // a copy, which no result can overwrite
  const U64* a = c.in[0];
  for (std::size_t i = 0; i < kBlock; ++i) c.out[i] = Meaning{}.template operator()<W>(a[i], c);
}
template <class Meaning, int W>
void two(const Call& call) {
  const Call c = call;
  const U64 *a = c.in[0], *b = c.in[1];
  for (std::size_t i = 0; i < kBlock; ++i) c.out[i] = Meaning{}.template operator()<W>(a[i], b[i], c);
}
template <class Meaning, int W>
void three(const Call& call) {
  const Call c = call;
  const U64 *a = c.in[0], *b = c.in[1], *d = c.in[2];
  for (std::size_t i = 0; i < kBlock; ++i) c.out[i] = Meaning{}.template operator()<W>(a[i], b[i], d[i], c);
}

template <class Inside, int W, int kOperands>
std::size_t first_outside(const Call& c) {
  for (std::size_t i = 0; i < kBlock; ++i) {
    bool inside = true;
    if constexpr (kOperands == 1) inside = Inside{}.template operator()<W>(c.in[0][i], c);
    if constexpr (kOperands == 2) inside = Inside{}.template operator()<W>(c.in[0][i], c.in[1][i], c);
    if constexpr (kOperands == 3) inside = Inside{}.template operator()<W>(c.in[0][i], c.in[1][i], c.in[2][i], c);
    if (!inside) return i;
  }
  return kBlock;
}

template <int kOperands, class Meaning>
Operation row(std::string_view name, int widths, Gives gives, Meaning) {
  Operation o;
  o.name = name;
  o.operands = std::string_view("vvv").substr(0, kOperands);
  o.widths = widths;
  o.gives = gives;
  const auto set = [&]<int W>(Run& run) {
    if constexpr (kOperands == 1) run = &one<Meaning, W>;
    if constexpr (kOperands == 2) run = &two<Meaning, W>;
    if constexpr (kOperands == 3) run = &three<Meaning, W>;
  };
  set.template operator()<8>(o.run[0]);
  set.template operator()<16>(o.run[1]);
  set.template operator()<32>(o.run[2]);
  set.template operator()<64>(o.run[3]);
  return o;
}
template <class Meaning>
Operation unary(std::string_view name, int widths, Gives gives, Meaning m) {
  return row<1>(name, widths, gives, m);
}
template <class Meaning>
Operation binary(std::string_view name, int widths, Gives gives, Meaning m) {
  return row<2>(name, widths, gives, m);
}
template <class Meaning>
Operation ternary(std::string_view name, int widths, Gives gives, Meaning m) {
  return row<3>(name, widths, gives, m);
}

/// `o` with a domain: `inside` says whether operands are in it.
template <int kOperands, class Inside>
Operation limited(Operation o, std::string_view domain, Inside) {
  o.domain = domain;
  o.outside[0] = &first_outside<Inside, 8, kOperands>;
  o.outside[1] = &first_outside<Inside, 16, kOperands>;
  o.outside[2] = &first_outside<Inside, 32, kOperands>;
  o.outside[3] = &first_outside<Inside, 64, kOperands>;
  return o;
}

Operation rounding(Operation o) {
  o.rounds = true;
  return o;
}
Operation flushing(Operation o) {
  o.flushes = true;
  return o;
}
Operation taking(Operation o, std::string_view operands) {
  o.operands = operands;
  return o;
}
Operation with_number(Operation o, bool (*admits)(int, int)) {
  o.takes = Takes::number;
  o.admits = admits;
  return o;
}
Operation with_type(Operation o, bool (*admits)(int, int)) {
  o.takes = Takes::type;
  o.admits = admits;
  return o;
}
Operation with_table(Operation o, int entry_bits, bool (*admits)(int, int)) {
  o.takes = Takes::table;
  o.entry_bits = entry_bits;
  o.admits = admits;
  return o;
}

// ---- floating point in a World ---------------------------------------------------------------------------

/// A number as an operation reads or makes it. (Operations whose results are the same either way do not ask.)
constexpr U64 flushed(Layout f, U64 code, const Call& c) {
  const bool subnormal = f.magnitude(code) < (U64{1} << f.fraction_bits);
  return c.world->flush && subnormal ? code & f.sign() : code;
}

/// To nearest, ties to even, unless the world has it otherwise.
constexpr Rounding nearest(const Call& c) { return c.world->truncate ? Rounding::toward_zero : Rounding::nearest_even; }

/// Rounded to an integer of `bits`; the lowest one stands for NaN and everything out of range.
template <int kBits>
constexpr U64 or_lowest(Layout f, U64 a, Rounding rounding) {
  const U64 limit = static_cast<U64>(f.bias() + kBits - 1) << f.fraction_bits;  // 2^(kBits - 1)
  return f.magnitude(a) >= limit ? kTop<kBits> : integer_of(f, a, rounding) & kOnes<kBits>;
}

/// Truncated modulo 2^kBits; NaN and infinities give 0.
template <int kBits>
constexpr U64 truncated(Layout f, U64 a) {
  return f.is_finite(a) ? integer_of(f, a, Rounding::toward_zero) & kOnes<kBits> : 0;
}

/// -2^31 <= a < 2^31
constexpr bool in_int32(U64 a) {
  constexpr U64 limit = U64{127 + 31} << 23;
  return kSingle.magnitude(a) < limit || a == (limit | kSingle.sign());
}

/// Zero, or at least 1/4 and finite.
constexpr bool zero_or_quarter(Layout f, U64 a) {
  const U64 quarter = static_cast<U64>(f.bias() - 2) << f.fraction_bits;
  return f.magnitude(a) == 0 || (f.magnitude(a) >= quarter && f.is_finite(a));
}

template <Rounding kRounding>
Operation int32_of_float32(std::string_view name) {
  return flushing(limited<1>(unary(name, 32, Gives::same,
                                   []<int W>(U64 a, const Call& c) {
                                     return integer_of(kSingle, flushed(kSingle, a, c), kRounding) & kOnes<32>;
                                   }),
                             "-2^31 <= a < 2^31", []<int W>(U64 a, const Call&) { return in_int32(a); }));
}

template <Rounding kRounding>
Operation int32_wrapping(std::string_view name, int from) {
  return limited<1>(unary(name, from, Gives::word,
                          []<int W>(U64 a, const Call& c) {
                            const Rounding way = kRounding == Rounding::nearest_even ? nearest(c) : kRounding;
                            return integer_of(kFloat<W>, a, way) & kOnes<32>;
                          }),
                    "a is 0, or finite and |a| >= 1/4",
                    []<int W>(U64 a, const Call&) { return zero_or_quarter(kFloat<W>, a); });
}

// ---- the table -------------------------------------------------------------------------------------------

constexpr int kAll = 8 + 16 + 32 + 64;

bool below_width(int n, int bits) { return n < bits; }
bool below_eight(int n, int) { return n < 8; }
bool wider(int to, int from) { return to > from; }
bool narrower_type(int to, int from) { return to < from; }
bool any_type(int, int) { return true; }
bool a_byte_of(int k, int bits) { return k < bits / 8; }
bool fold_distance(int n, int) { return n >= 16 && n <= 23; }

void integers(std::vector<Operation>& t) {
  t.push_back(binary("&", kAll, Gives::same, []<int W>(U64 a, U64 b, const Call&) { return a & b; }));
  t.push_back(binary("|", kAll, Gives::same, []<int W>(U64 a, U64 b, const Call&) { return a | b; }));
  t.push_back(binary("^", kAll, Gives::same, []<int W>(U64 a, U64 b, const Call&) { return a ^ b; }));
  t.push_back(binary("+", kAll, Gives::same, []<int W>(U64 a, U64 b, const Call&) { return (a + b) & kOnes<W>; }));
  t.push_back(binary("-", kAll, Gives::same, []<int W>(U64 a, U64 b, const Call&) { return (a - b) & kOnes<W>; }));
  t.push_back(with_number(
      unary("<<", kAll, Gives::same, []<int W>(U64 a, const Call& c) { return (a << c.number) & kOnes<W>; }),
      below_width));
  t.push_back(with_number(unary(">>", kAll, Gives::same, []<int W>(U64 a, const Call& c) { return a >> c.number; }),
                          below_width));
  t.push_back(with_number(
      unary("sar", kAll, Gives::same,
            []<int W>(U64 a, const Call& c) { return static_cast<U64>(as_signed<W>(a) >> c.number) & kOnes<W>; }),
      below_width));
  t.push_back(binary("min", kAll, Gives::same, []<int W>(U64 a, U64 b, const Call&) { return a < b ? a : b; }));
  t.push_back(binary("max", kAll, Gives::same, []<int W>(U64 a, U64 b, const Call&) { return a > b ? a : b; }));
  t.push_back(binary("min_signed", kAll, Gives::same,
                     []<int W>(U64 a, U64 b, const Call&) { return as_signed<W>(a) < as_signed<W>(b) ? a : b; }));
  t.push_back(binary("max_signed", kAll, Gives::same,
                     []<int W>(U64 a, U64 b, const Call&) { return as_signed<W>(a) > as_signed<W>(b) ? a : b; }));
  t.push_back(binary("gt_signed_ones", kAll, Gives::same, []<int W>(U64 a, U64 b, const Call&) {
    return as_signed<W>(a) > as_signed<W>(b) ? kOnes<W> : 0;
  }));
  t.push_back(binary("eq", kAll, Gives::mask, []<int W>(U64 a, U64 b, const Call&) { return U64{a == b}; }));
  t.push_back(binary("gt", kAll, Gives::mask,
                     []<int W>(U64 a, U64 b, const Call&) { return U64{as_signed<W>(a) > as_signed<W>(b)}; }));
  t.push_back(binary("gt_unsigned", kAll, Gives::mask, []<int W>(U64 a, U64 b, const Call&) { return U64{a > b}; }));
  t.push_back(
      taking(binary("mask_and", kAll, Gives::mask, []<int W>(U64 a, U64 b, const Call&) { return a & b; }), "mm"));
  t.push_back(taking(
      ternary("select", kAll, Gives::same, []<int W>(U64 m, U64 a, U64 b, const Call&) { return m != 0 ? a : b; }),
      "mvv"));
  t.push_back(ternary("merge", kAll, Gives::same,
                      []<int W>(U64 bits, U64 a, U64 b, const Call&) { return (bits & a) | (~bits & b); }));
  t.push_back(binary("shl", 16 + 32 + 64, Gives::same,
                     []<int W>(U64 a, U64 n, const Call&) { return n >= W ? U64{0} : (a << n) & kOnes<W>; }));
  t.push_back(binary("shr", 16 + 32 + 64, Gives::same,
                     []<int W>(U64 a, U64 n, const Call&) { return n >= W ? U64{0} : a >> n; }));
}

void bytes(std::vector<Operation>& t) {
  t.push_back(binary("subtract_saturated", 8, Gives::same, []<int W>(U64 a, U64 b, const Call&) {
    const std::int64_t difference = as_signed<8>(a) - as_signed<8>(b);
    return static_cast<U64>(difference < -128 ? -128 : difference > 127 ? 127 : difference) & kOnes<8>;
  }));
  t.push_back(binary("add_saturated", 8, Gives::same,
                     []<int W>(U64 a, U64 b, const Call&) { return a + b > 255 ? U64{255} : a + b; }));
  t.push_back(binary("subtract_or_zero", 8 + 16, Gives::same,
                     []<int W>(U64 a, U64 b, const Call&) { return a < b ? U64{0} : a - b; }));
  t.push_back(unary("leading_zeros", 32 + 64, Gives::same, []<int W>(U64 a, const Call&) {
    U64 zeros = W;
    for (; a != 0; a >>= 1) --zeros;
    return zeros;
  }));
  t.push_back(unary("abs", 8, Gives::same,
                    []<int W>(U64 a, const Call&) { return as_signed<8>(a) < 0 ? (0 - a) & kOnes<8> : a; }));
  t.push_back(
      limited<2>(binary("negate_where", 8, Gives::same,
                        []<int W>(U64 a, U64 s, const Call&) { return (s & 0x80) != 0 ? (0 - a) & kOnes<8> : a; }),
                 "on x86 a is 0 wherever the second operand is",
                 []<int W>(U64 a, U64 s, const Call& c) { return !c.world->bytes16 || s != 0 || a == 0; }));
}

void widths(std::vector<Operation>& t) {
  t.push_back(with_type(unary("widen", 8 + 16 + 32, Gives::type, []<int W>(U64 a, const Call&) { return a; }), wider));
  t.push_back(with_type(unary("widen_signed", 8 + 16 + 32, Gives::type,
                              []<int W>(U64 a, const Call& c) {
                                const U64 wide = static_cast<U64>(as_signed<W>(a));
                                return c.number == 64 ? wide : wide & ((U64{1} << c.number) - 1);
                              }),
                        wider));
  t.push_back(with_type(unary("truncate", 16 + 32 + 64, Gives::type,
                              []<int W>(U64 a, const Call& c) { return a & ((U64{1} << c.number) - 1); }),
                        narrower_type));
  t.push_back(with_type(
      limited<1>(unary("narrow", 16 + 32 + 64, Gives::type, []<int W>(U64 a, const Call&) { return a; }),
                 "a fits in the narrower lane", []<int W>(U64 a, const Call& c) { return a >> c.number == 0; }),
      narrower_type));
  t.push_back(with_number(
      unary("byte", 16 + 32, Gives::byte, []<int W>(U64 a, const Call& c) { return (a >> (8 * c.number)) & kOnes<8>; }),
      a_byte_of));
  t.push_back(unary("high_half", 32, Gives::half, []<int W>(U64 a, const Call&) { return a >> 16; }));
  t.push_back(unary("round_high_half", 32, Gives::half,
                    []<int W>(U64 a, const Call&) { return ((a + 0x7FFF + (a >> 16 & 1)) >> 16) & kOnes<16>; }));
  t.push_back(unary("odd_high_half", 32, Gives::half,
                    []<int W>(U64 a, const Call&) { return a >> 16 | ((a & kOnes<16>) == 0 ? 0 : 1); }));
  t.push_back(with_number(
      unary("fold", 32, Gives::byte, []<int W>(U64 a, const Call& c) { return (a + (a >> c.number)) & kOnes<8>; }),
      fold_distance));
  t.push_back(with_number(
      unary("sign8", kAll, Gives::byte, []<int W>(U64 a, const Call& c) { return (a >> (W - 1)) << c.number; }),
      below_eight));
  Operation join;
  join.name = "join";
  join.operands = "b*";
  join.widths = 8;
  join.gives = Gives::type;
  join.takes = Takes::type;
  join.admits = wider;
  join.run[0] = [](const Call& c) {
    for (std::size_t i = 0; i < kBlock; ++i) {
      U64 v = 0;
      for (std::size_t b = 0; b < c.number / 8; ++b) v |= c.in[b][i] << (8 * b);
      c.out[i] = v;
    }
  };
  t.push_back(join);
  // What `bits` holds does not matter; the constant is the second operand.
  t.push_back(with_type(
      taking(binary("fill", kAll, Gives::type, []<int W>(U64, U64 k, const Call&) { return k; }), "vk"), any_type));
}

void floats(std::vector<Operation>& t) {
  t.push_back(limited<1>(
      unary("float32_of", 32, Gives::same,
            []<int W>(U64 a, const Call&) { return code_of_integer(kSingle, a, false, Rounding::nearest_even); }),
      "a <= 2^24", []<int W>(U64 a, const Call&) { return a <= U64{1} << 24; }));
  t.push_back(limited<1>(
      unary("float64_of", 64, Gives::same,
            []<int W>(U64 a, const Call&) { return code_of_integer(kDouble, a, false, Rounding::nearest_even); }),
      "a <= 2^53", []<int W>(U64 a, const Call&) { return a <= U64{1} << 53; }));
  t.push_back(limited<1>(unary("float32_of_int", 32, Gives::same,
                               []<int W>(U64 a, const Call&) {
                                 return code_of_integer(kSingle, static_cast<U64>(as_signed<32>(a)), true,
                                                        Rounding::nearest_even);
                               }),
                         "a is a float32", []<int W>(U64 a, const Call&) {
                           return holds(kSingle, as_signed<32>(a) < 0 ? static_cast<U64>(-as_signed<32>(a)) : a);
                         }));
  t.push_back(limited<2>(
      binary("nan_becomes", 32 + 64, Gives::same,
             []<int W>(U64 a, U64 nan, const Call&) { return kFloat<W>.is_nan(a) ? (a & kFloat<W>.sign()) | nan : a; }),
      "the second operand has no sign", []<int W>(U64, U64 nan, const Call&) { return !kFloat<W>.is_negative(nan); }));
  t.push_back(flushing(binary("min_nan2", 32, Gives::same, []<int W>(U64 a, U64 b, const Call& c) {
    // a < b ? a : b, as numbers: b where either is a NaN, and b where both are zeros.
    if (kSingle.is_nan(a) || kSingle.is_nan(b)) return b;
    const auto order = [&c](U64 v) {
      const U64 read = flushed(kSingle, v, c);
      const auto magnitude = static_cast<std::int64_t>(kSingle.magnitude(read));
      return kSingle.is_negative(read) ? -magnitude : magnitude;
    };
    return order(a) < order(b) ? a : b;
  })));
  t.push_back(
      limited<3>(flushing(ternary("limit_magnitude", 32, Gives::same,
                                  []<int W>(U64 a, U64 most, U64 nan, const Call& c) {
                                    if (kSingle.is_nan(a)) return nan;
                                    const U64 number = kSingle.magnitude(flushed(kSingle, a, c));
                                    const U64 limit = flushed(kSingle, most, c);
                                    return number < limit ? number : limit;
                                  })),
                 "the limit has no sign and is not above the third operand, which is a number",
                 []<int W>(U64, U64 most, U64 nan, const Call&) { return most <= nan && nan <= kSingle.infinity(); }));
  t.push_back(flushing(limited<2>(binary("half_ulps_rto", 32, Gives::same,
                                         []<int W>(U64 a, U64 grid, const Call& c) {
                                           // In ulps: rounded down and up, which together are twice as many.
                                           const int ulp = static_cast<int>(grid >> 23) - 127 - 23;
                                           const auto number = static_cast<std::uint32_t>(flushed(kSingle, a, c));
                                           const double ulps = std::ldexp(std::bit_cast<float>(number), -ulp);
                                           return static_cast<U64>(std::floor(ulps) + std::ceil(ulps));
                                         }),
                                  "at most a third of the second operand, which is 1.5 * 2^n, n >= -102",
                                  []<int W>(U64 a, U64 grid, const Call&) {
                                    const U64 power = grid ^ U64 { 0x00400000 };
                                    const bool fits = power >= U64{127 - 102} << 23 && power < kSingle.infinity();
                                    return fits && (power & 0x007FFFFF) == 0 && a <= power - 0x00800000;
                                  })));
  t.push_back(limited<2>(binary("binade", 32, Gives::same,
                                []<int W>(U64 a, U64 least, const Call&) {
                                  const U64 power = a & kSingle.infinity();
                                  return (power < least ? least : power) | (a & kSingle.sign());
                                }),
                         "a is no NaN, the second operand a power of two", []<int W>(U64 a, U64 least, const Call&) {
                           const bool power =
                               (least & ~kSingle.infinity()) == 0 && least != 0 && least != kSingle.infinity();
                           return power && !kSingle.is_nan(a);
                         }));
  const auto sum = []<int W>(U64 a, U64 b, U64 d, const Call& c) {
    const U64 sum =
        multiply_add(flushed(kSingle, a, c), flushed(kSingle, b, c), flushed(kSingle, d, c), c.world->nan, nearest(c));
    return flushed(kSingle, sum, c);
  };
  t.push_back(
      rounding(flushing(limited<3>(ternary("multiply_add", 32, Gives::same, sum),
                                   "the first operand is a power of two, the second and their product are normal",
                                   []<int W>(U64 a, U64 b, U64, const Call&) {
                                     const bool power = (a & kSingle.fraction()) == 0 && kSingle.magnitude(a) != 0;
                                     return power && kSingle.magnitude(b) != 0 && product_is_exact(a, b);
                                   }))));
  t.push_back(rounding(flushing(limited<3>(
      ternary("fused_multiply_add", 32, Gives::same, sum),
      "the product of the first two operands is a float32, none of the four subnormal",
      []<int W>(U64 a, U64 b, U64 d, const Call&) { return product_is_exact(a, b) && !is_subnormal(kSingle, d); }))));

  t.push_back(unary("int32_of_float32_rtz", 32, Gives::same,
                    []<int W>(U64 a, const Call&) { return or_lowest<32>(kSingle, a, Rounding::toward_zero); }));
  t.push_back(rounding(unary("int32_of_float32_rne", 32, Gives::same,
                             []<int W>(U64 a, const Call& c) { return or_lowest<32>(kSingle, a, nearest(c)); })));
  t.push_back(int32_of_float32<Rounding::nearest_away>("int32_of_float32_rna"));
  t.push_back(int32_of_float32<Rounding::down>("int32_of_float32_rtn"));
  t.push_back(int32_of_float32<Rounding::up>("int32_of_float32_rtp"));
  t.push_back(int32_of_float32<Rounding::odd>("int32_of_float32_rto"));
  t.push_back(unary("int64_of_float64_rtz", 64, Gives::same,
                    []<int W>(U64 a, const Call&) { return or_lowest<64>(kDouble, a, Rounding::toward_zero); }));
  t.push_back(rounding(unary("int64_of_float64_rne", 64, Gives::same,
                             []<int W>(U64 a, const Call& c) { return or_lowest<64>(kDouble, a, nearest(c)); })));
  t.push_back(int32_wrapping<Rounding::toward_zero>("int32_of_float32_wrap_rtz", 32));
  t.push_back(rounding(int32_wrapping<Rounding::nearest_even>("int32_of_float32_wrap_rne", 32)));
  t.push_back(int32_wrapping<Rounding::toward_zero>("int32_of_float64_wrap_rtz", 64));
  t.push_back(rounding(int32_wrapping<Rounding::nearest_even>("int32_of_float64_wrap_rne", 64)));
  t.push_back(unary("truncate_float32_to_int32", 32, Gives::same,
                    []<int W>(U64 a, const Call&) { return truncated<32>(kSingle, a); }));
  t.push_back(unary("truncate_float32_to_int64", 32, Gives::double_word,
                    []<int W>(U64 a, const Call&) { return truncated<64>(kSingle, a); }));
  t.push_back(unary("truncate_float64_to_int32", 64, Gives::word,
                    []<int W>(U64 a, const Call&) { return truncated<32>(kDouble, a); }));
  t.push_back(unary("truncate_float64_to_int64", 64, Gives::same,
                    []<int W>(U64 a, const Call&) { return truncated<64>(kDouble, a); }));

  t.push_back(unary("float32_of_float16", 16, Gives::word,
                    []<int W>(U64 a, const Call&) { return convert(kHalf, kSingle, a, Rounding::nearest_even); }));
  t.push_back(rounding(unary("float16_of_float32", 32, Gives::half,
                             []<int W>(U64 a, const Call& c) { return convert(kSingle, kHalf, a, nearest(c)); })));
  t.push_back(unary("float16_of_float32_rtz", 32, Gives::half,
                    []<int W>(U64 a, const Call&) { return convert(kSingle, kHalf, a, Rounding::toward_zero); }));
  t.push_back(flushing(unary("float16_of_float32_rtn", 32, Gives::half, []<int W>(U64 a, const Call& c) {
    return convert(kSingle, kHalf, flushed(kSingle, a, c), Rounding::down);
  })));
  t.push_back(flushing(unary("float16_of_float32_rtp", 32, Gives::half, []<int W>(U64 a, const Call& c) {
    return convert(kSingle, kHalf, flushed(kSingle, a, c), Rounding::up);
  })));
  t.push_back(rounding(flushing(unary("float32_of_float64", 64, Gives::word, []<int W>(U64 a, const Call& c) {
    return flushed(kSingle, convert(kDouble, kSingle, a, nearest(c)), c);
  }))));
  t.push_back(flushing(unary("float32_of_float64_rtz", 64, Gives::word, []<int W>(U64 a, const Call& c) {
    return flushed(kSingle, convert(kDouble, kSingle, a, Rounding::toward_zero), c);
  })));
  t.push_back(flushing(unary("float64_of_float32", 32, Gives::double_word, []<int W>(U64 a, const Call& c) {
    return convert(kSingle, kDouble, flushed(kSingle, a, c), Rounding::nearest_even);
  })));
  t.push_back(rounding(unary("float32_of_int32", 32, Gives::same, []<int W>(U64 a, const Call& c) {
    return code_of_integer(kSingle, static_cast<U64>(as_signed<32>(a)), true, nearest(c));
  })));
  t.push_back(rounding(unary("float32_of_uint32", 32, Gives::same, []<int W>(U64 a, const Call& c) {
    return code_of_integer(kSingle, a, false, nearest(c));
  })));
  t.push_back(rounding(unary("float64_of_int64", 64, Gives::same, []<int W>(U64 a, const Call& c) {
    return code_of_integer(kDouble, a, true, nearest(c));
  })));
  t.push_back(rounding(unary("float64_of_uint64", 64, Gives::same, []<int W>(U64 a, const Call& c) {
    return code_of_integer(kDouble, a, false, nearest(c));
  })));
  t.push_back(rounding(unary("float32_of_int64", 64, Gives::word, []<int W>(U64 a, const Call& c) {
    return code_of_integer(kSingle, a, true, nearest(c));
  })));
  t.push_back(rounding(unary("float32_of_uint64", 64, Gives::word, []<int W>(U64 a, const Call& c) {
    return code_of_integer(kSingle, a, false, nearest(c));
  })));
  t.push_back(unary("float32_of_int32_rtz", 32, Gives::same, []<int W>(U64 a, const Call&) {
    return code_of_integer(kSingle, static_cast<U64>(as_signed<32>(a)), true, Rounding::toward_zero);
  }));
  t.push_back(unary("float32_of_int32_rtn", 32, Gives::same, []<int W>(U64 a, const Call&) {
    return code_of_integer(kSingle, static_cast<U64>(as_signed<32>(a)), true, Rounding::down);
  }));
  t.push_back(unary("float32_of_int32_rtp", 32, Gives::same, []<int W>(U64 a, const Call&) {
    return code_of_integer(kSingle, static_cast<U64>(as_signed<32>(a)), true, Rounding::up);
  }));
  t.push_back(unary("float32_of_int64_rtz", 64, Gives::word, []<int W>(U64 a, const Call&) {
    return code_of_integer(kSingle, a, true, Rounding::toward_zero);
  }));
  t.push_back(unary("float32_of_int64_rtn", 64, Gives::word,
                    []<int W>(U64 a, const Call&) { return code_of_integer(kSingle, a, true, Rounding::down); }));
  t.push_back(unary("float32_of_int64_rtp", 64, Gives::word,
                    []<int W>(U64 a, const Call&) { return code_of_integer(kSingle, a, true, Rounding::up); }));
  t.push_back(unary("float32_of_int64_rto", 64, Gives::word,
                    []<int W>(U64 a, const Call&) { return code_of_integer(kSingle, a, true, Rounding::odd); }));
  t.push_back(unary("float32_of_uint64_rto", 64, Gives::word,
                    []<int W>(U64 a, const Call&) { return code_of_integer(kSingle, a, false, Rounding::odd); }));
  t.push_back(unary("float64_of_int32", 32, Gives::double_word, []<int W>(U64 a, const Call&) {
    return code_of_integer(kDouble, static_cast<U64>(as_signed<32>(a)), true, Rounding::nearest_even);
  }));
}

void tables(std::vector<Operation>& t) {
  const auto entry = []<int W>(U64 a, const Call& c) { return c.table[a]; };
  t.push_back(with_table(
      limited<1>(unary("table", 8, Gives::entry,
                       []<int W>(U64 a, const Call& c) { return a < c.table.size() ? c.table[a] : 0; }),
                 "a is below the number of entries", []<int W>(U64 a, const Call& c) { return a < c.table.size(); }),
      kAll, any_type));
  t.push_back(with_table(
      limited<1>(unary("lookup16", 8, Gives::same,
                       []<int W>(U64 a, const Call& c) { return (a & 0x80) != 0 ? U64{0} : c.table[a & 15]; }),
                 "on NEON a < 16 or a >= 128",
                 []<int W>(U64 a, const Call& c) { return !c.world->neon || a < 16 || a >= 128; }),
      8, [](int entries, int) { return entries == 16; }));
  t.push_back(with_table(unary("lookup16_or_zero", 8, Gives::same,
                               []<int W>(U64 a, const Call& c) { return a < 16 ? c.table[a] : U64{0}; }),
                         8, [](int entries, int) { return entries == 16; }));
  t.push_back(with_table(
      limited<1>(unary("lookup64", 8, Gives::same, entry), "a < 64", []<int W>(U64 a, const Call&) { return a < 64; }),
      8, [](int entries, int) { return entries == 64; }));
  t.push_back(
      with_table(unary("lookup128", 8, Gives::same, []<int W>(U64 a, const Call& c) { return c.table[a & 127]; }), 8,
                 [](int entries, int) { return entries == 128; }));
  t.push_back(
      with_table(unary("lookup256", 8, Gives::same, entry), 8, [](int entries, int) { return entries == 256; }));
  t.push_back(with_table(
      limited<1>(unary("lookup16_wide", 8, Gives::entry, []<int W>(U64 a, const Call& c) { return c.table[a & 15]; }),
                 "a < 16", []<int W>(U64 a, const Call&) { return a < 16; }),
      16 + 32 + 64, [](int entries, int) { return entries == 16; }));
  t.push_back(with_table(
      limited<1>(unary("lookup8_wide", 8, Gives::entry, []<int W>(U64 a, const Call& c) { return c.table[a & 7]; }),
                 "a < 8", []<int W>(U64 a, const Call&) { return a < 8; }),
      64, [](int entries, int) { return entries == 8; }));
  t.push_back(with_table(limited<1>(unary("lookup16_upper", 8, Gives::double_word,
                                          []<int W>(U64 a, const Call& c) { return c.table[a & 15] << 32; }),
                                    "a < 16", []<int W>(U64 a, const Call&) { return a < 16; }),
                         32, [](int entries, int) { return entries == 16; }));
}

const std::vector<Operation>& all() {
  static const std::vector<Operation> made = [] {
    std::vector<Operation> t;
    integers(t);
    bytes(t);
    widths(t);
    floats(t);
    tables(t);
    return t;
  }();
  return made;
}

}  // namespace

std::span<const Operation> operations() { return all(); }

const Operation* find_operation(std::string_view name) {
  for (const Operation& o : all()) {
    if (o.name == name) return &o;
  }
  return nullptr;
}

}  // namespace castforge::evaluator
