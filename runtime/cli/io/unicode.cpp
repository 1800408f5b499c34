#include "cli/io/unicode.hpp"

namespace castforge::cli {
namespace {

bool is_code_point(char32_t value) { return value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF); }

}  // namespace

std::optional<char32_t> take_code_point(std::string_view& text) {
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

bool append_utf8(std::string& out, char32_t value) {
  if (!is_code_point(value)) return false;
  const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xC0 | value >> 6);
    put(0x80 | (value & 0x3F));
  } else if (value < 0x10000) {
    put(0xE0 | value >> 12);
    put(0x80 | (value >> 6 & 0x3F));
    put(0x80 | (value & 0x3F));
  } else {
    put(0xF0 | value >> 18);
    put(0x80 | (value >> 12 & 0x3F));
    put(0x80 | (value >> 6 & 0x3F));
    put(0x80 | (value & 0x3F));
  }
  return true;
}

std::optional<std::size_t> count_code_points(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    if (!take_code_point(text)) return std::nullopt;
    ++count;
  }
  return count;
}

}  // namespace castforge::cli
