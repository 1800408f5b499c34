// A scanned number to a code: one rounding, then the rule's policies.
#include "src/text/encode.hpp"

#include <algorithm>

#include "src/text/decimal_to_binary.hpp"
#include "src/text/encoding.hpp"
#include "src/text/powers.hpp"

namespace castforge::text {
namespace {

using tables::Kind;
using tables::NanCodes;
using tables::TextRule;
using tables::Type;
using Form = Scanned::Form;

constexpr std::uint16_t kNearestEven = 0xC8C8;

// ---------------------------------------------------------------- floating destinations

std::uint64_t nan_or_largest(const Type& type, bool negative) {
  switch (type.nan) {
    case NanCodes::none: return signed_code(type, type.max_finite, negative);
    case NanCodes::negative_zero: return type.canonical_nan;
    case NanCodes::top:
    case NanCodes::ieee: break;
  }
  return signed_code(type, type.canonical_nan, negative);
}

std::uint64_t infinity_or_next_best(const Type& type, bool negative) {
  return type.infinity ? signed_code(type, type.infinity_code, negative) : nan_or_largest(type, negative);
}

std::uint64_t floating_overflow(const Type& type, const TextRule& rule, bool negative) {
  const std::uint64_t largest = signed_code(type, type.max_finite, negative);
  switch (static_cast<Overflow>(rule.overflow)) {
    case Overflow::max: return largest;
    case Overflow::nan: return nan_or_largest(type, negative);
    case Overflow::ieee:
      // IEEE 754-2019 section 7.4: a direction that does not move away from zero stays at the largest finite
      // number; its last bit counts as set, so that rounding to odd stays too.
      if (!carries(rule.carry, negative, true, true, true)) return largest;
      break;
    default: break;  // infinity; the integer policies do not occur here
  }
  return infinity_or_next_best(type, negative);
}

std::uint64_t floating_nan(const Type& type, const TextRule& rule, bool negative) {
  switch (static_cast<NanResult>(rule.nan)) {
    case NanResult::nan: return nan_or_largest(type, negative);
    case NanResult::max: return type.max_finite;
    case NanResult::max_signed: return signed_code(type, type.max_finite, negative);
    case NanResult::min: return has_zero(type) ? 1 : 0;  // the smallest positive code
    case NanResult::zero: return 0;
    case NanResult::zero_opposite: break;
  }
  return signed_code(type, 0, !negative);
}

std::uint64_t floating_infinity(const Type& type, const TextRule& rule, bool negative) {
  switch (static_cast<InfResult>(rule.inf)) {
    case InfResult::infinity: return infinity_or_next_best(type, negative);
    case InfResult::max: return signed_code(type, type.max_finite, negative);
    case InfResult::nan: return nan_or_largest(type, negative);
    case InfResult::zero: return signed_code(type, 0, negative);
    case InfResult::as_overflow: break;
  }
  return floating_overflow(type, rule, negative);
}

std::uint64_t below_range(const Type& type, std::uint8_t policy) {
  return static_cast<BelowRange>(policy) == BelowRange::min ? 0 : nan_or_largest(type, false);
}

std::uint64_t round_to_grid(const Type& type, const TextRule& rule, const Scanned& number, bool negative) {
  const int lowest = min_exponent(type);
  const GridPosition at = position(number, type.mantissa_bits, lowest);
  if (at.beyond) return floating_overflow(type, rule, negative);
  const std::uint64_t ulps = at.half_ulps >> 1;
  const std::uint64_t hidden = 1ull << type.mantissa_bits;
  if (ulps < hidden && !has_zero(type)) return below_range(type, rule.underflow);
  // Code order is value order, so a carry is plus one, across binades and into the range of overflow alike.
  std::uint64_t code = ulps + static_cast<std::uint64_t>(at.binade - lowest) * hidden;
  if (!type.subnormals) code -= ulps < hidden ? ulps : hidden;
  code += carries(rule.carry, negative, (code & 1) != 0, (at.half_ulps & 1) != 0, at.sticky);
  if (code > type.max_finite) return floating_overflow(type, rule, negative);
  return signed_code(type, code, negative);
}

std::uint64_t to_floating(const Type& type, const TextRule& rule, const Scanned& number) {
  if (number.form == Form::nan) return floating_nan(type, rule, number.negative);
  bool negative = number.negative;
  const bool zero = number.form != Form::infinity && number.significand == 0;
  if (negative && !type.is_signed && !zero) {
    switch (static_cast<NegativeResult>(rule.negative)) {
      case NegativeResult::nan: return nan_or_largest(type, false);
      case NegativeResult::clamp: return 0;  // zero, or the smallest value where there is no zero
      case NegativeResult::abs: negative = false; break;
    }
  }
  if (number.form == Form::infinity) return floating_infinity(type, rule, negative);
  if (zero) return has_zero(type) ? signed_code(type, 0, negative) : below_range(type, rule.zero);
  return round_to_grid(type, rule, number, negative);
}

// ---------------------------------------------------------------- integer destinations

/// A decimal rounded to float64 (nearest, ties to even).
struct Float64 {
  bool infinite = false;
  std::uint64_t significand = 0;
  int exponent = 0;
};

Float64 to_float64(const Scanned& number) {
  constexpr int kMantissaBits = 52, kMinExponent = -1022, kMaxExponent = 1023;
  Float64 result;
  if (number.form == Form::infinity) {
    result.infinite = true;
    return result;
  }
  if (number.significand == 0) return result;
  const GridPosition at = position(number, kMantissaBits, kMinExponent);
  if (at.beyond) {
    result.infinite = true;
    return result;
  }
  result.significand = at.half_ulps >> 1;
  result.exponent = at.binade - kMantissaBits;
  result.significand +=
      carries(kNearestEven, false, (result.significand & 1) != 0, (at.half_ulps & 1) != 0, at.sticky);
  const bool carried = result.significand >> (kMantissaBits + 1) != 0;
  result.infinite = at.binade + (carried ? 1 : 0) > kMaxExponent;
  return result;
}

std::uint64_t largest_integer(const Type& type, bool negative) {
  if (!type.is_signed) return negative ? 0 : low_bits(type.value_bits);
  const std::uint64_t top = 1ull << (type.value_bits - 1);
  return negative ? top : top - 1;  // the two's complement code of the minimum is `top`
}

/// The magnitude of a value clamped to a range of `bits` bits.
u128 clamped(u128 magnitude, bool negative, bool is_signed, int bits) {
  if (negative && !is_signed) return 0;
  const u128 top = static_cast<u128>(1) << (is_signed ? bits - 1 : bits);
  return std::min(magnitude, negative ? top : top - 1);
}

std::uint64_t integer_nan(const Type& type, const TextRule& rule, bool negative) {
  switch (static_cast<NanResult>(rule.nan)) {
    case NanResult::max: return largest_integer(type, false);
    case NanResult::min: return largest_integer(type, true);
    case NanResult::max_signed: return largest_integer(type, negative);
    default: return 0;
  }
}

/// Numbers that are not plain integers: what a float64 source would give.
std::uint64_t round_to_integer(const Type& type, const TextRule& rule, const Scanned& number) {
  const bool negative = number.negative;
  if (number.form == Form::nan) return integer_nan(type, rule, negative);
  const Float64 value = to_float64(number);
  const auto overflow = static_cast<Overflow>(rule.overflow);
  constexpr u128 kBeyond = static_cast<u128>(1) << 127;  // above every range; its low bits are zero
  u128 magnitude = 0;
  if (value.infinite) {
    if (static_cast<InfResult>(rule.inf) == InfResult::zero) return 0;
    if (static_cast<InfResult>(rule.inf) == InfResult::max) return largest_integer(type, negative);
    magnitude = kBeyond;
  } else if (value.exponent >= 0) {
    magnitude = value.exponent < 64 ? static_cast<u128>(value.significand) << value.exponent : kBeyond;
  } else if (value.exponent >= -63) {
    const int drop = -value.exponent;
    const std::uint64_t whole = value.significand >> drop;
    const bool first_dropped = ((value.significand >> (drop - 1)) & 1) != 0;
    const bool sticky = (value.significand & low_bits(drop - 1)) != 0;
    magnitude =
        whole + static_cast<u128>(carries(rule.carry, negative, (whole & 1) != 0, first_dropped, sticky));
  } else if (value.significand != 0) {
    magnitude = carries(rule.carry, negative, false, false, true) ? 1 : 0;
  }
  if (rule.first_bits != 0) magnitude = clamped(magnitude, negative, rule.first_signed, rule.first_bits);
  // Otherwise wrap: the floating policies do not occur here.
  if (overflow == Overflow::saturate) magnitude = clamped(magnitude, negative, type.is_signed, type.value_bits);
  const auto low = static_cast<std::uint64_t>(magnitude);
  return negative ? ~low + 1 : low;
}

/// Digits alone: exact, then the low bits. Returns false outside [-2^63, 2^64).
bool exact_integer(const Scanned& number, std::uint64_t& code) {
  std::uint64_t magnitude = number.significand;
  if (number.exponent > 1) return false;  // 21 significant digits or more
  if (number.exponent == 1) {             // 20: the last one was left out of the significand
    const auto last = static_cast<unsigned>(number.digits_end[-1] - '0');
    const u128 full = static_cast<u128>(magnitude) * 10 + last;
    if (full >> 64 != 0) return false;
    magnitude = static_cast<std::uint64_t>(full);
  }
  if (number.negative && magnitude > 1ull << 63) return false;
  code = number.negative ? ~magnitude + 1 : magnitude;
  return true;
}

bool to_boolean(const Scanned& number) {
  if (number.form == Form::word_true || number.form == Form::nan) return true;
  if (number.form == Form::word_false) return false;
  const Float64 value = to_float64(number);  // 1e-400 is zero
  return value.infinite || value.significand != 0;
}

}  // namespace

ParseError encode(const Type& dst, const TextRule& rule, const Scanned& number, std::uint64_t& code) {
  if (number.form == Form::bad) return ParseError::bad_number;
  switch (dst.kind) {
    case Kind::floating: code = to_floating(dst, rule, number); return ParseError::none;
    case Kind::boolean: code = to_boolean(number); return ParseError::none;
    case Kind::string: return ParseError::bad_number;
    case Kind::integer: break;
  }
  std::uint64_t wide = 0;
  if (number.form != Form::integer) {
    wide = round_to_integer(dst, rule, number);
  } else if (!exact_integer(number, wide)) {
    return ParseError::integer_out_of_range;
  }
  code = wide & low_bits(dst.value_bits);
  return ParseError::none;
}

}  // namespace castforge::text
