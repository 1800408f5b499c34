#include "src/exact/cast.hpp"

#include <algorithm>
#include <castforge/exact.hpp>

#include "src/exact/rounding.hpp"

namespace castforge::exact {
namespace {

using Class = Value::Class;

bool needs_a_mode(const Rule& rule, const Truncated& at) { return rule.carry == carry::exact && !at.is_exact(); }

// ---------------------------------------------------------------- floating destinations

std::uint64_t largest(const Format& dst, bool negative) { return signed_code(dst, dst.max_finite, negative); }

/// Types whose NaN is minus zero's code have one, without a sign.
std::uint64_t nan_or_largest(const Format& dst, bool negative) {
  if (dst.nan == NanCodes::none) return largest(dst, negative);
  return dst.nan == NanCodes::negative_zero ? dst.canonical_nan : signed_code(dst, dst.canonical_nan, negative);
}

std::uint64_t infinity_or_next_best(const Format& dst, bool negative) {
  return dst.infinity ? signed_code(dst, dst.infinity_code, negative) : nan_or_largest(dst, negative);
}

Code floating_overflow(const Format& dst, const Rule& rule, bool negative) {
  switch (rule.overflow) {
    case Overflow::infinity: return infinity_or_next_best(dst, negative);
    case Overflow::max: return largest(dst, negative);
    case Overflow::nan: return nan_or_largest(dst, negative);
    case Overflow::ieee:
      // IEEE 754-2019 section 7.4: a mode that does not move away from zero stays at the largest finite number. The
      // last kept bit counts as set, so that rounding to odd stays too where the code of that number is even.
      if (rule.carry == carry::exact) return std::nullopt;
      return carries(rule.carry, negative, true, true, true) ? infinity_or_next_best(dst, negative)
                                                             : largest(dst, negative);
    default: return std::nullopt;  // a policy for integers
  }
}

/// A result that is zero.
std::uint64_t zero_code(const Format& dst, const Rule& rule, bool negative) {
  return signed_code(dst, 0, negative && rule.zero_sign == ZeroSign::kept);
}

Code floating_nan(const Format& dst, const Rule& rule, bool negative) {
  switch (rule.nan) {
    case NanResult::nan: return nan_or_largest(dst, negative);
    case NanResult::max: return dst.max_finite;
    case NanResult::max_signed: return largest(dst, negative);
    case NanResult::min: return has_zero(dst) ? 1 : 0;  // the smallest positive code
    case NanResult::zero: return 0;
    case NanResult::zero_opposite: return zero_code(dst, rule, !negative);
  }
  return std::nullopt;
}

Code floating_infinity(const Format& dst, const Rule& rule, bool negative) {
  switch (rule.inf) {
    case InfResult::infinity: return infinity_or_next_best(dst, negative);
    case InfResult::max: return largest(dst, negative);
    case InfResult::nan: return nan_or_largest(dst, negative);
    case InfResult::zero: return zero_code(dst, rule, negative);
    case InfResult::as_overflow: return floating_overflow(dst, rule, negative);
  }
  return std::nullopt;
}

/// Of types without zero: zero itself, and what is below the smallest value.
std::uint64_t below_range(const Format& dst, BelowRange policy) {
  return policy == BelowRange::min ? 0 : nan_or_largest(dst, false);
}

/// The magnitude code of a finite value that is not zero, on the grid without end above; of formats without zero, for
/// values not below the smallest.
Code rounded_magnitude(const Format& dst, const Rule& rule, const Value& value) {
  const int smallest = min_exponent(dst);
  const int leading = value.leading();
  const bool below = value.significand == 0 || leading < smallest;
  const int binade = below ? smallest : leading;
  const std::uint16_t table = rule.carry == carry::exact ? 0 : rule.carry;
  if (has_gap(dst)) {
    if (const auto at = truncate_in_gap(dst, value)) {
      if (needs_a_mode(rule, *at)) return std::nullopt;
      return static_cast<std::uint64_t>(carries(table, value.negative, false, at->first_dropped, at->sticky));
    }
  }
  const Truncated at = truncate(value, binade - dst.mantissa_bits);
  if (needs_a_mode(rule, at)) return std::nullopt;
  return rounded_code(field_one_binade(dst), dst.mantissa_bits, binade, static_cast<std::uint64_t>(at.ulps), table,
                      value.negative, at.first_dropped, at.sticky);
}

/// Of formats without sign: whether a nonzero negative value is none once it is rounded, where that is what counts.
bool vanishes(const Format& dst, const Rule& rule, const Value& value) {
  const bool tested = rule.negative_test == NegativeTest::rounded && has_zero(dst) && value.cls == Class::finite;
  return tested && rounded_magnitude(dst, rule, value) == Code(0);
}

Code to_floating(const Format& dst, const Rule& rule, Value value) {
  if (value.cls == Class::nan) return floating_nan(dst, rule, value.negative);
  if (!dst.is_signed && value.negative && !value.is_zero()) {
    if (value.cls == Class::infinity && rule.negative_inf == NegativeInf::nan) return nan_or_largest(dst, false);
    switch (rule.negative) {
      case NegativeResult::nan: return vanishes(dst, rule, value) ? 0 : nan_or_largest(dst, false);
      case NegativeResult::clamp: return 0;  // zero, or the smallest value where there is no zero
      case NegativeResult::abs: value.negative = false; break;
    }
  }
  if (value.cls == Class::infinity) return floating_infinity(dst, rule, value.negative);
  if (value.is_zero()) return has_zero(dst) ? zero_code(dst, rule, value.negative) : below_range(dst, rule.zero);

  const int leading = value.leading();
  const bool below = value.significand == 0 || leading < min_exponent(dst);
  if (below && !has_zero(dst)) return below_range(dst, rule.underflow);
  const Code code = rounded_magnitude(dst, rule, value);
  if (!code) return code;
  if (*code == 0) return zero_code(dst, rule, value.negative);
  return *code > dst.max_finite ? floating_overflow(dst, rule, value.negative)
                                : signed_code(dst, *code, value.negative);
}

// ---------------------------------------------------------------- integer destinations

/// Two's complement code of the end of the range.
std::uint64_t largest_integer(const Format& dst, bool negative) {
  if (!dst.is_signed) return negative ? 0 : low_bits(dst.value_bits);
  const std::uint64_t top = std::uint64_t{1} << (dst.value_bits - 1);
  return negative ? top : top - 1;
}

Code integer_nan(const Format& dst, const Rule& rule, bool negative) {
  switch (rule.nan) {
    case NanResult::zero: return 0;
    case NanResult::max: return largest_integer(dst, false);
    case NanResult::min: return largest_integer(dst, true);
    case NanResult::max_signed: return largest_integer(dst, negative);
    default: return std::nullopt;  // an integer has no NaN
  }
}

/// The magnitude of the nearest whole number by the rule; nothing where that states no mode.
std::optional<u128> rounded_integer(const Rule& rule, const Value& value) {
  const Truncated at = truncate(value, 0);
  if (needs_a_mode(rule, at)) return std::nullopt;
  const bool odd = (at.ulps & 1) != 0;
  return at.ulps +
         static_cast<u128>(!at.is_exact() && carries(rule.carry, value.negative, odd, at.first_dropped, at.sticky));
}

Code to_integer(const Format& dst, const Rule& rule, const Value& value) {
  if (value.cls == Class::nan) return integer_nan(dst, rule, value.negative);
  u128 magnitude = kBeyond;
  if (value.cls == Class::infinity) {
    if (rule.inf == InfResult::zero) return 0;
    if (rule.inf == InfResult::max) return largest_integer(dst, value.negative);
    if (rule.inf != InfResult::as_overflow) return std::nullopt;
  } else {
    const std::optional<u128> rounded = rounded_integer(rule, value);
    if (!rounded) return std::nullopt;
    magnitude = *rounded;
  }
  if (const auto& [bits, is_signed] = rule.saturate_first; bits != 0) {
    magnitude = std::min(magnitude, last_integer(is_signed, bits, value.negative));
  }
  const u128 last = last_integer(dst.is_signed, dst.value_bits, value.negative);
  switch (rule.overflow) {
    case Overflow::wrap: break;
    case Overflow::saturate: magnitude = std::min(magnitude, last); break;
    case Overflow::indefinite:
      if (magnitude > last) return largest_integer(dst, dst.is_signed);
      break;
    default:  // policies for floats
      if (magnitude > last) return std::nullopt;
      break;
  }
  const auto low = static_cast<std::uint64_t>(magnitude);
  return (value.negative ? ~low + 1 : low) & low_bits(dst.value_bits);
}

// ---------------------------------------------------------------- same type

/// The nearest whole number by the rule, in the format itself.
Code to_integral(const Format& format, const Rule& rule, std::uint64_t code) {
  Value value = decode_floating(format, code);
  if (value.cls == Class::nan) return nan_or_largest(format, value.negative);
  if (value.cls == Class::infinity || value.significand == 0 || value.exponent >= 0) return code;
  const std::optional<u128> rounded = rounded_integer(rule, value);
  if (!rounded) return std::nullopt;
  value.significand = static_cast<std::uint64_t>(*rounded);
  value.exponent = 0;
  return to_floating(format, rule, value);
}

Code same_type(const Format& format, const Rule& rule, std::uint64_t code) {
  switch (format.kind) {
    case TypeKind::boolean: return code != 0;
    case TypeKind::integer: return code;
    case TypeKind::string: return std::nullopt;
    case TypeKind::floating: break;
  }
  const Value value = decode_floating(format, code);
  return value.cls == Class::infinity ? floating_infinity(format, rule, value.negative) : code;
}

}  // namespace

Code encode(const Format& dst, const Rule& rule, const Value& value) noexcept {
  switch (dst.kind) {
    case TypeKind::floating: return to_floating(dst, rule, value);
    case TypeKind::integer: return to_integer(dst, rule, value);
    case TypeKind::boolean: return !value.is_zero();
    case TypeKind::string: break;
  }
  return std::nullopt;
}

Code cast(const Format& src, const Format& dst, const Rule& rule, std::uint64_t code) noexcept {
  if (rule.bits == Bits::kept) return code;
  switch (treatment(src, dst, rule)) {
    case Treatment::copied: return same_type(src, rule, code);
    case Treatment::integral: return to_integral(src, rule, code);
    case Treatment::converted: break;
  }
  if (src.kind == TypeKind::string) return std::nullopt;
  return encode(dst, rule, decode(src, code));
}

bool rounds_beyond(const Format& dst, const Rule& given, const Value& value) noexcept {
  // Away from zero what is above an end rounds beyond it, and exact values stay (entries without dropped bits are 0).
  constexpr std::uint16_t kAway = 0xEEEE;
  Rule rule = given;
  if (rule.carry == carry::exact) rule.carry = kAway;
  if (value.is_zero()) return false;
  if (dst.kind == TypeKind::integer) {
    const std::optional<u128> rounded = rounded_integer(rule, value);
    return rounded && *rounded > last_integer(dst.is_signed, dst.value_bits, value.negative);
  }
  if (dst.kind != TypeKind::floating) return false;
  const bool leaves_below = value.negative && !dst.is_signed;  // unless it becomes a zero
  if (!has_zero(dst) && (leaves_below || value.leading() < min_exponent(dst))) return leaves_below;
  const Code code = rounded_magnitude(dst, rule, value);
  return code && (leaves_below ? *code != 0 : *code > dst.max_finite);
}

u128 last_integer(bool is_signed, int bits, bool negative) noexcept {
  if (!is_signed) return negative ? 0 : (static_cast<u128>(1) << bits) - 1;
  const u128 top = static_cast<u128>(1) << (bits - 1);
  return negative ? top : top - 1;
}

Treatment treatment(const Format& src, const Format& dst, const Rule& rule) noexcept {
  if (rule.bits == Bits::kept) return Treatment::copied;
  if (src.id != dst.id) return Treatment::converted;
  if (src.kind != TypeKind::floating) return Treatment::copied;
  switch (rule.same_type) {
    case SameType::converted: return Treatment::converted;
    case SameType::integral: return Treatment::integral;
    case SameType::copy: break;
  }
  return Treatment::copied;
}

}  // namespace castforge::exact

namespace castforge {

std::optional<std::uint64_t> exact_cast(const Format& src, const Format& dst, const Rule& rule,
                                        std::uint64_t code) noexcept {
  return exact::cast(src, dst, rule, code);
}

}  // namespace castforge
