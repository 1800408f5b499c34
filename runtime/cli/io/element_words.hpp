// Single elements of tensors in memory, laid out as kernels read and write them.
#pragma once

#include <castforge/interface.hpp>

#include <cstddef>
#include <cstdint>

namespace castforge::cli {

constexpr std::uint64_t low_bits(int count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Reads and writes the codes (value_bits bits) of elements of a numeric type.
class ElementWords {
 public:
  explicit ElementWords(const TypeInfo& type)
      : bits_(static_cast<std::size_t>(type.storage_bits)),
        shift_(type.storage_high ? type.storage_bits - type.value_bits : 0),
        mask_(low_bits(type.value_bits)) {}

  std::uint64_t get(const unsigned char* memory, std::size_t index) const {
    std::uint64_t word = 0;
    if (bits_ < 8) {
      word = static_cast<std::uint64_t>(memory[index * bits_ / 8]) >> place(index);
    } else {
      const unsigned char* bytes = memory + index * (bits_ / 8);
      for (std::size_t k = 0; k < bits_ / 8; ++k) word |= static_cast<std::uint64_t>(bytes[k]) << (8 * k);
    }
    return (word >> shift_) & mask_;
  }

  /// Elements below a byte share it: they must be put in order, from one whose bits begin a byte.
  void put(unsigned char* memory, std::size_t index, std::uint64_t code) const {
    const std::uint64_t word = (code & mask_) << shift_;
    if (bits_ < 8) {
      unsigned char& byte = memory[index * bits_ / 8];
      byte = static_cast<unsigned char>((index * bits_ % 8 == 0 ? 0 : byte) | word << place(index));
    } else {
      unsigned char* bytes = memory + index * (bits_ / 8);
      for (std::size_t k = 0; k < bits_ / 8; ++k) bytes[k] = static_cast<unsigned char>(word >> (8 * k));
    }
  }

 private:
  /// Elements that share a byte begin at its low end, single bits at its high end.
  std::size_t place(std::size_t index) const { return bits_ == 1 ? 7 - index % 8 : index * bits_ % 8; }

  std::size_t bits_;
  int shift_;
  std::uint64_t mask_;
};

}  // namespace castforge::cli
