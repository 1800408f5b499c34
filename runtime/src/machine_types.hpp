// The types that a processor computes in, found by what they are: the specs may call them anything.
#pragma once

#include <castforge/types.hpp>
#include <optional>

#include "src/tables.hpp"

namespace castforge {

/// Whether it is the IEEE 754 interchange format with these fields, in as many bits.
constexpr bool is_ieee(const tables::Type& type, int exponent_bits, int mantissa_bits) noexcept {
  return type.kind == tables::Kind::floating && type.is_signed && type.subnormals && type.infinity &&
         type.nan == tables::NanCodes::ieee && type.exponent_bits == exponent_bits &&
         type.mantissa_bits == mantissa_bits && type.exponent_bias == (1 << (exponent_bits - 1)) - 1 &&
         type.storage_bits == 1 + exponent_bits + mantissa_bits;
}

template <class Holds>
std::optional<Type> first_type(const Holds& holds) noexcept {
  for (std::uint16_t i = 0; i < tables::kTypeCount; ++i) {
    if (holds(tables::kTypes[i])) return static_cast<Type>(i);
  }
  return std::nullopt;
}

/// IEEE 754 binary32 or binary64.
inline std::optional<Type> machine_float(int bits) noexcept {
  return first_type(
      [&](const tables::Type& type) { return bits == 64 ? is_ieee(type, 11, 52) : is_ieee(type, 8, 23); });
}

/// Two's complement.
inline std::optional<Type> machine_integer(int bits) noexcept {
  return first_type([&](const tables::Type& type) {
    return type.kind == tables::Kind::integer && type.is_signed && type.value_bits == bits && type.storage_bits == bits;
  });
}

}  // namespace castforge
