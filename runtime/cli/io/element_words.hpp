// Single elements of tensors in memory, laid out as kernels read and write them.
#pragma once

#include <castforge/elements.hpp>
#include <castforge/interface.hpp>

#include <cstddef>
#include <cstdint>

namespace castforge::cli {

/// Reads and writes the codes (value_bits bits) of elements of a numeric type.
class ElementWords {
 public:
  explicit ElementWords(const TypeInfo& type)
      : bits_(type.storage_bits),
        packing_(type.packing),
        sign_fill_(type.storage_sign_fill),
        shift_(type.storage_high ? type.storage_bits - type.value_bits : 0),
        mask_(low_bits(type.value_bits)),
        storage_mask_(low_bits(type.storage_bits)) {}

  std::uint64_t get(const unsigned char* memory, std::size_t index) const {
    return (load_element(memory, index, bits_, packing_) >> shift_) & mask_;
  }

  /// The element's bits in memory for a code: where the code does not fill them, zeros, or copies of its sign where the
  /// type says so.
  std::uint64_t stored(std::uint64_t code) const {
    code &= mask_;
    const bool fills = sign_fill_ && (code & ~(mask_ >> 1)) != 0;
    return ((fills ? code | ~mask_ : code) << shift_) & storage_mask_;
  }

  /// Other elements, and bits after the last one, stay as they are.
  void put(unsigned char* memory, std::size_t index, std::uint64_t code) const {
    store_element(memory, index, stored(code), bits_, packing_);
  }

 private:
  int bits_;
  Packing packing_;
  bool sign_fill_;
  int shift_;
  std::uint64_t mask_, storage_mask_;
};

}  // namespace castforge::cli
