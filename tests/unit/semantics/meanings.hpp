// Meanings for tests of the exact semantics: those of the shipped op-sets, and ones put together by hand.
#pragma once

#include <stdexcept>
#include <string>

#include "unit/spec/meanings.hpp"

namespace castforge::test {

inline const spec::Type& type(const std::string& name) {
  const spec::Type* found = shipped().model().find_type(name);
  if (found == nullptr) throw std::runtime_error("no type " + name);
  return *found;
}

inline const spec::Rounding& rounding(const std::string& name) {
  const spec::Rounding* found = shipped().model().find_rounding(name);
  if (found == nullptr) throw std::runtime_error("no rounding mode " + name);
  return *found;
}

/// float32 -> float16 and the like, nearest even, infinity above the range.
inline spec::Meaning conversion(const spec::Type& src, const spec::Type& dst) {
  spec::Meaning meaning;
  meaning.src = &src;
  meaning.dst = &dst;
  meaning.round = &rounding("nearest_even");
  if (dst.kind == spec::Kind::integer) {
    meaning.overflow = spec::Overflow::wrap;
    meaning.inf = spec::InfResult::zero;
    meaning.nan = spec::NanResult::zero;
  }
  return meaning;
}

/// A floating format; value_bits and the like follow.
inline spec::Type floating(const std::string& name, bool is_signed, int exponent_bits, int mantissa_bits, int bias,
                           bool subnormals, bool infinity, spec::NanCodes nan, int storage_bits) {
  spec::Type made;
  made.name = name;
  made.kind = spec::Kind::floating;
  made.is_signed = is_signed;
  made.exponent_bits = exponent_bits;
  made.mantissa_bits = mantissa_bits;
  made.exponent_bias = bias;
  made.subnormals = subnormals;
  made.infinity = infinity;
  made.nan = nan;
  made.value_bits = (is_signed ? 1 : 0) + exponent_bits + mantissa_bits;
  made.storage_bits = storage_bits;
  return made;
}

inline spec::Type integer(const std::string& name, bool is_signed, int bits, int storage_bits) {
  spec::Type made;
  made.name = name;
  made.kind = spec::Kind::integer;
  made.is_signed = is_signed;
  made.value_bits = bits;
  made.storage_bits = storage_bits;
  return made;
}

}  // namespace castforge::test
