// The closed lists of words that op-set specs use, and what they mean in the model.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/model.hpp"

namespace castforge::spec {

/// A property of rules.
struct RuleProperty {
  std::string_view name;
  /// Those it admits; none for `round`, whose words are the loaded rounding modes, and for `saturate_first`, which
  /// names a loaded integer type or says "none".
  std::vector<std::string_view> words;
  /// What a rule's setting makes of it, which is one of the words.
  void (*decide)(const Settings& set, std::string_view word, Properties& decided);
  /// Whether the rule that decided it still counts in canonical form, where what cannot change a result is gone.
  bool (*stays)(const Properties& canonical, const Properties& given);
};
/// In the order of messages and listings.
std::span<const RuleProperty> properties();
/// Null when there is none.
const RuleProperty* find_property(std::string_view name);
std::vector<std::string_view> property_names();

std::string_view word_of(Overflow value);
/// Integer destinations spell InfResult::max "saturate".
std::string_view word_of(InfResult value, Kind destination);
std::string_view word_of(NanResult value);
std::string_view word_of(NegativeResult value);
std::string_view word_of(NegativeTest value);
std::string_view word_of(NegativeInf value);
std::string_view word_of(ZeroSign value);
std::string_view word_of(Bits value);
std::string_view word_of(BelowRange value);
std::string_view word_of(SameType value);
std::string_view word_of(Kind value);      // float integer bool string
std::string_view word_of(NanCodes value);  // none top ieee negative_zero
std::string_view word_of(Packing value);   // low_first high_first

std::string_view word_of(Attribute::Kind value);
std::vector<std::string_view> attribute_kind_words();
Attribute::Kind attribute_kind_of(std::string_view word);

/// A part of the name of a kernel, or of a file of kernels.
std::string_view in_kernel_name(Overflow value);
std::string_view in_kernel_name(InfResult value);
std::string_view in_kernel_name(NanResult value);
std::string_view in_file_name(Overflow value);

/// Enumerators of the generated enumeration TypeKind; `float` and `bool` are no identifiers.
std::string_view enumerator_of(Kind value);

/// The closed lists as the runtime gets them: an enumeration per list, an enumerator per word.
struct Enumeration {
  std::string_view name, doc;
  std::vector<std::string_view> enumerators;
  std::vector<std::string_view> words = {};  // of specs/, where an enumerator cannot be spelt so
};
std::vector<Enumeration> enumerations();

/// "a, b, c"
std::string join(std::span<const std::string_view> words);
std::string join(const std::vector<std::string>& words, std::string_view between);

}  // namespace castforge::spec
