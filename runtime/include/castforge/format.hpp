// A number format as data: what a code means and how elements lie in memory.
#pragma once

#include <castforge/elements.hpp>
#include <castforge/rule.hpp>
#include <castforge/type.hpp>
#include <cstdint>

namespace castforge {

/// Parameters of a format. Magnitude codes leave out the sign bit; bits count one element.
struct Format {
  Type id{};  // two formats are the same type exactly when they have the same
  TypeKind kind = TypeKind::floating;
  NanCodes nan = NanCodes::none;
  int storage_bits = 0;  // 1 to 64, see elements.hpp; 0: string
  Packing packing = Packing::low_first;
  int value_bits = 0;  // bits of the code inside its storage
  int exponent_bits = 0, mantissa_bits = 0, exponent_bias = 0;
  bool is_signed = false, subnormals = false, infinity = false;
  bool storage_high = false;        // the code sits in the top bits of its storage
  bool storage_sign_fill = false;   // integers: the storage above the code repeats the sign
  std::uint64_t canonical_nan = 0;  // positive; 0 where the type has no NaN
  std::uint64_t max_finite = 0;     // magnitude code (floating) or largest code (integer)
  std::uint64_t infinity_code = 0;  // magnitude code; 0 where the type has no infinity
};

}  // namespace castforge
