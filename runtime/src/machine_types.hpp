// The types that a processor computes in, found by what they are: the specs may call them anything.
#pragma once

#include <castforge/format.hpp>
#include <castforge/rule.hpp>
#include <optional>

#include "src/exact/rounding.hpp"
#include "src/registry.hpp"

namespace castforge {

/// Whether it is the IEEE 754 interchange format with these fields, in as many bits.
constexpr bool is_ieee(const Format& type, int exponent_bits, int mantissa_bits) noexcept {
  return type.kind == TypeKind::floating && type.is_signed && type.subnormals && type.infinity &&
         type.nan == NanCodes::ieee && type.exponent_bits == exponent_bits && type.mantissa_bits == mantissa_bits &&
         type.exponent_bias == (1 << (exponent_bits - 1)) - 1 && type.storage_bits == 1 + exponent_bits + mantissa_bits;
}

/// Whether the rule is IEEE 754's in its default rounding: to nearest, ties to even; infinity beyond the range; NaN
/// stays NaN, and zero keeps its sign.
constexpr bool is_ieee(const Rule& rule) noexcept { return rule == Rule{.carry = exact::kNearestEven}; }

template <class Holds>
std::optional<Type> first_type(const Holds& holds) noexcept {
  for (const tables::TypeRow& type : registry().types) {
    if (holds(type)) return type.id;
  }
  return std::nullopt;
}

/// IEEE 754 binary32 or binary64.
inline std::optional<Type> machine_float(int bits) noexcept {
  return first_type([&](const Format& type) { return bits == 64 ? is_ieee(type, 11, 52) : is_ieee(type, 8, 23); });
}

/// Two's complement.
inline std::optional<Type> machine_integer(int bits) noexcept {
  return first_type([&](const Format& type) {
    return type.kind == TypeKind::integer && type.is_signed && type.value_bits == bits && type.storage_bits == bits;
  });
}

}  // namespace castforge
