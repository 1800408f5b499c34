// Unsigned integers of a few thousand bits on the stack: the last word where 128 bits cannot decide.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "src/text/powers.hpp"

namespace castforge::text {

/// Capacity kWords * 64 bits; the caller keeps within it (see the users for their bounds).
class BigInteger {
 public:
  static constexpr std::size_t kWords = 64;

  explicit BigInteger(std::uint64_t value) {
    if (value != 0) word_[size_++] = value;
  }

  bool is_zero() const { return size_ == 0; }

  /// this = this * factor + addend
  void multiply_add(std::uint64_t factor, std::uint64_t addend) {
    u128 carry = addend;
    for (std::size_t i = 0; i < size_; ++i) {
      carry += static_cast<u128>(word_[i]) * factor;
      word_[i] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    if (carry != 0) word_[size_++] = static_cast<std::uint64_t>(carry);
  }

  void multiply_by_power_of_5(int exponent) {
    constexpr int kStep = 27;  // 5^27 < 2^63
    constexpr std::uint64_t kFiveTo27 = 7450580596923828125ull;
    for (; exponent >= kStep; exponent -= kStep) multiply_add(kFiveTo27, 0);
    std::uint64_t rest = 1;
    for (; exponent > 0; --exponent) rest *= 5;
    multiply_add(rest, 0);
  }

  void shift_left(int bits) {
    if (size_ == 0) return;
    const std::size_t words = static_cast<std::size_t>(bits) / 64;
    const int rest = bits % 64;
    if (words != 0) {
      for (std::size_t i = size_; i-- > 0;) word_[i + words] = word_[i];
      for (std::size_t i = 0; i < words; ++i) word_[i] = 0;
      size_ += words;
    }
    if (rest != 0) multiply_add(1ull << rest, 0);
  }

  /// Divides by 10^19 and returns the remainder.
  std::uint64_t take_19_digits() {
    // Division by an invariant divisor with its top bit set: N. Moeller and T. Granlund, "Improved division
    // by invariant integers", algorithm 4.
    constexpr auto kReciprocal = static_cast<std::uint64_t>(~static_cast<u128>(0) / kTenTo19);  // less 2^64
    static_assert(kTenTo19 >> 63 == 1);
    std::uint64_t rest = 0;
    for (std::size_t i = size_; i-- > 0;) {
      const u128 estimate = static_cast<u128>(kReciprocal) * rest + (static_cast<u128>(rest) << 64 | word_[i]);
      std::uint64_t quotient = static_cast<std::uint64_t>(estimate >> 64) + 1;
      rest = word_[i] - quotient * kTenTo19;
      if (rest > static_cast<std::uint64_t>(estimate)) {
        --quotient;
        rest += kTenTo19;
      }
      if (rest >= kTenTo19) {
        ++quotient;
        rest -= kTenTo19;
      }
      word_[i] = quotient;
    }
    while (size_ > 0 && word_[size_ - 1] == 0) --size_;
    return rest;
  }

  /// Negative, zero or positive as a < b, a == b, a > b.
  friend int compare(const BigInteger& a, const BigInteger& b) {
    if (a.size_ != b.size_) return a.size_ < b.size_ ? -1 : 1;
    for (std::size_t i = a.size_; i-- > 0;) {
      if (a.word_[i] != b.word_[i]) return a.word_[i] < b.word_[i] ? -1 : 1;
    }
    return 0;
  }

 private:
  std::array<std::uint64_t, kWords> word_;  // those below size_ are set; the highest of them is not zero
  std::size_t size_ = 0;
};

}  // namespace castforge::text
