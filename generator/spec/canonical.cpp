#include "spec/canonical.hpp"

#include <algorithm>
#include <castforge/elements.hpp>
#include <vector>

#include "spec/words.hpp"

namespace castforge::spec {
namespace {

__extension__ using u128 = unsigned __int128;

/// All source magnitudes in [2^exponent, 2^(exponent+1)): (1 + f * 2^-fraction_bits) * 2^exponent for every f from
/// lowest_fraction to highest_fraction.
struct Binade {
  int exponent = 0;
  int fraction_bits = 0;
  std::uint64_t highest_fraction = 0;
  bool positive = true;
  bool negative = false;
  std::uint64_t lowest_fraction = 0;  // 1 where the code of the power of two is zero's
};

std::vector<Binade> floating_binades(const Type& type) {
  std::vector<Binade> list;
  const std::uint64_t top = type.max_finite_code();
  const std::uint64_t hidden = std::uint64_t{1} << type.mantissa_bits;
  const int ulp_exponent = type.min_exponent() - type.mantissa_bits;  // of subnormals
  const auto add = [&](int exponent, int fraction_bits, std::uint64_t first_code) {
    if (first_code > top) return;
    const std::uint64_t last = first_code + low_bits(fraction_bits);
    list.push_back({exponent, fraction_bits, std::min(last, top) - first_code, true, type.is_signed});
  };
  std::uint64_t field = 0;
  if (type.subnormals) {
    for (int bits = 0; bits < type.mantissa_bits; ++bits) add(ulp_exponent + bits, bits, std::uint64_t{1} << bits);
    field = 1;
  }
  for (; field * hidden <= top; ++field) {
    const int exponent = static_cast<int>(field) - type.exponent_bias;
    add(exponent, type.mantissa_bits, field * hidden);
    if (type.has_gap() && field == 0) list.back().lowest_fraction = 1;
  }
  return list;
}

std::vector<Binade> binades(const Type& type) {
  if (type.kind == Kind::floating) return floating_binades(type);
  if (type.kind == Kind::boolean) return {Binade{}};
  std::vector<Binade> list;
  const int full = type.magnitude_bits();
  for (int e = 0; e < full; ++e) list.push_back({e, e, low_bits(e), true, type.is_signed});
  if (type.is_signed) list.push_back({full, full, 0, false, true});  // the minimum has no positive counterpart
  return list;
}

/// One binade on the destination's grid: dropping the lowest `dropped` of its fraction_bits + 1 significant bits
/// leaves whole ulps of the destination; negative when the grid is finer.
struct Truncation {
  const Binade& binade;
  int dropped;

