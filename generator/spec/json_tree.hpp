// JSON documents in which every value knows its line, column and pointer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/diagnostics.hpp"
#include "spec/model.hpp"

namespace castforge::spec {

/// One JSON value. Numbers keep apart what JSON writes apart: 1 is an integer, 1.0 and 1e0 are not.
struct Node {
  enum class Kind { null, boolean, integer, real, string, array, object };
  struct Member;

  Kind kind = Kind::null;
  bool boolean = false;
  bool negative = false;        // integer: below zero
  std::uint64_t magnitude = 0;  // integer: absolute value
  std::string text;             // string: its value; real: as written
  std::vector<Node> items;      // array
  std::vector<Member> members;  // object, in file order, keys unique
  Location where;

  /// Member of an object, or null.
  const Node* find(std::string_view key) const;
  /// True when the value is an integer in [low, high].
  bool is_integer_in(std::int64_t low, std::int64_t high) const;
  std::int64_t integer() const;  // requires is_integer_in(INT64_MIN, INT64_MAX)
  /// For messages: true, 1.5, "word", an array, an object. Control characters are escaped.
  std::string describe() const;
};

struct Node::Member {
  std::string key;
  Location key_where;
  Node value;
};

/// Parses `text`. Syntax errors, duplicate keys and excessive nesting go to `diagnostics`; false means that
/// `root` is unusable. `path` is the file as the user named it, `file` as the model records it.
bool parse_json(std::string_view text, const std::string& path, const std::string& file, Diagnostics& diagnostics,
                Node& root);

}  // namespace castforge::spec
