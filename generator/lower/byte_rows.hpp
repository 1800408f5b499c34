// Sixteen bytes and what is done with them; a plane is one byte of the result of every code, as 16 rows by the high
// four bits of the code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace castforge::lower {

/// Sixteen table entries, added and subtracted byte by byte modulo 256.
struct ByteRow {
  std::array<std::uint8_t, 16> bytes{};

  friend bool operator==(const ByteRow&, const ByteRow&) = default;
  friend auto operator<=>(const ByteRow&, const ByteRow&) = default;
  std::uint8_t operator[](int i) const { return bytes[static_cast<std::size_t>(i)]; }
  std::uint8_t& operator[](int i) { return bytes[static_cast<std::size_t>(i)]; }
  bool zero() const { return *this == ByteRow{}; }

  static ByteRow all(std::uint8_t byte) {
    ByteRow row;
    row.bytes.fill(byte);
    return row;
  }
  template <class F>
  static ByteRow each(F byte_at) {
    ByteRow row;
    for (int i = 0; i < 16; ++i) row[i] = static_cast<std::uint8_t>(byte_at(i));
    return row;
  }
};

inline ByteRow operator+(const ByteRow& a, const ByteRow& b) {
  return ByteRow::each([&](int i) { return a[i] + b[i]; });
}
inline ByteRow operator-(const ByteRow& a, const ByteRow& b) {
  return ByteRow::each([&](int i) { return a[i] - b[i]; });
}
inline ByteRow operator^(const ByteRow& a, const ByteRow& b) {
  return ByteRow::each([&](int i) { return a[i] ^ b[i]; });
}

/// One byte of the results of all codes of 8 bits.
struct BytePlane {
  std::array<ByteRow, 16> rows{};

  friend bool operator==(const BytePlane&, const BytePlane&) = default;
  std::uint8_t at(int code) const { return rows[static_cast<std::size_t>(code >> 4)][code & 15]; }
  void set(int code, std::uint8_t byte) { rows[static_cast<std::size_t>(code >> 4)][code & 15] = byte; }
  const ByteRow& operator[](int row) const { return rows[static_cast<std::size_t>(row)]; }
  ByteRow& operator[](int row) { return rows[static_cast<std::size_t>(row)]; }
};

}  // namespace castforge::lower
