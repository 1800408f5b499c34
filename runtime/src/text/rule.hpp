// The words of a text rule: tables::TextRule holds them as numbers, in the order given here.
// The generator's specification model declares the same enumerations in the same order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace castforge::text {

enum class Overflow : std::uint8_t { infinity, max, nan, ieee, wrap, saturate };
enum class InfResult : std::uint8_t { infinity, max, nan, zero, as_overflow };
enum class NanResult : std::uint8_t { nan, max, max_signed, min, zero, zero_opposite };
enum class NegativeResult : std::uint8_t { nan, clamp, abs };  // unsigned floating destinations
enum class BelowRange : std::uint8_t { min, nan };             // destinations without a zero

/// How a finite floating-point value is written; both are the shortest text that reads back as the same
/// value.
enum class Notation : std::uint8_t {
  fixed,    // positional at every magnitude: 1000000, 0.00001
  general,  // positional while the decimal exponent is -4..5, else scientific: 1e+06, 1e-05
};

/// The notation a TextRule::format names; empty for a null pointer or another word.
constexpr std::optional<Notation> notation_of(const char* word) {
  if (word == nullptr) return std::nullopt;
  if (std::string_view(word) == "fixed") return Notation::fixed;
  if (std::string_view(word) == "general") return Notation::general;
  return std::nullopt;
}

}  // namespace castforge::text
