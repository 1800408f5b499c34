// Integers to powers of two alone: all that matters is the position of the leading bit, and whether the bits below it
// round up.
#include <cstdint>
#include <optional>
#include <string>

#include "plan/lowerings.hpp"
#include "plan/real.hpp"
#include "semantics/results.hpp"
#include "spec/canonical.hpp"

namespace castforge::plan {
namespace {

using spec::Meaning;

/// Which power of two a positive integer becomes: the one below it, the one above it, or the nearer one, which is that
/// above for an integer in the middle. mixed: not the same of these for every integer.
enum class Taken { mixed, below, above, nearer };

Taken taken(std::uint16_t carry) {
  const auto up = [&](bool first_dropped, bool sticky) {  // after an even code and after an odd one
    return spec::carries(carry, false, false, first_dropped, sticky) +
           spec::carries(carry, false, true, first_dropped, sticky);
  };
  const int below = up(false, true), tie = up(true, false), above = up(true, true);
  if (below == 0 && tie == 0 && above == 0) return Taken::below;
  if (below == 2 && tie == 2 && above == 2) return Taken::above;
  return below == 0 && tie == 2 && above == 2 ? Taken::nearer : Taken::mixed;
}

/// Code 0 is 2^least; the code of 2^n is n - least.
struct PowerRule {
  int least;
  bool is_signed;
  std::uint64_t not_positive;  // the result of zero and of negative integers
  Taken taken;
};

/// Nothing where results are not powers of two for every positive integer, and one for all others.
std::optional<PowerRule> rule_of(const Meaning& meaning) {
  const spec::Type &src = *meaning.src, &dst = *meaning.dst;
  const PowerRule rule{dst.min_exponent(), src.is_signed, semantics::zero_result(meaning), taken(carry_of(meaning))};
  const bool of_one_sign = dst.mantissa_bits == 0 && !dst.is_signed && !dst.storage_high;
  const bool in_range = dst.min_exponent() <= 0 && !spec::reach(meaning).overflow;
  const bool one_result = !src.is_signed || (meaning.negative != spec::NegativeResult::abs &&
                                             semantics::negative_result(meaning) == rule.not_positive);
  if (!of_one_sign || !in_range || !one_result || meaning.saturate_first || rule.taken == Taken::mixed) return {};
  return rule;
}

/// What has n bits where the result is 2^n, the power above or the nearer one.
Value shorter(Builder& b, Value bits, Taken taken) {
  if (taken == Taken::above) return (bits - b.literal(1)).named("before", "has n bits from 2^(n - 1) + 1 up to 2^n");
  const Value halved = bits >> 1;
  return (halved + (halved & bits)).named("raised", "half of it, and one bit more from 1.5 times a power of two on");
}

/// The biased float32 exponent of an unsigned integer of 32 bits; 0 for 0. The conversion rounds up to the next power
/// of two only integers in which the bit below the leading one is set.
Value exponent_of(Builder& b, Value integer, bool fills_lane) {
  const Value apart = (integer ^ (integer & (integer >> 1))).named("apart", "the bit below the leading one is 0");
  const Value exponent = unary(Op::float32_of_int32, apart) >> kFloat32.mantissa_bits;
  if (!fills_lane) return exponent;
  const std::uint64_t top = static_cast<std::uint64_t>(kFloat32.bias) + 31;
  return min(exponent, b.count("kTop", top, "127 + 31: where bit 31 is set, which the conversion takes for a sign"));
}

/// The code where the integer is positive, which its `sign` tells as well; it fills a byte at most.
Value of_positive(Builder& b, const Meaning& meaning, const PowerRule& rule, Value sign, Value code) {
  code = code.named("code");
  const Value other =
      b.constant("kOther", rule.not_positive, rule.is_signed ? "result of zero and below" : "result of zero");
  const Value result = rule.is_signed ? select(greater(sign, b.literal(0)), code, other)
                                      : select(equal(sign, b.literal(0)), other, code);
  return b.node(Op::narrow, {result.named("result")}, 0, storage_unit(meaning.dst->storage_bits));
}

}  // namespace

Value power_by_leading_zeros(Builder& b, const Meaning& meaning) {
  const std::optional<PowerRule> rule = rule_of(meaning);
  if (!rule) return {};
  const int width = b.lane_bits();
  const Value bits = b.element();
  const bool below = rule->taken == Taken::below;  // by the integer itself, which has one bit more
  const int at = below ? width - 1 : width;
  const Value most =
      b.count("kMost", static_cast<std::uint64_t>(at - rule->least),
              std::to_string(-rule->least) + " + " + std::to_string(at) + ": code of 2^" + std::to_string(at));
  const Value code = most - unary(Op::leading_zeros, below ? bits : shorter(b, bits, rule->taken));
  return of_positive(b, meaning, *rule, bits, code);
}

Value power_by_leading_bit(Builder& b, const Meaning& meaning) {
  const std::optional<PowerRule> rule = rule_of(meaning);
  if (!rule) return {};
  const Value bits = b.element();
  const bool below = rule->taken == Taken::below;
  const bool wide = b.lane_bits() == 64;
  const Value integer = below ? bits : shorter(b, bits, rule->taken);

  b.work_in(32);
  const auto low = [&](Value v) { return truncate(v, 32); };
  const auto high = [&](Value v) { return truncate(v >> 32, 32); };
  Value leading = integer, more = b.literal(0);
  if (wide) {
    const Value upper = high(integer).named("upper"), none = equal(upper, b.literal(0));
    leading = select(none, low(integer), upper).named("leading", "the word with the leading bit");
    more = select(none, b.literal(0), b.count("kLowWord", 32, "bits of the low word"));
  }
  Value exponent = exponent_of(b, leading, wide || !rule->is_signed);
  const int offset = kFloat32.bias + rule->least + (below ? 0 : -1);
  if (!below) {
    exponent = max(exponent, b.count("kNone", static_cast<std::uint64_t>(kFloat32.bias) - 1,
                                     "127 - 1: where no bit is set, one less than for 1"));
  }
  Value code = wide ? exponent + more : exponent;
  if (offset != 0) {
    const std::uint64_t size = static_cast<std::uint64_t>(offset < 0 ? -offset : offset);
    const Value distance = b.count("kOffset", size, "from the exponent to the code");
    code = offset < 0 ? code + distance : code - distance;
  }
  // A word that is positive, zero or negative as the integer of two words is.
  Value halves = bits;
  if (wide && rule->is_signed) halves = high(bits) | min(low(bits), b.literal(1));
  else if (wide) halves = low(bits) | high(bits);
  return of_positive(b, meaning, *rule, halves, code);
}

}  // namespace castforge::plan
