// Codes and the elements that hold them: where they do not fill these, what the other bits are.
#include "plan/real.hpp"

namespace castforge::plan {

Value code_of_storage(Builder& b, const spec::Type& src) {
  const Value bits = b.input();
  const int unused = src.storage_bits - src.value_bits;
  if (unused == 0) return bits;
  if (src.storage_high) return bits >> unused;
  return bits &
         b.constant("kCode", low_bits(src.value_bits), power_formula(src.value_bits) + " - 1: the bits of one code");
}

Value at_storage(const spec::Type& dst, Value code) {
  if (!dst.storage_high) return code;
  const int word = storage_unit(dst.storage_bits);  // lanes of the code may be too narrow for its place
  return (code.bits() < word ? widen(code, word) : code) << (dst.storage_bits - dst.value_bits);
}

Value to_storage(Builder& b, const spec::Type& dst, Value code) {
  const int unused = dst.storage_bits - dst.value_bits;
  if (unused == 0) return code;  // the store keeps the low bits
  if (dst.storage_sign_fill) {
    const int above = b.lane_bits() - dst.value_bits;
    return sar(code << above, above);
  }
  code = code & b.constant("kResultCode", low_bits(dst.value_bits),
                           power_formula(dst.value_bits) + " - 1: the bits of one code");
  return at_storage(dst, code);
}

}  // namespace castforge::plan
