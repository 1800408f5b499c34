#include "lower/table_class.hpp"

#include <array>

namespace castforge::lower {
namespace {

constexpr std::array<LookupCosts, 3> kCosts = {{
    {.table_class = TableClass::bytes16, .name = "bytes16", .term = 2, .lookup128 = kNever, .lookup256 = kNever,
     .column = 1, .high = 2, .from_first_row = 0, .from_later_row = 1, .only_first_row = 1, .only_later_row = 2,
     .ends = 2, .ends_of_magnitude = 3, .odd_rows = 3,
     .flip_top_or_all = 2, .flip_some = 3, .negate = 1, .negate_with_carry = 4, .patch = 3},
    {.table_class = TableClass::neon, .name = "neon", .term = 2, .lookup128 = 9, .lookup256 = 20,
     .column = 1, .high = 2, .from_first_row = 1, .from_later_row = 2, .only_first_row = 0, .only_later_row = 1,
     .ends = 1, .ends_of_magnitude = 2, .odd_rows = 4,
     .flip_top_or_all = 2, .flip_some = 3, .negate = 2, .negate_with_carry = 4, .patch = 2},
    // Sums of terms are not tried here. 256 entries take two tables of 128 and the registers that hold them.
    {.table_class = TableClass::vbmi, .name = "vbmi", .term = 2, .lookup128 = 2, .lookup256 = 8,
     .column = 1, .high = 2, .from_first_row = kNever, .from_later_row = kNever, .only_first_row = kNever,
     .only_later_row = kNever, .ends = kNever, .ends_of_magnitude = kNever, .odd_rows = kNever,
     .flip_top_or_all = 1, .flip_some = 2, .negate = 1, .negate_with_carry = 2, .patch = 2},
}};

}  // namespace

std::span<const LookupCosts> all_lookup_costs() { return kCosts; }

const LookupCosts& lookup_costs(TableClass table_class) {
  for (const LookupCosts& costs : kCosts) {
    if (costs.table_class == table_class) return costs;
  }
  return kCosts.front();
}

}  // namespace castforge::lower
