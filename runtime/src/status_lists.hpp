// What messages list: the types, op-sets, attributes and instruction sets there are, and the nearest name of each kind.
#pragma once

#include <castforge/type_info.hpp>
#include <cstdint>
#include <string_view>

#include "src/opset_tables.hpp"
#include "src/type_rows.hpp"
#include "src/writer.hpp"

namespace castforge {

inline std::string_view type_name(Type type) noexcept { return type_row(type).name; }
inline std::string_view type_name(std::uint16_t type) noexcept { return type_name(static_cast<Type>(type)); }

void list_types(Writer& out, const tables::OpSet& opset) noexcept;
void list_number_types(Writer& out, const tables::OpSet& opset) noexcept;
/// Types at one end of the pairs whose other end is `fixed`.
void list_partners(Writer& out, const tables::OpSet& opset, std::uint16_t fixed, bool fixed_is_source) noexcept;
/// "; under other rules: castforge@1, p3109@4.0": of every family of that operation the newest version, where that
/// admits the type.
void list_others_with(Writer& out, const tables::OpSet& opset, Type type) noexcept;
/// "; op-sets of range: onnx-range@27": of every family that describes an operation the newest version.
void list_families_for(Writer& out, std::string_view operation) noexcept;
void list_versions(Writer& out, std::string_view family) noexcept;
void list_attributes(Writer& out, const tables::OpSet& opset) noexcept;
void list_values(Writer& out, const tables::Attribute& attribute) noexcept;
void list_usable_isas(Writer& out) noexcept;
/// By the family's name, and then the version that was meant, else the newest.
std::string_view nearest_opset(std::string_view given) noexcept;
/// Types by their names and aliases.
std::string_view nearest_type(std::string_view given) noexcept;
std::string_view nearest_attribute(const tables::OpSet& opset, std::string_view given) noexcept;
std::string_view nearest_value(const tables::Attribute& attribute, std::string_view given) noexcept;

}  // namespace castforge
