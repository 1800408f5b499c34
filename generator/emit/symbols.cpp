#include "emit/symbols.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "spec/hex.hpp"
#include "spec/words.hpp"

namespace castforge::emit {
namespace {

constexpr std::array<std::string_view, 92> kKeywords = {
    "alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
    "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
    "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
    "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
    "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
    "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
    "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
    "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
    "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
    "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
    "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
    "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
    "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
    "xor_eq"};

std::string enumerator(std::string_view enumeration, std::string_view word) {
  return std::string(enumeration) + "::" + std::string(word);
}

}  // namespace

std::string identifier(const std::string& name) {
  return std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end() ? name + "_" : name;
}

std::string type_symbol(const spec::Type& type) { return "Type::" + identifier(type.name); }

std::vector<std::string> rule_items(const spec::Meaning& meaning) {
  const spec::Meaning usual;
  std::vector<std::string> items;
  const auto add = [&](bool differs, std::string_view member, const std::string& symbol) {
    if (differs) items.push_back("." + std::string(member) + " = " + symbol);
  };
  const auto inf = [](spec::InfResult value) { return spec::word_of(value, spec::Kind::floating); };
  if (meaning.round != nullptr) add(true, "carry", "carry::" + identifier(meaning.round->name));
  add(meaning.overflow != usual.overflow, "overflow", enumerator("Overflow", spec::word_of(meaning.overflow)));
  if (const auto& first = meaning.saturate_first) {
    const std::string sign = first->is_signed ? ", .is_signed = true" : "";
    add(true, "saturate_first", "{.bits = " + std::to_string(first->bits) + sign + "}");
  }
  add(meaning.inf != usual.inf, "inf", enumerator("InfResult", inf(meaning.inf)));
  add(meaning.nan != usual.nan, "nan", enumerator("NanResult", spec::word_of(meaning.nan)));
  add(meaning.negative != usual.negative, "negative", enumerator("NegativeResult", spec::word_of(meaning.negative)));
  add(meaning.negative_test != usual.negative_test, "negative_test",
      enumerator("NegativeTest", spec::word_of(meaning.negative_test)));
  add(meaning.negative_inf != usual.negative_inf, "negative_inf",
      enumerator("NegativeInf", spec::word_of(meaning.negative_inf)));
  add(meaning.zero_sign != usual.zero_sign, "zero_sign", enumerator("ZeroSign", spec::word_of(meaning.zero_sign)));
  add(meaning.zero != usual.zero, "zero", enumerator("BelowRange", spec::word_of(meaning.zero)));
  add(meaning.underflow != usual.underflow, "underflow", enumerator("BelowRange", spec::word_of(meaning.underflow)));
  add(meaning.same_type != usual.same_type, "same_type", enumerator("SameType", spec::word_of(meaning.same_type)));
  add(meaning.bits != usual.bits, "bits", enumerator("Bits", spec::word_of(meaning.bits)));
  return items;
}

std::vector<std::string> format_items(const spec::Type& type) {
  const bool floating = type.kind == spec::Kind::floating;
  std::vector<std::string> items = {".id = " + type_symbol(type),
                                    ".kind = " + enumerator("TypeKind", spec::enumerator_of(type.kind))};
  if (floating) items.push_back(".nan = " + enumerator("NanCodes", spec::word_of(type.nan)));
  const auto number = [&](std::string_view member, int value) {
    if (value != 0) items.push_back("." + std::string(member) + " = " + std::to_string(value));
  };
  const auto flag = [&](std::string_view member, bool value) {
    if (value) items.push_back("." + std::string(member) + " = true");
  };
  const auto code = [&](std::string_view member, std::uint64_t value) {
    if (value != 0) items.push_back("." + std::string(member) + " = " + spec::hex(value));
  };
  number("storage_bits", type.storage_bits);
  if (type.packing != Packing::low_first)
    items.push_back(".packing = " + enumerator("Packing", spec::word_of(type.packing)));
  number("value_bits", type.value_bits);
  number("exponent_bits", type.exponent_bits);
  number("mantissa_bits", type.mantissa_bits);
  number("exponent_bias", type.exponent_bias);
  flag("is_signed", type.is_signed);
  flag("subnormals", type.subnormals);
  flag("infinity", type.infinity);
  flag("storage_high", type.storage_high);
  flag("storage_sign_fill", type.storage_sign_fill);
  code("canonical_nan", type.has_nan() ? type.canonical_nan(false) : 0);
  code("max_finite", type.largest_code());
  code("infinity_code", floating && type.infinity ? type.infinity_code() : 0);
  return items;
}

std::vector<std::string> comma_lines(const std::vector<std::string>& items, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (const std::string& item : items) {
    if (!line.empty() && line.size() + item.size() + 3 > width) {
      lines.push_back(line + ",");
      line.clear();
    }
    line += (line.empty() ? "" : ", ") + item;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace castforge::emit
