#include "semantics/value.hpp"

#include <castforge/elements.hpp>

namespace castforge::semantics {
namespace {

Value decode_integer(const spec::Type& type, std::uint64_t code) {
  Value value;
  const std::uint64_t sign = type.is_signed ? 1ull << (type.value_bits - 1) : 0;
  value.negative = (code & sign) != 0;
  value.significand = value.negative ? (~code + 1) & low_bits(type.value_bits) : code;
  return value;
}

Value decode_floating(const spec::Type& type, std::uint64_t code) {
  Value value;
  const std::uint64_t magnitude = code & type.magnitude_mask();
  value.negative = (code & type.sign_mask()) != 0;
  const bool nan_by_magnitude =
      (type.nan == spec::NanCodes::top || type.nan == spec::NanCodes::ieee) && magnitude >= type.first_nan_code();
  const bool nan_by_sign = type.nan == spec::NanCodes::negative_zero && value.negative && magnitude == 0;
  if (nan_by_magnitude || nan_by_sign) {
    value.cls = Value::Class::nan;
    return value;
  }
  if (type.infinity && magnitude == type.infinity_code()) {
    value.cls = Value::Class::infinity;
    return value;
  }
  const std::uint64_t field = magnitude >> type.mantissa_bits;
  const std::uint64_t fraction = magnitude & low_bits(type.mantissa_bits);
  if (magnitude == 0 && type.has_gap()) return value;
  if (field == 0 && type.subnormals) {
    value.significand = fraction;
    value.exponent = 1 - type.exponent_bias - type.mantissa_bits;
  } else {
    value.significand = fraction | (1ull << type.mantissa_bits);
    value.exponent = static_cast<int>(field) - type.exponent_bias - type.mantissa_bits;
  }
  return value;
}

}  // namespace

Value decode(const spec::Type& type, std::uint64_t code) {
  switch (type.kind) {
    case spec::Kind::floating: return decode_floating(type, code);
    case spec::Kind::integer: return decode_integer(type, code);
    default: break;
  }
  Value truth;
  truth.significand = code != 0;
  return truth;
}

std::uint64_t code_of_storage(const spec::Type& type, std::uint64_t storage) {
  if (type.storage_high) storage >>= type.storage_bits - type.value_bits;
  return storage & low_bits(type.value_bits);
}

std::uint64_t storage_of_code(const spec::Type& type, std::uint64_t code) {
  if (type.storage_high) return code << (type.storage_bits - type.value_bits);
  if (type.storage_sign_fill && ((code >> (type.value_bits - 1)) & 1) != 0) {
    return code | (low_bits(type.storage_bits) & ~low_bits(type.value_bits));
  }
  return code;
}

int max_exponent(const spec::Type& type) { return decode(type, type.max_finite_code()).log2_floor(); }

}  // namespace castforge::semantics
