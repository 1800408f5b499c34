#include "semantics/convert.hpp"

#include <algorithm>
#include <bit>
#include <castforge/elements.hpp>
#include <stdexcept>

#include "semantics/value.hpp"

namespace castforge::semantics {
namespace {

using spec::InfResult;
using spec::Kind;
using spec::Meaning;
using spec::NanResult;
using spec::Overflow;
using spec::Type;

using u128 = unsigned __int128;
constexpr u128 kBeyond = static_cast<u128>(1) << 127;

// ---------------------------------------------------------------- floating destinations

std::uint64_t signed_code(const Type& type, std::uint64_t magnitude, bool negative) {
  if (!type.is_signed) return magnitude;
  if (magnitude == 0 && !type.has_negative_zero()) return 0;  // minus zero does not exist: plus zero
  return negative ? magnitude | type.sign_mask() : magnitude;
}

/// Of a number that is or rounds to zero, and of whatever else gives zero.
std::uint64_t zero_code(const Meaning& meaning, bool negative) {
  return signed_code(*meaning.dst, 0, negative && meaning.zero_sign == spec::ZeroSign::kept);
}

std::uint64_t largest(const Type& type, bool negative) { return signed_code(type, type.max_finite_code(), negative); }

std::uint64_t nan_or_largest(const Type& type, bool negative) {
  return type.has_nan() ? type.canonical_nan(negative) : largest(type, negative);
}

std::uint64_t infinity_or_next_best(const Type& type, bool negative) {
  return type.infinity ? signed_code(type, type.infinity_code(), negative) : nan_or_largest(type, negative);
}

std::uint64_t floating_overflow(const Meaning& meaning, bool negative) {
  const Type& dst = *meaning.dst;
  switch (meaning.overflow) {
    case Overflow::infinity: return infinity_or_next_best(dst, negative);
    case Overflow::max: return largest(dst, negative);
    case Overflow::nan: return nan_or_largest(dst, negative);
    case Overflow::ieee: {
      // IEEE 754-2019 section 7.4: a mode that does not move away from zero stays at the largest finite number. The
      // last kept bit counts as set, so that rounding to odd stays too where the code of that number is even.
      const Grid beyond{0, true, true};
      const bool leaves = carries(*meaning.round, negative, true, beyond);
      return leaves ? infinity_or_next_best(dst, negative) : largest(dst, negative);
    }
    default: throw std::logic_error("an integer overflow policy on a floating destination");
  }
}

std::uint64_t floating_nan(const Meaning& meaning, bool negative) {
  const Type& dst = *meaning.dst;
  switch (meaning.nan) {
    case NanResult::nan: return nan_or_largest(dst, negative);
    case NanResult::max: return dst.max_finite_code();
    case NanResult::max_signed: return largest(dst, negative);
    case NanResult::min: return dst.has_zero() ? 1 : 0;  // the smallest positive code
    case NanResult::zero: return 0;
    case NanResult::zero_opposite: return zero_code(meaning, !negative);
  }
  throw std::logic_error("unknown NaN result");
}

std::uint64_t floating_infinity(const Meaning& meaning, bool negative) {
  switch (meaning.inf) {
    case InfResult::infinity: return infinity_or_next_best(*meaning.dst, negative);
    case InfResult::max: return largest(*meaning.dst, negative);
    case InfResult::nan: return nan_or_largest(*meaning.dst, negative);
    case InfResult::zero: return zero_code(meaning, negative);
    case InfResult::as_overflow: return floating_overflow(meaning, negative);
  }
  throw std::logic_error("unknown infinity result");
}

std::uint64_t below_range(const Type& dst, spec::BelowRange policy) {
  return policy == spec::BelowRange::min ? 0 : nan_or_largest(dst, false);
}

/// A nonzero magnitude on the grid of the type's codes, without end above: its code is grid.units more than `base`.
Grid on_grid(const Type& type, const Value& value, std::int64_t& base) {
  const std::int64_t hidden = std::int64_t{1} << type.mantissa_bits;
  const int min_exponent = type.min_exponent();
  if (type.has_gap()) {  // one unit from zero to the smallest number
    const std::uint64_t smallest = static_cast<std::uint64_t>(hidden) + 1;
    const int unit = min_exponent - type.mantissa_bits;
    base = 0;
    if (compare_magnitudes(value.significand, value.exponent, smallest, unit) < 0) {
      const int half = compare_magnitudes(value.significand, value.exponent, smallest, unit - 1);
      return {0, half >= 0, half != 0};
    }
  }
  const int binade = std::max(value.log2_floor(), min_exponent);
  const std::int64_t first_field = type.subnormals ? 1 : 0;
  base = (binade - min_exponent + first_field - 1) * hidden;
  return to_grid(value.significand, value.exponent, binade - type.mantissa_bits);
}

/// Code order is value order, so a carry is plus one.
std::int64_t rounded_code(const Meaning& meaning, const Value& value) {
  std::int64_t base = 0;
  const Grid grid = on_grid(*meaning.dst, value, base);
  const std::int64_t code = base + static_cast<std::int64_t>(grid.units);
  if (meaning.round == nullptr) {
    if (grid.first_dropped || grid.sticky) throw std::logic_error("an inexact value under a rule without rounding");
    return code;
  }
  return code + static_cast<std::int64_t>(carries(*meaning.round, value.negative, (code & 1) != 0, grid));
}

/// Whether a nonzero negative value is one for a destination without sign: before rounding, or once it is rounded.
bool negative_counts(const Meaning& meaning, const Value& value) {
  const bool tested_before = meaning.negative_test == spec::NegativeTest::exact || !meaning.dst->has_zero();
  return tested_before || value.cls == Value::Class::infinity || rounded_code(meaning, value) != 0;
}

std::uint64_t to_floating(const Meaning& meaning, Value value) {
  const Type& dst = *meaning.dst;
  if (value.cls == Value::Class::nan) return floating_nan(meaning, value.negative);
  if (!dst.is_signed && value.negative && !value.is_zero()) {
    if (value.cls == Value::Class::infinity && meaning.negative_inf == spec::NegativeInf::nan)
      return nan_or_largest(dst, false);
    switch (meaning.negative) {
      case spec::NegativeResult::nan:
      case spec::NegativeResult::clamp: return negative_counts(meaning, value) ? negative_result(meaning) : 0;
      case spec::NegativeResult::abs: value.negative = false; break;
    }
  }
  if (value.cls == Value::Class::infinity) return floating_infinity(meaning, value.negative);
  if (value.significand == 0) {
    return dst.has_zero() ? zero_code(meaning, value.negative) : below_range(dst, meaning.zero);
  }
  if (!dst.has_zero() && value.log2_floor() < dst.min_exponent()) return below_range(dst, meaning.underflow);
  const std::int64_t code = rounded_code(meaning, value);
  if (code > static_cast<std::int64_t>(dst.max_finite_code())) return floating_overflow(meaning, value.negative);
  if (code == 0) return zero_code(meaning, value.negative);
  return signed_code(dst, static_cast<std::uint64_t>(code), value.negative);
}

// ---------------------------------------------------------------- integer destinations

std::uint64_t largest_integer(const Type& type, bool negative) {
  if (!type.is_signed) return negative ? 0 : low_bits(type.value_bits);
  const std::uint64_t top = 1ull << (type.value_bits - 1);
  return negative ? top : top - 1;  // two's complement code of the minimum is `top`
}

/// The magnitude of (-1)^negative * magnitude, clamped to the range.
u128 clamped(u128 magnitude, bool negative, const spec::IntegerRange& range) {
  if (negative && !range.is_signed) return 0;
  const u128 top = static_cast<u128>(1) << (range.is_signed ? range.bits - 1 : range.bits);
  return std::min(magnitude, negative ? top : top - 1);
}

/// What x86 conversions give for a number out of range: the least signed integer, or the largest unsigned one.
std::uint64_t indefinite_integer(const Type& type) { return largest_integer(type, type.is_signed); }

std::uint64_t to_integer(const Meaning& meaning, const Value& value) {
  const Type& dst = *meaning.dst;
  if (value.cls == Value::Class::nan) {
    switch (meaning.nan) {
      case NanResult::zero: return 0;
      case NanResult::max: return largest_integer(dst, false);
      case NanResult::min: return largest_integer(dst, true);
      case NanResult::max_signed: return largest_integer(dst, value.negative);
      default: throw std::logic_error("a NaN result that an integer cannot hold");
    }
  }
  if (value.cls == Value::Class::infinity) {
    switch (meaning.inf) {
      case InfResult::zero: return 0;
      case InfResult::max: return largest_integer(dst, value.negative);
      case InfResult::as_overflow: break;
      default: throw std::logic_error("an infinity result that an integer cannot hold");
    }
  }
  const std::optional<spec::IntegerRange> clamp = spec::clamp_range(meaning);
  u128 magnitude = kBeyond;
  if (value.cls == Value::Class::finite) {
    const Grid grid = to_grid(value.significand, value.exponent, 0);
    magnitude = grid.units;
    if (meaning.round != nullptr && carries(*meaning.round, value.negative, (magnitude & 1) != 0, grid)) {
      magnitude += 1;
    }
    if (meaning.round == nullptr && (grid.first_dropped || grid.sticky)) {
      throw std::logic_error("an inexact value under a rule without rounding");
    }
    if (!clamp && value.exponent > 0) {
      // The exact integer modulo 2^64, however large.
      magnitude = value.exponent >= 64 ? 0 : value.significand << value.exponent;
    }
  }
  if (meaning.src->kind == Kind::boolean) return static_cast<std::uint64_t>(magnitude);  // 0 or 1: in every range
  if (meaning.overflow != Overflow::wrap && meaning.overflow != Overflow::saturate &&
      meaning.overflow != Overflow::indefinite) {
    throw std::logic_error("a floating overflow policy on an integer destination");
  }
  const u128 bounded = clamp ? clamped(magnitude, value.negative, *clamp) : magnitude;
  if (meaning.overflow == Overflow::indefinite && bounded != magnitude) return indefinite_integer(dst);
  if (!clamp && value.cls == Value::Class::infinity) return 0;  // every multiple of a large power of two
  const std::uint64_t low = static_cast<std::uint64_t>(bounded);
  return (value.negative ? ~low + 1 : low) & low_bits(dst.value_bits);
}

// ---------------------------------------------------------------- same type

/// Round to an integral value inside the format: the magnitude on the integer grid, exactly representable again.
std::uint64_t to_integral(const Meaning& meaning, std::uint64_t code) {
  const Type& type = *meaning.dst;
  const Value value = decode(type, code);
  if (value.cls == Value::Class::nan) return nan_or_largest(type, value.negative);
  if (value.cls == Value::Class::infinity || value.significand == 0 || value.exponent >= 0) return code;
  const Grid grid = to_grid(value.significand, value.exponent, 0);
  std::uint64_t units = static_cast<std::uint64_t>(grid.units);
  if (carries(*meaning.round, value.negative, (units & 1) != 0, grid)) units += 1;
  Meaning exact = meaning;
  exact.same_type = spec::SameType::copy;
  return to_floating(exact, {Value::Class::finite, value.negative, units, 0});
}

std::uint64_t same_type(const Meaning& meaning, std::uint64_t code) {
  if (meaning.dst->kind == Kind::boolean) return code != 0;
  if (meaning.dst->kind != Kind::floating) return code;
  if (meaning.same_type == spec::SameType::integral) return to_integral(meaning, code);
  const Value value = decode(*meaning.src, code);
  return value.cls == Value::Class::infinity ? floating_infinity(meaning, value.negative) : code;
}

}  // namespace

Grid to_grid(std::uint64_t significand, int exponent, int unit_exponent) {
  Grid grid;
  const int shift = unit_exponent - exponent;  // bits to drop
  if (significand == 0) return grid;
  if (shift <= 0) {
    const bool fits = std::bit_width(significand) - shift <= 127;
    grid.units = fits ? static_cast<u128>(significand) << -shift : kBeyond;
    return grid;
  }
  if (shift > 64) {  // below half a unit
    grid.sticky = true;
    return grid;
  }
  grid.units = shift == 64 ? 0 : significand >> shift;
  grid.first_dropped = ((significand >> (shift - 1)) & 1) != 0;
  grid.sticky = (significand & low_bits(shift - 1)) != 0;
  return grid;
}

bool carries(const spec::Rounding& mode, bool negative, bool last_kept, const Grid& grid) {
  const int index = negative << 3 | last_kept << 2 | grid.first_dropped << 1 | static_cast<int>(grid.sticky);
  return ((mode.carry >> index) & 1) != 0;
}

std::uint64_t overflow_result(const Meaning& meaning, bool negative) { return floating_overflow(meaning, negative); }
std::uint64_t infinity_result(const Meaning& meaning, bool negative) { return floating_infinity(meaning, negative); }
std::uint64_t nan_result(const Meaning& meaning, bool negative) { return floating_nan(meaning, negative); }
std::uint64_t negative_result(const Meaning& meaning) {
  return meaning.negative == spec::NegativeResult::nan ? nan_or_largest(*meaning.dst, false) : 0;
}
std::uint64_t zero_result(const Meaning& meaning) { return below_range(*meaning.dst, meaning.zero); }
std::uint64_t below_result(const Meaning& meaning) { return below_range(*meaning.dst, meaning.underflow); }

std::uint64_t convert_code(const Meaning& meaning, std::uint64_t src_code) {
  if (meaning.bits == spec::Bits::kept) return src_code;
  if (meaning.src == meaning.dst && !spec::converts_to_itself(meaning)) return same_type(meaning, src_code);
  const Value value = decode(*meaning.src, src_code);
  switch (meaning.dst->kind) {
    case Kind::floating: return to_floating(meaning, value);
    case Kind::integer: return to_integer(meaning, value);
    case Kind::boolean: return !value.is_zero();
    case Kind::string: break;
  }
  throw std::logic_error("strings have no code");
}

std::uint64_t convert_storage(const Meaning& meaning, std::uint64_t src_storage) {
  return storage_of_code(*meaning.dst, convert_code(meaning, code_of_storage(*meaning.src, src_storage)));
}

}  // namespace castforge::semantics
