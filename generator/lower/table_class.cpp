#include "lower/table_class.hpp"

#include <algorithm>

namespace castforge::lower {
namespace {

// With vbmi a table of 64 entries takes a register, one of 128 two, one of 256 four, two lookups and a choice between
// them. A comparison of bytes takes one instruction, and with AVX-512, where its mask has to become bytes again, two: a
// step of bytes16 has the price of the latter, so that no instruction set loses by it.
// clang-format off
constexpr LookupCosts kCosts[] = {
    {.table_class = TableClass::bytes16,
     .term = 2, .lookup64 = kNever, .lookup128 = kNever, .lookup256 = kNever,
     .column = 1, .high = 2, .from_first_row = 0, .from_later_row = 1, .only_first_row = 1, .only_later_row = 2,
     .ends = 2, .ends_of_magnitude = 3, .odd_rows = 3, .clamp = 1, .step = 4,
     .sign_to_top = 1, .split = 1,
     .flip_top_or_all = 2, .flip_some = 3, .negate = 1, .negate_with_carry = 4, .replace = 3, .patch = 3, .mask = 1},
    {.table_class = TableClass::neon,
     .term = 2, .lookup64 = 4, .lookup128 = 9, .lookup256 = 20,
     .column = 1, .high = 2, .from_first_row = 1, .from_later_row = 2, .only_first_row = 0, .only_later_row = 1,
     .ends = 1, .ends_of_magnitude = 2, .odd_rows = 4, .clamp = 1, .step = 3,
     .sign_to_top = 1, .split = 1,
     .flip_top_or_all = 2, .flip_some = 3, .negate = 2, .negate_with_carry = 4, .replace = 2, .patch = 2, .mask = 1},
    {.table_class = TableClass::vbmi,
     .term = 2, .lookup64 = 1, .lookup128 = 2, .lookup256 = 6,
     .column = 1, .high = 2, .from_first_row = 0, .from_later_row = 1, .only_first_row = 1, .only_later_row = 2,
     .ends = 2, .ends_of_magnitude = 3, .odd_rows = 3, .clamp = 1, .step = 4,
     .sign_to_top = 1, .split = 1,
     .flip_top_or_all = 1, .flip_some = 2, .negate = 1, .negate_with_carry = 2, .replace = 2, .patch = 2, .mask = 1},
};
// clang-format on

}  // namespace

const LookupCosts& lookup_costs(TableClass table_class) {
  return *std::ranges::find(kCosts, table_class, &LookupCosts::table_class);
}

}  // namespace castforge::lower
