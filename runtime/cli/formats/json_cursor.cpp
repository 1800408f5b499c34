#include "cli/formats/json_cursor.hpp"

#include "cli/io/failure.hpp"
#include "cli/io/unicode.hpp"
#include "cli/io/words.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace castforge::cli {
namespace {

constexpr std::string_view kSpace = " \t\r\n", kNumber = "+-0123456789.eE", kDigits = "0123456789";

/// The four digits behind "\u".
std::optional<char32_t> code_unit(std::string_view digits) {
  unsigned value = 0;
  if (digits.size() < 4) return std::nullopt;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + 4, value, 16);
  return error == std::errc() && rest == digits.data() + 4 ? std::optional(char32_t{value}) : std::nullopt;
}

bool is_high(char32_t code) { return code >= 0xD800 && code < 0xDC00; }
bool is_low(char32_t code) { return code >= 0xDC00 && code < 0xE000; }

/// Takes the escape that `text` begins with; nothing where it is none.
std::optional<char32_t> take_escape(std::string_view& text) {
  if (text.size() < 2) return std::nullopt;
  const char kind = text[1];
  text.remove_prefix(2);
  switch (kind) {
    case '"':
    case '\\':
    case '/': return kind;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'u': break;
    default: return std::nullopt;
  }
  const auto first = code_unit(text);
  if (!first || is_low(*first)) return std::nullopt;
  text.remove_prefix(4);
  if (!is_high(*first)) return first;
  const auto second = text.substr(0, 2) == "\\u" ? code_unit(text.substr(2)) : std::nullopt;
  if (!second || !is_low(*second)) return std::nullopt;
  text.remove_prefix(6);
  return 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00);
}

/// Takes the digits off that `text` begins with; whether there are any.
bool take_digits(std::string_view& text) {
  const std::size_t count = std::min(text.find_first_not_of(kDigits), text.size());
  text.remove_prefix(count);
  return count != 0;
}

/// A number as JSON writes it, of whatever size.
bool is_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  if (word.starts_with('0')) word.remove_prefix(1);
  else if (!take_digits(word)) return false;
  if (word.starts_with('.')) {
    word.remove_prefix(1);
    if (!take_digits(word)) return false;
  }
  if (word.starts_with('e') || word.starts_with('E')) {
    word.remove_prefix(1);
    if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
    if (!take_digits(word)) return false;
  }
  return word.empty();
}

/// A string token from a view that reaches beyond it.
std::string_view cut_to_string(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') return text.substr(0, i + 1);
    i += text[i] == '\\';
  }
  return text;
}

}  // namespace

std::size_t JsonCursor::at() {
  at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size());
  return at_;
}

