#include "spec/compiled_part.hpp"

#include <algorithm>

#include "spec/attributes.hpp"

namespace castforge::spec {
namespace {

void keep_values(const Node::Member& kept, OpSet& opset, Diagnostics& diagnostics) {
  const int index = opset.find_attribute(kept.key);
  if (index < 0) {
    diagnostics.error(kept.key_where, opset.name() + " has no attribute \"" + kept.key + "\"");
    return;
  }
  if (kept.value.kind != Node::Kind::array) {
    diagnostics.error(kept.value.where,
                      "\"" + kept.key + "\" must be a list of its values (got " + kept.value.describe() + ")");
    return;
  }
  Attribute& attribute = opset.attributes[static_cast<std::size_t>(index)];
  Attribute fewer = attribute;
  fewer.values.clear();
  fewer.numbers.clear();
  bool has_default = false;
  for (const Node& item : kept.value.items) {
    const int value = index_of_value(attribute, item);
    if (value < 0) {
      diagnostics.error(item.where, item.describe() + " is not a value of attribute \"" + attribute.name +
                                        "\"; its values are " + list_values(attribute));
      continue;
    }
    const auto at = static_cast<std::size_t>(value);
    if (std::find(fewer.values.begin(), fewer.values.end(), attribute.values[at]) != fewer.values.end()) {
      diagnostics.error(item.where, "a value is listed twice (got " + item.describe() + ")");
      continue;
    }
    if (at == attribute.default_index) {
      fewer.default_index = fewer.values.size();
      has_default = true;
    }
    fewer.values.push_back(attribute.values[at]);
    if (at < attribute.numbers.size()) fewer.numbers.push_back(attribute.numbers[at]);
  }
  if (attribute.kind == Attribute::Kind::flag)
    diagnostics.error(kept.key_where, "attribute \"" + attribute.name + "\" is a flag, which has both values");
  else if (!has_default)
    diagnostics.error(kept.key_where, "the default of attribute \"" + attribute.name + "\" has to be among them");
  else attribute = std::move(fewer);
}

}  // namespace

void keep_compiled(const Node& compiled, const NamedTypes& types, OpSet& opset, Diagnostics& diagnostics) {
  if (compiled.kind != Node::Kind::object) return;
  if (const Node* without = compiled.find("without")) {
    for (const Node& name : without->items) {
      const Type* type = types.known(name);
      if (type == nullptr) continue;
      if (!opset.admits(*type)) diagnostics.error(name.where, "type " + name.describe() + " is not admitted");
      std::erase(opset.types, type);
      std::erase_if(opset.pairs, [&](const auto& pair) { return pair.first == type || pair.second == type; });
    }
  }
  if (const Node* attributes = compiled.find("attributes")) {
    for (const Node::Member& kept : attributes->members) keep_values(kept, opset, diagnostics);
  }
}

}  // namespace castforge::spec
