#include "tokens.hpp"

namespace castforge::evaluator {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Tokens run() {
    while (at_ < text_.size()) step();
    Token end;
    end.line = line_;
    result_.tokens.push_back(end);
    return std::move(result_);
  }

 private:
  char ahead(std::size_t n) const { return at_ + n < text_.size() ? text_[at_ + n] : '\0'; }

  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
      line_is_empty_ = true;
    } else if (c == ' ') {
      ++at_;
    } else if (c == '/' && ahead(1) == '/') {
      const std::size_t end = end_of_line();
      result_.comments.push_back({text_.substr(at_ + 2, end - at_ - 2), line_, line_is_empty_});
      at_ = end;
    } else if (c == '#' && line_is_empty_) {
      add(TokenKind::directive, end_of_line());
    } else if (begins_name(c)) {
      add(TokenKind::name, end_of_name());
    } else if (is_digit(c)) {
      number();
    } else if (c == '"') {
      const std::size_t quote = text_.find('"', at_ + 1);
      if (quote == std::string_view::npos || quote > end_of_line()) throw Error(line_, "a string without an end");
      add(TokenKind::string, quote + 1);
    } else if (c > ' ' && c <= '~' && c != '\\' && c != '\'' && !(c == '/' && ahead(1) == '*')) {
      add(TokenKind::mark, at_ + 1);
    } else {
      throw Error(line_, "a character that no generated file has: " + std::to_string(static_cast<unsigned char>(c)));
    }
  }

  std::size_t end_of_line() const {
    const std::size_t end = text_.find('\n', at_);
    return end == std::string_view::npos ? text_.size() : end;
  }

  std::size_t end_of_name() const {
    std::size_t end = at_;
    for (;;) {
      while (end < text_.size() && continues_name(text_[end])) ++end;
      const bool qualified = end + 2 < text_.size() && text_.substr(end, 2) == "::" && begins_name(text_[end + 2]);
      if (!qualified) return end;
      end += 2;
    }
  }

  void number() {
    const bool hexadecimal = text_[at_] == '0' && ahead(1) == 'x';
    const unsigned base = hexadecimal ? 16 : 10;
    std::size_t end = at_ + (hexadecimal ? 2 : 0);
    const std::size_t first = end;
    std::uint64_t value = 0;
    for (; end < text_.size() && digit_value(text_[end]) < static_cast<int>(base); ++end) {
      const auto digit = static_cast<unsigned>(digit_value(text_[end]));
      if (value > (~std::uint64_t{0} - digit) / base) throw Error(line_, "a number of more than 64 bits");
      value = value * base + digit;
    }
    if (end == first || (end < text_.size() && (continues_name(text_[end]) || text_[end] == '.'))) {
      throw Error(line_, "a number that is neither decimal nor hexadecimal");
    }
    // In C++ a leading zero means octal.
    if (!hexadecimal && text_[first] == '0' && end - first > 1) throw Error(line_, "an octal number");
    add(TokenKind::number, end);
    result_.tokens.back().value = value;
    result_.tokens.back().decimal = !hexadecimal;
  }

  void add(TokenKind kind, std::size_t end) {
    Token token;
    token.kind = kind;
    token.text = text_.substr(at_, end - at_);
    token.line = line_;
    token.glued = at_ == last_end_;
    result_.tokens.push_back(token);
    at_ = last_end_ = end;
    line_is_empty_ = false;
  }

  std::string_view text_;
  std::size_t at_ = 0, last_end_ = static_cast<std::size_t>(-1);
  int line_ = 1;
  bool line_is_empty_ = true;
  Tokens result_;
};

}  // namespace

Tokens tokenize(std::string_view text) { return Scanner(text).run(); }

}  // namespace castforge::evaluator
