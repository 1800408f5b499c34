// Casts by data: a value, or a code of one format, to a code of another by a rule.
#pragma once

#include <castforge/rule.hpp>
#include <cstdint>
#include <optional>

#include "src/exact/value.hpp"

namespace castforge::exact {

/// A code, or nothing where the rule states none; see exact_cast in <castforge/exact.hpp>.
using Code = std::optional<std::uint64_t>;

/// The value rounded once to `dst`, by the rule's carry table and policies. Not for values of dst's own type, which
/// cast() knows to copy.
Code encode(const Format& dst, const Rule& rule, const Value& value) noexcept;

/// The code of `dst` for a code of `src`.
Code cast(const Format& src, const Format& dst, const Rule& rule, std::uint64_t code) noexcept;

}  // namespace castforge::exact
