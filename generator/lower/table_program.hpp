// Programs that look up all results of a source of at most 8 bits, byte by byte of the result, in the tables that
// instructions know.
//
// A plane is one byte of the results of all codes. Where an instruction knows tables of 16 entries, a plane is a sum
// of terms, modulo 256: a term is such a table and an index made from the code that reads it where it means something
// and elsewhere gives 0. A term that begins at one row and holds for the rows after it need not be repeated for them,
// which makes rows that resemble their neighbours cheap, and rows that differ by a constant are one term for what
// they have in common and one that adds the constant (Index::high). Number formats consist of little else: a row or
// two for subnormal numbers and NaN, the others equal but for the exponent.
//
// Where numbers from some magnitude on are beyond the range and saturate, magnitudes are clamped before anything is
// looked up, so that no term has to undo what it adds in earlier rows.
//
// Sign: where the result of code c + 128 (of -c for two's complement) is the result of c with some bits flipped, or
// negated, terms serve half of the codes, the magnitudes, and what other codes differ by is added by terms of their
// own.
//
// Codes of fewer than 8 bits are rows too, of which there are fewer. The sign of such a code is split off where that
// is cheaper, or the code as a whole is what a magnitude is elsewhere. 16 results and fewer are one lookup.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lower/byte_rows.hpp"
#include "lower/table_class.hpp"

namespace castforge::lower {

/// What a term is read with. The magnitude is the code without its sign: the bits below that, or the absolute value.
/// The column is the low four bits, the row the high ones; rows of the upper half of 8 bits count from 8.
enum class Index {
  magnitude_high,  // the row of the magnitude, for every code
  magnitude_from,  // the column, for magnitudes of row k or a later one, to 7
  magnitude_only,  // the column, for magnitudes of row k
  magnitude_ends,  // 8 more than the magnitude, modulo 128: for its last eight values and its first eight
  unclamped_from,  // as magnitude_from, of magnitudes that are clamped for those
  unclamped_only,  // as magnitude_only
  column,          // the column, for every code
  high,            // the row, for every code
  ends,            // 8 more than the code, modulo 256: for its last eight values and its first eight
  lower_from,      // the column, for rows k to 7; of fewer than 8 bits, all from k on
  upper_from,      // the column, for rows k to 15, k >= 8
  only,            // the column, for row k
  upper_odd,       // the column, for rows 9, 11, 13 and 15
};

struct TermIndex {
  Index kind = Index::column;
  int row = 0;  // k, where the kind has one
  friend auto operator<=>(const TermIndex&, const TermIndex&) = default;
};

/// Terms of these indices are added before the sign has its effect, the others after.
inline bool of_magnitude(Index kind) { return kind <= Index::unclamped_only; }
inline bool of_clamped_magnitude(Index kind) { return kind <= Index::magnitude_ends; }

struct Term {
  TermIndex index;
  ByteRow table;
};

/// The effect of the sign of the code on the sum of the terms of magnitudes. A byte that is not the lowest of a result
/// that is negated gets a carry where all bytes below it are zero.
enum class SignEffect { none, flips, negates, negates_with_carry, replaces };

struct PlaneProgram {
  int whole = 0;  // entries of a table that is read as a whole instead of terms of magnitudes: 16, 64, 128, 256; or 0
  BytePlane entries;        // ... and that table
  std::vector<Term> terms;  // by index: those of magnitudes first
  SignEffect sign = SignEffect::none;
  std::uint8_t flips = 0;             // SignEffect::flips: which bits
  std::uint8_t other = 0;             // SignEffect::replaces: by what
  bool tells_zero = false;            // a later plane needs the mask of where this sum is zero, before it is negated
  std::optional<std::uint8_t> patch;  // the byte for code 128, whatever the rest says
};

/// What codes are made of.
struct Codes {
  int bits = 8;
  int sign_place = 7;     // the bit that is the sign; `bits`: none is split off
  bool absolute = false;  // magnitudes are absolute values, not the bits below the sign
  int last_row = 7;       // last row before the clamp, whose last entry stands for larger magnitudes; 7: no clamp

  int count() const { return 1 << bits; }
  int rows() const { return count() / 16; }
  int half() const { return 1 << sign_place; }  // codes before the sign is set
  bool narrow() const { return bits < 8; }
  bool splits() const { return sign_place < bits; }
  bool clamps() const { return last_row < 7; }
  int last() const { return 16 * last_row + 15; }
};

struct TableProgram {
  TableClass table_class = TableClass::bytes16;
  Codes codes;
  int dst_bits = 8;
  bool identity = false;             // every result is the code: nothing is looked up
  std::vector<std::uint64_t> wide;   // not empty: results of at least 16 bits, found by one permutation of lanes
  std::vector<PlaneProgram> planes;  // distinct ones that are not all zero
  std::vector<int> from;             // byte j of a result is plane from[j], or zero for -1
  bool masked = false;               // above a result that does not fill its bytes are bits to be cleared
};

/// The cheapest program for results[code], 2 to 256 of dst_bits bits each.
TableProgram program_of_table(std::span<const std::uint64_t> results, int dst_bits, TableClass table_class);

/// Price of a program: of all planes, indices once.
int price(const TableProgram& program, const LookupCosts& costs);

}  // namespace castforge::lower
