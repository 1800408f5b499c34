// Attributes of op-sets: their declaration and their values in specs.
#pragma once

#include <optional>
#include <string>

#include "spec/json_tree.hpp"
#include "spec/model.hpp"

namespace castforge::spec {

/// Reads `"name": { "type": ..., "values": ..., "default": ... }`; empty and reported when something is wrong.
std::optional<Attribute> read_attribute(const Node::Member& member, Diagnostics& diagnostics);

/// Index into `attribute.values` of what `node` says: a number for flags (0, 1) and integers, a word for strings, a
/// word or its number for enumerations. -1 when it is not among them.
int index_of_value(const Attribute& attribute, const Node& node);

/// For messages: `0, 1`, `up, down, nearest`.
std::string list_values(const Attribute& attribute);

/// "1", "up"
std::string print(const AttributeValue& value);

/// Number of combinations of attribute values of an op-set.
std::size_t combination_count(const OpSet& opset);

/// Value index of every attribute in combination number `combination`; the last attribute varies fastest.
std::vector<std::size_t> combination(const OpSet& opset, std::size_t number);

/// The number of the combination with these value indices.
std::size_t combination_number(const OpSet& opset, const std::vector<std::size_t>& indices);

/// Whether two op-sets have the same attributes, with the same values and defaults.
bool same_attributes(const OpSet& a, const OpSet& b);

/// Whether `wide` has the attributes of `narrow` in its order, with all values of it and its defaults.
bool is_wider(const OpSet& narrow, const OpSet& wide);

/// The combination of `wide` that has the values of one of `narrow`; requires is_wider.
std::size_t same_combination(const OpSet& narrow, const OpSet& wide, std::size_t number);

/// "{saturate: 1, round_mode: up}", "{}" without attributes.
std::string print_combination(const OpSet& opset, std::size_t number);

}  // namespace castforge::spec
