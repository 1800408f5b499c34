// Reading an op-set's tables: positions of types, cells, and the selection of a variant by attribute values.
#pragma once

#include <array>
#include <castforge/attributes.hpp>
#include <castforge/loadable.hpp>
#include <castforge/opset.hpp>
#include <castforge/status.hpp>
#include <castforge/type.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

#include "src/tables.hpp"

namespace castforge {

/// Position of a type in the op-set's list.
std::optional<std::uint16_t> type_position(const tables::OpSet& opset, Type type) noexcept;

/// The first variant of a pair, or null where the op-set does not admit it.
const tables::Variant* find_pair(const tables::OpSet& opset, Type src, Type dst) noexcept;

using loadable::kMostAttributes;

/// What a pair means under the given attributes; null where the status says why there is nothing.
struct Selection {
  Status status;
  const tables::Variant* variant = nullptr;
};

/// Of each attribute of an op-set: the index of its value.
using ValuePositions = std::array<std::uint16_t, kMostAttributes>;

/// Position of an attribute in the op-set's list.
std::optional<std::uint16_t> attribute_position(const tables::OpSet& opset, std::string_view name) noexcept;

/// Errors: type_not_admitted, pair_not_admitted, unknown_attribute, bad_attribute, repeated_attribute.
Selection select(const tables::OpSet& opset, Type src, Type dst, const Attributes& attributes) noexcept;

/// Sets `values` to what the attributes choose for a pair; after an error they mean nothing. Errors: those of select.
Status choose_values(const tables::OpSet& opset, Type src, Type dst, const Attributes& attributes,
                     ValuePositions& values) noexcept;

/// The operations that op-sets describe.
inline constexpr std::string_view kCast = "cast", kBitcast = "bitcast", kRange = "range";

/// The options of casts that limit tensors; their values are numbers.
inline constexpr std::string_view kLeastRank = "min_rank", kMostRank = "max_rank", kMostElements = "max_elements";

/// text == word, without a call: operations are short.
constexpr bool is_word(const char* text, std::string_view word) noexcept {
  for (const char c : word) {
    if (*text++ != c) return false;  // at the end of a shorter text too
  }
  return *text == '\0';
}

/// `second` of unknown_opset: there is such an op-set, but none for casts to the type of another tensor; an OpSet that
/// is none; a notation without text.
inline constexpr std::uint64_t kNoCastLike = 2, kNoOpSet = 3, kNoNotation = 4;

/// find_opset, where an empty name means the default for ranges, or for bit casts.
Status find_range_opset(std::string_view name, OpSet& opset) noexcept;
Status find_bitcast_opset(std::string_view name, OpSet& opset) noexcept;

/// wrong_operation unless the op-set describes that operation.
Status check_operation(const tables::OpSet& opset, std::string_view operation) noexcept;

/// Does it describe conversions of elements, by value or of their bits?
inline bool describes_conversions(const tables::OpSet& opset) noexcept {
  return is_word(opset.operation, kCast) || is_word(opset.operation, kBitcast);
}
/// wrong_operation unless it does.
Status check_conversion(const tables::OpSet& opset) noexcept;

/// The op-set by which cast_like converts (its documentation says which); unknown_opset where there is none.
Status find_cast_like(std::string_view name, OpSet& opset) noexcept;

}  // namespace castforge
