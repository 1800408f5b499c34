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
        shift_(type.storage_high ? type.storage_bits - type.value_bits : 0),
        mask_(low_bits(type.value_bits)) {}

  std::uint64_t get(const unsigned char* memory, std::size_t index) const {
    return (load_element(memory, index, bits_, packing_) >> shift_) & mask_;
  }

  /// Other elements, and bits after the last one, stay as they are.
  void put(unsigned char* memory, std::size_t index, std::uint64_t code) const {
    store_element(memory, index, (code & mask_) << shift_, bits_, packing_);
  }

 private:
  int bits_;
  Packing packing_;
  int shift_;
  std::uint64_t mask_;
};

}  // namespace castforge::cli
