#include <castforge/type_info.hpp>

#include "src/status_parts.hpp"
#include "src/tables.hpp"

namespace castforge {
namespace {

const tables::Type& table(Type type) noexcept { return tables::kTypes[static_cast<std::uint16_t>(type)]; }

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr bool is_letter(char c) noexcept { return lower(c) >= 'a' && lower(c) <= 'z'; }

bool same_letters(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

/// The only type for which `matches` holds.
template <class Matches>
std::optional<Type> only_type(Matches matches) noexcept {
  std::optional<Type> found;
  for (std::uint16_t i = 0; i < tables::kTypeCount; ++i) {
    if (!matches(tables::kTypes[i])) continue;
    if (found) return std::nullopt;
    found = static_cast<Type>(i);
  }
  return found;
}

}  // namespace

TypeInfo type_info(Type type) noexcept {
  const tables::Type& t = table(type);
  return {.name = t.name,
          .doc = t.doc == nullptr ? "" : t.doc,
          .kind = static_cast<TypeKind>(t.kind),
          .nan = static_cast<NanCodes>(t.nan),
          .storage_bits = t.storage_bits,
          .value_bits = t.value_bits,
          .exponent_bits = t.exponent_bits,
          .mantissa_bits = t.mantissa_bits,
          .exponent_bias = t.exponent_bias,
          .is_signed = t.is_signed,
          .subnormals = t.subnormals,
          .infinity = t.infinity,
          .storage_high = t.storage_high,
          .canonical_nan = t.canonical_nan,
          .max_finite = t.max_finite,
          .infinity_code = t.infinity_code};
}

std::string_view name(Type type) noexcept { return table(type).name; }

std::optional<std::size_t> storage_bytes(Type type, std::size_t count) noexcept {
  const std::size_t bits = table(type).storage_bits;
  // Whole groups of eight elements first: the product of all bits could overflow where that of bytes does
  // not.
  const std::size_t groups = count / 8, rest = (count % 8 * bits + 7) / 8;
  if (bits != 0 && groups > (SIZE_MAX - rest) / bits) return std::nullopt;
  return groups * bits + rest;
}

std::size_t alias_count(Type type) noexcept { return table(type).alias_count; }

TypeAlias alias(Type type, std::size_t index) noexcept {
  const tables::Alias& a = table(type).aliases[index];
  return {.system = a.system, .name = a.name};
}

std::string_view alias(Type type, std::string_view system) noexcept {
  const tables::Type& t = table(type);
  for (std::uint16_t i = 0; i < t.alias_count; ++i) {
    if (system == t.aliases[i].system) return t.aliases[i].name;
  }
  return {};
}

std::optional<Type> find_type(std::string_view name) noexcept {
  if (name.empty() || !is_letter(name.front())) return std::nullopt;
  const auto canonical = only_type([&](const tables::Type& t) { return same_letters(name, t.name); });
  if (canonical) return canonical;
  return only_type([&](const tables::Type& t) {
    for (std::uint16_t i = 0; i < t.alias_count; ++i) {
      if (same_letters(name, t.aliases[i].name)) return true;
    }
    return false;
  });
}

Status find_type(std::string_view name, Type& type) noexcept {
  const auto found = find_type(name);
  if (!found) return given_status(StatusCode::unknown_type, name);
  type = *found;
  return Status();
}

std::optional<Type> find_type_in(std::string_view system, std::string_view name) noexcept {
  return only_type([&](const tables::Type& t) {
    for (std::uint16_t i = 0; i < t.alias_count; ++i) {
      if (system == t.aliases[i].system && name == t.aliases[i].name) return true;
    }
    return false;
  });
}

std::optional<int> element_bits(std::string_view format, std::string_view name) noexcept {
  if (const auto type = find_type_in(format, name)) {
    const int bits = table(*type).storage_bits;
    return bits == 0 ? std::nullopt : std::optional(bits);
  }
  for (std::uint16_t i = 0; i < tables::kOtherElementCount; ++i) {
    const tables::OtherElement& one = tables::kOtherElements[i];
    if (format == one.system && name == one.name) return one.bits;
  }
  return std::nullopt;
}

}  // namespace castforge
