#include "spec/json_tree.hpp"

#include <nlohmann/json.hpp>
#include <unordered_set>

namespace castforge::spec {
namespace {

constexpr std::size_t kDeepest = 32;                       // specs nest four levels
constexpr std::size_t kMostValues = std::size_t{1} << 17;  // some hundred bytes each; op-sets have a few thousand
constexpr std::size_t kMostQuoted = 64;                    // bytes of a value in a complaint

std::string shortened(const std::string& text) {
  return text.size() <= kMostQuoted ? text : text.substr(0, kMostQuoted) + "...";
}

std::string escape_pointer(std::string_view key) {
  std::string escaped;
  for (const char c : key) {
    if (c == '~') escaped += "~0";
    else if (c == '/') escaped += "~1";
    else escaped += c;
  }
  return escaped;
}

/// Follows the parser through the text, token by token, and knows where each one starts.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") offset_ = 3;  // a byte order mark takes no column
  }

  /// Moves to the start of the next token; separators need no attention, the parser has checked them.
  void to_next_token() {
    while (offset_ < text_.size() && std::string_view(" \t\r\n,:").find(text_[offset_]) != std::string_view::npos) {
      step();
    }
  }
  void skip_one() { step(); }
  void skip_string() {
    step();
    while (offset_ < text_.size() && text_[offset_] != '"') {
      if (text_[offset_] == '\\') step();
      step();
    }
    step();
  }
  void skip_word() {  // number, true, false, null
    while (offset_ < text_.size() && std::string_view(" \t\r\n,:]}").find(text_[offset_]) == std::string_view::npos) {
      step();
    }
  }
  void to_offset(std::size_t offset) {
    while (offset_ < offset && offset_ < text_.size()) step();
  }
  int line() const { return line_; }
  int column() const { return column_; }

 private:
  void step() {
    if (offset_ >= text_.size()) return;
    const bool newline = text_[offset_] == '\n';
    const bool continues = (static_cast<unsigned char>(text_[offset_]) & 0xC0) == 0x80;  // inside a UTF-8 character
    ++offset_;
    if (newline) {
      ++line_;
      column_ = 1;
    } else if (!continues) {
      ++column_;
    }
  }

  std::string_view text_;
  std::size_t offset_ = 0;
  int line_ = 1;
  int column_ = 1;
};

/// Receives the parser's events and builds the tree.
class TreeBuilder : public nlohmann::json_sax<nlohmann::ordered_json> {
 public:
  TreeBuilder(std::string_view text, std::string file, Diagnostics& diagnostics, Node& root)
      : cursor_(text), text_(text), file_(std::move(file)), diagnostics_(diagnostics), root_(root) {}

