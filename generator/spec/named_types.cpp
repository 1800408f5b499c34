#include "spec/named_types.hpp"

#include "spec/nearest.hpp"

namespace castforge::spec {

std::vector<std::string> NamedTypes::names() const {
  std::vector<std::string> names;
  for (const auto& type : model_.types) names.push_back(type->name);
  return names;
}

const Type* NamedTypes::known(const Node& name) const {
  if (name.kind == Node::Kind::string) {
    for (const auto& type : model_.types) {
      if (type->name == name.text) return type.get();
    }
  }
  const Type* const of_alias = name.kind == Node::Kind::string ? model_.find_type(name.text) : nullptr;
  if (of_alias != nullptr)
    diagnostics_.error(name.where, "unknown type " + name.describe() + ": op-sets name types by their names, here \"" +
                                       of_alias->name + "\"");
  else if (name.kind == Node::Kind::string)
    diagnostics_.error(name.where, "unknown type " + name.describe() + did_you_mean(name.text, names()));
  else diagnostics_.error(name.where, "expected a type name, found " + name.describe());
  return nullptr;
}

const Type* NamedTypes::admitted(const std::string& name, const Location& where, const OpSet& opset) const {
  for (const auto& type : model_.types) {
    if (type->name != name) continue;
    if (opset.admits(*type)) return type.get();
    diagnostics_.error(where, "type \"" + name + "\" is not admitted by " + opset.name());
    return nullptr;
  }
  diagnostics_.error(where, "unknown type \"" + name + "\"" + did_you_mean(name, names()));
  return nullptr;
}

}  // namespace castforge::spec
