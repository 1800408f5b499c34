// From a scanned number to the code of a destination type, by a rule.
#pragma once

#include <castforge/format.hpp>
#include <castforge/rule.hpp>
#include <cstdint>

#include "src/text/scan.hpp"
#include "src/text/text.hpp"

namespace castforge::text {

/// Rounds `number` once, as src/exact does with any value. `code` is left alone on error.
ParseError encode(const Format& dst, const Rule& rule, const Scanned& number, std::uint64_t& code);

}  // namespace castforge::text
