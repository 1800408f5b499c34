// A reader of JSON for the oracle alone: the generator's is not used, so that an error in one shows up as a difference.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace castforge::oracle {

struct Json {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  std::string text;                // a string's characters, a number's digits, "true" or "false"
  std::vector<Json> items;         // of an array, or the values of an object in the order of the file
  std::vector<std::string> names;  // of an object's values

  /// The member of that name; null where there is none.
  const Json* find(std::string_view name) const;
};

/// Throws std::runtime_error, with the byte at which the text is no JSON.
Json parse_json(std::string_view text);

}  // namespace castforge::oracle
