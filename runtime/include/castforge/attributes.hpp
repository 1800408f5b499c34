// Attributes of a conversion, as the op-sets define them (saturate, round_mode, mode, ...).
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace castforge {

/// A word or a whole number. The word is not copied: it must live until the call that receives it returns.
class AttributeValue {
 public:
  template <std::integral I>
  constexpr AttributeValue(I number) noexcept : number_(static_cast<std::int64_t>(number)) {
    if constexpr (std::unsigned_integral<I> && sizeof(I) == sizeof number_) {
      if (number > INT64_MAX) *this = std::string_view("a number from 2^63 on");  // which no attribute admits
    }
  }
  constexpr AttributeValue(std::string_view word) noexcept : word_(word), is_word_(true) {}
  constexpr AttributeValue(const char* word) noexcept : AttributeValue(std::string_view(word)) {}
  AttributeValue(const std::string& word) noexcept : AttributeValue(std::string_view(word)) {}

  /// What someone typed: a number where the whole text is a decimal integer of at most 18 digits, else a word.
  static constexpr AttributeValue from_text(std::string_view text) noexcept {
    const bool negative = !text.empty() && text.front() == '-';
    const std::string_view digits = text.substr(negative ? 1 : 0);
    if (digits.empty() || digits.size() > 18) return text;
    std::int64_t number = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') return text;
      number = number * 10 + (c - '0');
    }
    return negative ? -number : number;
  }

  constexpr bool is_word() const noexcept { return is_word_; }
  constexpr std::string_view word() const noexcept { return word_; }
  constexpr std::int64_t number() const noexcept { return number_; }

 private:
  std::string_view word_;
  std::int64_t number_ = 0;
  bool is_word_ = false;
};

struct Attribute {
  std::string_view name;
  AttributeValue value = 0;
};

/// The attributes of one call: `{.saturate = false}`, `{.round_mode = "down"}`, `{.mode = "CAST_RINT"}`.
/// The named members are short forms for the attributes of those names; `others` carries any attribute of any
/// op-set. What is not given has the op-set's default; giving one that the op-set lacks is an error.
struct Attributes {
  std::optional<AttributeValue> saturate = {};
  std::optional<AttributeValue> round_mode = {};
  std::optional<AttributeValue> mode = {};
  std::optional<AttributeValue> satmode = {};
  std::span<const Attribute> others = {};
};

}  // namespace castforge
