// UTF-8 and code points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace castforge::cli {

/// Takes the first code point off `text`; nothing where it does not begin with well-formed UTF-8.
std::optional<char32_t> take_code_point(std::string_view& text);

/// Appends UTF-8; false for what is no code point (surrogates, above 10FFFF).
bool append_utf8(std::string& out, char32_t value);

/// Number of code points; nothing where the text is no well-formed UTF-8.
std::optional<std::size_t> count_code_points(std::string_view text);

}  // namespace castforge::cli
