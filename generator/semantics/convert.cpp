#include "semantics/convert.hpp"

#include <stdexcept>

#include "semantics/finite.hpp"
#include "semantics/integers.hpp"
#include "semantics/value.hpp"

namespace castforge::semantics {
namespace {

using spec::InfResult;
using spec::Kind;
using spec::Meaning;
using spec::NanResult;
using spec::Overflow;

Number<Integers> number(const Value& value) {
  return {value.negative, value.log2_floor(), value.exponent, value.significand};
}

std::uint64_t to_floating(const Meaning& meaning, const Value& value) {
  switch (value.cls) {
    case Value::Class::nan: return nan_result(meaning, value.negative);
    case Value::Class::infinity:
      return value.negative && !meaning.dst->is_signed ? negative_infinity_result(meaning)
                                                       : infinity_result(meaning, value.negative);
    case Value::Class::finite: break;
  }
  if (value.is_zero()) return zero_result(meaning, value.negative);
  Integers integers;
  return static_cast<std::uint64_t>(Finite(integers, meaning).to_floating(number(value)));
}

std::uint64_t to_integer(const Meaning& meaning, const Value& value) {
  const spec::Type& dst = *meaning.dst;
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
  if (meaning.src->kind == Kind::boolean) return value.significand;  // 0 or 1: in every range
  if (meaning.overflow != Overflow::wrap && meaning.overflow != Overflow::saturate &&
      meaning.overflow != Overflow::indefinite) {
    throw std::logic_error("a floating overflow policy on an integer destination");
  }
  if (value.is_zero()) return 0;
  Integers integers;
  Finite finite(integers, meaning);
  if (value.cls == Value::Class::finite) return static_cast<std::uint64_t>(finite.to_integer(number(value)));
  if (!spec::clamp_range(meaning)) return 0;  // every multiple of a large power of two
  return static_cast<std::uint64_t>(finite.integer(value.negative, integers.power(kBeyond)));
}

/// Round to an integral value inside the format.
std::uint64_t to_integral(const Meaning& meaning, std::uint64_t code) {
  const Value value = decode(*meaning.dst, code);
  if (value.cls == Value::Class::nan) return nan_code(*meaning.dst, value.negative);
  if (value.cls == Value::Class::infinity || value.significand == 0 || value.exponent >= 0) return code;
  Integers integers;
  return static_cast<std::uint64_t>(Finite(integers, meaning).to_integral(number(value)));
}

std::uint64_t same_type(const Meaning& meaning, std::uint64_t code) {
  if (meaning.dst->kind == Kind::boolean) return code != 0;
  if (meaning.dst->kind != Kind::floating) return code;
  if (meaning.same_type == spec::SameType::integral) return to_integral(meaning, code);
  const Value value = decode(*meaning.src, code);
  return value.cls == Value::Class::infinity ? infinity_result(meaning, value.negative) : code;
}

}  // namespace

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

bool keeps_order(const spec::Meaning& meaning, bool negative) {
  if (meaning.round == nullptr) return true;
  const auto in_order = [&](bool last_kept) {
    const auto moves = [&](bool first_dropped, bool sticky) {
      return meaning.round->carries(negative, last_kept, first_dropped, sticky);
    };
    return moves(false, true) <= moves(true, false) && moves(true, false) <= moves(true, true);
  };
  return in_order(false) && in_order(true);
}

}  // namespace castforge::semantics
