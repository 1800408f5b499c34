#include "lower/table_class.hpp"

#include <algorithm>

namespace castforge::lower {
namespace {

// With vbmi sums of terms are not tried: 128 entries cost what one term of 16 does. 256 take two such tables, and the
// registers that hold them.
// clang-format off
constexpr LookupCosts kCosts[] = {
    // lookup in           index of   column from     column in       ends of         odd     flips     negates
    // others 16+ 128     256     column row row 0   later   row 0   later   code    mag.    rows    all some  byte
    // carry  all one
    {TableClass::bytes16, "bytes16",
       2,  kNever, kNever, 1, 2,      0,      1,      1,      2,      2,      3,      3,      2, 3,     1, 4,       3, 3},
    {TableClass::neon, "neon",
       2,  9,      20,     1, 2,      1,      2,      0,      1,      1,      2,      4,      2, 3,     2, 4,       2, 2},
    {TableClass::vbmi, "vbmi",
       2,  2,      8,      1, 2,      kNever, kNever, kNever, kNever, kNever, kNever, kNever, 1, 2,     1, 2,       2, 2},
};
// clang-format on

}  // namespace

std::span<const LookupCosts> all_lookup_costs() { return kCosts; }

const LookupCosts& lookup_costs(TableClass table_class) {
  return *std::ranges::find(kCosts, table_class, &LookupCosts::table_class);
}

}  // namespace castforge::lower
