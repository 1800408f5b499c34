#include "oracle/convert.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace castforge::oracle {

namespace {

enum class Side { below, at_middle, above };

Side side_of(long double x, long double low, long double high) {
  const long double middle = low + (high - low) / 2;
  return x < middle ? Side::below : x > middle ? Side::above : Side::at_middle;
}

/// Carry tables of the modes that were added.
std::vector<std::pair<std::string, std::uint16_t>>& added_roundings() {
  static std::vector<std::pair<std::string, std::uint16_t>> modes;
  return modes;
}

constexpr int kOwnRoundings = static_cast<int>(Round::odd) + 1;

/// Whether an added mode moves a magnitude up, from what lies on each side of the middle.
bool added_goes_up(Round round, bool negative, bool lower_is_odd, Side side) {
  const auto index = static_cast<std::size_t>(static_cast<int>(round) - kOwnRoundings);
  const int first_dropped = side == Side::below ? 0 : 1;
  const int any_later = side == Side::at_middle ? 0 : 1;
  const int bit = (negative ? 8 : 0) + (lower_is_odd ? 4 : 0) + 2 * first_dropped + any_later;
  return (added_roundings().at(index).second >> bit & 1) != 0;
}

/// Does a magnitude strictly between two neighbours go to the upper one?
bool goes_up(Round round, bool negative, bool lower_is_odd, Side side) {
  switch (round) {
    case Round::nearest_even: return side == Side::above || (side == Side::at_middle && lower_is_odd);
    case Round::nearest_away: return side != Side::below;
    case Round::toward_zero: return false;
    case Round::down: return negative;
    case Round::up: return !negative;
    case Round::odd: return !lower_is_odd;
  }
  return added_goes_up(round, negative, lower_is_odd, side);
}

/// Whether a value beyond the largest one stays there under overflow `ieee`.
bool rounds_toward_zero(Round round, bool negative) {
  switch (round) {
    case Round::toward_zero:
    case Round::odd: return true;
    case Round::down: return !negative;
    case Round::up: return negative;
    case Round::nearest_even:
    case Round::nearest_away: return false;
  }
  return !added_goes_up(round, negative, true, Side::above);
}

/// The integral magnitude next to `x` in the given direction.
long double to_integral(long double x, Round round, bool negative) {
  const long double low = std::floor(x);
  if (low == x) return x;
  const bool odd = static_cast<std::uint64_t>(low) % 2 != 0;  // x has a fraction, so it is far below 2^64
  return goes_up(round, negative, odd, side_of(x, low, low + 1)) ? low + 1 : low;
}

/// Low 64 bits of the two's complement of +-magnitude.
std::uint64_t low_bits(long double magnitude, bool negative) {
  constexpr long double kModulus = 18446744073709551616.0L;
  const auto low = static_cast<std::uint64_t>(magnitude < kModulus ? magnitude : std::fmod(magnitude, kModulus));
  return negative ? std::uint64_t{0} - low : low;
}

std::uint64_t encode_boolean(const Value& v) { return v.what != Class::finite || v.magnitude != 0 ? 1 : 0; }

std::uint64_t mask(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

/// The magnitude of the nearest integer of the range.
long double clamped(long double magnitude, bool negative, const Integers& range) {
  const long double top = std::ldexp(1.0L, range.is_signed ? range.bits - 1 : range.bits);  // first one out of range
  return std::min(magnitude, !negative ? top - 1 : range.is_signed ? top : 0);
}

std::uint64_t encode_integer(const Value& v, const Format& f, const Rule& rule) {
  const std::uint64_t greatest = mask(f.is_signed ? f.bits - 1 : f.bits);
  const std::uint64_t least = f.is_signed ? greatest + 1 : 0;
  if (v.what == Class::nan) {
    switch (rule.not_a_number) {
      case NotANumber::zero: return 0;
      case NotANumber::max_positive: return greatest;
      case NotANumber::max_signed: return v.negative ? least : greatest;
      case NotANumber::min: return least;
      case NotANumber::nan:
      case NotANumber::zero_opposite_sign: break;
    }
    throw std::logic_error("an integer has no NaN");
  }
  long double magnitude = v.magnitude;
  if (v.what == Class::infinite) {
    if (rule.infinite == Infinite::zero) return 0;
    if (rule.infinite == Infinite::max) return v.negative ? least : greatest;
    if (rule.infinite != Infinite::as_overflow) throw std::logic_error("an integer has no infinity");
    const bool clamps = rule.overflow != Overflow::wrap || rule.saturate_first.bits != 0;
    if (!clamps) return 0;  // every large power of two is 0 modulo 2^bits
    magnitude = std::ldexp(1.0L, 2000);
  } else {
    magnitude = to_integral(magnitude, rule.round, v.negative);
  }
  if (rule.saturate_first.bits != 0) magnitude = clamped(magnitude, v.negative, rule.saturate_first);
  const long double nearest = clamped(magnitude, v.negative, {f.bits, f.is_signed});
  switch (rule.overflow) {
    case Overflow::wrap: break;
    case Overflow::saturate: magnitude = nearest; break;
    case Overflow::indefinite:
      if (magnitude != nearest) return f.is_signed ? least : greatest;
      break;
    default: throw std::logic_error("not an overflow policy of integers");
  }
  return low_bits(magnitude, v.negative) & mask(f.bits);
}

std::uint64_t encode_infinity(const Codec& dst, bool negative) {
  if (dst.has_infinity()) return dst.infinity_code(negative);
  if (dst.has_nan()) return dst.nan_code(negative);
  return dst.max_code(negative);
}

std::uint64_t overflowed(const Codec& dst, bool negative, const Rule& rule) {
  switch (rule.overflow) {
    case Overflow::infinity: return encode_infinity(dst, negative);
    case Overflow::max: return dst.max_code(negative);
    case Overflow::nan: return dst.has_nan() ? dst.nan_code(negative) : dst.max_code(negative);
    case Overflow::ieee:
      return rounds_toward_zero(rule.round, negative) ? dst.max_code(negative) : encode_infinity(dst, negative);
    default: throw std::logic_error("not an overflow policy of floats");
  }
}

/// Where a magnitude ends up in the list of values; its length where that is beyond the last one.
std::uint64_t rounded_position(long double magnitude, bool negative, const Codec& dst, const Rule& rule) {
  const ValueList& list = dst.list();
  const std::uint64_t position = list.last_not_above(magnitude);
  if (position >= list.count() || list.at(position) == magnitude) return position;
  const Side side = side_of(magnitude, list.at(position), list.at(position + 1));
  return position + (goes_up(rule.round, negative, position % 2 != 0, side) ? 1 : 0);
}

std::uint64_t encode_floating(const Value& v, const Codec& dst, const Rule& rule) {
  const bool into_unsigned = !dst.format().is_signed && v.negative && v.what != Class::nan && dst.has_zero();
  if (into_unsigned && rule.minus_infinity_nan && v.what == Class::infinite) return dst.nan_code(false);
  if (into_unsigned && rule.negative != Negative::magnitude) {
    const bool vanishes =
        v.what == Class::finite &&
        (rule.negative_unrounded ? v.magnitude == 0 : rounded_position(v.magnitude, true, dst, rule) == 0);
    return rule.negative == Negative::clamp || vanishes ? 0 : dst.nan_code(false);
  }
  const bool negative = v.negative && !into_unsigned;
  if (v.what == Class::nan) {
    switch (rule.not_a_number) {
      case NotANumber::nan: return dst.nan_code(negative);
      case NotANumber::max_positive: return dst.max_code(false);
      case NotANumber::max_signed: return dst.max_code(negative);
      case NotANumber::zero_opposite_sign: return negative || rule.plus_zero ? 0 : dst.sign_code();
      case NotANumber::zero: return 0;
      case NotANumber::min: return dst.has_zero() ? 1 : 0;
    }
    throw std::logic_error("unknown NaN policy");
  }
  if (!dst.has_zero()) {  // such formats are unsigned: everything below the smallest value, whatever its
                          // sign
    const bool below = negative || (v.what == Class::finite && v.magnitude < dst.list().at(0));
    if (below) return rule.below == BelowRange::smallest ? 0 : dst.nan_code(false);
  }
  if (v.what == Class::infinite) {
    switch (rule.infinite) {
      case Infinite::infinity: return encode_infinity(dst, negative);
      case Infinite::max: return dst.max_code(negative);
      case Infinite::nan: return dst.nan_code(negative);
      case Infinite::zero: return dst.has_negative_zero() && negative && !rule.plus_zero ? dst.sign_code() : 0;
      case Infinite::as_overflow: return overflowed(dst, negative, rule);
    }
    throw std::logic_error("unknown infinity policy");
  }

  const ValueList& list = dst.list();
  const std::uint64_t position = rounded_position(v.magnitude, negative, dst, rule);
  if (position < list.count()) {
    if (position == 0 && dst.has_zero() && (rule.plus_zero || !dst.has_negative_zero())) return 0;
    return position | (negative ? dst.sign_code() : 0);
  }
  return overflowed(dst, negative, rule);
}

std::uint64_t convert_same(const Codec& type, const Rule& rule, std::uint64_t code) {
  if (type.format().kind == Kind::boolean) return code != 0 ? 1 : 0;
  // Storage above the code is not part of it: ignored on reading, zero on writing.
  if (type.format().bits < 64) code &= (std::uint64_t{1} << type.format().bits) - 1;
  if (rule.same == SameType::copy) return code;
  Value v = type.decode(code);
  if (rule.same == SameType::copy_clamped) {
    return v.what == Class::infinite ? type.max_code(v.negative) : code;
  }
  if (v.what == Class::nan) return type.nan_code(v.negative);
  if (v.what == Class::infinite) return code;
  v.magnitude = to_integral(v.magnitude, rule.round, v.negative);
  return encode_floating(v, type, rule);  // exact: an integral value next to a value of the format is one of its values
}

}  // namespace

Round add_rounding(const std::string& name, std::uint16_t carry) {
  if (find_rounding(name)) throw std::invalid_argument(name + " is known already");
  added_roundings().emplace_back(name, carry);
  return static_cast<Round>(kOwnRoundings + static_cast<int>(added_roundings().size()) - 1);
}

std::optional<Round> find_rounding(std::string_view name) {
  constexpr std::pair<std::string_view, Round> kOwn[] = {{"nearest_even", Round::nearest_even},
                                                         {"nearest_away", Round::nearest_away},
                                                         {"toward_zero", Round::toward_zero},
                                                         {"floor", Round::down},
                                                         {"ceil", Round::up},
                                                         {"odd", Round::odd}};
  for (const auto& [own, round] : kOwn) {
    if (own == name) return round;
  }
  const auto& added = added_roundings();
  for (std::size_t i = 0; i < added.size(); ++i) {
    if (added[i].first == name) return static_cast<Round>(kOwnRoundings + static_cast<int>(i));
  }
  return std::nullopt;
}

std::uint16_t carry_of(Round round) {
  std::uint16_t carry = 0;
  for (int bit = 0; bit < 16; ++bit) {
    if (bit % 4 == 0) continue;  // nothing dropped: exact values stay
    const Side side = bit % 4 == 1 ? Side::below : bit % 4 == 2 ? Side::at_middle : Side::above;
    if (goes_up(round, bit >= 8, bit / 4 % 2 != 0, side)) carry = static_cast<std::uint16_t>(carry | 1u << bit);
  }
  return carry;
}

std::uint64_t encode(const Value& v, const Codec& dst, const Rule& rule) {
  switch (dst.format().kind) {
    case Kind::boolean: return encode_boolean(v);
    case Kind::integer: return encode_integer(v, dst.format(), rule);
    case Kind::floating: return encode_floating(v, dst, rule);
  }
  throw std::logic_error("unknown kind");
}

std::uint64_t convert(const Codec& src, const Codec& dst, const Rule& rule, std::uint64_t code) {
  if (rule.same == SameType::bits) return code & mask(dst.format().bits);
  const bool as_another = rule.same == SameType::converted && dst.format().kind == Kind::floating;
  if (src.format().name == dst.format().name && !as_another) return convert_same(src, rule, code);
  return encode(src.decode(code), dst, rule);
}

Rule normalised(const Format& src, const Format& dst, Rule rule) {
  const Rule plain;
  if (rule.same == SameType::bits) {
    Rule same;
    same.same = rule.same;
    return same;
  }
  if (src.name == dst.name) {
    Rule same;
    same.same = rule.same;
    if (rule.same == SameType::integral) same.round = rule.round;
    if (rule.same == SameType::converted) same.infinite = rule.infinite, same.plus_zero = rule.plus_zero;
    return same;
  }
  rule.same = plain.same;
  if (dst.kind == Kind::boolean) return plain;
  if (src.kind != Kind::floating) rule.not_a_number = plain.not_a_number, rule.infinite = plain.infinite;
  if (src.kind == Kind::floating && !src.infinity) rule.infinite = plain.infinite;
  if (src.kind == Kind::floating && src.nan == Nan::none) rule.not_a_number = plain.not_a_number;
  if (src.kind != Kind::floating && dst.kind == Kind::integer) rule.round = plain.round;
  const bool has_zero = dst.subnormals || dst.mantissa_bits > 0;
  if (dst.kind != Kind::floating || has_zero) rule.below = plain.below;
  if (dst.kind != Kind::floating || dst.is_signed || !has_zero) rule.negative = plain.negative;
  return rule;
}

}  // namespace castforge::oracle
