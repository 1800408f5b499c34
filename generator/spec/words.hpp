// The closed lists of words that op-set specs use, and what they mean in the model.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/model.hpp"

namespace castforge::spec {

/// Property names in the order of messages and listings:
/// round overflow saturate_first inf nan negative negative_test negative_inf zero_sign zero underflow same_type bits
/// parse format.
std::span<const std::string_view> property_names();
bool is_property(std::string_view name);

/// The words a property admits; empty for `round`, whose words are the loaded rounding modes, and for `saturate_first`,
/// which names a loaded integer type or says "none".
std::vector<std::string_view> property_words(std::string_view property);

std::optional<Overflow> overflow_of(std::string_view word);
/// "saturate" and "max" are the same result: the end of the range, with the sign.
std::optional<InfResult> inf_of(std::string_view word);
std::optional<NanResult> nan_of(std::string_view word);
std::optional<NegativeResult> negative_of(std::string_view word);
std::optional<NegativeTest> negative_test_of(std::string_view word);
std::optional<NegativeInf> negative_inf_of(std::string_view word);
std::optional<ZeroSign> zero_sign_of(std::string_view word);
std::optional<Bits> bits_of(std::string_view word);
std::optional<BelowRange> below_range_of(std::string_view word);
std::optional<SameType> same_type_of(std::string_view word);

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
