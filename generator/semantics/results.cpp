#include "semantics/results.hpp"

#include <castforge/elements.hpp>
#include <stdexcept>

namespace castforge::semantics {
namespace {

using spec::InfResult;
using spec::Meaning;
using spec::NanResult;
using spec::Overflow;
using spec::Type;

std::uint64_t signed_code(const Type& type, std::uint64_t magnitude, bool negative) {
  if (!type.is_signed) return magnitude;
  if (magnitude == 0 && !type.has_negative_zero()) return 0;  // minus zero does not exist: plus zero
  return negative ? magnitude | type.sign_mask() : magnitude;
}

std::uint64_t largest(const Type& type, bool negative) { return signed_code(type, type.max_finite_code(), negative); }

std::uint64_t infinity_or_next_best(const Type& type, bool negative) {
  return type.infinity ? signed_code(type, type.infinity_code(), negative) : nan_code(type, negative);
}

std::uint64_t below_range(const Type& dst, spec::BelowRange policy) {
  return policy == spec::BelowRange::min ? 0 : nan_code(dst, false);
}

}  // namespace

std::uint64_t nan_code(const Type& type, bool negative) {
  return type.has_nan() ? type.canonical_nan(negative) : largest(type, negative);
}

std::uint64_t zero_code(const Meaning& meaning, bool negative) {
  return signed_code(*meaning.dst, 0, negative && meaning.zero_sign == spec::ZeroSign::kept);
}

std::uint64_t overflow_result(const Meaning& meaning, bool negative) {
  const Type& dst = *meaning.dst;
  switch (meaning.overflow) {
    case Overflow::infinity: return infinity_or_next_best(dst, negative);
    case Overflow::max: return largest(dst, negative);
    case Overflow::nan: return nan_code(dst, negative);
    case Overflow::ieee: {
      // IEEE 754-2019 section 7.4: a mode that does not move away from zero stays at the largest finite number. The
      // last kept bit counts as set, so that rounding to odd stays too where the code of that number is even.
      const bool leaves = meaning.round->carries(negative, true, true, true);
      return leaves ? infinity_or_next_best(dst, negative) : largest(dst, negative);
    }
    default: throw std::logic_error("an integer overflow policy on a floating destination");
  }
}

std::uint64_t nan_result(const Meaning& meaning, bool negative) {
  const Type& dst = *meaning.dst;
  switch (meaning.nan) {
    case NanResult::nan: return nan_code(dst, negative);
    case NanResult::max: return dst.max_finite_code();
    case NanResult::max_signed: return largest(dst, negative);
    case NanResult::min: return dst.has_zero() ? 1 : 0;  // the smallest positive code
    case NanResult::zero: return 0;
    case NanResult::zero_opposite: return zero_code(meaning, !negative);
  }
  throw std::logic_error("unknown NaN result");
}

std::uint64_t infinity_result(const Meaning& meaning, bool negative) {
  switch (meaning.inf) {
    case InfResult::infinity: return infinity_or_next_best(*meaning.dst, negative);
    case InfResult::max: return largest(*meaning.dst, negative);
    case InfResult::nan: return nan_code(*meaning.dst, negative);
    case InfResult::zero: return zero_code(meaning, negative);
    case InfResult::as_overflow: return overflow_result(meaning, negative);
  }
  throw std::logic_error("unknown infinity result");
}

std::uint64_t negative_result(const Meaning& meaning) {
  return meaning.negative == spec::NegativeResult::nan ? nan_code(*meaning.dst, false) : 0;
}

std::uint64_t negative_infinity_result(const Meaning& meaning) {
  if (meaning.negative_inf == spec::NegativeInf::nan) return nan_code(*meaning.dst, false);
  return meaning.negative == spec::NegativeResult::abs ? infinity_result(meaning, false) : negative_result(meaning);
}

std::uint64_t zero_result(const Meaning& meaning, bool negative) {
  return meaning.dst->has_zero() ? zero_code(meaning, negative) : below_range(*meaning.dst, meaning.zero);
}

std::uint64_t below_result(const Meaning& meaning) { return below_range(*meaning.dst, meaning.underflow); }

std::uint64_t largest_integer(const Type& type, bool negative) {
  if (!type.is_signed) return negative ? 0 : low_bits(type.value_bits);
  const std::uint64_t top = 1ull << (type.value_bits - 1);
  return negative ? top : top - 1;  // two's complement code of the minimum is `top`
}

std::uint64_t indefinite_result(const Type& type) { return largest_integer(type, type.is_signed); }

}  // namespace castforge::semantics