  std::uint64_t highest() const { return (std::uint64_t{1} << binade.fraction_bits) + binade.highest_fraction; }
  bool below_ulp() const { return dropped > binade.fraction_bits; }
  bool inexact() const { return dropped > 0 && (below_ulp() || binade.highest_fraction > 0); }
  /// The largest magnitude, truncated to ulps.
  u128 highest_ulps() const {
    if (below_ulp()) return 0;
    return dropped >= 0 ? u128{highest() >> dropped} : u128{highest()} << -dropped;
  }
  /// Whether a magnitude that is truncated to the same ulps as the largest one is rounded up.
  bool highest_carries(const Rounding* mode, bool negative) const {
    if (mode == nullptr || dropped <= 0) return false;
    const bool last_kept = (highest_ulps() & 1) != 0;
    const auto carries = [&](bool first_dropped, bool sticky) {
      return mode->carries(negative, last_kept, first_dropped, sticky);
    };
    const int bits = binade.fraction_bits;
    if (dropped > bits + 1) return carries(false, true);
    if (dropped == bits + 1) return carries(true, false) || (binade.highest_fraction > 0 && carries(true, true));
    // Dropped parts run from 0 to that of the largest magnitude.
    const std::uint64_t most = highest() & low_bits(dropped);
    const std::uint64_t half_ulp = std::uint64_t{1} << (dropped - 1);
    return (most >= half_ulp && carries(true, false)) || (most >= 1 && half_ulp > 1 && carries(false, true)) ||
           (most > half_ulp && carries(true, true));
  }
};

bool leaves_range(const Truncation& truncation, u128 limit, const Rounding* mode, bool negative) {
  const u128 ulps = truncation.highest_ulps();
  return ulps > limit || (ulps == limit && truncation.highest_carries(mode, negative));
}

/// Whether some number of the binade, as a negative one, rounds to zero.
bool vanishes(const Meaning& meaning, const Binade& binade) {
  const Type& dst = *meaning.dst;
  const auto stays = [&](bool first_dropped, bool sticky) {
    return meaning.round == nullptr || !meaning.round->carries(true, false, first_dropped, sticky);
  };
  // The exponent of half the smallest number; those below are less than half of it.
  const int tie_exponent = (dst.subnormals ? dst.min_exponent() - dst.mantissa_bits : dst.min_exponent()) - 1;
  if (binade.exponent < tie_exponent) return stays(false, true);
  if (binade.exponent > tie_exponent + 1 || (binade.exponent == tie_exponent + 1 && !dst.has_gap())) return false;
  // The fraction of half the smallest number, and of that number, in ulps of the binade; where they lie between two
  // of its numbers, the one below.
  const int finer = binade.fraction_bits - dst.mantissa_bits;
  const std::uint64_t limit = dst.has_gap() && finer >= 0 ? std::uint64_t{1} << finer : 0;
  const bool met = !dst.has_gap() || finer >= 0;
  const std::uint64_t low = binade.lowest_fraction, high = binade.highest_fraction;
  if (binade.exponent == tie_exponent + 1) return low <= limit && (low < limit || !met) && stays(true, true);
  const bool below = low < limit || (low == limit && !met);
  return (below && stays(false, true)) || (met && low <= limit && limit <= high && stays(true, false)) ||
         (high > limit && stays(true, true));
}

void reach_floating(const Meaning& meaning, const Binade& binade, Reach& reach) {
  const Type& dst = *meaning.dst;
  if (dst.has_zero() && binade.negative && vanishes(meaning, binade)) reach.vanishing = true;
  const bool folds = !dst.is_signed && meaning.negative == NegativeResult::abs;
  const bool positive = binade.positive || (folds && binade.negative);
  const bool negative = binade.negative && dst.is_signed;
  if (!positive && !negative) return;  // never gets as far as rounding
  const int smallest = dst.min_exponent();
  if (!dst.has_zero() && binade.exponent < smallest) {
    reach.underflow = true;
    return;
  }
  const int kept = dst.mantissa_bits - std::max(smallest - binade.exponent, 0);
  const Truncation truncation{binade, binade.fraction_bits - kept};
  reach.inexact = reach.inexact || truncation.inexact();
  // Between zero and the smallest number of a type with a gap there is nothing, the power of two below it included.
  const bool power_of_two = binade.lowest_fraction == 0;
  if (dst.has_gap() && (binade.exponent < smallest || (binade.exponent == smallest && power_of_two)))
    reach.inexact = true;
  // The largest finite number, in ulps of this binade.
  const std::uint64_t top = dst.max_finite_code();
  const int top_field = static_cast<int>(top >> dst.mantissa_bits);
  const bool top_subnormal = dst.subnormals && top_field == 0;
  const int top_exponent = top_subnormal ? smallest : top_field - dst.exponent_bias;
  if (binade.exponent > top_exponent) {
    reach.overflow = true;
    return;
  }
  if (binade.exponent < top_exponent && !top_subnormal) return;  // at most the next power of two
  if (dst.mantissa_bits == 0 && truncation.inexact() && meaning.round != nullptr) {
    // Without a mantissa the last kept bit is that of the whole code; any carry of the mode may occur.
    const bool odd = (top & 1) != 0;
    const auto carries = [&mode = *meaning.round, odd](bool minus) {
      return mode.carries(minus, odd, false, true) || mode.carries(minus, odd, true, false) ||
             mode.carries(minus, odd, true, true);
    };
    reach.overflow = reach.overflow || (positive && carries(false)) || (negative && carries(true));
    return;
  }
  const std::uint64_t hidden = std::uint64_t{1} << dst.mantissa_bits;
  const u128 limit = top_subnormal ? top : (top & (hidden - 1)) | hidden;
  reach.overflow = reach.overflow || (positive && leaves_range(truncation, limit, meaning.round, false)) ||
                   (negative && leaves_range(truncation, limit, meaning.round, true));
}

/// Whether some rounded value of the binade lies outside.
bool leaves(const IntegerRange& range, const Binade& binade, const Rounding* round) {
  if (binade.exponent >= 64) return true;
  const Truncation truncation{binade, binade.fraction_bits - binade.exponent};
  const u128 top_bit = u128{1} << (range.bits - 1);
  const u128 most = range.is_signed ? top_bit - 1 : 2 * top_bit - 1;
  const u128 least = range.is_signed ? top_bit : 0;
  return (binade.positive && leaves_range(truncation, most, round, false)) ||
         (binade.negative && leaves_range(truncation, least, round, true));
}

bool leaves(const IntegerRange& range, const Meaning& meaning) {
  if (meaning.src->kind == Kind::string) return true;
  const std::vector<Binade> all = binades(*meaning.src);
  return std::any_of(all.begin(), all.end(), [&](const Binade& one) { return leaves(range, one, meaning.round); });
}

void reach_integer(const Meaning& meaning, const Binade& binade, Reach& reach) {
  const Truncation truncation{binade, binade.fraction_bits - binade.exponent};
  reach.inexact = reach.inexact || truncation.inexact();
  reach.overflow = reach.overflow || leaves(range_of(*meaning.dst), binade, meaning.round);
}

Reach everything() { return {true, true, true, true, true, true, true, true}; }

InfResult next_best(InfResult inf, const Type& dst) {
  if (inf == InfResult::infinity && !dst.infinity) inf = InfResult::nan;
  if (inf == InfResult::nan && !dst.has_nan()) inf = InfResult::max;
  return inf;
}

Overflow next_best(Overflow overflow, const Type& dst) {
  if (overflow == Overflow::infinity && !dst.infinity) overflow = Overflow::nan;
  if (overflow == Overflow::nan && !dst.has_nan()) overflow = Overflow::max;
  return overflow;
}

/// `ieee` says infinity or the largest number by mode and sign; often that is one of them throughout. The last kept
/// bit counts as set, as in the exact semantics.
Overflow settle_ieee(const Meaning& meaning) {
  const Type& src = *meaning.src;
  const auto leaves = [&](bool negative) { return meaning.round->carries(negative, true, true, true); };
  const bool src_signed = src.kind == Kind::string || (src.kind != Kind::boolean && src.is_signed);
  const bool positive = leaves(false);
  const bool negative = meaning.dst->is_signed && src_signed ? leaves(true) : positive;
  if (positive != negative) return Overflow::ieee;
  return positive ? Overflow::infinity : Overflow::max;
}

Overflow settle_overflow(const Meaning& meaning) {
  const bool by_mode = meaning.overflow == Overflow::ieee && meaning.round != nullptr;
  return next_best(by_mode ? settle_ieee(meaning) : meaning.overflow, *meaning.dst);
}

InfResult settle_inf(const Meaning& meaning, Overflow settled) {
  InfResult inf = meaning.inf;
  if (inf == InfResult::as_overflow) {
    if (settled == Overflow::infinity) inf = InfResult::infinity;
    if (settled == Overflow::max) inf = InfResult::max;
    if (settled == Overflow::nan) inf = InfResult::nan;
  }
  return next_best(inf, *meaning.dst);
}

/// Where keeping the bits is what a conversion does: between integers of one width, and from a type to itself.
Meaning as_conversion(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  const bool integers = src.kind == Kind::integer && dst.kind == Kind::integer;
  if (meaning.bits == Bits::converted || !(integers || (&src == &dst && src.kind == Kind::floating))) return meaning;
  Meaning conversion;  // as it is, a copy
  conversion.src = &src;
  conversion.dst = &dst;
  conversion.overflow = integers ? Overflow::wrap : Overflow::infinity;
  conversion.decided_by = meaning.decided_by;
  return conversion;
}

void canonical_floating(const Meaning& meaning, const Reach& reach, Meaning& out) {
  const Type& dst = *meaning.dst;
  const Overflow overflow = settle_overflow(meaning);
  const bool inf_overflows = reach.infinity && meaning.inf == InfResult::as_overflow;
  if (reach.infinity) out.inf = settle_inf(meaning, overflow);
  if (reach.overflow || (inf_overflows && overflow == Overflow::ieee)) out.overflow = overflow;
  if (reach.inexact || out.overflow == Overflow::ieee) out.round = meaning.round;
  if (reach.nan) {
    out.nan = meaning.nan;
    if (out.nan == NanResult::max_signed && !dst.is_signed) out.nan = NanResult::max;
    if (out.nan == NanResult::zero_opposite && meaning.zero_sign == ZeroSign::positive) out.nan = NanResult::zero;
  }
  if (!dst.is_signed && reach.negative) out.negative = meaning.negative;
  const bool tested = !dst.is_signed && dst.has_zero() && reach.vanishing && meaning.negative == NegativeResult::nan;
  if (tested) out.negative_test = meaning.negative_test;
  if (!dst.is_signed && reach.negative && reach.infinity && dst.has_nan() && out.negative != NegativeResult::nan)
    out.negative_inf = meaning.negative_inf;
  const bool minus_zero = meaning.src->kind == Kind::string || reach.vanishing ||
                          (reach.negative && reach.infinity && out.inf == InfResult::zero) ||
                          (meaning.src->kind == Kind::floating && meaning.src->has_negative_zero());
  if (dst.has_negative_zero() && minus_zero) out.zero_sign = meaning.zero_sign;
  if (!dst.has_zero() && reach.zero) out.zero = meaning.zero;
  if (!dst.has_zero() && reach.underflow) out.underflow = meaning.underflow;
}

void canonical_integer(const Meaning& meaning, const Reach& reach, Meaning& out) {
  out.overflow = Overflow::wrap;
  out.inf = InfResult::zero;
  out.nan = NanResult::zero;
  // Clamped to the destination's own range or to another one; then the low bits, which are all there is.
  const std::optional<IntegerRange> clamp = clamp_range(meaning);
  const bool indefinite = meaning.overflow == Overflow::indefinite;
  const bool to_own_range = clamp == range_of(*meaning.dst) && !indefinite;
  const bool inf_overflows = reach.infinity && meaning.inf == InfResult::as_overflow;
  if (indefinite && (reach.overflow || inf_overflows)) out.overflow = Overflow::indefinite;
  if (reach.infinity) {
    out.inf = meaning.inf;
    if (out.inf == InfResult::as_overflow && to_own_range) out.inf = InfResult::max;
    if (out.inf == InfResult::as_overflow && !clamp) out.inf = InfResult::zero;
  }
  if (to_own_range && reach.overflow) out.overflow = Overflow::saturate;
  if (clamp && !to_own_range && !indefinite && (out.inf == InfResult::as_overflow || leaves(*clamp, meaning)))
    out.saturate_first = clamp;
  if (reach.inexact) out.round = meaning.round;
  if (reach.nan) out.nan = meaning.nan;
}

/// Whether a conversion of the type to itself, as between two types, gives every code that is no infinity.
bool keeps_codes(const Meaning& conversion) {
  const Type& type = *conversion.dst;
  const bool one_nan = type.nan != NanCodes::ieee && conversion.nan == NanResult::nan;
  return conversion.zero_sign == ZeroSign::kept && (!type.has_nan() || one_nan);
}

void canonical_same_type(const Meaning& meaning, Meaning& out) {
  const Type& type = *meaning.dst;
  if (converts_to_itself(meaning)) {
    canonical_floating(meaning, reach(meaning), out);
    if (!keeps_codes(out)) out.same_type = SameType::converted;
    return;
  }
  if (type.kind != Kind::floating) {
    if (type.kind == Kind::integer) {
      out.overflow = Overflow::wrap;
      out.inf = InfResult::zero;
      out.nan = NanResult::zero;
    }
    return;
  }
  if (meaning.same_type == SameType::copy) {
    if (!type.infinity) return;
    out.inf = settle_inf(meaning, settle_overflow(meaning));
    if (out.inf != InfResult::as_overflow) return;
    out.overflow = Overflow::ieee;
    out.round = meaning.round;
    return;
  }
  out.same_type = SameType::integral;
  const std::vector<Binade> all = binades(type);
  for (const Binade& binade : all) {
    if (Truncation{binade, binade.fraction_bits - binade.exponent}.inexact()) out.round = meaning.round;
  }
  const Binade& last = all.back();  // fractions up to the largest number: it may round up
  if (last.fraction_bits > last.exponent) out.overflow = settle_overflow(meaning);
  if (!type.has_zero()) out.zero = meaning.zero;
}

}  // namespace

Reach reach(const Meaning& meaning) {
  const Type& src = *meaning.src;
  const Type& dst = *meaning.dst;
  Reach reach;
  reach.zero = src.has_zero();
  reach.nan = src.has_nan();
  reach.infinity = src.kind == Kind::floating && src.infinity;
  reach.negative = (src.kind == Kind::floating || src.kind == Kind::integer) && src.is_signed;
  for (const Binade& binade : binades(src)) {
    if (dst.kind == Kind::floating) reach_floating(meaning, binade, reach);
    if (dst.kind == Kind::integer) reach_integer(meaning, binade, reach);
  }
  return reach;
}

Meaning canonical(const Meaning& given) {
  const Meaning meaning = as_conversion(given);
  Meaning out;
  out.src = meaning.src;
  out.dst = meaning.dst;
  if (meaning.bits == Bits::kept) {
    out.bits = meaning.bits;
    out.decided_by = meaning.decided_by;
    return out;
  }
  if (meaning.src->kind == Kind::string && meaning.dst->kind != Kind::string) out.parse = meaning.parse;
  if (meaning.dst->kind == Kind::string) {
    if (meaning.src->kind != Kind::string) out.format = meaning.format;
  } else if (meaning.src == meaning.dst) {
    canonical_same_type(meaning, out);
  } else if (meaning.dst->kind == Kind::floating) {
    canonical_floating(meaning, meaning.src->kind == Kind::string ? everything() : reach(meaning), out);
  } else if (meaning.dst->kind == Kind::integer) {
    canonical_integer(meaning, meaning.src->kind == Kind::string ? everything() : reach(meaning), out);
  }
  for (const auto& [property, rule] : meaning.decided_by) {
    if (find_property(property)->stays(out, meaning)) out.decided_by[property] = rule;
  }
  return out;
}

bool same_properties(const Meaning& a, const Meaning& b) { return static_cast<const Properties&>(a) == b; }

}  // namespace castforge::spec
