// Conversions of 16-bit sources to at most a byte as steps: the high byte of a position says which cell, and inside a
// cell the results change at most twice, in order of the low byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/program.hpp"
#include "spec/model.hpp"

namespace castforge::lower {

using Bytes = std::array<std::uint8_t, 256>;

constexpr std::uint8_t kNoThreshold = 255;  // no low byte is above

/// The result is first + (low > once ? rise : 0) + (low > twice ? 1 : 0), modulo 256.
struct Cell {
  std::uint8_t first = 0, once = kNoThreshold, rise = 1, twice = kNoThreshold;

  std::uint8_t result(std::size_t low) const {
    return static_cast<std::uint8_t>(first + (low > once ? rise : 0) + (low > twice ? 1 : 0));
  }
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// The cell with these results by low byte; nothing when they change more often.
std::optional<Cell> cell_of(const Bytes& results);

/// Results of a 16-bit source, each computed when somebody asks: most pairs fail at the second cell.
class Results {
 public:
  explicit Results(const spec::Meaning& meaning) : meaning_(meaning) {}

  std::uint8_t operator[](std::uint64_t code) const;
  std::size_t size() const { return known_.size(); }

 private:
  const spec::Meaning& meaning_;
  mutable std::vector<std::optional<std::uint8_t>> known_ = std::vector<std::optional<std::uint8_t>>(1 << 16);
};

/// Is it a conversion of a signed 16-bit float with infinities and NaN as IEEE 754 has them to a signed float of at
/// most a byte?
bool narrows_ieee_16(const spec::Meaning& meaning);

/// What becomes of a NaN of a 16-bit IEEE format: what becomes of the largest numbers with its sign, the zero of the
/// opposite sign, or something else.
enum class NanPlacing { as_overflow, opposite_zero, apart };
NanPlacing placing_of_nan(const spec::Meaning& meaning, const Results& results);

/// Adds to a 16-bit code a constant that carries into the sign for NaN alone: a NaN's sign flips, and the magnitude
/// left rounds to zero; numbers grow by the constant. last_number: the largest magnitude that is no NaN.
constexpr std::uint64_t nan_carry(std::uint64_t last_number) { return 0x7FFF - last_number; }
ir::Value with_nan_carry(ir::Builder& builder, ir::Value code, std::uint64_t last_number);

/// Of a 16-bit code: all ones where it is negative and no NaN, which is above `last_number`.
ir::Value negative_number(ir::Builder& builder, ir::Value code, std::uint64_t last_number);

/// A source of 32 bits of which the upper half of the code, rounded to odd, is a shorter format with a fraction.
bool has_upper_half(const spec::Meaning& meaning);

/// The conversion of that shorter format.
struct UpperHalf {
  explicit UpperHalf(const spec::Meaning& of);
  UpperHalf(const UpperHalf&) = delete;
  UpperHalf& operator=(const UpperHalf&) = delete;

  spec::Type source;
  spec::Meaning meaning;  // of `source`
};

/// The upper half of a code of 32 bits, rounded to odd; one of 16 itself.
ir::Value shortened(ir::Value code);

/// Do all sources that are rounded to an odd code, its own and what lies between its even neighbours, have the result
/// that this code has? Of a source with infinity and NaN as IEEE 754 has them: infinity is an even code, all NaN of a
/// sign have one result, and among numbers results change in one direction, so that the ends speak for what is between.
/// results: of the shorter format.
bool stands_for_all(const spec::Meaning& meaning, const Results& results);

/// Does the program give them for every source code?
bool gives(const ir::Program& program, const Results& results);

}  // namespace castforge::lower
