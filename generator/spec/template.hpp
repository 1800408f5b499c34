// Families of formats: one JSON file from which a name makes a type spec.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/json_tree.hpp"

namespace castforge::spec {

/// The type spec that a template (specs/FIELDS.md, "Templates") makes of a name; empty when the name is none of its
/// names, or reported when the template or what it gives is wrong. Values keep the places of the template's file.
std::optional<Node> type_of_template(const Node& root, const std::string& name, Diagnostics& diagnostics);

/// All the names that a template takes, by its parameters in their order; reported where the template is wrong.
std::vector<std::string> names_of_template(const Node& root, Diagnostics& diagnostics);

/// "binary{K}p{P}{sign}{domain}": the names that a template takes; empty where `root` is no template.
std::string template_pattern(const Node& root);

}  // namespace castforge::spec
