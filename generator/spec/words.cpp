#include "spec/words.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace castforge::spec {
namespace {

template <class Enum>
using Word = std::pair<std::string_view, Enum>;

constexpr std::array<std::string_view, 15> kProperties = {
    "round",     "overflow", "saturate_first", "inf",       "nan",  "negative", "negative_test", "negative_inf",
    "zero_sign", "zero",     "underflow",      "same_type", "bits", "parse",    "format"};

constexpr std::array<Word<Overflow>, 7> kOverflow = {{{"infinity", Overflow::infinity},
                                                      {"max", Overflow::max},
                                                      {"nan", Overflow::nan},
                                                      {"ieee", Overflow::ieee},
                                                      {"wrap", Overflow::wrap},
                                                      {"saturate", Overflow::saturate},
                                                      {"indefinite", Overflow::indefinite}}};
constexpr std::array<Word<InfResult>, 6> kInf = {{{"infinity", InfResult::infinity},
                                                  {"max", InfResult::max},
                                                  {"nan", InfResult::nan},
                                                  {"zero", InfResult::zero},
                                                  {"as_overflow", InfResult::as_overflow},
                                                  {"saturate", InfResult::max}}};
constexpr std::array<Word<NanResult>, 6> kNan = {{{"nan", NanResult::nan},
                                                  {"max", NanResult::max},
                                                  {"max_signed", NanResult::max_signed},
                                                  {"min", NanResult::min},
                                                  {"zero", NanResult::zero},
                                                  {"zero_opposite", NanResult::zero_opposite}}};
constexpr std::array<Word<NegativeResult>, 3> kNegative = {
    {{"nan", NegativeResult::nan}, {"clamp", NegativeResult::clamp}, {"abs", NegativeResult::abs}}};
constexpr std::array<Word<NegativeTest>, 2> kNegativeTest = {
    {{"rounded", NegativeTest::rounded}, {"exact", NegativeTest::exact}}};
constexpr std::array<Word<NegativeInf>, 2> kNegativeInf = {
    {{"as_negative", NegativeInf::as_negative}, {"nan", NegativeInf::nan}}};
constexpr std::array<Word<ZeroSign>, 2> kZeroSign = {{{"kept", ZeroSign::kept}, {"positive", ZeroSign::positive}}};
constexpr std::array<Word<Bits>, 2> kBits = {{{"converted", Bits::converted}, {"kept", Bits::kept}}};
constexpr std::array<Word<BelowRange>, 2> kBelowRange = {{{"min", BelowRange::min}, {"nan", BelowRange::nan}}};
constexpr std::array<Word<SameType>, 3> kSameType = {
    {{"copy", SameType::copy}, {"integral", SameType::integral}, {"converted", SameType::converted}}};
constexpr std::array<Word<Kind>, 4> kKind = {
    {{"float", Kind::floating}, {"integer", Kind::integer}, {"bool", Kind::boolean}, {"string", Kind::string}}};
constexpr std::array<Word<NanCodes>, 4> kNanCodes = {{{"ieee", NanCodes::ieee},
                                                      {"top", NanCodes::top},
                                                      {"negative_zero", NanCodes::negative_zero},
                                                      {"none", NanCodes::none}}};
constexpr std::array<Word<Packing>, 2> kPacking = {
    {{"low_first", Packing::low_first}, {"high_first", Packing::high_first}}};
constexpr std::array<std::string_view, 1> kParse = {"decimal"};
constexpr std::array<std::string_view, 2> kFormat = {"fixed", "general"};

constexpr std::array<Word<Kind>, 4> kKindEnumerators = {
    {{"floating", Kind::floating}, {"integer", Kind::integer}, {"boolean", Kind::boolean}, {"string", Kind::string}}};

/// Each value once, by its first word.
template <class Enum, std::size_t N>
std::vector<std::string_view> distinct_words(const std::array<Word<Enum>, N>& table) {
  std::vector<std::string_view> words;
  for (auto entry = table.begin(); entry != table.end(); ++entry) {
    const auto same = [&](const Word<Enum>& other) { return other.second == entry->second; };
    if (std::none_of(table.begin(), entry, same)) words.push_back(entry->first);
  }
  return words;
}

template <class Table>
std::vector<std::string_view> words_in(const Table& table) {
  std::vector<std::string_view> words;
  for (const auto& entry : table) words.push_back(entry.first);
  return words;
}

template <class Enum, std::size_t N>
std::optional<Enum> find_word(const std::array<Word<Enum>, N>& table, std::string_view word) {
  for (const auto& [name, value] : table) {
    if (name == word) return value;
  }
  return std::nullopt;
}

template <class Enum, std::size_t N>
std::string_view find_value(const std::array<Word<Enum>, N>& table, Enum value) {
  for (const auto& entry : table) {
    if (entry.second == value) return entry.first;
  }
  throw std::logic_error("an enumerator without a word");
}

}  // namespace

std::span<const std::string_view> property_names() { return kProperties; }

bool is_property(std::string_view name) {
  return std::find(kProperties.begin(), kProperties.end(), name) != kProperties.end();
}

