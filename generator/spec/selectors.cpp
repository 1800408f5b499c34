#include "spec/selectors.hpp"

#include <algorithm>
#include <array>

namespace castforge::spec {
namespace {

bool is_float(const Type& type) { return type.kind == Kind::floating; }
bool is_number(const Type& type) { return is_float(type) || type.kind == Kind::integer; }

struct ClassWord {
  std::string_view word;
  bool (*holds)(const Type& type, const Type* source);
};
constexpr std::array<ClassWord, 15> kClassWords = {{
    {"any", [](const Type&, const Type*) { return true; }},
    {"same", [](const Type& type, const Type* source) { return &type == source; }},
    {"float", [](const Type& type, const Type*) { return is_float(type); }},
    {"integer", [](const Type& type, const Type*) { return type.kind == Kind::integer; }},
    {"bool", [](const Type& type, const Type*) { return type.kind == Kind::boolean; }},
    {"string", [](const Type& type, const Type*) { return type.kind == Kind::string; }},
    {"signed", [](const Type& type, const Type*) { return is_number(type) && type.is_signed; }},
    {"unsigned", [](const Type& type, const Type*) { return is_number(type) && !type.is_signed; }},
    {"small", [](const Type& type, const Type*) { return is_number(type) && type.value_bits <= 8; }},
    {"with_nan", [](const Type& type, const Type*) { return is_float(type) && type.has_nan(); }},
    {"without_nan", [](const Type& type, const Type*) { return is_float(type) && !type.has_nan(); }},
    {"with_infinity", [](const Type& type, const Type*) { return is_float(type) && type.infinity; }},
    {"without_infinity", [](const Type& type, const Type*) { return is_float(type) && !type.infinity; }},
    {"with_zero", [](const Type& type, const Type*) { return is_float(type) && type.has_zero(); }},
    {"without_zero", [](const Type& type, const Type*) { return is_float(type) && !type.has_zero(); }},
}};

const ClassWord* find_class_word(std::string_view word) {
  for (const ClassWord& row : kClassWords) {
    if (row.word == word) return &row;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string_view> class_words() {
  std::vector<std::string_view> words;
  for (const ClassWord& row : kClassWords) words.push_back(row.word);
  return words;
}

bool is_class_word(std::string_view word) { return find_class_word(word) != nullptr; }

bool Selector::matches(const Type& candidate, const Type* source) const {
  if (!type.empty()) return candidate.name == type;
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    const ClassWord* const row = find_class_word(word);
    return row != nullptr && row->holds(candidate, source);
  });
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
