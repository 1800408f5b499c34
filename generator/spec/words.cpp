#include "spec/words.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace castforge::spec {
namespace {

/// What specs say for a value, what kernel names and names of files say.
template <class Enum>
struct Word {
  std::string_view word;
  Enum value;
  std::string_view in_kernel_name = word;
  std::string_view in_file_name = word;
};

constexpr std::array<Word<Overflow>, 7> kOverflow = {{{"infinity", Overflow::infinity, "inf", "overflow_to_infinity"},
                                                      {"max", Overflow::max, "max", "overflow_to_largest"},
                                                      {"nan", Overflow::nan, "nan", "overflow_to_nan"},
                                                      {"ieee", Overflow::ieee, "ieee", "overflow_by_mode"},
                                                      {"wrap", Overflow::wrap, "wrap", "wrapping"},
                                                      {"saturate", Overflow::saturate, "sat", "saturating"},
                                                      {"indefinite", Overflow::indefinite, "indef", "indefinite"}}};
constexpr std::array<Word<InfResult>, 6> kInf = {{{"infinity", InfResult::infinity, "inf"},
                                                  {"max", InfResult::max},
                                                  {"nan", InfResult::nan},
                                                  {"zero", InfResult::zero},
                                                  {"as_overflow", InfResult::as_overflow, "over"},
                                                  {"saturate", InfResult::max}}};
constexpr std::array<Word<NanResult>, 6> kNan = {{{"nan", NanResult::nan},
                                                  {"max", NanResult::max},
                                                  {"max_signed", NanResult::max_signed, "smax"},
                                                  {"min", NanResult::min},
                                                  {"zero", NanResult::zero},
                                                  {"zero_opposite", NanResult::zero_opposite, "negzero"}}};
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
constexpr std::array<Word<Attribute::Kind>, 4> kAttributeKind = {{{"flag", Attribute::Kind::flag},
                                                                  {"integer", Attribute::Kind::integer},
                                                                  {"string", Attribute::Kind::string},
                                                                  {"enumeration", Attribute::Kind::enumeration}}};
constexpr std::array<std::string_view, 1> kParse = {"decimal"};
constexpr std::array<std::string_view, 2> kFormat = {"fixed", "general"};

constexpr std::array<Word<Kind>, 4> kKindEnumerators = {
    {{"floating", Kind::floating}, {"integer", Kind::integer}, {"boolean", Kind::boolean}, {"string", Kind::string}}};

/// Each value once, by its first word.
template <class Enum, std::size_t N>
std::vector<std::string_view> distinct_words(const std::array<Word<Enum>, N>& table) {
  std::vector<std::string_view> words;
  for (auto entry = table.begin(); entry != table.end(); ++entry) {
    const auto same = [&](const Word<Enum>& other) { return other.value == entry->value; };
    if (std::none_of(table.begin(), entry, same)) words.push_back(entry->word);
  }
  return words;
}

template <class Enum, std::size_t N>
const Word<Enum>& row_of(const std::array<Word<Enum>, N>& table, Enum value) {
  for (const Word<Enum>& row : table) {
    if (row.value == value) return row;
  }
  throw std::logic_error("an enumerator without a word");
}

template <class Enum, std::size_t N>
const Word<Enum>& row_of(const std::array<Word<Enum>, N>& table, std::string_view word) {
  for (const Word<Enum>& row : table) {
    if (row.word == word) return row;
  }
  throw std::logic_error("a word without an enumerator");
}

template <auto member>
bool agree(const Properties& canonical, const Properties& given) {
  return canonical.*member == given.*member;
}

/// Of what tells how a pair is converted at all.
bool always(const Properties&, const Properties&) { return true; }

/// A property with a table of words.
template <auto member, const auto& table>
RuleProperty of_words(std::string_view name, decltype(RuleProperty::stays) stays = agree<member>) {
  RuleProperty property = {name, {}, nullptr, stays};
  for (const auto& row : table) property.words.push_back(row.word);
  property.decide = [](const Settings&, std::string_view word, Properties& decided) {
    decided.*member = row_of(table, word).value;
  };
  return property;
}

/// A property of texts, which is its word.
template <auto member>
RuleProperty of_texts(std::string_view name, std::span<const std::string_view> words) {
  return {name,
          {words.begin(), words.end()},
          [](const Settings&, std::string_view word, Properties& decided) { decided.*member = word; },
          always};
}

}  // namespace

