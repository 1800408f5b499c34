#include "oracle/json.hpp"

#include <stdexcept>

namespace castforge::oracle {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Json document() {
    Json root = value();
    skip_space();
    if (at_ != text_.size()) fail("something follows the value");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("JSON, byte " + std::to_string(at_) + ": " + what);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  /// Whether the next character other than space is `c`, which is then read.
  bool take(char c) {
    skip_space();
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(std::string("expected ") + c);
  }

  Json value() {
    skip_space();
    Json json;
    switch (peek()) {
      case '{': object(json); return json;
      case '[': array(json); return json;
      case '"':
        json.kind = Json::Kind::string;
        json.text = string();
        return json;
      default: break;
    }
    while (at_ < text_.size() && std::string_view(",]} \t\r\n").find(text_[at_]) == std::string_view::npos) {
      json.text += text_[at_++];
    }
    if (json.text == "true" || json.text == "false") {
      json.kind = Json::Kind::boolean;
    } else if (json.text != "null") {
      json.kind = Json::Kind::number;
      if (json.text.empty() || json.text.find_first_not_of("0123456789+-.eE") != std::string::npos) fail("no value");
    }
    return json;
  }

  void object(Json& json) {
    json.kind = Json::Kind::object;
    expect('{');
    if (take('}')) return;
    do {
      skip_space();
      json.names.push_back(string());
      expect(':');
      json.items.push_back(value());
    } while (take(','));
    expect('}');
  }

  void array(Json& json) {
    json.kind = Json::Kind::array;
    expect('[');
    if (take(']')) return;
    do {
      json.items.push_back(value());
    } while (take(','));
    expect(']');
  }

  /// Escapes other than those of single characters are kept as written: no name that the oracle reads has one.
  std::string string() {
    if (peek() != '"') fail("expected a string");
    ++at_;
    std::string out;
    while (peek() != '"') {
      if (at_ >= text_.size()) fail("the string does not end");
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        const char escaped = text_[at_ + 1];
        if (escaped == '"' || escaped == '\\' || escaped == '/') ++at_;
        else out += text_[at_++];
      }
      out += text_[at_++];
    }
    ++at_;
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const Json* Json::find(std::string_view name) const {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return &items[i];
  }
  return nullptr;
}

Json parse_json(std::string_view text) { return Parser(text).document(); }

}  // namespace castforge::oracle
