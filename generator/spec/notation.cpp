#include "spec/notation.hpp"

#include <castforge/notation.hpp>

namespace castforge::spec {
namespace {

/// What the op-set's system calls a type.
std::string name_in(const std::string& system, const Type& type) {
  for (const Alias& alias : type.aliases) {
    if (alias.system == system) return alias.name;
  }
  return type.name;
}

}  // namespace

std::string written(const OpSet& opset, const Type& src, const Type& dst,
                    const std::vector<std::pair<std::string, std::string>>& values) {
  std::string text;
  notation::for_each_part(
      opset.notation, [&](std::string_view literal) { text += literal; },
      [&](std::string_view field) {
        if (field == "src") text += name_in(opset.family, src);
        if (field == "dst") text += name_in(opset.family, dst);
        for (const auto& [name, value] : values) {
          if (field == name) text += value;
        }
      });
  return text;
}

std::optional<Written> read_written(const SpecModel& model, const std::string& text) {
  std::optional<Written> found;
  for (const auto& opset : model.opsets) {
    if (opset->notation.empty()) continue;
    Written here;
    here.opset = opset.get();
    const auto use = [&](std::string_view field, std::string_view word) {
      if (field == "src") here.src = word;
      else if (field == "dst") here.dst = word;
      else here.attributes.push_back(std::string(field) + "=" + std::string(word));
      return true;
    };
    if (notation::match(opset->notation, text, use)) found = here;
  }
  return found;
}

}  // namespace castforge::spec
