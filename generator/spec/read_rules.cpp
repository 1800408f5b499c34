#include "spec/read_rules.hpp"

#include <algorithm>
#include <set>

#include "spec/attributes.hpp"
#include "spec/named_types.hpp"
#include "spec/names.hpp"
#include "spec/nearest.hpp"
#include "spec/selectors.hpp"
#include "spec/words.hpp"

namespace castforge::spec {
namespace {

// The word of `saturate_first` that takes a parent's range back.
constexpr std::string_view kNoRange = "none";

struct RuleReader {
  const SpecModel& model;
  const NamedTypes& types;
  Diagnostics& diagnostics;

  void read_all(const Node& rules, OpSet& opset) const;

 private:
  bool read_rule(const Node& node, const OpSet& opset, Rule& rule) const;
  void read_selectors(const ObjectReader& in, std::string_view key, const OpSet& opset,
                      std::vector<std::string>& out) const;
  void read_attribute_tests(const ObjectReader& in, const OpSet& opset, Rule& rule) const;
  void read_settings(const ObjectReader& in, Rule& rule) const;
};

void RuleReader::read_all(const Node& rules, OpSet& opset) const {
  std::set<std::string> own;
  for (const Node& node : rules.items) {
    Rule rule;
    if (!read_rule(node, opset, rule)) continue;
    if (!own.insert(rule.id).second) {
      diagnostics.error(node.find("id")->where, "rule \"" + rule.id + "\" is already defined in this file");
      continue;
    }
    const bool alive = std::any_of(opset.pairs.begin(), opset.pairs.end(),
                                   [&](const auto& pair) { return applies(rule, *pair.first, *pair.second); });
    if (!alive && opset.open_to.empty()) {
      diagnostics.error(rule.where, "rule \"" + rule.id + "\" matches no admitted pair");
      continue;
    }
    const auto parent =
        std::find_if(opset.rules.begin(), opset.rules.end(), [&](const Rule& other) { return other.id == rule.id; });
    if (parent != opset.rules.end()) *parent = std::move(rule);
    else opset.rules.push_back(std::move(rule));
  }
}

bool RuleReader::read_rule(const Node& node, const OpSet& opset, Rule& rule) const {
  if (node.kind != Node::Kind::object) {
    diagnostics.error(node.where, "expected a rule, found " + node.describe());
    return false;
  }
  const std::size_t errors_before = diagnostics.size();
  const ObjectReader in(node, " for a rule", diagnostics);
  in.reject_unknown_keys({"id", "src", "dst", "attr", "set", "basis", "doc"});
  rule.family = opset.family;
  rule.where = node.where;
  if (const Node* id = in.required("id")) {
    if (id->kind == Node::Kind::string && is_opset_name(id->text)) rule.id = id->text;
    else in.error(id->where, "\"id\" must match [a-z][a-z0-9-]* (got " + id->describe() + ")");
  }
  read_selectors(in, "src", opset, rule.src);
  read_selectors(in, "dst", opset, rule.dst);
  read_attribute_tests(in, opset, rule);
  read_settings(in, rule);
  rule.basis = in.prose("basis");
  in.prose("doc");
  return diagnostics.size() == errors_before;
}

void RuleReader::read_selectors(const ObjectReader& in, std::string_view key, const OpSet& opset,
                                std::vector<std::string>& out) const {
  const Node* node = in.required(key);
  if (node == nullptr) return;
  std::vector<const Node*> texts;
  if (node->kind == Node::Kind::array) {
    for (const Node& item : node->items) texts.push_back(&item);
  } else {
    texts.push_back(node);
  }
  if (texts.empty()) in.error(node->where, "\"" + std::string(key) + "\" is empty");
  for (const Node* text : texts) {
    if (text->kind != Node::Kind::string) {
      in.error(text->where,
               "\"" + std::string(key) + "\" must hold type names and class words (got " + text->describe() + ")");
      continue;
    }
    if (text->text.empty()) {  // without a word, every type would be meant
      in.error(text->where, "expected a type, class or any, found \"\"");
      continue;
    }
    const Selector selector = parse_selector(text->text);
    if (!selector.type.empty()) {
      const bool known = std::any_of(model.types.begin(), model.types.end(),
                                     [&](const auto& type) { return type->name == selector.type; });
      if (known) types.admitted(selector.type, text->where, opset);
      else {
        std::vector<std::string> names = types.names();
        for (const std::string_view word : class_words()) names.emplace_back(word);
        in.error(text->where, "unknown type or class \"" + selector.type + "\"" +
                                  did_you_mean(selector.type, names, "classes are " + join(class_words())));
      }
    }
    for (const std::string& word : selector.words) {
      if (!is_class_word(word)) {
        in.error(text->where, "unknown class word \"" + word + "\"" +
                                  did_you_mean(word, class_words(), "classes are " + join(class_words())));
      } else if (word == "same" && key == "src") {
        in.error(text->where, "\"same\" belongs into \"dst\"");
      }
    }
    out.push_back(text->text);
  }
}

void RuleReader::read_attribute_tests(const ObjectReader& in, const OpSet& opset, Rule& rule) const {
  const Node* tests = in.shaped("attr", Node::Kind::object, "an object of attribute: value");
  if (tests == nullptr) return;
  for (const Node::Member& test : tests->members) {
    const int index = opset.find_attribute(test.key);
    if (index < 0) {
      std::vector<std::string> names;
      for (const Attribute& attribute : opset.attributes) names.push_back(attribute.name);
      in.error(test.key_where, "rule \"" + rule.id + "\" tests attribute \"" + test.key + "\", which " + opset.name() +
                                   " does not have" + did_you_mean(test.key, names));
      continue;
    }
    const Attribute& attribute = opset.attributes[static_cast<std::size_t>(index)];
    const int value = index_of_value(attribute, test.value);
    if (value < 0) {
      in.error(test.value.where, test.value.describe() + " is not a value of attribute \"" + attribute.name +
                                     "\"; its values are " + list_values(attribute));
      continue;
    }
    rule.attr.emplace_back(attribute.name, attribute.values[static_cast<std::size_t>(value)]);
  }
}

void RuleReader::read_settings(const ObjectReader& in, Rule& rule) const {
  const Node* set = in.required("set");
  if (set == nullptr) return;
  if (set->kind != Node::Kind::object || set->members.empty()) {
    in.error(set->where, "\"set\" must be an object of property: word (got " +
                             (set->kind == Node::Kind::object ? "an empty object" : set->describe()) + ")");
    return;
  }
  for (const Node::Member& member : set->members) {
    const RuleProperty* const property = find_property(member.key);
    if (property == nullptr) {
      in.error(member.key_where,
               "unknown property \"" + member.key + "\"" +
                   did_you_mean(member.key, property_names(), "properties are " + join(property_names())));
      continue;
    }
    std::vector<std::string_view> words = property->words;
    if (member.key == "round") {
      for (const auto& rounding : model.roundings) words.push_back(rounding->name);
    }
    if (member.key == "saturate_first") {
      words.push_back(kNoRange);
      for (const auto& type : model.types) {
        if (type->kind == Kind::integer) words.push_back(type->name);
      }
    }
    const auto word = in.word(&member.value, member.key, words);
    if (!word) continue;
    rule.set.values[member.key] = *word;
    rule.set.where[member.key] = member.value.where;
    if (member.key == "round") rule.set.round = model.find_rounding(*word);
    if (member.key == "saturate_first" && *word != kNoRange)
      rule.set.saturate_first = range_of(*model.find_type(*word));
  }
}

}  // namespace

void read_rules(const OpSetFile& file, const SpecModel& model, OpSet& opset, Diagnostics& diagnostics) {
  if (file.rules == nullptr) return;
  const NamedTypes types(model, diagnostics);
  RuleReader{model, types, diagnostics}.read_all(*file.rules, opset);
}

void check_inherited_tests(const OpSetFile& file, const OpSet& opset, Diagnostics& diagnostics) {
  for (const Attribute& attribute : file.attributes) {
    const auto is_lost = [&](const std::pair<std::string, AttributeValue>& test) {
      return test.first == attribute.name &&
             std::find(attribute.values.begin(), attribute.values.end(), test.second) == attribute.values.end();
    };
    for (const Rule& rule : opset.rules) {
      const auto lost = std::find_if(rule.attr.begin(), rule.attr.end(), is_lost);
      if (lost == rule.attr.end()) continue;
      diagnostics.error(attribute.where, "attribute \"" + attribute.name + "\" has no value " + print(lost->second) +
                                             ", which the inherited rule \"" + rule.id + "\" tests; its values are " +
                                             list_values(attribute));
      break;
    }
  }
}

}  // namespace castforge::spec
