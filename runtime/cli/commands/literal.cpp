#include "cli/commands/literal.hpp"

#include "cli/io/failure.hpp"

#include <charconv>
#include <limits>

namespace castforge::cli {
namespace {

struct Integer {
  bool negative = false;
  std::uint64_t magnitude = 0;
};

bool has_integer_syntax(std::string_view typed) {
  if (!typed.empty() && (typed[0] == '-' || typed[0] == '+')) typed.remove_prefix(1);
  return !typed.empty() && typed.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Nothing where it has other than integer syntax, or 65 bits.
std::optional<Integer> integer(std::string_view typed) {
  if (!has_integer_syntax(typed)) return std::nullopt;
  Integer result;
  result.negative = typed[0] == '-';
  if (result.negative || typed[0] == '+') typed.remove_prefix(1);
  const auto parsed = std::from_chars(typed.data(), typed.data() + typed.size(), result.magnitude);
  return parsed.ec == std::errc() ? std::optional(result) : std::nullopt;
}

Scalar integer_literal(const std::string& typed, Type type, std::string_view option) {
  const TypeInfo info = type_info(type);
  const std::uint64_t top = std::uint64_t{1} << (info.value_bits - 1);
  const std::uint64_t highest = info.is_signed ? top - 1 : top | (top - 1);
  const std::uint64_t lowest = info.is_signed ? top : 0;  // its magnitude
  const auto parsed = integer(typed);
  if (!parsed || parsed->magnitude > (parsed->negative ? lowest : highest)) {
    throw usage_error(text(option, ": expected an integer from ", lowest == 0 ? "" : "-", lowest, " to ", highest, " (",
                           name(type), "), found ", in_quotes(typed)));
  }
  const std::uint64_t code = parsed->negative ? 0 - parsed->magnitude : parsed->magnitude;
  return {type, (code & (top | (top - 1))) << (info.storage_high ? info.storage_bits - info.value_bits : 0)};
}

Scalar float_literal(const std::string& typed, Type type, std::string_view option) {
  std::uint64_t element = 0;
  if (const Status status = parse_number(typed, type, element); !status) {
    throw usage_error(status.is_element_error() ? text(option, ": expected a number, found ", in_quotes(typed))
                                                : text(option, ": ", status.message()));
  }
  return {type, element};
}

}  // namespace

Scalar literal(const std::string& typed, std::optional<Type> type, std::string_view option) {
  if (!type) {
    if (!has_integer_syntax(typed)) {
      type = Scalar(0.0).type;
    } else {
      constexpr auto kHighest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
      const auto parsed = integer(typed);
      if (!parsed || (parsed->negative && parsed->magnitude > kHighest + 1)) {
        throw usage_error(text(option, ": expected an integer from -", kHighest + 1, " to ",
                               std::numeric_limits<std::uint64_t>::max(), ", found ", in_quotes(typed)));
      }
      const bool large = !parsed->negative && parsed->magnitude > kHighest;
      type = large ? Scalar(std::uint64_t{0}).type : Scalar(std::int64_t{0}).type;
    }
  }
  const TypeKind kind = type_info(*type).kind;
  if (kind == TypeKind::integer) return integer_literal(typed, *type, option);
  if (kind == TypeKind::floating) return float_literal(typed, *type, option);
  throw usage_error(text(option, ": ", name(*type), " is no type of numbers"));
}

}  // namespace castforge::cli
