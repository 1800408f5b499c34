#include "spec/template.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>

#include "spec/read.hpp"

namespace castforge::spec {
namespace {

/// Parameters by their names: numbers, and words with their places in the list of words.
struct Value {
  std::int64_t number = 0;
  std::string word;  // empty for numbers
};
using Values = std::map<std::string, Value>;

constexpr int kDeepest = 50;                 // parentheses and powers inside one another
constexpr std::size_t kMostTried = 100'000;  // values of parameters, until there is a match or all names are known

/// Numbers from one end to the other; other parameters are words.
bool is_range(const Node& parameter) {
  return parameter.members.size() == 2 && parameter.find("from") != nullptr && parameter.find("to") != nullptr;
}

__extension__ using Wide = __int128;

struct BadExpression : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Sums, differences, products and powers of whole numbers and parameters: "2^(K - P - 1)".
class Expression {
 public:
  Expression(const std::string& text, const Values& values) : text_(text), values_(values) {}

  std::int64_t evaluate() {
    const std::int64_t value = sum();
    if (peek() != '\0') throw BadExpression("what is \"" + text_.substr(at_) + "\"?");
    return value;
  }

 private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  static std::int64_t bounded(Wide value) {
    if (value > INT32_MAX || value < INT32_MIN) throw BadExpression("a number beyond 32 bits");
    return static_cast<std::int64_t>(value);
  }

  template <class Inner>
  std::int64_t deeper(const Inner& inner) {
    if (++depth_ > kDeepest)
      throw BadExpression("more than " + std::to_string(kDeepest) + " parentheses or powers inside one another");
    const std::int64_t value = inner();
    --depth_;
    return value;
  }

  std::int64_t sum() {
    std::int64_t value = product();
    while (true) {
      if (take('+')) value = bounded(Wide{value} + product());
      else if (take('-')) value = bounded(Wide{value} - product());
      else return value;
    }
  }
  std::int64_t product() {
    std::int64_t value = power();
    while (take('*')) value = bounded(Wide{value} * power());
    return value;
  }
  std::int64_t power() {
    const std::int64_t base = operand();
    if (!take('^')) return base;
    const std::int64_t exponent = deeper([this] { return power(); });
    if (exponent < 0 || exponent > 31) throw BadExpression("a power with the exponent " + std::to_string(exponent));
    std::int64_t value = 1;
    for (std::int64_t i = 0; i < exponent; ++i) value = bounded(Wide{value} * base);
    return value;
  }
  std::int64_t operand() {
    if (take('(')) {
      const std::int64_t value = deeper([this] { return sum(); });
      if (!take(')')) throw BadExpression("a parenthesis that does not end");
      return value;
    }
    peek();
    std::size_t end = at_;
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string token = text_.substr(at_, end - at_);
    at_ = end;
    if (token.empty()) throw BadExpression("a number or a parameter is missing");
    if (is_digit(token[0])) {
      std::int64_t number = 0;
      const auto [stop, problem] = std::from_chars(token.data(), token.data() + token.size(), number);
      if (problem != std::errc{} || stop != token.data() + token.size()) throw BadExpression(token + " is no number");
      return bounded(number);
    }
    const auto found = values_.find(token);
    if (found == values_.end()) throw BadExpression("there is no parameter " + token);
    return found->second.number;
  }

  const std::string& text_;
  const Values& values_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// What a name says of a pattern's parameters, tried word by word and digit by digit.
class Match {
 public:
  Match(const Node& parameters, const std::string& pattern, const std::string& name)
      : parameters_(parameters), pattern_(pattern), name_(name) {}

  bool run(Values& values) { return from(0, 0, values); }