std::vector<std::string_view> property_words(std::string_view property) {
  if (property == "overflow") return words_in(kOverflow);
  if (property == "inf") return words_in(kInf);
  if (property == "nan") return words_in(kNan);
  if (property == "negative") return words_in(kNegative);
  if (property == "negative_test") return words_in(kNegativeTest);
  if (property == "negative_inf") return words_in(kNegativeInf);
  if (property == "zero_sign") return words_in(kZeroSign);
  if (property == "bits") return words_in(kBits);
  if (property == "zero" || property == "underflow") return words_in(kBelowRange);
  if (property == "same_type") return words_in(kSameType);
  if (property == "parse") return {kParse.begin(), kParse.end()};
  if (property == "format") return {kFormat.begin(), kFormat.end()};
  return {};
}

std::optional<Overflow> overflow_of(std::string_view word) { return find_word(kOverflow, word); }
std::optional<InfResult> inf_of(std::string_view word) { return find_word(kInf, word); }
std::optional<NanResult> nan_of(std::string_view word) { return find_word(kNan, word); }
std::optional<NegativeResult> negative_of(std::string_view word) { return find_word(kNegative, word); }
std::optional<NegativeTest> negative_test_of(std::string_view word) { return find_word(kNegativeTest, word); }
std::optional<NegativeInf> negative_inf_of(std::string_view word) { return find_word(kNegativeInf, word); }
std::optional<ZeroSign> zero_sign_of(std::string_view word) { return find_word(kZeroSign, word); }
std::optional<Bits> bits_of(std::string_view word) { return find_word(kBits, word); }
std::optional<BelowRange> below_range_of(std::string_view word) { return find_word(kBelowRange, word); }
std::optional<SameType> same_type_of(std::string_view word) { return find_word(kSameType, word); }

std::string_view word_of(Overflow value) { return find_value(kOverflow, value); }
std::string_view word_of(InfResult value, Kind destination) {
  if (value == InfResult::max && destination == Kind::integer) return "saturate";
  return find_value(kInf, value);
}
std::string_view word_of(NanResult value) { return find_value(kNan, value); }
std::string_view word_of(NegativeResult value) { return find_value(kNegative, value); }
std::string_view word_of(NegativeTest value) { return find_value(kNegativeTest, value); }
std::string_view word_of(NegativeInf value) { return find_value(kNegativeInf, value); }
std::string_view word_of(ZeroSign value) { return find_value(kZeroSign, value); }
std::string_view word_of(Bits value) { return find_value(kBits, value); }
std::string_view word_of(BelowRange value) { return find_value(kBelowRange, value); }
std::string_view word_of(SameType value) { return find_value(kSameType, value); }
std::string_view word_of(Kind value) { return find_value(kKind, value); }
std::string_view word_of(NanCodes value) { return find_value(kNanCodes, value); }
std::string_view word_of(Packing value) { return find_value(kPacking, value); }

std::string_view enumerator_of(Kind value) { return find_value(kKindEnumerators, value); }

std::vector<Enumeration> enumerations() {
  return {
      {"TypeKind", "What the values of a type are.", distinct_words(kKindEnumerators), distinct_words(kKind)},
      {"NanCodes",
       "Which codes are NaN: every code of the top binade with a nonzero fraction; only the largest magnitude; only\n"
       "\"sign set, magnitude zero\"; none.",
       distinct_words(kNanCodes)},
      {"Overflow",
       "What a number beyond the range becomes. Floats: infinity, the largest number, NaN, or one of the first two by\n"
       "rounding mode (ieee). Integers: the low bits, the end of the range, or a code of its own (indefinite): with a "
       "sign\n"
       "the least integer, without one the largest.",
       distinct_words(kOverflow)},
      {"InfResult", "What an infinity becomes; max is the largest number, or the end of the range of an integer.",
       distinct_words(kInf)},
      {"NanResult",
       "What NaN becomes: NaN, the largest number (with its sign or without), the smallest positive number or least\n"
       "integer, zero, or zero with the other sign.",
       distinct_words(kNan)},
      {"NegativeResult", "What a negative number becomes in a floating type without sign.", distinct_words(kNegative)},
      {"NegativeTest",
       "Which nonzero numbers count as negative there: those that are negative once they are rounded, or before that.",
       distinct_words(kNegativeTest)},
      {"NegativeInf", "What minus infinity becomes there: what negative numbers become, or NaN.",
       distinct_words(kNegativeInf)},
      {"ZeroSign", "The sign of a zero that a number is or rounds to: the number's, or always plus.",
       distinct_words(kZeroSign)},
      {"BelowRange", "What zero, and what is smaller than the smallest number, become in a floating type without zero.",
       distinct_words(kBelowRange)},
      {"SameType",
       "A floating type to itself: the same code, a number rounded to a whole one, or what the rule says of two types.",
       distinct_words(kSameType)},
      {"Bits", "A conversion by value, or the bit pattern as it is, whatever it means.", distinct_words(kBits)},
      {"Grammar", "How numbers are written in texts to be read.", {kParse.begin(), kParse.end()}},
      {"Notation",
       "How finite floating values are written, both times the shortest text that reads back as the same value:\n"
       "positional at every magnitude (1000000, 0.00001), or positional while the decimal exponent is -4..5 and\n"
       "scientific elsewhere (1e+06, 1e-05).",
       {kFormat.begin(), kFormat.end()}},
  };
}

std::string join(std::span<const std::string_view> words) { return join({words.begin(), words.end()}, ", "); }

std::string join(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

}  // namespace castforge::spec
