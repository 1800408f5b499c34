// Readers of the kinds of spec files. Each checks shape and closed lists and reports into `diagnostics`; the root of a
// file is an object.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spec/diagnostics.hpp"
#include "spec/json_tree.hpp"
#include "spec/loader.hpp"
#include "spec/model.hpp"

namespace castforge::spec {

/// Typed access to the members of an object; every mismatch is reported where it stands.
class ObjectReader {
 public:
  /// `whose` completes "unknown key "x"" and "missing key "x"": " for kind float", " in a rule", ...
  ObjectReader(const Node& object, std::string whose, Diagnostics& diagnostics)
      : object_(object), whose_(std::move(whose)), diagnostics_(diagnostics) {}

  void reject_unknown_keys(std::initializer_list<std::string_view> known) const;

  const Node* required(std::string_view key) const;
  const Node* optional(std::string_view key) const { return object_.find(key); }
  /// Optional too; null and reported where it is not of the kind, which `shape` describes.
  const Node* shaped(std::string_view key, Node::Kind kind, std::string_view shape) const;

  std::optional<bool> boolean(std::string_view key) const;                    // required
  std::optional<int> integer(std::string_view key, int low, int high) const;  // required
  /// A word out of a list; null pointer and unreported when the key is absent.
  std::optional<std::string> word(const Node* value, std::string_view key,
                                  const std::vector<std::string_view>& words) const;
  std::vector<std::string> texts(std::string_view key) const;  // optional; an array of strings
  std::string prose(std::string_view key) const;               // optional; a string, or an array joined by spaces

  /// Whether a text can stand in comments and strings of C++ and C, and in tables: no control characters in it, no
  /// backslash that would join two lines, and no trigraph. What cannot is reported.
  bool is_plain_text(const Location& where, std::string_view text) const;
  /// Whether a text can be a name in tables: the same, of printable ASCII and not empty. What cannot is reported.
  bool is_printable(const Location& where, std::string_view text) const;
  /// Whether a name has at most kLongestName characters. A longer one is reported.
  bool is_short(const Node& name, std::string_view key) const;

  const Node& object() const { return object_; }
  void error(const Location& where, std::string message) const { diagnostics_.error(where, std::move(message)); }

 private:
  const Node& object_;
  std::string whose_;
  Diagnostics& diagnostics_;
};

inline constexpr std::size_t kLongestName = 64;       // names of files are made of two and more
inline constexpr int kLargestTypeId = (1 << 15) - 1;  // positive in 16 bits, signed or not
inline constexpr int kFirstOwnTypeId = 1000;          // smaller ones are for types that castforge ships

/// A type spec; null when something is wrong with it.
std::unique_ptr<Type> read_type(const Node& root, Diagnostics& diagnostics);

/// A rounding mode; null when something is wrong with it.
std::unique_ptr<Rounding> read_rounding(const Node& root, Diagnostics& diagnostics);

/// An op-set file as written, before inheritance. Nodes point into the document, which must outlive it.
struct OpSetFile {
  std::string family;
  std::string version;
  std::string parent_family;  // empty without "extends"
  std::string parent_version;
  const Node* extends = nullptr;
  std::string operation;  // empty: that of the parent
  std::string doc;
  std::vector<std::string> cites;
  const Node* types_add = nullptr;     // an array of names, or the word "all"
  const Node* named_in = nullptr;      // instead: the system of whose types an alias has to be
  const Node* types_remove = nullptr;  // an array of names
  const Node* pairs = nullptr;         // the word "all", or an object of arrays of names
  const Node* rules = nullptr;         // an array of objects
  std::vector<Attribute> attributes;
  std::map<std::string, std::pair<std::string, Location>> options;  // name -> value, where the name stands
  std::string valid_through;                                        // empty: the version itself
  const Node* valid_through_node = nullptr;
  std::string cast_like_of;
  const Node* cast_like_node = nullptr;
  const Node* as_default = nullptr;  // true, false or "fallback"; null: as a parent of the same family says
  std::string notation;
  const Node* compiled = nullptr;  // false, or an object; null: all of it
  bool whole = false;              // it was named itself: `compiled` does not hold
  bool in_library = false;         // of the folder that a library is made of: `wanted` holds
  bool good = false;               // its own pairs are known to be decided
  Location where;

  std::string name() const { return family + "@" + version; }
};

/// Null when the file cannot take part in inheritance.
std::unique_ptr<OpSetFile> read_opset(const Node& root, Diagnostics& diagnostics);

/// What the names of a system look like; empty and reported when something is wrong.
std::optional<System> read_system(const Node& root, Diagnostics& diagnostics);

/// Links op-set files: inherits, admits types and pairs, reads the rules. `model.types` and `model.roundings` are
/// complete. Fills `model.opsets`, families in name order, versions ascending: what the files say is compiled of those
/// that are not `whole`. `wanted`: families and op-sets that the library has then, whole, and no others; empty: all.
/// Every cell is resolved, to see that it can be, of files known to be `good` those with a type that was `added`.
void link_opsets(const std::vector<std::unique_ptr<OpSetFile>>& files, const std::vector<std::string>& wanted,
                 const std::set<const Type*>& added, SpecModel& model, Diagnostics& diagnostics);

}  // namespace castforge::spec
