// JSON text, token by token, where its reader says what may come next. Nothing is copied: tokens are views.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace castforge::cli {

/// How complaints say where: for files of bytes, and for text that someone wrote.
enum class JsonPlaces { bytes, lines };

/// The words that a value may be: JSON's own, or those too that Python's json module writes, NaN, Infinity, -Infinity.
enum class JsonWords { json, pythons };

/// Walks through the text of a header. Everything that is not as JSON wants it, or not as the caller does, is a
/// bad_data Failure that names the byte.
class JsonCursor {
 public:
  /// `text` begins at byte `offset` of `file`; `what` it is begins every complaint.
  JsonCursor(std::string_view text, std::string_view file, std::uint64_t offset, std::string_view what)
      : text_(text), file_(file), what_(what), offset_(offset) {}

  /// The text of a whole file that people write: complaints name line and column, "FILE:3:14: ...".
  JsonCursor(std::string_view text, std::string_view file, JsonPlaces places)
      : text_(text), file_(file), offset_(0), places_(places) {}

  /// From now on complaints are about the `kind` of that name ("tensor"), a string() of this text; until leave().
  void enter(std::string_view kind, std::string_view name) {
    kind_ = kind;
    name_ = name;
  }
  void leave() { kind_ = name_ = {}; }

  /// Where the next token begins.
  std::size_t at();
  /// Where the last token ended.
  std::size_t passed() const { return at_; }
  /// Whether the next token begins with `c`, and past it where it does.
  bool take(char c);
  /// Past `c`; "expected EXPECTED" where something else comes.
  void expect(char c, std::string_view expected);
  /// A string as it stands, quotes included.
  std::string_view string(std::string_view expected);
  /// A number from 0 to 2^63 - 1.
  std::uint64_t whole_number();
  /// `true` or `false`.
  bool boolean(std::string_view expected);
  /// Any value as it stands, where the caller does not care what it says: well-formed, brackets in brackets at most 64,
  /// numbers of any size.
  std::string_view value(JsonWords words = JsonWords::json);
  /// An object: `f(at, name)` for each member: where its name begins, and the name as it stands, with its quotes. `f`
  /// reads the value.
  template <class F>
  void members(std::string_view expected, std::string_view name_expected, const F& f) {
    elements('{', '}', expected, "',' or '}'", [&] {
      const std::size_t name_at = at();
      const std::string_view name = string(name_expected);
      expect(':', "':'");
      f(name_at, name);
    });
  }
  /// An array: `f()` for each element, which is to come.
  template <class F>
  void list(std::string_view expected, const F& f) {
    elements('[', ']', expected, "',' or ']'", f);
  }
  /// Nothing but white space may follow.
  void end();

  /// Complains about the token at `at`.
  [[noreturn]] void fail(std::size_t at, std::string_view message) const;
  /// "FILE: byte 17", "FILE:3:14": what a complaint about the token at `at` begins with.
  std::string place(std::size_t at) const;

 private:
  [[noreturn]] void unexpected(std::string_view expected);
  void pass_value(JsonWords words, int depth);

  template <class F>
  void elements(char first, char last, std::string_view expected, std::string_view expected_behind, const F& f) {
    expect(first, expected);
    if (take(last)) return;
    do {
      f();
    } while (take(','));
    expect(last, expected_behind);
  }

  std::string_view text_, file_, what_, kind_, name_;
  std::uint64_t offset_;
  JsonPlaces places_ = JsonPlaces::bytes;
  std::size_t at_ = 0;
  /// The last place that was asked for, from which a later one is counted on.
  struct Placed {
    std::size_t at = 0, line = 1, column = 1;
  };
  mutable Placed placed_;
};

/// What a JSON string says; `token` is one that JsonCursor::string returned.
std::string decoded_string(std::string_view token);

/// The order of two such strings by what they say. Each view may reach beyond its string's end.
int compare_strings(std::string_view a, std::string_view b);

}  // namespace castforge::cli
