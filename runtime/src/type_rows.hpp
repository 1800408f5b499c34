// Rows of the type table by id.
#pragma once

#include <algorithm>

#include "src/registry.hpp"

namespace castforge {

/// Null where no type has that id. Ids of shipped types are positions in the table, those of a user's own are not.
inline const tables::TypeRow* find_type_row(Type id) noexcept {
  const auto types = registry().types;
  const auto number = static_cast<std::uint16_t>(id);
  if (number < types.size() && types[number].id == id) return &types[number];
  const auto found =
      std::partition_point(types.begin(), types.end(), [id](const tables::TypeRow& row) { return row.id < id; });
  return found != types.end() && found->id == id ? &*found : nullptr;
}

/// What stands for numbers that are no types: no name, no storage.
inline constexpr tables::TypeRow kNoType = {{.kind = TypeKind::string}, "", "", nullptr, 0};

/// Of any number, as those of callers are.
inline const tables::TypeRow& type_row(Type id) noexcept {
  const tables::TypeRow* const found = find_type_row(id);
  return found != nullptr ? *found : kNoType;
}

}  // namespace castforge
