// Whole numbers on command lines.
#pragma once

#include "cli/io/words.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace castforge::terminal {

/// The number that `given` is in decimal digits, a minus before them or none, and nothing else; nothing where it is
/// none, or not between `least` and `most`.
inline std::optional<std::int64_t> whole_number(std::string_view given, std::int64_t least, std::int64_t most) {
  const auto number = cli::parse_number<std::int64_t>(given);
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

}  // namespace castforge::terminal
