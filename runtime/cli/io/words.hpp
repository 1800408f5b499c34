// Lists of words in one text, and numbers that are words.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace castforge::cli {

/// "avx2, avx512": the words with `between` them.
inline std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string list;
  for (const std::string& word : words) list.append(list.empty() ? "" : between).append(word);
  return list;
}

/// What stands between separators: one word more than there are of these, so that an empty text is one empty word.
inline std::vector<std::string> split(std::string_view list, char separator) {
  std::vector<std::string> words;
  for (;;) {
    const std::size_t end = list.find(separator);
    words.emplace_back(list.substr(0, end));
    if (end == list.npos) return words;
    list.remove_prefix(end + 1);
  }
}

/// The number that all of a word is; nothing where it is none, or none that a Number can be.
template <class Number>
std::optional<Number> parse_number(std::string_view word) {
  Number number{};
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace castforge::cli
