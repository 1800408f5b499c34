// Exact values: what a code of a format means.
#pragma once

#include <bit>
#include <cstdint>

#include "spec/model.hpp"

namespace castforge::semantics {

/// One decoded element: NaN, infinity, or the exact number (-1)^negative * significand * 2^exponent.
struct Value {
  enum class Class { nan, infinity, finite };
  Class cls = Class::finite;
  bool negative = false;  // integers: value < 0; also the sign of zero, infinity and NaN
  std::uint64_t significand = 0;
  int exponent = 0;

  bool is_zero() const { return cls == Class::finite && significand == 0; }
  /// floor(log2 |x|); requires a finite nonzero value.
  int log2_floor() const { return std::bit_width(significand) - 1 + exponent; }
};

/// The value of `code` (the low value_bits bits of an element, before alignment in its storage).
/// Booleans: any nonzero code is 1.
Value decode(const spec::Type& type, std::uint64_t code);

/// Code of an element from its storage word, and back. Bits outside the code are ignored on reading and
/// written as zero, or as copies of the sign for integers with `storage_fill: sign`.
std::uint64_t code_of_storage(const spec::Type& type, std::uint64_t storage);
std::uint64_t storage_of_code(const spec::Type& type, std::uint64_t code);

/// floor(log2) of the largest number of a floating type.
int max_exponent(const spec::Type& type);

}  // namespace castforge::semantics
