// Classes of instruction sets by how they look bytes up in tables, and what each thing costs there.
#pragma once

namespace castforge::lower {

enum class TableClass {
  bytes16,  // sse4_2, avx2, avx512: 16 entries; an index with bit 7 set gives 0, bits 4 to 6 are ignored
  neon,     // 16 entries, any index above 15 gives 0; 64 in one instruction, 128 and 256 by several
  vbmi,     // avx512vbmi: 64 or 128 entries in one instruction, 256 in two
};

inline constexpr int kNever = 1 << 20;  // the cost of what a class does not have

/// Costs in instructions of one vector. What is made once for all planes of a result (an index) costs its first user
/// only.
struct LookupCosts {
  TableClass table_class;
  int term;  // lookup in 16 entries, and the addition to the sum
  int lookup64, lookup128, lookup256;
  // Making an index:
  int column;             // low four bits of the code
  int high;               // high four bits of the code, or of its magnitude
  int from_first_row;     // the column where the index is to serve every row
  int from_later_row;     // the column where the index is to serve rows from a later one on
  int only_first_row;     // the column in row 0 and in no other
  int only_later_row;     // the column in a later row and in no other
  int ends;               // last and first eight values of the code
  int ends_of_magnitude;  // last and first eight values of the magnitude of the code
  int odd_rows;           // the column in odd rows of the upper half
  int clamp;              // magnitudes up to a largest one
  int step;               // where a row goes up by one: a lookup, a comparison, an addition
  // Of codes of fewer than 8 bits:
  int sign_to_top;  // bit 7 as the sign bit of the code
  int split;        // the code without its sign
  // The effect of the sign:
  int flip_top_or_all;    // bit 7 of a plane, or all bits
  int flip_some;          // some bits
  int negate;             // a byte
  int negate_with_carry;  // a byte above the lowest of a negated result; weighed against nothing, there is no other way
  int replace;            // one byte for all codes with bit 7
  int patch;              // another byte for one code
  int mask;               // a result that is part of a byte, without the bits above it
};

const LookupCosts& lookup_costs(TableClass table_class);

}  // namespace castforge::lower
