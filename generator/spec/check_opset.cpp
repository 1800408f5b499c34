#include "spec/check_opset.hpp"

#include <algorithm>
#include <castforge/notation.hpp>
#include <span>

#include "spec/attributes.hpp"
#include "spec/options.hpp"

namespace castforge::spec {
namespace {

/// Whether the op-set has such an enumeration, and each of its words is one of those.
bool says_words(const OpSet& opset, const std::string& attribute, std::span<const std::string_view> words) {
  const int index = opset.find_attribute(attribute);
  if (index < 0) return false;
  const Attribute& found = opset.attributes[static_cast<std::size_t>(index)];
  return found.kind == Attribute::Kind::enumeration &&
         std::all_of(found.values.begin(), found.values.end(), [&](const AttributeValue& value) {
           return std::find(words.begin(), words.end(), std::get<std::string>(value)) != words.end();
         });
}

}  // namespace

void check_options(const OpSetFile& file, const OpSet& opset, Diagnostics& diagnostics) {
  for (const auto& [name, value] : file.options) {
    if (find_option(name)->operation == opset.operation) continue;
    diagnostics.error(value.second, "option \"" + name + "\" is one of the operation " +
                                        std::string(find_option(name)->operation) + ", not of " + opset.operation);
  }
  for (const auto& [name, value] : opset.options) {
    const Option& option = *find_option(name);
    if (option.kind != Option::Kind::attribute || says_words(opset, value, option.all_words())) continue;
    const auto own = file.options.find(name);
    diagnostics.error(own == file.options.end() ? file.where : own->second.second,
                      "option \"" + name + "\" must be " + expected_value(option) + " (got \"" + value + "\")");
  }
  const auto least = opset.options.find("min_rank"), most = opset.options.find("max_rank");
  if (least != opset.options.end() && most != opset.options.end() &&
      std::stoull(least->second) > std::stoull(most->second)) {
    const auto own = file.options.find(file.options.contains("min_rank") ? "min_rank" : "max_rank");
    diagnostics.error(
        own == file.options.end() ? file.where : own->second.second,
        "\"min_rank\" " + least->second + " is above \"max_rank\" " + most->second + ": no tensor could be converted");
  }
  for (const Option& option : kOptionDefinitions) {
    if (!option.required || option.operation != opset.operation || opset.options.contains(std::string(option.name)))
      continue;
    diagnostics.error(file.where, "missing option \"" + std::string(option.name) + "\" of the operation " +
                                      opset.operation + ": " + expected_value(option));
  }
}

void check_notation(const OpSetFile& file, const OpSet& opset, Diagnostics& diagnostics) {
  const auto is_attribute = [&](std::string_view name) { return opset.find_attribute(std::string(name)) >= 0; };
  if (opset.notation.empty() || notation::is_well_formed(opset.notation, is_attribute)) return;
  diagnostics.error(file.where,
                    "\"notation\" must be a text with {src}, {dst} and attributes in braces, each once (got \"" +
                        opset.notation + "\")");
}

void check_bits(const OpSetFile& file, const OpSet& opset, const std::vector<Cell>& cells,
                const std::set<const Type*>& added, Diagnostics& diagnostics) {
  if (opset.operation != "bitcast") return;
  const Cell* first = nullptr;
  std::size_t number = 0, more = 0;  // the first variant that converts, and how many others do
  for (const Cell& cell : cells) {
    for (std::size_t i = 0; i < cell.variants.size(); ++i) {
      if (cell.variants[i].bits == Bits::kept) continue;
      if (first != nullptr) ++more;
      else first = &cell, number = i;
    }
  }
  if (first == nullptr) return;
  // Of a good op-set only pairs with added types are looked at.
  const Type& type = added.contains(first->dst) ? *first->dst : *first->src;
  diagnostics.error(file.good ? type.where : file.where,
                    first->src->name + " -> " + first->dst->name + " " + print_combination(opset, number) +
                        ": the operation bitcast keeps all bits, but no rule sets \"bits\": \"kept\"" +
                        (more == 0 ? "" : " (and " + std::to_string(more) + " more like it)"));
}

}  // namespace castforge::spec
