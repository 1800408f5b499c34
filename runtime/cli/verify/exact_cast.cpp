#include "cli/verify/exact_cast.hpp"

#include "cli/io/element_words.hpp"

#include <algorithm>
#include <bit>

namespace castforge::cli {
namespace {

using u128 = unsigned __int128;

constexpr u128 kBeyond = static_cast<u128>(1) << 127;  // above every range, and its low bits are zero

std::uint64_t sign_of(const TypeInfo& type) {
  return type.is_signed ? std::uint64_t{1} << (type.value_bits - 1) : 0;
}

bool has_zero(const TypeInfo& type) { return type.subnormals; }

/// Exponent of the smallest normal numbers.
int lowest_exponent(const TypeInfo& type) { return (type.subnormals ? 1 : 0) - type.exponent_bias; }

bool describable(const TypeInfo& type) {
  if (type.kind == TypeKind::string) return false;
  return type.kind != TypeKind::floating || type.subnormals || type.mantissa_bits == 0;
}

}  // namespace

std::optional<ExactCast> ExactCast::of(const TypeInfo& src, const TypeInfo& dst, const KernelRule& rule) {
  if (!describable(src) || !describable(dst)) return std::nullopt;
  return ExactCast(src, dst, rule);
}

ExactCast::Code ExactCast::operator()(std::uint64_t src_code) const {
  if (src_.name == dst_.name) return same_type(src_code);
  const Value value = decode(src_, src_code);
  switch (dst_.kind) {
    case TypeKind::floating:
      return to_floating(value);
    case TypeKind::integer:
      return to_integer(value);
    case TypeKind::boolean:
      return value.cls != Value::Class::finite || value.significand != 0;
    case TypeKind::string:
      break;
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- values

ExactCast::Value ExactCast::decode(const TypeInfo& type, std::uint64_t code) {
  Value value;
  if (type.kind == TypeKind::boolean) {
    value.significand = code != 0;
    return value;
  }
  value.negative = (code & sign_of(type)) != 0;
  if (type.kind == TypeKind::integer) {
    value.significand = value.negative ? (~code + 1) & low_bits(type.value_bits) : code;
    return value;
  }
  const std::uint64_t magnitude = code & ~sign_of(type);
  if (type.infinity && magnitude == type.infinity_code) {
    value.cls = Value::Class::infinity;
  } else if (magnitude > type.max_finite ||
             (type.nan == NanCodes::negative_zero && value.negative && magnitude == 0)) {
    value.cls = Value::Class::nan;
  } else {
    const auto field = static_cast<int>(magnitude >> type.mantissa_bits);
    const std::uint64_t fraction = magnitude & low_bits(type.mantissa_bits);
    const bool subnormal = field == 0 && type.subnormals;
    value.significand = subnormal ? fraction : fraction | std::uint64_t{1} << type.mantissa_bits;
    value.exponent = (subnormal ? 1 : field) - type.exponent_bias - type.mantissa_bits;
  }
  return value;
}

ExactCast::Cut ExactCast::cut(const Value& value, int unit_exponent) {
  Cut result;
  if (value.significand == 0) return result;
  const int dropped = unit_exponent - value.exponent;
  if (dropped <= 0) {
    const bool fits = static_cast<int>(std::bit_width(value.significand)) - dropped < 127;
    result.units = fits ? static_cast<u128>(value.significand) << -dropped : kBeyond;
  } else if (dropped > 64) {
    result.rest = true;
  } else {
    const u128 wide = value.significand;
    result.units = wide >> dropped;
    result.half = (wide >> (dropped - 1) & 1) != 0;
    result.rest = (value.significand & low_bits(dropped - 1)) != 0;
  }
  return result;
}

bool ExactCast::goes_up(bool negative, bool odd, bool half, bool rest) const {
  switch (rule_.rounding) {
    case Rounding::nearest_even:
      return half && (odd || rest);
    case Rounding::nearest_away:
      return half;
    case Rounding::up:
      return !negative && (half || rest);
    case Rounding::down:
      return negative && (half || rest);
    case Rounding::odd:
      return !odd && (half || rest);
    case Rounding::exact:
    case Rounding::toward_zero:
      break;
  }
  return false;
}

// ---------------------------------------------------------------- results

std::uint64_t ExactCast::with_sign(std::uint64_t magnitude, bool negative) const {
  if (!negative || (magnitude == 0 && dst_.nan == NanCodes::negative_zero)) return magnitude;
  return magnitude | sign_of(dst_);
}

std::uint64_t ExactCast::largest(bool negative) const { return with_sign(dst_.max_finite, negative); }

std::uint64_t ExactCast::nan(bool negative) const {
  if (dst_.nan == NanCodes::none) return largest(negative);
  return dst_.nan == NanCodes::negative_zero ? dst_.canonical_nan : with_sign(dst_.canonical_nan, negative);
}

std::uint64_t ExactCast::infinity(bool negative) const {
  return dst_.infinity ? with_sign(dst_.infinity_code, negative) : nan(negative);
}

std::uint64_t ExactCast::smallest_or_nan(Outcome outcome) const {
  return outcome == Outcome::nan ? nan(false) : 0;
}

ExactCast::Code ExactCast::overflow(bool negative) const {
  switch (rule_.overflow) {
    case Outcome::natural:
      return infinity(negative);
    case Outcome::largest:
      return largest(negative);
    case Outcome::nan:
      return nan(negative);
    case Outcome::by_rounding: {
      const bool leaves = goes_up(negative, (dst_.max_finite & 1) != 0, true, true);
      return leaves ? infinity(negative) : largest(negative);
    }
    default:
      return std::nullopt;
  }
}

ExactCast::Code ExactCast::of_infinity(bool negative) const {
  switch (rule_.infinity) {
    case Outcome::natural:
      return infinity(negative);
    case Outcome::largest:
      return largest(negative);
    case Outcome::nan:
      return nan(negative);
    case Outcome::zero:
      return with_sign(0, negative);
    case Outcome::as_overflow:
    case Outcome::by_rounding:
      return overflow(negative);
    default:
      return std::nullopt;
  }
}

ExactCast::Code ExactCast::of_nan(bool negative) const {
  switch (rule_.nan) {
    case Outcome::nan:
      return nan(negative);
    case Outcome::positive_largest:
      return largest(false);
    case Outcome::largest:
      return largest(negative);
    case Outcome::smallest:
      return has_zero(dst_) ? 1 : 0;
    case Outcome::zero:
      return 0;
    case Outcome::opposite_zero:
      return with_sign(0, !negative);
    default:
      return std::nullopt;
  }
}

// ---------------------------------------------------------------- conversions

ExactCast::Code ExactCast::to_floating(Value value) const {
  if (value.cls == Value::Class::nan) return of_nan(value.negative);
  const bool zero = value.cls == Value::Class::finite && value.significand == 0;
  if (!dst_.is_signed && value.negative && !zero) {
    if (rule_.negative != Outcome::magnitude) return smallest_or_nan(rule_.negative);
    value.negative = false;
  }
  if (value.cls == Value::Class::infinity) return of_infinity(value.negative);
  if (zero) return has_zero(dst_) ? with_sign(0, value.negative) : smallest_or_nan(rule_.zero);

  const int lowest = lowest_exponent(dst_);
  const int exponent = static_cast<int>(std::bit_width(value.significand)) - 1 + value.exponent;
  if (!has_zero(dst_) && exponent < lowest) return smallest_or_nan(rule_.underflow);
  const int binade = std::max(exponent, lowest);
  const Cut at = cut(value, binade - dst_.mantissa_bits);
  if (rule_.rounding == Rounding::exact && (at.half || at.rest)) return std::nullopt;
  const std::uint64_t hidden = std::uint64_t{1} << dst_.mantissa_bits;
  // Codes rise with values: one step up in value is one in the code, from a binade to the next as well.
  const auto units = static_cast<std::uint64_t>(at.units);
  std::uint64_t code = units;
  if (units >= hidden)
    code = (static_cast<std::uint64_t>(binade + dst_.exponent_bias) << dst_.mantissa_bits) + (units - hidden);
  if (goes_up(value.negative, (code & 1) != 0, at.half, at.rest)) ++code;
  return code > dst_.max_finite ? overflow(value.negative) : with_sign(code, value.negative);
}

std::uint64_t ExactCast::integer_end(bool negative) const {
  if (!dst_.is_signed) return negative ? 0 : low_bits(dst_.value_bits);
  const std::uint64_t top = std::uint64_t{1} << (dst_.value_bits - 1);
  return negative ? top : top - 1;
}

ExactCast::Code ExactCast::to_integer(const Value& value) const {
  if (value.cls == Value::Class::nan) {
    switch (rule_.nan) {
      case Outcome::zero:
        return 0;
      case Outcome::positive_largest:
        return integer_end(false);
      case Outcome::smallest:
        return integer_end(true);
      case Outcome::largest:
        return integer_end(value.negative);
      default:
        return std::nullopt;
    }
  }
  u128 magnitude = kBeyond;
  if (value.cls == Value::Class::infinity) {
    if (rule_.infinity == Outcome::zero) return 0;
    if (rule_.infinity == Outcome::largest) return integer_end(value.negative);
    if (rule_.infinity != Outcome::as_overflow) return std::nullopt;
  } else {
    const Cut at = cut(value, 0);
    if (rule_.rounding == Rounding::exact && (at.half || at.rest)) return std::nullopt;
    magnitude = at.units + (goes_up(value.negative, (at.units & 1) != 0, at.half, at.rest) ? 1 : 0);
    if (value.exponent >= 64) magnitude = kBeyond;
  }
  const auto clamped = [&](bool is_signed, int bits) {
    const u128 top = static_cast<u128>(1) << (is_signed ? bits - 1 : bits);
    if (!value.negative) return static_cast<std::uint64_t>(std::min(magnitude, top - 1));
    return is_signed ? ~static_cast<std::uint64_t>(std::min(magnitude, top)) + 1 : 0;
  };
  switch (rule_.overflow) {
    case Outcome::wrap: {
      const auto low = static_cast<std::uint64_t>(magnitude);
      return (value.negative ? ~low + 1 : low) & low_bits(dst_.value_bits);
    }
    case Outcome::largest:
      return clamped(dst_.is_signed, dst_.value_bits) & low_bits(dst_.value_bits);
    case Outcome::clamp_32_wrap:
      return clamped(true, 32) & low_bits(dst_.value_bits);
    default:
      return std::nullopt;
  }
}

ExactCast::Code ExactCast::to_integral(std::uint64_t code) const {
  Value value = decode(src_, code);
  if (value.cls == Value::Class::nan) return nan(value.negative);
  if (value.cls == Value::Class::infinity || value.significand == 0 || value.exponent >= 0) return code;
  const Cut at = cut(value, 0);
  const auto whole = static_cast<std::uint64_t>(at.units);
  value.significand = whole + (goes_up(value.negative, (whole & 1) != 0, at.half, at.rest) ? 1 : 0);
  value.exponent = 0;
  return to_floating(value);
}

ExactCast::Code ExactCast::same_type(std::uint64_t code) const {
  if (dst_.kind == TypeKind::boolean) return code != 0;
  if (dst_.kind != TypeKind::floating) return code;
  if (rule_.integral) return to_integral(code);
  const Value value = decode(src_, code);
  return value.cls == Value::Class::infinity ? of_infinity(value.negative) : code;
}

}  // namespace castforge::cli
