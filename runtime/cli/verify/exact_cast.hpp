// The exact result of one conversion, from the parameters of the types and a rule: whole numbers only, one
// rounding. Shares nothing with the kernels but the type table.
#pragma once

#include "cli/verify/kernel_rule.hpp"

#include <castforge/castforge.hpp>

#include <cstdint>
#include <optional>

namespace castforge::cli {

class ExactCast {
 public:
  /// Nothing where a type is none that this reference describes (strings; fractions without subnormals).
  static std::optional<ExactCast> of(const TypeInfo& src, const TypeInfo& dst, const KernelRule& rule);

  /// Code of the result for a source code; nothing where the rule says that no rounding is needed and one is,
  /// or states a result that the destination does not have.
  std::optional<std::uint64_t> operator()(std::uint64_t src_code) const;

 private:
  /// NaN, infinity, or (-1)^negative * significand * 2^exponent.
  struct Value {
    enum class Class : std::uint8_t { finite, infinity, nan } cls = Class::finite;
    bool negative = false;
    std::uint64_t significand = 0;
    int exponent = 0;
  };
  /// A magnitude in units of a power of two, cut, and what was cut off.
  struct Cut {
    unsigned __int128 units = 0;
    bool half = false, rest = false;
  };
  using Code = std::optional<std::uint64_t>;

  ExactCast(const TypeInfo& src, const TypeInfo& dst, const KernelRule& rule)
      : src_(src), dst_(dst), rule_(rule) {}

  static Value decode(const TypeInfo& type, std::uint64_t code);
  static Cut cut(const Value& value, int unit_exponent);
  bool goes_up(bool negative, bool odd, bool half, bool rest) const;

  Code to_floating(Value value) const;
  Code to_integer(const Value& value) const;
  Code to_integral(std::uint64_t code) const;
  Code same_type(std::uint64_t code) const;

  std::uint64_t with_sign(std::uint64_t magnitude, bool negative) const;
  std::uint64_t largest(bool negative) const;
  std::uint64_t nan(bool negative) const;
  std::uint64_t infinity(bool negative) const;
  std::uint64_t smallest_or_nan(Outcome outcome) const;
  Code overflow(bool negative) const;
  Code of_infinity(bool negative) const;
  Code of_nan(bool negative) const;
  std::uint64_t integer_end(bool negative) const;

  TypeInfo src_, dst_;
  KernelRule rule_;
};

}  // namespace castforge::cli
