#include <castforge/type_info.hpp>

#include "src/status_parts.hpp"
#include "src/type_rows.hpp"
#include "src/user_facing.hpp"

namespace castforge {
namespace {

bool same_letters(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (to_lower(a[i]) != to_lower(b[i])) return false;
  }
  return true;
}

/// The only type for which `matches` holds.
template <class Matches>
std::optional<Type> only_type(Matches matches) noexcept {
  std::optional<Type> found;
  for (const tables::TypeRow& type : registry().types) {
    if (!matches(type)) continue;
    if (found) return std::nullopt;
    found = type.id;
  }
  return found;
}

}  // namespace

TypeInfo type_info(Type type) noexcept {
  const tables::TypeRow& row = type_row(type);
  return {row, row.name, row.doc == nullptr ? "" : row.doc};
}

std::size_t type_count() noexcept { return registry().types.size(); }
Type type_at(std::size_t index) noexcept { return registry().types[index].id; }

std::string_view name(Type type) noexcept { return type_row(type).name; }

std::optional<std::size_t> storage_bytes(Type type, std::size_t count) noexcept {
  const auto bits = static_cast<std::size_t>(type_row(type).storage_bits);
  // Whole groups of eight elements first: the product of all bits could overflow where that of bytes does
  // not.
  const std::size_t groups = count / 8, rest = (count % 8 * bits + 7) / 8;
  if (bits != 0 && groups > (SIZE_MAX - rest) / bits) return std::nullopt;
  return groups * bits + rest;
}

std::size_t alias_count(Type type) noexcept { return type_row(type).alias_count; }

TypeAlias alias(Type type, std::size_t index) noexcept {
  const tables::Alias& a = type_row(type).aliases[index];
  return {.system = a.system, .name = a.name};
}

std::string_view alias(Type type, std::string_view system) noexcept {
  const tables::TypeRow& t = type_row(type);
  for (std::uint16_t i = 0; i < t.alias_count; ++i) {
    if (system == t.aliases[i].system) return t.aliases[i].name;
  }
  return {};
}

std::optional<Type> find_type(std::string_view name) noexcept {
  if (!is_user_facing(name)) return std::nullopt;
  const auto canonical = only_type([&](const tables::TypeRow& t) { return same_letters(name, t.name); });
  if (canonical) return canonical;
  return only_type([&](const tables::TypeRow& t) {
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
  return only_type([&](const tables::TypeRow& t) {
    for (std::uint16_t i = 0; i < t.alias_count; ++i) {
      if (system == t.aliases[i].system && name == t.aliases[i].name) return true;
    }
    return false;
  });
}

std::optional<int> element_bits(std::string_view format, std::string_view name) noexcept {
  if (const auto type = find_type_in(format, name)) {
    const int bits = type_row(*type).storage_bits;
    return bits == 0 ? std::nullopt : std::optional(bits);
  }
  for (const tables::OtherElement& one : registry().other_elements) {
    if (format == one.system && name == one.name) return one.bits;
  }
  return std::nullopt;
}

}  // namespace castforge
