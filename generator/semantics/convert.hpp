// One conversion on exact integers, without lookups or floating point; every plan is compared with it.
#pragma once

#include <cstdint>

#include "spec/model.hpp"

namespace castforge::semantics {

/// A magnitude on the destination grid before the carry: whole units, the first dropped bit, the rest.
struct Grid {
  unsigned __int128 units = 0;
  bool first_dropped = false;
  bool sticky = false;
};

/// significand * 2^exponent in units of 2^unit_exponent. Units above 2^127 are reported as 2^127 (beyond every range).
Grid to_grid(std::uint64_t significand, int exponent, int unit_exponent);

/// Does the magnitude move up one ULP? Bit (sign << 3 | last kept << 2 | first dropped << 1 | sticky) of the mode's
/// carry table.
bool carries(const spec::Rounding& mode, bool negative, bool last_kept, const Grid& grid);

/// Results a rule names for values outside the ordinary, as destination codes. Floating destinations.
std::uint64_t overflow_result(const spec::Meaning& meaning, bool negative);
std::uint64_t infinity_result(const spec::Meaning& meaning, bool negative);
std::uint64_t nan_result(const spec::Meaning& meaning, bool negative);
std::uint64_t negative_result(const spec::Meaning& meaning);  // unsigned destinations; policy other than abs
std::uint64_t zero_result(const spec::Meaning& meaning);      // destinations without a zero
std::uint64_t below_result(const spec::Meaning& meaning);     // the same, 0 < x < the smallest value

/// Destination code for a source code, rounded once.
std::uint64_t convert_code(const spec::Meaning& meaning, std::uint64_t src_code);

/// The same on storage words (elements as they lie in memory, zero-extended).
std::uint64_t convert_storage(const spec::Meaning& meaning, std::uint64_t src_storage);

}  // namespace castforge::semantics
