// How a system writes conversions: a text with fields in braces, "Convert<{src}, {dst}, ({rounding}, {saturation})>".
// Fields are `src`, `dst` and attributes of the op-set.
#pragma once

#include <cstddef>
#include <string_view>

namespace castforge::notation {

/// The field at the front of a text, without its braces; empty where there is none.
constexpr std::string_view field_at(std::string_view text) {
  const std::size_t end = text.find('}');
  return end != text.npos && text.front() == '{' ? text.substr(1, end - 1) : std::string_view();
}

/// Whether what stands in braces are fields, each once, `src` and `dst` among them; known(name) tells the others.
template <class Known>
constexpr bool is_well_formed(std::string_view notation, const Known& known) {
  bool src = false, dst = false;
  for (std::size_t at = 0; (at = notation.find_first_of("{}")) != notation.npos;) {
    const std::size_t end = notation.find_first_of("{}", at + 1);
    if (notation[at] != '{' || end == notation.npos || notation[end] != '}') return false;
    const std::string_view name = notation.substr(at + 1, end - at - 1), braces = notation.substr(at, end + 1 - at);
    src = src || name == "src";
    dst = dst || name == "dst";
    notation.remove_prefix(end + 1);
    if ((name != "src" && name != "dst" && !known(name)) || notation.find(braces) != notation.npos) return false;
  }
  return src && dst;
}

/// Calls `literal(text)` and `field(name)` for the parts of a notation, in order.
template <class Literal, class Field>
constexpr void for_each_part(std::string_view notation, const Literal& literal, const Field& field) {
  while (!notation.empty()) {
    if (const std::string_view name = field_at(notation); !name.empty()) {
      field(name);
      notation.remove_prefix(name.size() + 2);
      continue;
    }
    const std::size_t next = notation.find('{', 1), end = next < notation.size() ? next : notation.size();
    literal(notation.substr(0, end));
    notation.remove_prefix(end);
  }
}

/// Whether a text is written so; `use(field, word)` is called for each field until one call says false. Blanks do not
/// count but inside a word.
template <class Use>
constexpr bool match(std::string_view notation, std::string_view text, const Use& use) {
  const auto skip_blanks = [](std::string_view& rest) {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  };
  while (true) {
    skip_blanks(notation);
    skip_blanks(text);
    if (notation.empty() || text.empty()) return notation.empty() && text.empty();
    const std::string_view name = field_at(notation);
    if (name.empty()) {
      if (notation.front() != text.front()) return false;
      notation.remove_prefix(1);
      text.remove_prefix(1);
      continue;
    }
    notation.remove_prefix(name.size() + 2);
    skip_blanks(notation);
    // A word ends where what follows the field begins.
    const std::size_t end = notation.empty() ? text.size() : text.find(notation.front());
    if (end > text.size()) return false;
    std::string_view word = text.substr(0, end);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    if (word.empty() || !use(name, word)) return false;
    text.remove_prefix(end);
  }
}

}  // namespace castforge::notation
