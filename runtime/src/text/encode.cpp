// A scanned number to a code: the decimal becomes a value on the destination's grid, src/exact does the rest.
#include "src/text/encode.hpp"

#include "src/exact/cast.hpp"
#include "src/text/decimal_to_binary.hpp"
#include "src/text/powers.hpp"

namespace castforge::text {
namespace {

using exact::kFloat64;
using exact::Value;
using Form = Scanned::Form;

/// The number as far as a rounding to `grid` can tell: whole halves of an ulp, and whether there is more.
Value value_on_grid(const Scanned& number, const Format& grid) {
  Value value;
  value.negative = number.negative;
  if (number.form == Form::nan) value.cls = Value::Class::nan;
  if (number.form == Form::infinity) value.cls = Value::Class::infinity;
  if (value.cls != Value::Class::finite || number.significand == 0) return value;
  const GridPosition at = position(number, grid.mantissa_bits, exact::min_exponent(grid));
  if (at.beyond) {
    value.significand = 1;
    value.exponent = 1025;  // above every format, as the number is
    return value;
  }
  value.significand = at.half_ulps;
  value.exponent = at.binade - grid.mantissa_bits - 1;
  value.inexact = at.sticky;
  return value;
}

/// What integers and truth values are made of: the number rounded to float64 (nearest, ties to even).
Value through_float64(const Scanned& number) {
  constexpr Rule kRound = {.carry = exact::kNearestEven, .overflow = Overflow::infinity, .inf = InfResult::infinity};
  const exact::Code code = exact::encode(kFloat64, kRound, value_on_grid(number, kFloat64));
  return exact::decode_floating(kFloat64, *code);  // float64 has a code for every value
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

}  // namespace

ParseError encode(const Format& dst, const Rule& rule, const Scanned& number, std::uint64_t& code) {
  if (number.form == Form::bad) return ParseError::bad_number;
  if (number.form == Form::word_true || number.form == Form::word_false) {
    code = number.form == Form::word_true;
    return ParseError::none;
  }
  if (dst.kind == TypeKind::string) return ParseError::bad_number;
  if (dst.kind == TypeKind::integer && number.form == Form::integer) {
    std::uint64_t wide = 0;
    if (!exact_integer(number, wide)) return ParseError::integer_out_of_range;
    code = wide & low_bits(dst.value_bits);
    return ParseError::none;
  }
  // Rules for texts have a result for every number. 1e-400 is false.
  const bool floating = dst.kind == TypeKind::floating;
  code = *exact::encode(dst, rule, floating ? value_on_grid(number, dst) : through_float64(number));
  return ParseError::none;
}

}  // namespace castforge::text
