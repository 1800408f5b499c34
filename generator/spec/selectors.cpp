#include "spec/selectors.hpp"

#include <algorithm>
#include <array>

namespace castforge::spec {
namespace {

constexpr std::array<std::string_view, 15> kClassWords = {
    "any",         "same",  "float",    "integer",     "bool",          "string",           "signed",
    "unsigned",    "small", "with_nan", "without_nan", "with_infinity", "without_infinity", "with_zero",
    "without_zero"};

bool holds(std::string_view word, const Type& type, const Type* source) {
  const bool floating = type.kind == Kind::floating;
  const bool number = floating || type.kind == Kind::integer;
  if (word == "any") return true;
  if (word == "same") return &type == source;
  if (word == "float") return floating;
  if (word == "integer") return type.kind == Kind::integer;
  if (word == "bool") return type.kind == Kind::boolean;
  if (word == "string") return type.kind == Kind::string;
  if (word == "signed") return number && type.is_signed;
  if (word == "unsigned") return number && !type.is_signed;
  if (word == "small") return number && type.value_bits <= 8;
  if (word == "with_nan") return floating && type.has_nan();
  if (word == "without_nan") return floating && !type.has_nan();
  if (word == "with_infinity") return floating && type.infinity;
  if (word == "without_infinity") return floating && !type.infinity;
  if (word == "with_zero") return floating && type.has_zero();
  if (word == "without_zero") return floating && !type.has_zero();
  return false;
}

}  // namespace

std::span<const std::string_view> class_words() { return kClassWords; }

bool is_class_word(std::string_view word) {
  return std::find(kClassWords.begin(), kClassWords.end(), word) != kClassWords.end();
}

bool Selector::matches(const Type& candidate, const Type* source) const {
  if (!type.empty()) return candidate.name == type;
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return holds(word, candidate, source); });
}

Selector parse_selector(std::string_view text) {
  Selector selector;
  if (text.find(' ') == std::string_view::npos && !is_class_word(text)) {
    selector.type = text;
    return selector;
  }
  while (true) {
    const std::size_t end = text.find(' ');
    selector.words.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return selector;
    text.remove_prefix(end + 1);
  }
}

namespace {

bool any_matches(const std::vector<std::string>& selectors, const Type& type, const Type* source) {
  return std::any_of(selectors.begin(), selectors.end(),
                     [&](const std::string& text) { return parse_selector(text).matches(type, source); });
}

}  // namespace

bool applies(const Rule& rule, const Type& src, const Type& dst) {
  return any_matches(rule.src, src, nullptr) && any_matches(rule.dst, dst, &src);
}

}  // namespace castforge::spec