 private:
  bool from(std::size_t in_pattern, std::size_t in_name, Values& values) {
    for (;; ++in_pattern, ++in_name) {
      if (++tried_ > kMostTried) return false;
      if (in_pattern == pattern_.size()) return in_name == name_.size();
      if (pattern_[in_pattern] == '{') break;
      if (in_name == name_.size() || name_[in_name] != pattern_[in_pattern]) return false;
    }
    const std::size_t end = pattern_.find('}', in_pattern);
    if (end == std::string::npos) return false;
    const std::string parameter = pattern_.substr(in_pattern + 1, end - in_pattern - 1);
    const Node* said = parameters_.find(parameter);
    if (said == nullptr) return false;
    if (!is_range(*said)) {
      for (std::size_t i = 0; i < said->members.size(); ++i) {
        const std::string& word = said->members[i].key;
        if (name_.compare(in_name, word.size(), word) != 0) continue;
        values[parameter] = {static_cast<std::int64_t>(i), word};
        if (from(end + 1, in_name + word.size(), values)) return true;
      }
      return false;
    }
    std::int64_t number = 0;
    for (std::size_t digits = 1; digits <= 6 && in_name + digits <= name_.size(); ++digits) {
      const char digit = name_[in_name + digits - 1];
      if (digit < '0' || digit > '9' || (digits > 1 && name_[in_name] == '0')) return false;
      number = number * 10 + (digit - '0');
      values[parameter] = {number, ""};
      if (from(end + 1, in_name + digits, values)) return true;
    }
    return false;
  }

  const Node& parameters_;
  const std::string& pattern_;
  const std::string& name_;
  std::size_t tried_ = 0;
};

class Maker {
 public:
  Maker(const Values& values, Diagnostics& diagnostics) : values_(values), diagnostics_(diagnostics) {}

  /// A copy with every {expression} in its texts evaluated: a number where it is all of the text.
  Node filled(const Node& node) const {
    Node out = node;
    out.items.clear();
    out.members.clear();
    for (const Node& item : node.items) out.items.push_back(filled(item));
    for (const Node::Member& member : node.members)
      out.members.push_back({member.key, member.key_where, filled(member.value)});
    if (node.kind == Node::Kind::string) fill_text(node, out);
    return out;
  }

  std::optional<std::int64_t> number(const Node& node) const {
    if (node.is_integer_in(INT32_MIN, INT32_MAX)) return node.integer();
    if (node.kind == Node::Kind::string) return evaluated(node, node.text);
    diagnostics_.error(node.where, "expected a whole number or an expression, found " + node.describe());
    return std::nullopt;
  }

 private:
  std::optional<std::int64_t> evaluated(const Node& node, const std::string& text) const {
    try {
      return Expression(text, values_).evaluate();
    } catch (const BadExpression& bad) {
      diagnostics_.error(node.where, "\"" + text + "\" is no expression of the parameters: " + bad.what());
      return std::nullopt;
    }
  }

  void fill_text(const Node& node, Node& out) const {
    out.text.clear();
    for (std::size_t at = 0; at < node.text.size();) {
      const std::size_t open = node.text.find('{', at);
      const std::size_t close = open == std::string::npos ? open : node.text.find('}', open);
      if (close == std::string::npos) {
        out.text += node.text.substr(at);
        return;
      }
      out.text += node.text.substr(at, open - at);
      const std::string inside = node.text.substr(open + 1, close - open - 1);
      const auto found = values_.find(inside);
      if (found != values_.end() && !found->second.word.empty()) {
        out.text += found->second.word;
      } else if (const auto value = evaluated(node, inside)) {
        if (open == 0 && close + 1 == node.text.size()) {
          out.kind = Node::Kind::integer;
          out.negative = *value < 0;
          out.magnitude = static_cast<std::uint64_t>(*value < 0 ? -*value : *value);
          return;
        }
        out.text += std::to_string(*value);
      }
      at = close + 1;
    }
  }

