#include "spec/read.hpp"

#include <algorithm>

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
  const Node* value = object_.find(key);
  if (value == nullptr) return list;
  if (value->kind != Node::Kind::array) {
    error(value->where, "\"" + std::string(key) + "\" must be an array of strings (got " + value->describe() + ")");
    return list;
  }
  for (const Node& item : value->items) {
    if (item.kind == Node::Kind::string) list.push_back(item.text);
    else error(item.where, "\"" + std::string(key) + "\" must hold strings (got " + item.describe() + ")");
  }
  return list;
}

std::string ObjectReader::prose(std::string_view key) const {
  const Node* value = object_.find(key);
  if (value == nullptr) return {};
  if (value->kind == Node::Kind::string) return value->text;
  if (value->kind != Node::Kind::array) {
    error(value->where,
          "\"" + std::string(key) + "\" must be a string or an array of strings (got " + value->describe() + ")");
    return {};
  }
  std::string whole;
  for (const std::string& piece : texts(key)) whole += (whole.empty() ? "" : " ") + piece;
  return whole;
}

}  // namespace castforge::spec
