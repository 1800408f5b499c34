// Number formats: names, storage and encoding parameters. The enumerators of Type are generated from the type
// specs.
#pragma once

#include <castforge/export.h>

#include <castforge/status.hpp>
#include <castforge/types.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace castforge {

enum class TypeKind : std::uint8_t { floating, integer, boolean, string };

/// Which codes are NaN: none; only the largest magnitude; every code of the top binade with a nonzero
/// fraction; only "sign set, magnitude zero".
enum class NanCodes : std::uint8_t { none, top, ieee, negative_zero };

/// A format's parameters. Magnitude codes leave out the sign bit; bits count one element.
struct TypeInfo {
  std::string_view name, doc;
  TypeKind kind;
  NanCodes nan;
  int storage_bits;  // 2 and 4: packed, first element in the low bits; 1: from the high bit on; 0: string
  int value_bits;    // bits of the code inside its storage
  int exponent_bits, mantissa_bits, exponent_bias;
  bool is_signed, subnormals, infinity;
  bool storage_high;            // the code sits in the top bits of its storage
  std::uint64_t canonical_nan;  // positive; 0 where the type has no NaN
  std::uint64_t max_finite;     // magnitude code (floating) or largest code (integer)
  std::uint64_t infinity_code;  // magnitude code; 0 where the type has no infinity
};

/// Another system's name of a type.
struct TypeAlias {
  std::string_view system;  // "onnx", "safetensors", "numpy", ...
  std::string_view name;
};

/// Parameters of a type. `type` must be one of the enumerators.
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
