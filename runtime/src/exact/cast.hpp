// Casts by data: a value, or a code of one format, to a code of another by a rule.
#pragma once

#include <castforge/rule.hpp>
#include <cstdint>
#include <optional>

#include "src/exact/rounding.hpp"
#include "src/exact/value.hpp"

namespace castforge::exact {

/// A code, or nothing where the rule states none; see exact_cast in <castforge/exact.hpp>.
using Code = std::optional<std::uint64_t>;

/// The value rounded once to `dst`, by the rule's carry table and policies. Not for values of dst's own type, which
/// cast() knows to copy.
Code encode(const Format& dst, const Rule& rule, const Value& value) noexcept;

/// Whether a finite value lies beyond the range of `dst` once it is rounded, so that the rule's policies decide; where
/// the rule states no mode, whether the value itself does.
bool rounds_beyond(const Format& dst, const Rule& rule, const Value& value) noexcept;

/// The largest magnitude that integers of so many bits have on that side of zero.
u128 last_integer(bool is_signed, int bits, bool negative) noexcept;

/// What a rule does to codes.
enum class Treatment {
  copied,     // kept as they are; of a format's own type, infinities can have another result
  integral,   // rounded to whole numbers of the same format
  converted,  // decoded, and encoded in the destination
};
Treatment treatment(const Format& src, const Format& dst, const Rule& rule) noexcept;

/// The code of `dst` for a code of `src`.
Code cast(const Format& src, const Format& dst, const Rule& rule, std::uint64_t code) noexcept;

}  // namespace castforge::exact
