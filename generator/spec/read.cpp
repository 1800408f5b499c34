#include "spec/read.hpp"

#include <algorithm>

#include "spec/names.hpp"
#include "spec/nearest.hpp"
#include "spec/words.hpp"

namespace castforge::spec {

void ObjectReader::reject_unknown_keys(std::initializer_list<std::string_view> known) const {
  for (const Node::Member& member : object_.members) {
    if (member.key == "$schema" || std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    error(member.key_where, "unknown key \"" + member.key + "\"" + whose_ + did_you_mean(member.key, known));
  }
}

const Node* ObjectReader::required(std::string_view key) const {
  const Node* value = object_.find(key);
  if (value == nullptr) error(object_.where, "missing key \"" + std::string(key) + "\"" + whose_);
  return value;
}

const Node* ObjectReader::shaped(std::string_view key, Node::Kind kind, std::string_view shape) const {
  const Node* value = object_.find(key);
  if (value == nullptr || value->kind == kind) return value;
  error(value->where,
        "\"" + std::string(key) + "\" must be " + std::string(shape) + " (got " + value->describe() + ")");
  return nullptr;
}

std::optional<bool> ObjectReader::boolean(std::string_view key) const {
  const Node* value = required(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind == Node::Kind::boolean) return value->boolean;
  error(value->where, "\"" + std::string(key) + "\" must be true or false (got " + value->describe() + ")");
  return std::nullopt;
}

std::optional<int> ObjectReader::integer(std::string_view key, int low, int high) const {
  const Node* value = required(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_integer_in(low, high)) return static_cast<int>(value->integer());
  error(value->where, "\"" + std::string(key) + "\" must be " + std::to_string(low) + ".." + std::to_string(high) +
                          " (got " + value->describe() + ")");
  return std::nullopt;
}

std::optional<std::string> ObjectReader::word(const Node* value, std::string_view key,
                                              const std::vector<std::string_view>& words) const {
  if (value == nullptr) return std::nullopt;
  if (value->kind == Node::Kind::string && std::find(words.begin(), words.end(), value->text) != words.end()) {
    return value->text;
  }
  const std::string meant = value->kind == Node::Kind::string ? did_you_mean(value->text, words) : "";
  error(value->where,
        "\"" + std::string(key) + "\" must be one of " + join(words) + " (got " + value->describe() + ")" + meant);
  return std::nullopt;
}

std::vector<std::string> ObjectReader::texts(std::string_view key) const {
  std::vector<std::string> list;
  const Node* value = shaped(key, Node::Kind::array, "an array of strings");
  if (value == nullptr) return list;
  for (const Node& item : value->items) {
    if (item.kind != Node::Kind::string)
      error(item.where, "\"" + std::string(key) + "\" must hold strings (got " + item.describe() + ")");
    else if (is_plain_text(item.where, item.text)) list.push_back(item.text);
  }
  return list;
}

std::string ObjectReader::prose(std::string_view key) const {
  const Node* value = object_.find(key);
  if (value == nullptr) return {};
  if (value->kind == Node::Kind::string) return is_plain_text(value->where, value->text) ? value->text : "";
  if (shaped(key, Node::Kind::array, "a string or an array of strings") == nullptr) return {};
  if (value->items.empty())
    error(value->where, "\"" + std::string(key) + "\" must hold a text (got " + value->describe() + ")");
  std::string whole;
  for (const std::string& piece : texts(key)) whole += (whole.empty() ? "" : " ") + piece;
  return whole;
}

bool ObjectReader::is_plain_text(const Location& where, std::string_view text) const {
  if (const auto found = std::find_if(text.begin(), text.end(), is_control); found != text.end()) {
    error(where, "expected text without control characters, found \"" + escaped(std::string(1, *found)) + "\"");
    return false;
  }
  for (std::size_t at = 0; (at = text.find('\\', at)) != std::string_view::npos; ++at) {
    if (at + 1 < text.size() && text[at + 1] != ' ') continue;  // lines of comments end between words only
    error(where, "expected no word that ends in a backslash, which joins two lines of C++");
    return false;
  }
  // In C, as amalgamate writes it, they stand for other characters in comments and strings too: ??/ for a backslash.
  for (std::size_t at = 0; (at = text.find("??", at)) != std::string_view::npos; ++at) {
    if (at + 2 == text.size() || std::string_view("=/'()!<>-").find(text[at + 2]) == std::string_view::npos) continue;
    error(where, "expected no trigraph of C, found \"" + std::string(text.substr(at, 3)) + "\"");
    return false;
  }
  return true;
}

bool ObjectReader::is_printable(const Location& where, std::string_view text) const {
  if (!is_plain_text(where, text)) return false;
  if (!text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; })) return true;
  error(where, std::string("expected a name of printable ASCII characters, found ") +
                   (text.empty() ? "an empty one" : "others"));
  return false;
}

bool ObjectReader::is_short(const Node& name, std::string_view key) const {
  if (name.text.size() <= kLongestName) return true;
  error(name.where, "\"" + std::string(key) + "\" must have at most " + std::to_string(kLongestName) +
                        " characters (got " + std::to_string(name.text.size()) + ")");
  return false;
}

}  // namespace castforge::spec
