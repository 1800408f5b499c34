// What becomes of a number that is neither zero nor infinite: rounded once, then checked against the range. Stated
// once, for exact integers (integers.hpp) and for the bit-vector terms of proofs (verify/terms.hpp).
//
// Sign, exponents and the rule are known in both; a domain D says what the words and truth values are that depend on
// the bits of the significand:
//   Word  a non-negative integer, computed modulo 2^128: constant, power(n) = 2^n, plus, minus, shifted_left,
//         shifted_right, low(word, n) modulo 2^n, select(Bit, Word, Word), share(word): to be used several times
//   Bit   a truth value: truth(bool), is_set(word, n), any_set(word, n) of the n lowest bits, less, equal,
//         row(table, last, first, sticky): bit (last << 2 | first << 1 | sticky) of a table of eight
//   expect_not(Bit, text): what a rule promises never to happen
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "semantics/results.hpp"
#include "spec/model.hpp"

namespace castforge::semantics {

/// (-1)^negative * significand * 2^exponent with 2^leading <= significand * 2^exponent < 2^(leading + 1); the
/// significand has at most 64 bits.
template <class D>
struct Number {
  bool negative;
  int leading;
  int exponent;
  typename D::Word significand;
};

/// A magnitude on a grid before the carry: whole ulps, the first dropped bit, and whether any bit below that is set.
template <class D>
struct Grid {
  typename D::Word ulps;
  typename D::Bit first_dropped, sticky;
};

inline constexpr const char* kInexact = "an inexact value under a rule without rounding";

/// From 2^kBeyond ulps on a magnitude is beyond every range: it is given as 2^kBeyond.
inline constexpr int kBeyond = 127;

/// The number on the grid of which an ulp is 2^ulp.
template <class D>
Grid<D> to_grid(D& d, const Number<D>& x, int ulp) {
  const auto no = d.truth(false);
  const int dropped = ulp - x.exponent;  // bits
  if (x.leading - ulp >= kBeyond) return {d.power(kBeyond), no, no};
  if (dropped <= 0) return {d.shifted_left(x.significand, -dropped), no, no};
  if (x.leading < ulp - 1) return {d.constant(0), no, d.truth(true)};  // below half an ulp
  return {d.shifted_right(x.significand, dropped), d.is_set(x.significand, dropped - 1),
          d.any_set(x.significand, dropped - 1)};
}

/// The results of a rule for one number, as codes of the destination.
template <class D>
class Finite {
  using Word = typename D::Word;
  using Bit = typename D::Bit;

 public:
  Finite(D& domain, const spec::Meaning& meaning) : d_(domain), meaning_(meaning), dst_(*meaning.dst) {}

  /// For a floating destination.
  Word to_floating(Number<D> x) {
    if (!dst_.is_signed && x.negative) {
      if (meaning_.negative != spec::NegativeResult::abs) return to_negative(x);
      x.negative = false;
    }
    if (!dst_.has_zero() && x.leading < dst_.min_exponent()) return d_.constant(below_result(meaning_));
    const Word code = d_.share(magnitude(x));
    const Word in_range = d_.select(d_.equal(code, d_.constant(0)), d_.constant(zero_code(meaning_, x.negative)),
                                    d_.plus(code, d_.constant(sign_of(x))));
    return d_.select(d_.less(d_.constant(dst_.max_finite_code()), code),
                     d_.constant(overflow_result(meaning_, x.negative)), in_range);
  }

  /// For an integer destination.
  Word to_integer(const Number<D>& x) {
    // The exact integer modulo 2^64, however large.
    const bool large = x.exponent > 0 && !spec::clamp_range(meaning_);
    if (large)
      return integer(x.negative, x.exponent >= 64 ? d_.constant(0) : d_.shifted_left(x.significand, x.exponent));
    return integer(x.negative, rounded(x.negative, to_grid(d_, x, 0), d_.constant(0)));
  }

  /// The integer (-1)^negative * magnitude under the rule of overflow.
  Word integer(bool negative, Word magnitude) {
    const std::optional<spec::IntegerRange> clamp = spec::clamp_range(meaning_);
    if (clamp) {
      const Word whole = d_.share(magnitude), limit = limit_of(*clamp, negative);
      const Bit fits = d_.less(whole, d_.plus(limit, d_.constant(1)));
      if (meaning_.overflow == spec::Overflow::indefinite)
        return d_.select(fits, twos_complement(whole, negative), d_.constant(indefinite_result(dst_)));
      magnitude = d_.select(fits, whole, limit);
    }
    return twos_complement(magnitude, negative);
  }

