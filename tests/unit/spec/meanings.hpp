// Looking up resolved meanings and printing them for comparison.
#pragma once

#include <map>
#include <string>

#include "scratch.hpp"
#include "spec/attributes.hpp"
#include "spec/canonical.hpp"
#include "spec/resolve.hpp"
#include "spec/words.hpp"

namespace castforge::test {

/// All cells of the shipped op-sets, or of other specs.
class Meanings {
 public:
  explicit Meanings(const std::vector<fs::path>& specs = {shipped_specs()}) : model_(spec::load(specs)) {
    for (const auto& opset : model_.opsets) cells_[opset->name()] = spec::resolve(*opset);
  }

  const spec::SpecModel& model() const { return model_; }
  const std::vector<spec::Cell>& cells(const std::string& opset) const { return cells_.at(opset); }

  /// Null when the op-set does not admit the pair.
  const spec::Cell* cell(const std::string& opset, const std::string& src, const std::string& dst) const {
    for (const spec::Cell& cell : cells_.at(opset)) {
      if (cell.src->name == src && cell.dst->name == dst) return &cell;
    }
    return nullptr;
  }

  /// Attributes that are not given have their defaults. Flags and enumerations are given as printed.
  const spec::Meaning& meaning(const std::string& opset, const std::string& src, const std::string& dst,
                               const std::map<std::string, std::string>& attributes = {}) const {
    const spec::OpSet& rules = *model_.find_opset(opset);
    std::size_t number = 0;
    for (const spec::Attribute& attribute : rules.attributes) {
      std::size_t index = attribute.default_index;
      if (const auto given = attributes.find(attribute.name); given != attributes.end()) {
        for (index = 0; spec::print(attribute.values.at(index)) != given->second;) ++index;
      }
      number = number * attribute.values.size() + index;
    }
    return cell(opset, src, dst)->variants.at(number);
  }

  /// "round nearest_even, overflow infinity, inf infinity, nan nan": the properties that were decided.
  std::string says(const std::string& opset, const std::string& src, const std::string& dst,
                   const std::map<std::string, std::string>& attributes = {}) const {
    return print(meaning(opset, src, dst, attributes));
  }

  static std::string print(const spec::Meaning& meaning) {
    std::string text;
    for (const std::string_view property : spec::property_names()) {
      if (!meaning.decided_by.contains(std::string(property))) continue;
      text += (text.empty() ? "" : ", ") + std::string(property) + " " + word(meaning, property);
    }
    return text;
  }

 private:
  static std::string word(const spec::Meaning& meaning, std::string_view property) {
    if (property == "round") return meaning.round->name;
    if (property == "overflow") return std::string(spec::word_of(meaning.overflow));
    if (property == "saturate_first") return meaning.saturate_first ? spec::print(*meaning.saturate_first) : "none";
    if (property == "inf") return std::string(spec::word_of(meaning.inf, meaning.dst->kind));
    if (property == "nan") return std::string(spec::word_of(meaning.nan));
    if (property == "negative") return std::string(spec::word_of(meaning.negative));
    if (property == "negative_test") return std::string(spec::word_of(meaning.negative_test));
    if (property == "negative_inf") return std::string(spec::word_of(meaning.negative_inf));
    if (property == "zero_sign") return std::string(spec::word_of(meaning.zero_sign));
    if (property == "bits") return std::string(spec::word_of(meaning.bits));
    if (property == "zero") return std::string(spec::word_of(meaning.zero));
    if (property == "underflow") return std::string(spec::word_of(meaning.underflow));
    if (property == "same_type") return std::string(spec::word_of(meaning.same_type));
    return property == "parse" ? meaning.parse : meaning.format;
  }

  spec::SpecModel model_;
  std::map<std::string, std::vector<spec::Cell>> cells_;
};

inline const Meanings& shipped() {
  static const Meanings meanings;
  return meanings;
}

}  // namespace castforge::test
