// The reference: what a conversion means, one element at a time, in whole numbers.
#pragma once

#include <castforge/export.h>

#include <castforge/format.hpp>
#include <castforge/rule.hpp>
#include <cstdint>
#include <optional>

namespace castforge {

/// Code of `dst` for a code of `src` (bit patterns in the low value_bits bits): the exact number rounded once by the
/// rule's carry table, everything else by its policies. Formats and rule are data, so formats that the library does not
/// know are as good. Slow beside a Kernel, and computed without any part of one.
///
/// Nothing for strings, and where the rule states no result: a number that needs rounding under carry::exact, or a
/// special value for which the destination has no code.
CASTFORGE_API std::optional<std::uint64_t> exact_cast(const Format& src, const Format& dst, const Rule& rule,
                                                      std::uint64_t code) noexcept;

}  // namespace castforge
