// Names that users type: which aliases are such, and their letters without case.
#pragma once

#include <string_view>

namespace castforge {

/// [A-Za-z_][A-Za-z0-9_]*. Numbers and descriptors ("17", "<f2") are not: they belong to their systems.
constexpr bool is_user_facing(std::string_view alias) noexcept {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (alias.empty() || is_digit(alias.front())) return false;
  for (const char c : alias) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && !is_digit(c) && c != '_') return false;
  }
  return true;
}

/// The small letter for a capital one; names are ASCII.
constexpr char to_lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace castforge
