// The text of a generated header as tokens.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace castforge::evaluator {

/// Something a file may not say, with its line.
class Error : public std::runtime_error {
 public:
  Error(int line, const std::string& message) : std::runtime_error(message), line_(line) {}
  int line() const { return line_; }

 private:
  int line_;
};

enum class TokenKind {
  name,       // with its qualifiers: lane::min
  number,     // an unsigned integer, decimal or hexadecimal
  string,     // "...", with the quotes
  mark,       // one character of punctuation
  directive,  // a whole preprocessor line, from # on
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::uint64_t value = 0;  // of a number
  int line = 0;
  bool decimal = false;  // of a number
  bool glued = false;    // nothing stands between it and the token before it
};

struct Comment {
  std::string_view text;  // what follows the slashes
  int line = 0;
  bool alone = false;  // nothing stands before it on its line
};

struct Tokens {
  std::vector<Token> tokens;  // the last one is `end`
  std::vector<Comment> comments;
};

/// `text` must outlive the result. Throws Error where the text holds anything else than such tokens and `//` comments.
Tokens tokenize(std::string_view text);

}  // namespace castforge::evaluator