  /// Rounded to an integral value of the same type; the number has bits below the point.
  Word to_integral(const Number<D>& x) {
    const Word whole = d_.share(rounded(x.negative, to_grid(d_, x, 0), d_.constant(0)));
    const auto power = [&](int exponent) { return Number<D>{x.negative, exponent, exponent, d_.constant(1)}; };
    if (x.leading < 0)
      return d_.select(d_.equal(whole, d_.constant(0)), d_.constant(zero_result(meaning_, x.negative)),
                       to_floating(power(0)));
    return d_.select(d_.equal(whole, d_.power(x.leading + 1)), to_floating(power(x.leading + 1)),
                     to_floating({x.negative, x.leading, 0, whole}));
  }

 private:
  std::uint64_t sign_of(const Number<D>& x) const { return x.negative ? dst_.sign_mask() : 0; }

  /// base + ulps, moved up where the mode says so.
  Word rounded(bool negative, const Grid<D>& grid, const Word& base) {
    const Word code = d_.share(d_.plus(grid.ulps, base));
    if (meaning_.round == nullptr) {
      d_.expect_not(grid.first_dropped, kInexact);
      d_.expect_not(grid.sticky, kInexact);
      return code;
    }
    const unsigned of_sign = spec::entries_of_sign(meaning_.round->carry, negative);
    const Bit up = d_.row(of_sign, d_.is_set(code, 0), grid.first_dropped, grid.sticky);
    return d_.plus(code, d_.select(up, d_.constant(1), d_.constant(0)));
  }

  /// The code of the rounded magnitude, in a format without end above. Code order is value order: a carry is plus one.
  Word magnitude(const Number<D>& x) {
    const int min_exponent = dst_.min_exponent();
    const std::uint64_t hidden = std::uint64_t{1} << dst_.mantissa_bits;
    const int binade = std::max(x.leading, min_exponent);
    const std::uint64_t field = static_cast<std::uint64_t>(binade - min_exponent) + (dst_.subnormals ? 1 : 0);
    // Ulps include the hidden bit; so the base of the lowest binade of normal numbers may be minus one field.
    const Word base = d_.minus(d_.constant(field * hidden), d_.constant(hidden));
    const Word on_grid = rounded(x.negative, to_grid(d_, x, binade - dst_.mantissa_bits), base);
    return dst_.has_gap() && x.leading <= min_exponent ? beside_gap(x, on_grid) : on_grid;
  }

  /// The same for x below 2^(min_exponent + 1), where there is nothing between zero and the smallest number, one ulp
  /// above 2^min_exponent: `on_grid` where x is not below that.
  Word beside_gap(const Number<D>& x, const Word& on_grid) {
    const auto gap = [&](bool first_dropped, bool sticky) {
      return d_.constant(
          meaning_.round != nullptr && meaning_.round->carries(x.negative, false, first_dropped, sticky) ? 1 : 0);
    };
    const int min_exponent = dst_.min_exponent();
    // A rule without rounding promises that there are no numbers below the smallest.
    if (meaning_.round == nullptr && x.leading < min_exponent) d_.expect_not(d_.truth(true), kInexact);
    if (x.leading < min_exponent - 1) return gap(false, true);
    // x and the smallest number, or half of it, on one grid; both have the same leading bit.
    const int up = x.leading - dst_.mantissa_bits - x.exponent;
    const Word ours = d_.shifted_left(x.significand, std::max(-up, 0));
    const Word other = d_.shifted_left(d_.constant((std::uint64_t{1} << dst_.mantissa_bits) + 1), std::max(up, 0));
    if (x.leading == min_exponent) {
      const Bit below = d_.less(ours, other);
      if (meaning_.round == nullptr) d_.expect_not(below, kInexact);
      return d_.select(below, gap(true, true), on_grid);
    }
    return d_.select(d_.less(ours, other), gap(false, true),
                     d_.select(d_.equal(ours, other), gap(true, false), gap(true, true)));
  }

  /// Of a negative number where the destination has no sign: a rule may ask whether it is one once it is rounded.
  Word to_negative(const Number<D>& x) {
    const Word negative = d_.constant(negative_result(meaning_));
    if (meaning_.negative_test == spec::NegativeTest::exact || !dst_.has_zero()) return negative;
    return d_.select(d_.equal(magnitude(x), d_.constant(0)), d_.constant(0), negative);
  }

  /// The largest magnitude in the range.
  Word limit_of(const spec::IntegerRange& range, bool negative) {
    if (negative && !range.is_signed) return d_.constant(0);
    const Word top = d_.power(range.is_signed ? range.bits - 1 : range.bits);
    return negative ? top : d_.minus(top, d_.constant(1));
  }
  Word twos_complement(const Word& magnitude, bool negative) {
    return d_.low(negative ? d_.minus(d_.constant(0), magnitude) : magnitude, dst_.value_bits);
  }

  D& d_;
  const spec::Meaning& meaning_;
  const spec::Type& dst_;
};

}  // namespace castforge::semantics
