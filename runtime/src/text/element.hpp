// Elements of tensors in storage: sub-byte types packed from the low bits (single bits from the high one), wider ones
// little-endian.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/exact/format.hpp"

namespace castforge::text {

/// How far element `index` of those that share a byte is shifted up.
inline unsigned packed_shift(unsigned storage_bits, std::size_t index) {
  return static_cast<unsigned>(storage_bits == 1 ? 7 - index : index * storage_bits);
}

/// Code of element `index` of the tensor at `src`.
inline std::uint64_t load_code(const Format& type, const void* src, std::size_t index) {
  const auto* bytes = static_cast<const unsigned char*>(src);
  const auto byte = [&](int i) { return static_cast<std::uint64_t>(bytes[i]) << (8 * i); };
  std::uint64_t word = 0;
  switch (type.storage_bits) {  // compilers turn each sum into one load
    case 64:
      bytes += index * 8;
      word = byte(0) | byte(1) | byte(2) | byte(3) | byte(4) | byte(5) | byte(6) | byte(7);
      break;
    case 32:
      bytes += index * 4;
      word = byte(0) | byte(1) | byte(2) | byte(3);
      break;
    case 16:
      bytes += index * 2;
      word = byte(0) | byte(1);
      break;
    case 8: word = bytes[index]; break;
    default: {
      const auto storage_bits = static_cast<unsigned>(type.storage_bits);
      const std::size_t per_byte = 8u / storage_bits;
      word = static_cast<std::uint64_t>(bytes[index / per_byte] >> packed_shift(storage_bits, index % per_byte));
      break;
    }
  }
  if (type.storage_high) word >>= type.storage_bits - type.value_bits;
  return word & exact::low_bits(type.value_bits);
}

/// Writes codes one after the other from the first element of a tensor on; bytes are written when they are
/// full.
class CodeWriter {
 public:
  CodeWriter(const Format& type, void* dst)
      : next_(static_cast<unsigned char*>(dst)),
        storage_bits_(static_cast<unsigned>(type.storage_bits)),
        shift_(type.storage_high ? type.storage_bits - type.value_bits : 0),
        fill_sign_(type.storage_sign_fill ? exact::sign_mask(type) : 0) {}

  void put(std::uint64_t code) {
    // With a fill, the bits above the sign are copies of it; they are cut off below where storage ends.
    const std::uint64_t word = (code << shift_) | ((code & fill_sign_) != 0 ? ~(fill_sign_ - 1) : 0);
    const auto byte = [&](int i) { next_[i] = static_cast<unsigned char>(word >> (8 * i)); };
    switch (storage_bits_) {  // compilers turn each row into one store
      case 64:
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7);
        next_ += 8;
        break;
      case 32:
        byte(0), byte(1), byte(2), byte(3);
        next_ += 4;
        break;
      case 16:
        byte(0), byte(1);
        next_ += 2;
        break;
      case 8: *next_++ = static_cast<unsigned char>(word); break;
      default:
        pending_ |= static_cast<unsigned>(word) << packed_shift(storage_bits_, used_ / storage_bits_);
        used_ += storage_bits_;
        if (used_ == 8) flush();
        break;
    }
  }

  /// Writes a last, partly used byte; its unused bits are zero.
  void finish() {
    if (used_ != 0) flush();
  }

 private:
  void flush() {
    *next_++ = static_cast<unsigned char>(pending_);
    pending_ = 0;
    used_ = 0;
  }

  unsigned char* next_;
  unsigned storage_bits_;
  int shift_;
  std::uint64_t fill_sign_;
  unsigned pending_ = 0;
  unsigned used_ = 0;
};

}  // namespace castforge::text
