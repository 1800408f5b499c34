// Whole numbers on command lines.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace castforge::terminal {

/// The number that `given` is in decimal digits, a minus before them or none, and nothing else; nothing where it is
/// none, or not between `least` and `most`.
inline std::optional<std::int64_t> whole_number(std::string_view given, std::int64_t least, std::int64_t most) {
  std::int64_t number = 0;
  const char* const end = given.data() + given.size();
  const auto [rest, error] = std::from_chars(given.data(), end, number);
  if (error != std::errc() || rest != end || number < least || number > most) return std::nullopt;
  return number;
}

}  // namespace castforge::terminal
