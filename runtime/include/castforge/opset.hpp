// Op-sets: which types and pairs a version of a system's cast admits, and with which attributes.
#pragma once

#include <castforge/export.h>

#include <castforge/status.hpp>
#include <castforge/type_info.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace castforge {

enum class AttributeKind : std::uint8_t {
  integer,      // one of the listed numbers
  flag,         // 0, or any other number
  string,       // one of the listed words
  enumeration,  // a listed word or its number
};

struct AttributeChoice {
  std::string_view word;  // string and enumeration
  std::int64_t number;    // integer, flag, enumeration
};

struct AttributeInfo {
  std::string_view name, doc;
  AttributeKind kind;
  std::size_t choice_count;
  std::size_t default_choice;
};

struct OpSetOption {
  std::string_view name, value;
};

/// One version of one op-set: a handle to constant data, passed by value.
class OpSet {
 public:
  constexpr OpSet() noexcept = default;
  constexpr explicit OpSet(const tables::OpSet* table) noexcept : table_(table) {}
  constexpr explicit operator bool() const noexcept { return table_ != nullptr; }
  constexpr const tables::OpSet* table() const noexcept { return table_; }
  friend constexpr bool operator==(OpSet, OpSet) noexcept = default;

  // All of the following need a handle that holds an op-set.
  CASTFORGE_API std::string_view name() const noexcept;       // "onnx@23"
  CASTFORGE_API std::string_view family() const noexcept;     // "onnx"
  CASTFORGE_API std::string_view version() const noexcept;    // "23"
  CASTFORGE_API std::string_view operation() const noexcept;  // "cast", "bitcast", "range"
  CASTFORGE_API std::string_view doc() const noexcept;
  /// How its system writes a conversion, with fields in braces (castforge/notation.hpp); empty where it does not.
  CASTFORGE_API std::string_view notation() const noexcept;
  /// The last version of its system for which the rules are known to hold; nothing where versions are no numbers.
  CASTFORGE_API std::optional<std::uint64_t> valid_through() const noexcept;
  /// Whether it serves its operation where no op-set is named.
  CASTFORGE_API bool is_default() const noexcept;
  /// Whether it does where the default one lacks one of the types.
  CASTFORGE_API bool is_fallback() const noexcept;

  // An index, here and below, is less than the count that stands before it.
  CASTFORGE_API std::size_t type_count() const noexcept;
  CASTFORGE_API Type type(std::size_t index) const noexcept;
  CASTFORGE_API bool admits(Type type) const noexcept;
  CASTFORGE_API bool admits(Type src, Type dst) const noexcept;

  CASTFORGE_API std::size_t attribute_count() const noexcept;
  CASTFORGE_API AttributeInfo attribute(std::size_t index) const noexcept;
  CASTFORGE_API AttributeChoice choice(std::size_t attribute, std::size_t index) const noexcept;
  /// Whether the attribute changes anything for an admitted pair.
  CASTFORGE_API bool acts(std::size_t attribute, Type src, Type dst) const noexcept;

  CASTFORGE_API std::size_t option_count() const noexcept;
  CASTFORGE_API OpSetOption option(std::size_t index) const noexcept;
  /// Value of an option, or an empty text.
  CASTFORGE_API std::string_view option(std::string_view name) const noexcept;

 private:
  const tables::OpSet* table_ = nullptr;
};

CASTFORGE_API std::size_t opset_count() noexcept;
/// index < opset_count(). Op-sets that are loaded move others, as types do (type_at()).
CASTFORGE_API OpSet opset(std::size_t index) noexcept;

/// Op-set "family@version". A whole number between two numbered versions means the lower one: onnx@22 is onnx@21. So
/// does one above the newest, up to its valid_through(). A family alone means its newest version, and an empty name the
/// default for casts. Whole numbers have no leading zeros. Nothing where the family does not exist, or none of its
/// versions is known to hold for the one asked for.
CASTFORGE_API std::optional<OpSet> find_opset(std::string_view name) noexcept;

/// The op-set that serves an operation, "cast", "bitcast" or "range", where none is named: the newest version of its
/// family.
/// Nothing where the specs name no default.
CASTFORGE_API std::optional<OpSet> default_opset(std::string_view operation = "cast") noexcept;

/// The same as find_opset(name) with a message that names the nearest op-set, or the family's versions: unknown_opset.
CASTFORGE_API Status find_opset(std::string_view name, OpSet& opset) noexcept;

/// The same for one cast: where no name is given and the default op-set lacks one of the types, a format of your own
/// say, the fallback that has both.
CASTFORGE_API Status find_opset(std::string_view name, Type src, Type dst, OpSet& opset) noexcept;

}  // namespace castforge
