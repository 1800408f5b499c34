// Whether two descriptions of a format are the same.
#pragma once

#include <castforge/format.hpp>

namespace castforge {

inline bool same_format(const Format& a, const Format& b) noexcept {
  return a.id == b.id && a.kind == b.kind && a.nan == b.nan && a.storage_bits == b.storage_bits &&
         a.packing == b.packing && a.value_bits == b.value_bits && a.exponent_bits == b.exponent_bits &&
         a.mantissa_bits == b.mantissa_bits && a.exponent_bias == b.exponent_bias && a.is_signed == b.is_signed &&
         a.subnormals == b.subnormals && a.infinity == b.infinity && a.storage_high == b.storage_high &&
         a.storage_sign_fill == b.storage_sign_fill && a.canonical_nan == b.canonical_nan &&
         a.max_finite == b.max_finite && a.infinity_code == b.infinity_code;
}

}  // namespace castforge
