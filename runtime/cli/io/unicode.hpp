// UTF-8 and code points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace castforge::cli {

/// Whether UTF-8 can say it: neither a surrogate nor above 10FFFF.
inline bool is_code_point(char32_t value) { return value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF); }

/// Takes the first code point off `text`; nothing where it does not begin with well-formed UTF-8.
inline std::optional<char32_t> take_code_point(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const auto first = static_cast<unsigned char>(text.front());
  std::size_t more = 0;
  char32_t value = first, least = 0;
  if (first >= 0xF0 && first < 0xF8) {
    more = 3, value = first & 0x07, least = 0x10000;
  } else if (first >= 0xE0 && first < 0xF0) {
    more = 2, value = first & 0x0F, least = 0x800;
  } else if (first >= 0xC0 && first < 0xE0) {
    more = 1, value = first & 0x1F, least = 0x80;
  } else if (first >= 0x80) {
    return std::nullopt;
  }
  if (text.size() <= more) return std::nullopt;
  for (std::size_t i = 1; i <= more; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return std::nullopt;
    value = value << 6 | (byte & 0x3F);
  }
  if (value < least || !is_code_point(value)) return std::nullopt;
  text.remove_prefix(more + 1);
  return value;
}

/// Appends UTF-8; false for what is no code point.
bool append_utf8(std::string& out, char32_t value);

/// Number of code points; nothing where the text is no well-formed UTF-8.
std::optional<std::size_t> count_code_points(std::string_view text);

}  // namespace castforge::cli
