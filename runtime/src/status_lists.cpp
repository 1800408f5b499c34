#include "src/status_lists.hpp"

#include <castforge/interface.hpp>

#include "src/isa_table.hpp"
#include "src/nearest.hpp"
#include "src/registry.hpp"
#include "src/status_parts.hpp"

namespace castforge {

void list_types(Writer& out, const tables::OpSet& opset) noexcept {
  Separator comma;
  for (std::uint16_t i = 0; i < opset.type_count; ++i) {
    comma.put(out);
    out << type_name(opset.types[i]);
  }
}

void list_number_types(Writer& out, const tables::OpSet& opset) noexcept {
  Separator comma;
  for (std::uint16_t i = 0; i < opset.type_count; ++i) {
    const TypeKind kind = type_row(opset.types[i]).kind;
    if (kind != TypeKind::floating && kind != TypeKind::integer) continue;
    comma.put(out);
    out << type_name(opset.types[i]);
  }
}

void list_partners(Writer& out, const tables::OpSet& opset, std::uint16_t fixed, bool fixed_is_source) noexcept {
  Separator comma;
  for (std::uint16_t i = 0; i < opset.type_count; ++i) {
    const Type other = opset.types[i];
    const Type src = fixed_is_source ? static_cast<Type>(fixed) : other;
    const Type dst = fixed_is_source ? other : static_cast<Type>(fixed);
    if (find_pair(opset, src, dst) == nullptr) continue;
    comma.put(out);
    out << type_name(other);
  }
  if (comma.nothing_yet()) out << "nothing";
}

void list_others_with(Writer& out, const tables::OpSet& opset, Type type) noexcept {
  const OpSet refused(&opset);
  Separator comma;
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet other = castforge::opset(i);
    const bool newest = i + 1 == opset_count() || castforge::opset(i + 1).family() != other.family();
    if (!newest || other.operation() != refused.operation() || !other.admits(type)) continue;
    if (comma.nothing_yet()) out << "; under other rules: ";
    comma.put(out);
    out << other.name();
  }
}

void list_families_for(Writer& out, std::string_view operation) noexcept {
  Separator comma;
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet one = castforge::opset(i);
    const bool newest = i + 1 == opset_count() || castforge::opset(i + 1).family() != one.family();
    if (!newest || one.operation() != operation) continue;
    if (comma.nothing_yet()) out << "; op-sets of " << operation << ": ";
    comma.put(out);
    out << one.name();
  }
}

void list_versions(Writer& out, std::string_view family) noexcept {
  Separator comma;
  for (const tables::OpSet* opset : registry().opsets) {
    if (family != opset->family) continue;
    comma.put(out);
    out << opset->version;
  }
}

void list_attributes(Writer& out, const tables::OpSet& opset) noexcept {
  Separator comma;
  for (std::uint16_t i = 0; i < opset.attribute_count; ++i) {
    comma.put(out);
    out << opset.attributes[i].name;
  }
  if (comma.nothing_yet()) out << "none";
}

void list_values(Writer& out, const tables::Attribute& attribute) noexcept {
  if (attribute.kind == tables::AttributeKind::flag) {
    out << "a whole number, of which 0 is false";
    return;
  }
  if (attribute.value_count > 1) out << "one of ";
  Separator comma;
  for (std::uint16_t i = 0; i < attribute.value_count; ++i) {
    const tables::AttributeValue& value = attribute.values[i];
    comma.put(out);
    switch (attribute.kind) {
      case tables::AttributeKind::string: out << value.word; break;
      case tables::AttributeKind::enumeration: out << value.word << " (" << value.number << ")"; break;
      default: out << value.number;
    }
  }
}

void list_usable_isas(Writer& out) noexcept {
  std::size_t count = 0;
  const Isa* table = isa_table(count);
  Separator comma;
  for (std::size_t i = 0; i < count; ++i) {
    if (!table[i].usable) continue;
    comma.put(out);
    out << table[i].name;
  }
}

std::string_view nearest_opset(std::string_view given) noexcept {
  const std::size_t at = given.rfind('@') < given.size() ? given.rfind('@') : given.size();
  Nearest whole(given), family(given.substr(0, at));
  for (const tables::OpSet* opset : registry().opsets) {
    whole.consider(opset->name);
    family.consider(opset->family);
  }
  if (family.name().empty()) return whole.name();
  char name[sizeof StatusParts::given + 48];
  Writer out(name, sizeof name);
  out << family.name() << given.substr(at);
  if (const auto found = find_opset(name)) return found->name();
  const auto newest = find_opset(family.name());
  return newest ? newest->name() : std::string_view();
}

std::string_view nearest_type(std::string_view given) noexcept {
  Nearest nearest(given);
  const auto types = registry().types;
  for (const tables::TypeRow& type : types) nearest.consider(type.name);
  for (const tables::TypeRow& type : types) {
    for (std::uint16_t k = 0; k < type.alias_count; ++k) {
      const std::string_view alias = type.aliases[k].name;
      if (find_type(alias)) nearest.consider(alias);  // not those that only their own system knows
    }
  }
  return nearest.name();
}

std::string_view nearest_attribute(const tables::OpSet& opset, std::string_view given) noexcept {
  Nearest nearest(given);
  for (std::uint16_t i = 0; i < opset.attribute_count; ++i) nearest.consider(opset.attributes[i].name);
  return nearest.name();
}

std::string_view nearest_value(const tables::Attribute& attribute, std::string_view given) noexcept {
  Nearest nearest(given);
  for (std::uint16_t i = 0; i < attribute.value_count; ++i) {
    if (attribute.values[i].word != nullptr) nearest.consider(attribute.values[i].word);
  }
  return nearest.name();
}

}  // namespace castforge
