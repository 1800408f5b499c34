// From a scanned number to the code of a destination type, by a text rule: every case, exactly.
#pragma once

#include <cstdint>

#include "src/tables.hpp"
#include "src/text/scan.hpp"
#include "src/text/text.hpp"

namespace castforge::text {

/// Entry (sign, last kept bit, first dropped bit, sticky) of a rounding's carry table.
constexpr bool carries(std::uint16_t carry, bool negative, bool last, bool first_dropped, bool sticky) {
  const int entry = negative << 3 | last << 2 | first_dropped << 1 | static_cast<int>(sticky);
  return ((carry >> entry) & 1) != 0;
}

/// Rounds `number` once and applies the rule's policies. `code` is left alone on error.
ParseError encode(const tables::Type& dst, const tables::TextRule& rule, const Scanned& number,
                  std::uint64_t& code);

}  // namespace castforge::text
