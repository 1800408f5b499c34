// Results that a rule names for values outside the ordinary, as destination codes.
#pragma once

#include <cstdint>

#include "spec/model.hpp"

namespace castforge::semantics {

/// The NaN of a floating type, or its largest number where it has none.
std::uint64_t nan_code(const spec::Type& type, bool negative);

/// Floating destinations.
std::uint64_t overflow_result(const spec::Meaning& meaning, bool negative);
std::uint64_t infinity_result(const spec::Meaning& meaning, bool negative);
std::uint64_t nan_result(const spec::Meaning& meaning, bool negative);
std::uint64_t negative_result(const spec::Meaning& meaning);           // no sign; policy other than abs: of a number
std::uint64_t negative_infinity_result(const spec::Meaning& meaning);  // no sign
/// Of a number that is or rounds to zero, and of whatever else gives zero.
std::uint64_t zero_code(const spec::Meaning& meaning, bool negative);
/// Of a number that is zero.
std::uint64_t zero_result(const spec::Meaning& meaning, bool negative = false);
std::uint64_t below_result(const spec::Meaning& meaning);  // no zero; 0 < x < the smallest value

/// Integer destinations: the end of the range, and what x86 conversions give for a number out of range: the least
/// signed integer, or the largest unsigned one.
std::uint64_t largest_integer(const spec::Type& type, bool negative);
std::uint64_t indefinite_result(const spec::Type& type);

}  // namespace castforge::semantics
