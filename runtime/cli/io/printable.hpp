// Bytes as characters that do nothing to a terminal. A header alone: what reads specs is linked without the programs.
#pragma once

#include "cli/io/unicode.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace castforge::cli {

/// What cannot be seen itself but changes how the rest looks: controls, separators of lines and paragraphs, marks and
/// overrides of the direction of writing. And the byte order mark, which some editors put before a list of paths.
inline bool is_unseen(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

/// Appends a byte as `before` and two hexadecimal digits: \x1B, \u001B.
inline void append_escape(std::string& out, char byte, std::string_view before = "\\x") {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(byte);
  out += before;
  out += {kDigits[value >> 4], kDigits[value & 15]};
}

/// The path of a file as messages name it: control characters, those that end lines or turn the direction of writing,
/// and bytes that are no UTF-8, as \xNN.
inline std::string printable(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    std::string_view rest = path;
    const auto code_point = take_code_point(rest);
    const std::size_t length = code_point ? path.size() - rest.size() : 1;
    const bool unseen = !code_point || is_unseen(*code_point);
    for (const char c : path.substr(0, length)) unseen ? append_escape(out, c) : out.push_back(c);
    path.remove_prefix(length);
  }
  return out;
}

/// In single quotes, as POSIX shells read it.
inline std::string in_single_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace castforge::cli
