// Number formats: names, storage and encoding parameters. The enumerators of Type are generated from the type
// specs.
#pragma once

#include <castforge/export.h>

#include <castforge/format.hpp>
#include <castforge/status.hpp>
#include <castforge/type.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace castforge {

/// A format with its name and a sentence about it.
struct TypeInfo : Format {
  std::string_view name, doc;
};

/// Another system's name of a type.
struct TypeAlias {
  std::string_view system;  // "onnx", "safetensors", "numpy", ...
  std::string_view name;
};

/// The types of the library, by rising id. Ids need not be in a row: a tree with types of a user's own has gaps.
/// What load() and add_kernels() add takes its place among them and moves others: go through them while no thread adds.
/// Below, a number that is no type has an empty name, no storage and no aliases.
CASTFORGE_API std::size_t type_count() noexcept;
/// index < type_count().
CASTFORGE_API Type type_at(std::size_t index) noexcept;

/// Parameters of a type; a string's where `type` is none.
CASTFORGE_API TypeInfo type_info(Type type) noexcept;

/// The canonical name: "float8e4m3fn".
CASTFORGE_API std::string_view name(Type type) noexcept;

/// Bytes that `count` elements fill: ceil(count * storage_bits / 8). Nothing where that exceeds a
/// std::size_t, and 0 for strings.
CASTFORGE_API std::optional<std::size_t> storage_bytes(Type type, std::size_t count) noexcept;

/// Number of aliases, and the one at `index` (below that number).
CASTFORGE_API std::size_t alias_count(Type type) noexcept;
CASTFORGE_API TypeAlias alias(Type type, std::size_t index) noexcept;

/// The type's first name in another system, or an empty text: alias(Type::float32, "safetensors") is "F32".
CASTFORGE_API std::string_view alias(Type type, std::string_view system) noexcept;

/// Type of that canonical name or alias, in any letter case: "float32", "FLOAT", "F8_E4M3", "DT_FP32".
/// Nothing where no type, or more than one, has the name. Descriptors that begin with no letter ("<f4", "17")
/// are found by find_type_in only.
CASTFORGE_API std::optional<Type> find_type(std::string_view name) noexcept;

/// The same with a message that names the nearest type: unknown_type.
CASTFORGE_API Status find_type(std::string_view name, Type& type) noexcept;

/// Type that one system calls `name` (exact spelling): find_type_in("numpy", "<f4"). Nothing where no type,
/// or more than one, has that name there.
CASTFORGE_API std::optional<Type> find_type_in(std::string_view system, std::string_view name) noexcept;

/// Bits of one element that a file format calls `name`, of a type or of elements that no type describes (64 for "C64"
/// of "safetensors"). Nothing where the format has no such name.
CASTFORGE_API std::optional<int> element_bits(std::string_view format, std::string_view name) noexcept;

}  // namespace castforge