  bool null() override {
    add_word(Node::Kind::null);
    return counted();
  }
  bool boolean(bool value) override {
    add_word(Node::Kind::boolean).boolean = value;
    return counted();
  }
  bool number_integer(number_integer_t value) override {
    Node& node = add_word(Node::Kind::integer);
    node.negative = value < 0;
    node.magnitude = value < 0 ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    return counted();
  }
  bool number_unsigned(number_unsigned_t value) override {
    add_word(Node::Kind::integer).magnitude = value;
    return counted();
  }
  bool number_float(number_float_t, const string_t& text) override {
    add_word(Node::Kind::real).text = text;
    return counted();
  }
  bool string(string_t& value) override {
    Node& node = add(Node::Kind::string);
    node.text = value;
    cursor_.skip_string();
    return counted();
  }
  bool binary(binary_t&) override { return false; }  // not in JSON
  bool start_object(std::size_t) override { return open(Node::Kind::object); }
  bool start_array(std::size_t) override { return open(Node::Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    cursor_.to_next_token();
    Node& object = *open_.back();
    Location where = here(object.where.pointer + "/" + escape_pointer(key));
    cursor_.skip_string();
    if (!keys_.back().insert(key).second) diagnostics_.error(where, "duplicate key \"" + key + "\"");
    object.members.push_back({key, std::move(where), Node{}});
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    Cursor at(text_);
    at.to_offset(position == 0 ? 0 : position - 1);
    const Location where{file_, unfinished(), at.line(), at.column()};
    // Drop the library's own prefixes "[json...] " and "parse error at line L, column C: ".
    std::string what = error.what();
    if (const std::size_t found = what.find("] "); found != std::string::npos) what.erase(0, found + 2);
    if (what.starts_with("parse error at line ")) what.erase(0, what.find(": ") + 2);
    diagnostics_.error(where, "expected JSON, found a " + what);
    return false;
  }

 private:
  Location here(std::string pointer) const { return {file_, std::move(pointer), cursor_.line(), cursor_.column()}; }

  /// Pointer of the value that the parser was at: a member whose value is missing, or what encloses it.
  std::string unfinished() const {
    if (open_.empty()) return {};
    const Node& parent = *open_.back();
    const bool member = !parent.members.empty() && parent.members.back().value.where.line == 0;
    return member ? parent.members.back().key_where.pointer : parent.where.pointer;
  }

  Node& add(Node::Kind kind) {
    cursor_.to_next_token();
    Node* node = &root_;
    std::string pointer;
    if (!open_.empty()) {
      Node& parent = *open_.back();
      if (parent.kind == Node::Kind::array) {
        pointer = parent.where.pointer + "/" + std::to_string(parent.items.size());
        node = &parent.items.emplace_back();
      } else {
        pointer = parent.members.back().key_where.pointer;
        node = &parent.members.back().value;
      }
    }
    node->kind = kind;
    node->where = here(std::move(pointer));
    return *node;
  }
  Node& add_word(Node::Kind kind) {
    Node& node = add(kind);
    cursor_.skip_word();
    return node;
  }
  /// False, with a complaint, where there are too many values by now.
  bool counted() {
    if (++values_ <= kMostValues) return true;
    if (values_ == kMostValues + 1)
      diagnostics_.error(here(unfinished()), "expected at most " + std::to_string(kMostValues) + " values in a file");
    return false;
  }
  bool open(Node::Kind kind) {
    Node& node = add(kind);
    cursor_.skip_one();
    open_.push_back(&node);
    keys_.emplace_back();
    if (open_.size() <= kDeepest) return counted();
    diagnostics_.error(node.where, "nested more than " + std::to_string(kDeepest) + " levels deep");
    return false;
  }
  bool close() {
    cursor_.to_next_token();
    cursor_.skip_one();
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  Cursor cursor_;
  std::string_view text_;
  std::string file_;
  Diagnostics& diagnostics_;
  Node& root_;
  std::vector<Node*> open_;  // enclosing arrays and objects; a parent does not grow while a child is open
  std::vector<std::unordered_set<std::string>> keys_;  // of each of these; none of arrays
  std::size_t values_ = 0;
};

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const Member& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

bool Node::is_integer_in(std::int64_t low, std::int64_t high) const {
  if (kind != Kind::integer) return false;
  if (!negative) return magnitude <= static_cast<std::uint64_t>(INT64_MAX) && integer() >= low && integer() <= high;
  return magnitude <= std::uint64_t{1} << 63 && integer() >= low && integer() <= high;
}

std::int64_t Node::integer() const { return static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude); }

std::string Node::describe() const {
  switch (kind) {
    case Kind::null: return "null";
    case Kind::boolean: return boolean ? "true" : "false";
    case Kind::integer: return (negative ? "-" : "") + std::to_string(magnitude);
    case Kind::real: return shortened(text);
    case Kind::string: return "\"" + escaped(shortened(text)) + "\"";
    case Kind::array: return items.empty() ? "an empty array" : "an array";
    case Kind::object: return members.empty() ? "an empty object" : "an object";
  }
  return {};
}

bool parse_json(std::string_view text, const std::string& path, const std::string& file, Diagnostics& diagnostics,
                Node& root) {
  diagnostics.name_file(file, path);
  const std::size_t before = diagnostics.size();
  if (const std::size_t at = text.find('\0'); at != std::string_view::npos) {  // where the parser would end
    Cursor cursor(text);
    cursor.to_offset(at);
    diagnostics.error({file, "", cursor.line(), cursor.column()}, "expected JSON, found a byte 00");
    return false;
  }
  TreeBuilder builder(text, file, diagnostics, root);
  const bool parsed = nlohmann::ordered_json::sax_parse(text.begin(), text.end(), &builder);
  return parsed && diagnostics.size() == before;
}

}  // namespace castforge::spec