std::span<const RuleProperty> properties() {
  static const std::vector<RuleProperty> all = {
      {"round",
       {},
       [](const Settings& set, std::string_view, Properties& decided) { decided.round = set.round; },
       agree<&Properties::round>},
      of_words<&Properties::overflow, kOverflow>("overflow"),
      {"saturate_first",
       {},
       [](const Settings& set, std::string_view, Properties& decided) { decided.saturate_first = set.saturate_first; },
       [](const Properties& canonical, const Properties&) { return canonical.saturate_first.has_value(); }},
      of_words<&Properties::inf, kInf>("inf"),
      of_words<&Properties::nan, kNan>("nan"),
      of_words<&Properties::negative, kNegative>("negative"),
      of_words<&Properties::negative_test, kNegativeTest>("negative_test"),
      of_words<&Properties::negative_inf, kNegativeInf>("negative_inf"),
      of_words<&Properties::zero_sign, kZeroSign>("zero_sign"),
      of_words<&Properties::zero, kBelowRange>("zero"),
      of_words<&Properties::underflow, kBelowRange>("underflow"),
      of_words<&Properties::same_type, kSameType>("same_type", always),
      of_words<&Properties::bits, kBits>("bits"),
      of_texts<&Properties::parse>("parse", kParse),
      of_texts<&Properties::format>("format", kFormat),
  };
  return all;
}

const RuleProperty* find_property(std::string_view name) {
  for (const RuleProperty& property : properties()) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

std::vector<std::string_view> property_names() {
  std::vector<std::string_view> names;
  for (const RuleProperty& property : properties()) names.push_back(property.name);
  return names;
}

std::string_view word_of(Overflow value) { return row_of(kOverflow, value).word; }
std::string_view word_of(InfResult value, Kind destination) {
  if (value == InfResult::max && destination == Kind::integer) return "saturate";
  return row_of(kInf, value).word;
}
std::string_view word_of(NanResult value) { return row_of(kNan, value).word; }
std::string_view word_of(NegativeResult value) { return row_of(kNegative, value).word; }
std::string_view word_of(NegativeTest value) { return row_of(kNegativeTest, value).word; }
std::string_view word_of(NegativeInf value) { return row_of(kNegativeInf, value).word; }
std::string_view word_of(ZeroSign value) { return row_of(kZeroSign, value).word; }
std::string_view word_of(Bits value) { return row_of(kBits, value).word; }
std::string_view word_of(BelowRange value) { return row_of(kBelowRange, value).word; }
std::string_view word_of(SameType value) { return row_of(kSameType, value).word; }
std::string_view word_of(Kind value) { return row_of(kKind, value).word; }
std::string_view word_of(NanCodes value) { return row_of(kNanCodes, value).word; }
std::string_view word_of(Packing value) { return row_of(kPacking, value).word; }

std::string_view word_of(Attribute::Kind value) { return row_of(kAttributeKind, value).word; }
std::vector<std::string_view> attribute_kind_words() { return distinct_words(kAttributeKind); }
Attribute::Kind attribute_kind_of(std::string_view word) { return row_of(kAttributeKind, word).value; }

std::string_view in_kernel_name(Overflow value) { return row_of(kOverflow, value).in_kernel_name; }
std::string_view in_kernel_name(InfResult value) { return row_of(kInf, value).in_kernel_name; }
std::string_view in_kernel_name(NanResult value) { return row_of(kNan, value).in_kernel_name; }
std::string_view in_file_name(Overflow value) { return row_of(kOverflow, value).in_file_name; }

std::string_view enumerator_of(Kind value) { return row_of(kKindEnumerators, value).word; }

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
