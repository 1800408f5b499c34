#include "cli/io/unicode.hpp"

namespace castforge::cli {

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
