// Puts text together in a caller's buffer of fixed size: no allocation, never beyond the end.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace castforge {

/// Counts everything written to it and keeps what fits, terminated by NUL.
class Writer {
 public:
  Writer(char* buffer, std::size_t size) noexcept : buffer_(buffer), size_(buffer == nullptr ? 0 : size) {
    if (size_ > 0) buffer_[0] = '\0';
  }

  Writer& operator<<(std::string_view text) noexcept {
    if (length_ + 1 < size_) {
      const std::size_t room = size_ - 1 - length_;
      const std::size_t kept = text.size() < room ? text.size() : room;
      std::memcpy(buffer_ + length_, text.data(), kept);
      buffer_[length_ + kept] = '\0';
    }
    length_ += text.size();
    return *this;
  }

  Writer& operator<<(std::uint64_t number) noexcept { return put_number(number); }
  Writer& operator<<(std::int64_t number) noexcept { return put_number(number); }

  /// Length of the whole text, whether it fitted or not.
  std::size_t length() const noexcept { return length_; }

 private:
  template <class Number>
  Writer& put_number(Number number) noexcept {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number);
    return *this << std::string_view(digits, static_cast<std::size_t>(end.ptr - digits));
  }

  char* buffer_;
  std::size_t size_;
  std::size_t length_ = 0;
};

/// Writes ", " between the entries of a list.
class Separator {
 public:
  void put(Writer& out) noexcept {
    if (!first_) out << ", ";
    first_ = false;
  }
  bool nothing_yet() const noexcept { return first_; }

 private:
  bool first_ = true;
};

}  // namespace castforge
