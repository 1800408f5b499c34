// Which types a rule speaks of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/model.hpp"

namespace castforge::spec {

/// The closed list of class words:
///   any                                 every type
///   same                                (destinations) the source type itself
///   float integer bool string           the kind
///   signed unsigned                     floats and integers with, without a sign
///   small                               floats and integers whose codes have at most 8 bits
///   with_nan without_nan with_infinity without_infinity with_zero without_zero    floats
std::vector<std::string_view> class_words();
bool is_class_word(std::string_view word);

/// A selector, taken apart: either one type name or class words that must all hold.
struct Selector {
  std::string type;                // empty for a class
  std::vector<std::string> words;  // empty for a type

  /// `source` gives "same" its meaning; null on the source side, where nothing is "same".
  bool matches(const Type& candidate, const Type* source) const;
};

/// Splits "small float without_nan" at its spaces. A single word that is no class word is a type name.
Selector parse_selector(std::string_view text);

/// Whether `rule` speaks of the pair; its attribute tests are not looked at.
bool applies(const Rule& rule, const Type& src, const Type& dst);

}  // namespace castforge::spec