  const Values& values_;
  Diagnostics& diagnostics_;
};

/// Whether every parameter is an object, of words or of the two ends of a range.
bool is_sound(const Node& parameters, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  for (const Node::Member& one : parameters.members) {
    const bool object = one.value.kind == Node::Kind::object && !one.value.members.empty();
    const bool range = object && is_range(one.value);
    bool words = object && !range;
    for (const Node::Member& word : one.value.members)
      words = words && word.value.kind == Node::Kind::object && !word.key.empty();
    if (!range && !words)
      diagnostics.error(one.value.where, "parameter \"" + one.key +
                                             "\" must be {\"from\": ..., \"to\": ...} or an object of words, each with "
                                             "an object of keys of the type (got " +
                                             one.value.describe() + ")");
  }
  return diagnostics.size() == before;
}

/// Whether the pattern names every parameter once, and nothing else.
bool is_sound_pattern(const Node& pattern, const Node& parameters, Diagnostics& diagnostics) {
  const auto fails = [&](const std::string& why) {
    diagnostics.error(pattern.where, "a template's name must have each parameter once, in braces: " + why + " (got " +
                                         pattern.describe() + ")");
    return false;
  };
  if (pattern.kind != Node::Kind::string) return fails("expected a text");
  std::map<std::string, int> times;
  for (const Node::Member& one : parameters.members) times[one.key] = 0;
  for (std::size_t open = 0; (open = pattern.text.find('{', open)) != std::string::npos;) {
    const std::size_t close = pattern.text.find('}', open);
    if (close == std::string::npos) return fails("a brace does not end");
    const std::string name = pattern.text.substr(open + 1, close - open - 1);
    if (!times.contains(name)) return fails("there is no parameter \"" + name + "\"");
    ++times[name];
    open = close;
  }
  for (const auto& [name, count] : times) {
    if (count != 1) return fails("it has \"" + name + "\" " + std::to_string(count) + " times");
  }
  return true;
}

/// What a template consists of.
struct Parts {
  const Node* parameters;
  const Node* type;
};

/// Empty, and reported, where `root` is no template.
std::optional<Parts> parts_of(const Node& root, Diagnostics& diagnostics) {
  if (root.kind != Node::Kind::object) {
    diagnostics.error(root.where, "expected a template, found " + root.describe());
    return std::nullopt;
  }
  const ObjectReader in(root, " for a template", diagnostics);
  const std::size_t before = diagnostics.size();
  in.reject_unknown_keys({"template", "doc", "parameters", "type"});
  const Node* pattern = in.required("template");
  in.prose("doc");
  const Node* parameters = in.required("parameters");
  const Node* type = in.required("type");
  for (const Node* part : {parameters, type}) {
    if (part != nullptr && part->kind != Node::Kind::object)
      diagnostics.error(part->where, "expected an object, found " + part->describe());
  }
  if (diagnostics.size() != before || !is_sound(*parameters, diagnostics) ||
      !is_sound_pattern(*pattern, *parameters, diagnostics))
    return std::nullopt;
  return Parts{parameters, type};
}

/// Every combination of values of the parameters.
class Combinations {
 public:
  Combinations(const std::vector<const Node::Member*>& parameters, Diagnostics& diagnostics)
      : parameters_(parameters), diagnostics_(diagnostics) {}

  std::vector<Values> all() && {
    Values values;
    add(0, values);
    return std::move(all_);
  }

 private:
  /// With those of the parameters from `next` on.
  void add(std::size_t next, Values& values) {
    if (next == parameters_.size()) {
      all_.push_back(values);
      return;
    }
    const auto& [name, where, said] = *parameters_[next];
    if (!is_range(said)) {
      for (std::size_t i = 0; i < said.members.size() && may_try(where); ++i) {
        values[name] = {static_cast<std::int64_t>(i), said.members[i].key};
        add(next + 1, values);
      }
    } else {
      const Maker make(values, diagnostics_);
      const auto least = make.number(*said.find("from")), most = make.number(*said.find("to"));
      if (!least || !most) return;
      for (std::int64_t number = *least; number <= *most && may_try(where); ++number) {
        values[name] = {number, ""};
        add(next + 1, values);
      }
    }
    values.erase(name);
  }

