// Programs for sources of 8 bits whose results follow the code over long stretches: along a line, or row by row with
// the places where results go up, and tables of 16 for the windows of codes where that is not right.
//
// A conversion between two floats of 8 bits is such a line: its codes are as far apart as the source's, or twice as
// far, but for subnormal numbers and NaN. Integers as floats are rows: from some row on a row of 16 codes has a few
// results only, and each goes up by one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "lower/byte_rows.hpp"
#include "lower/table_class.hpp"

namespace castforge::lower {

/// What a program looks at: the code, its low seven bits, or its absolute value in two's complement, 0 to 128.
enum class Seen { code, below_sign, absolute };

/// min((k * max(seen - least, 0) + offset) modulo 256, most), with k = 2 if `twice`, else 1.
struct Line {
  int least = 0;
  bool twice = false;
  std::uint8_t offset = 0;
  std::uint8_t most = 0xFF;
};

/// first[row], and one more (or less) behind each place that a step names; plus what the column has in rows from
/// `columns_from` on.
struct Rows {
  ByteRow first;
  std::vector<ByteRow> steps;  // by row, the last number in front of the step
  bool down = false;
  std::optional<ByteRow> columns;
  int columns_from = 0;
};

/// What the numbers from `start` to start + 15 have more, modulo 256.
struct Window {
  int start = 0;
  ByteRow added;
};

/// What the sign of the code does to the sum.
struct SignOfCode {
  bool negates = false;
  std::uint8_t flips = 0;             // bits that it flips, where it does not negate
  int without = 0;                    // so many of the smallest magnitudes have the same result with a sign
  std::optional<std::uint8_t> patch;  // the result of code 0x80, whatever the rest says
};

struct WindowProgram {
  TableClass table_class = TableClass::bytes16;
  Seen seen = Seen::code;
  std::variant<Line, Rows> base;
  std::vector<Window> windows;
  SignOfCode sign;
  int price = 0;
};

/// The cheapest such program for 256 results of at most a byte; nothing where it would cost `limit` or more.
std::optional<WindowProgram> program_of_windows(std::span<const std::uint64_t> results, TableClass table_class,
                                                int limit);

/// The largest number that a program sees.
int last_seen(Seen seen);

/// What the program's base has for a number that it sees.
std::uint8_t base_at(const WindowProgram& program, int number);

}  // namespace castforge::lower