bool JsonCursor::take(char c) {
  if (at() == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void JsonCursor::expect(char c, std::string_view expected) {
  if (!take(c)) unexpected(expected);
}

std::string_view JsonCursor::string(std::string_view expected) {
  const std::size_t start = at();
  expect('"', expected);
  for (;;) {
    if (at_ == text_.size()) fail(start, "expected the end of a string, found none");
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte == '"') return text_.substr(start, ++at_ - start);
    if (byte < 0x20) fail(at_, "expected control characters to be escaped, found one in a string");
    std::string_view rest = text_.substr(at_);
    if (byte == '\\') {
      if (!take_escape(rest)) fail(at_, "expected an escape that JSON has, found another one");
    } else if (byte < 0x80) {
      rest.remove_prefix(1);
    } else if (!take_code_point(rest)) {
      fail(at_, "expected well-formed UTF-8, found other bytes");
    }
    at_ = text_.size() - rest.size();
  }
}

std::uint64_t JsonCursor::whole_number() {
  const std::size_t start = at();
  const std::size_t end = std::min(text_.find_first_not_of(kNumber, start), text_.size());
  const std::string_view token = text_.substr(start, end - start);
  const bool negative = token.starts_with('-');
  const std::string_view digits = token.substr(negative);
  if (token.empty()) unexpected("a whole number");
  constexpr std::size_t kShown = 40;
  if (digits.empty() || digits.find_first_not_of(kDigits) != digits.npos || (digits.size() > 1 && digits[0] == '0')) {
    fail(start, text("expected a whole number, found ", token.substr(0, kShown)));
  }
  const auto value = parse_number<std::int64_t>(digits);
  if (negative || !value) fail(start, text("expected a number from 0 to 2^63 - 1, found ", token.substr(0, kShown)));
  at_ = end;
  return static_cast<std::uint64_t>(*value);
}

bool JsonCursor::boolean(std::string_view expected) {
  for (const std::string_view word : {"true", "false"}) {
    if (!text_.substr(at()).starts_with(word)) continue;
    at_ += word.size();
    return word == "true";
  }
  unexpected(expected);
}

std::string_view JsonCursor::value(JsonWords words) {
  const std::size_t start = at();
  pass_value(words, 0);
  return text_.substr(start, at_ - start);
}

void JsonCursor::pass_value(JsonWords words, int depth) {
  constexpr int kDeepest = 64;
  const std::size_t start = at();
  const char first = start == text_.size() ? '\0' : text_[start];
  if (first == '"') {
    string("");
  } else if (first == '{' || first == '[') {
    if (depth == kDeepest) fail(start, text("expected brackets in brackets ", kDeepest, " at most, found more"));
    const auto pass_inner = [&] { pass_value(words, depth + 1); };
    if (first == '[') list("", pass_inner);
    else members("", "the name of a member", [&](std::size_t, std::string_view) { pass_inner(); });
  } else {
    at_ = std::min(text_.find_first_of(",:{}[]\" \t\r\n", start), text_.size());
    const std::string_view word = text_.substr(start, at_ - start);
    if (word.empty()) unexpected("a JSON value");
    const bool is_known = word == "true" || word == "false" || word == "null" || is_number(word) ||
                          (words == JsonWords::pythons && (word == "NaN" || word == "Infinity" || word == "-Infinity"));
    if (!is_known) fail(start, text("expected a JSON value, found ", in_quotes(word)));
  }
}

void JsonCursor::end() {
  if (at() != text_.size()) unexpected("the end");
}

void JsonCursor::fail(std::size_t at, std::string_view message) const {
  const std::string part = kind_.empty() ? "" : text(kind_, " ", in_quotes(decoded_string(name_)), ": ");
  throw Failure(ExitCode::bad_data, text(place(at), ": ", what_, what_.empty() ? "" : ": ", part, message));
}

std::string JsonCursor::place(std::size_t at) const {
  if (places_ == JsonPlaces::bytes) return text(file_, ": byte ", offset_ + at);
  if (at < placed_.at) placed_ = {};
  const std::string_view since = text_.substr(placed_.at, at - placed_.at);
  const std::size_t newline = since.rfind('\n');
  if (newline != since.npos) {
    placed_.line += static_cast<std::size_t>(std::count(since.begin(), since.end(), '\n'));
    placed_.column = 1;
  }
  const std::string_view on_line = since.substr(newline + 1);  // all of it where there is no newline
  placed_.column += count_code_points(on_line).value_or(on_line.size());
  placed_.at = at;
  return text(file_, ":", placed_.line, ":", placed_.column);
}

void JsonCursor::unexpected(std::string_view expected) {
  std::string found = "the end";
  const std::size_t start = at();
  if (start != text_.size()) {
    const char c = text_[at_];
    if (c == '{') found = "an object";
    else if (c == '[') found = "an array";
    else if (c == '"') found = text("the string ", in_quotes(decoded_string(string(""))));
    else if (c == '-' || kDigits.find(c) != kDigits.npos) found = "a number";
    else found = in_quotes(text_.substr(at_, 1));
  }
  fail(start, text("expected ", expected, ", found ", found));
}

std::string decoded_string(std::string_view token) {
  std::string out;
  for (std::string_view rest = token.substr(1, token.size() - 2); !rest.empty();) {
    if (rest.front() != '\\') {
      const std::size_t plain = std::min(rest.find('\\'), rest.size());
      out += rest.substr(0, plain);
      rest.remove_prefix(plain);
    } else {
      append_utf8(out, *take_escape(rest));
    }
  }
  return out;
}

int compare_strings(std::string_view a, std::string_view b) {
  for (std::size_t i = 1;; ++i) {
    if (a[i] == '\\' || b[i] == '\\') {  // one character may be written in several ways
      return decoded_string(cut_to_string(a)).compare(decoded_string(cut_to_string(b)));
    }
    if (a[i] == '"' || b[i] == '"') return (b[i] == '"') - (a[i] == '"');
    if (a[i] != b[i]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]) ? -1 : 1;
  }
}

}  // namespace castforge::cli
