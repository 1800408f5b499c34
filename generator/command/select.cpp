#include <stdexcept>

#include "command/command.hpp"
#include "spec/attributes.hpp"
#include "spec/lookup.hpp"
#include "spec/nearest.hpp"
#include "spec/resolve.hpp"
#include "spec/words.hpp"

namespace castforge::command {
namespace {

std::string joined(const std::vector<std::string>& items) {
  return items.empty() ? "nothing" : spec::join(items, ", ");
}

std::size_t value_index(const spec::Attribute& attribute, const std::string& text) {
  for (std::size_t i = 0; i < attribute.values.size(); ++i) {
    if (spec::print(attribute.values[i]) == text) return i;
    if (i < attribute.numbers.size() && std::to_string(attribute.numbers[i]) == text) return i;
  }
  const std::string digits = text.starts_with('-') ? text.substr(1) : text;
  const bool number = !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
  if (attribute.kind == spec::Attribute::Kind::flag && number)
    return text.find_first_of("123456789") != std::string::npos ? 1 : 0;
  if (attribute.kind == spec::Attribute::Kind::flag)
    throw std::invalid_argument("attribute " + attribute.name + " cannot be \"" + text +
                                "\": expected a whole number, of which 0 is false");
  std::vector<std::string> values;
  for (const auto& value : attribute.values) values.push_back(spec::print(value));
  throw std::invalid_argument("attribute " + attribute.name + " cannot be \"" + text + "\"" +
                              spec::did_you_mean(text, values, "it admits " + joined(values)));
}

}  // namespace

Selected select_cell(const spec::SpecModel& model, const ExplainQuery& query) {
  const spec::Type *src = &spec::type_named(model, query.src), *dst = &spec::type_named(model, query.dst);
  const spec::OpSet* opset = &spec::opset_for(model, query.opset, *src, *dst);
  Selected selected{opset, src, dst, {}, {}, {}, 0};

  std::vector<std::size_t> chosen;
  for (const spec::Attribute& attribute : opset->attributes) chosen.push_back(attribute.default_index);
  std::vector<bool> given(chosen.size());
  std::vector<std::string> refused(chosen.size());  // what is wrong with a value that matters only where it acts
  for (const std::string& setting : query.attributes) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      throw std::invalid_argument("--attr expects name=value, found \"" + setting + "\"");
    const std::string name = setting.substr(0, equals);
    bool found = false;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < opset->attributes.size(); ++i) {
      names.push_back(opset->attributes[i].name);
      if (opset->attributes[i].name != name) continue;
      if (given[i]) throw std::invalid_argument("attribute " + name + " is given twice");
      given[i] = true;
      found = true;
      try {
        chosen[i] = value_index(opset->attributes[i], setting.substr(equals + 1));
      } catch (const std::invalid_argument& problem) {
        if (!opset->attributes[i].checked_where_used) throw;
        refused[i] = problem.what();
      }
    }
    if (found) continue;
    throw std::invalid_argument(opset->name() + " has no attribute \"" + name + "\"" +
                                spec::did_you_mean(name, names, "it has " + joined(names)));
  }
  selected.combination = spec::combination_number(*opset, chosen);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    selected.attributes.emplace_back(opset->attributes[i].name, spec::print(opset->attributes[i].values[chosen[i]]));
  }
  for (const spec::Cell& cell : spec::resolve(*opset)) {
    if (cell.src != selected.src || cell.dst != selected.dst) continue;
    selected.meaning = cell.variants.at(selected.combination);
    for (std::size_t i = 0; i < opset->attributes.size(); ++i) {
      const bool acts = (cell.attributes_used >> i & 1) != 0;
      if (!acts) selected.idle.push_back(opset->attributes[i].name);
      else if (!refused[i].empty()) throw std::invalid_argument(refused[i]);
    }
    return selected;
  }
  std::vector<std::string> admitted;
  for (const auto& [src, dst] : opset->pairs) {
    if (src == selected.src) admitted.push_back(dst->name);
  }
  throw std::invalid_argument(opset->name() + " does not admit " + selected.src->name + " -> " + selected.dst->name +
                              "; from " + selected.src->name + " it admits " + joined(admitted));
}

}  // namespace castforge::command
