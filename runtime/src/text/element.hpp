// Codes of elements in tensors: what castforge/elements.hpp finds there, less alignment and fill.
#pragma once

#include <castforge/elements.hpp>
#include <cstddef>
#include <cstdint>

#include "src/exact/format.hpp"

namespace castforge::text {

/// Code of element `index` of the tensor at `src`.
inline std::uint64_t load_code(const Format& type, const void* src, std::size_t index) {
  std::uint64_t word = load_element(src, index, type.storage_bits, type.packing);
  if (type.storage_high) word >>= type.storage_bits - type.value_bits;
  return word & low_bits(type.value_bits);
}

/// Writes codes one after the other from the first element of a tensor on; bytes are written when they are
/// full.
class CodeWriter {
 public:
  CodeWriter(const Format& type, void* dst)
      : elements_(dst, type.storage_bits, type.packing),
        shift_(type.storage_high ? type.storage_bits - type.value_bits : 0),
        fill_sign_(type.storage_sign_fill ? exact::sign_mask(type) : 0) {}

  void put(std::uint64_t code) {
    // With a fill, the bits above the sign are copies of it; they are truncated where storage ends.
    elements_.put((code << shift_) | ((code & fill_sign_) != 0 ? ~(fill_sign_ - 1) : 0));
  }

  /// Writes a last, partly used byte; its unused bits are zero.
  void finish() { elements_.finish(); }

 private:
  ElementPacker elements_;
  int shift_;
  std::uint64_t fill_sign_;
};

}  // namespace castforge::text