  bool may_try(const Location& where) {
    if (++tried_ == kMostTried)
      diagnostics_.error(where, "the parameters have too many values together: more than " +
                                    std::to_string(kMostTried) + " would be tried");
    return tried_ < kMostTried;
  }

  const std::vector<const Node::Member*>& parameters_;
  Diagnostics& diagnostics_;
  std::vector<Values> all_;
  std::size_t tried_ = 0;
};

}  // namespace

std::string template_pattern(const Node& root) {
  const Node* pattern = root.kind == Node::Kind::object ? root.find("template") : nullptr;
  return pattern != nullptr && pattern->kind == Node::Kind::string ? pattern->text : "";
}

std::optional<Node> type_of_template(const Node& root, const std::string& name, Diagnostics& diagnostics) {
  const std::optional<Parts> parts = parts_of(root, diagnostics);
  if (!parts) return std::nullopt;
  const Node* const parameters = parts->parameters;
  const std::size_t before = diagnostics.size();
  Values values;
  const std::string pattern = template_pattern(root);
  if (!Match(*parameters, pattern, name).run(values)) return std::nullopt;
  const Maker make(values, diagnostics);
  // Up to the first that is out of its range: ends of later ones are of no use, which may be expressions of it.
  for (const auto& [parameter, where, said] : parameters->members) {
    if (diagnostics.size() != before) break;
    const Value& value = values.at(parameter);
    if (!value.word.empty()) continue;
    const auto least = make.number(*said.find("from")), most = make.number(*said.find("to"));
    if (least && most && (value.number < *least || value.number > *most)) {
      diagnostics.error(said.where, "\"" + name + "\": " + parameter + " must be " + std::to_string(*least) + ".." +
                                        std::to_string(*most) + " (got " + std::to_string(value.number) + ")");
    }
  }
  if (diagnostics.size() != before) return std::nullopt;

  Node made = make.filled(*parts->type);
  for (const auto& [parameter, value] : values) {
    if (value.word.empty()) continue;
    const Node keys = make.filled(*parameters->find(parameter)->find(value.word));
    for (const Node::Member& key : keys.members) {
      if (made.find(key.key) != nullptr) diagnostics.error(key.key_where, "\"" + key.key + "\" is in \"type\" already");
      made.members.push_back(key);
    }
  }
  const Node* own = made.find("name");
  if (own == nullptr || own->kind != Node::Kind::string || own->text != name)
    diagnostics.error(own == nullptr ? made.where : own->where,
                      "the type's name must be the one that the template was asked for, \"" + name + "\" (got " +
                          (own == nullptr ? "none" : own->describe()) + ")");
  if (diagnostics.size() != before) return std::nullopt;
  return made;
}

std::vector<std::string> names_of_template(const Node& root, Diagnostics& diagnostics) {
  const std::optional<Parts> parts = parts_of(root, diagnostics);
  if (!parts) return {};
  // Ends of ranges may be expressions of words and of earlier ranges.
  std::vector<const Node::Member*> parameters;
  for (const bool words : {true, false}) {
    for (const Node::Member& one : parts->parameters->members) {
      if (is_range(one.value) != words) parameters.push_back(&one);
    }
  }
  std::vector<Values> all = Combinations(parameters, diagnostics).all();
  std::stable_sort(all.begin(), all.end(), [&](const Values& a, const Values& b) {
    for (const Node::Member& one : parts->parameters->members) {
      const std::int64_t of_a = a.at(one.key).number, of_b = b.at(one.key).number;
      if (of_a != of_b) return of_a < of_b;
    }
    return false;
  });
  const Node& pattern = *root.find("template");
  std::vector<std::string> names;
  for (const Values& one : all) names.push_back(Maker(one, diagnostics).filled(pattern).text);
  return names;
}

}  // namespace castforge::spec
