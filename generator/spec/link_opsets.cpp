// Inheritance: from op-set files to op-sets. An op-set counts as linked when every cell of it is decided; what is
// wrong with a parent is said once, not again for its children.
#include <algorithm>
#include <castforge/notation.hpp>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>

#include "spec/attributes.hpp"
#include "spec/names.hpp"
#include "spec/nearest.hpp"
#include "spec/options.hpp"
#include "spec/read.hpp"
#include "spec/resolve.hpp"
#include "spec/selectors.hpp"
#include "spec/words.hpp"

namespace castforge::spec {
namespace {

using Pair = std::pair<const Type*, const Type*>;

// The runtime has a bit for each attribute: kMostAttributes of its opset_tables.hpp, which needs generated headers.
constexpr std::size_t kMostAttributes = 16;
// Each is resolved for itself.
constexpr std::size_t kMostCombinations = 1024;

// The word of `saturate_first` that takes a parent's range back.
constexpr std::string_view kNoRange = "none";

struct Linked {
  enum class State { untouched, open, done, failed };
  State state = State::untouched;
  std::unique_ptr<OpSet> opset;
  bool all_pairs = true;
  std::set<Pair> listed_pairs;  // when not all_pairs
};

class Linker {
 public:
  Linker(const std::vector<std::unique_ptr<OpSetFile>>& files, const std::vector<std::string>& wanted,
         const std::set<const Type*>& added, SpecModel& model, Diagnostics& diagnostics)
      : files_(files),
        wanted_(wanted),
        added_(added),
        model_(model),
        diagnostics_(diagnostics),
        linked_(files.size()) {}

  void run();

 private:
  void report_duplicates() const;
  void check_standing() const;
  bool may_be_added(const OpSetFile& added, const OpSetFile& known) const;
  void check_options(const OpSetFile& file, const OpSet& opset) const;
  int find_file(const std::string& family, const std::string& version) const;
  /// Files that are known to be good, then the others: what contradicts those is to blame.
  std::vector<std::size_t> known_first() const;
  void link(std::size_t index);
  bool inherit(std::size_t index, OpSet& opset);
  void read_types(const OpSetFile& file, OpSet& opset);
  std::vector<std::string> type_names() const;
  const Type* known_type(const Node& name);
  const Type* admitted_type(const std::string& name, const Location& where, const OpSet& opset);
  void read_pairs(const OpSetFile& file, Linked& linked);
  void form_pairs(Linked& linked);
  void merge_attributes(const OpSetFile& file, OpSet& opset);
  void read_rules(const OpSetFile& file, OpSet& opset);
  void check_inherited_tests(const OpSetFile& file, const OpSet& opset) const;
  bool read_rule(const Node& node, const OpSet& opset, Rule& rule);
  void read_selectors(const ObjectReader& in, std::string_view key, const OpSet& opset, std::vector<std::string>& out);
  void read_attribute_tests(const ObjectReader& in, const OpSet& opset, Rule& rule);
  void read_settings(const ObjectReader& in, Rule& rule);

  void check_wanted() const;
  bool is_taken(const OpSetFile& file) const;
  void check_notation(const OpSetFile& file, const OpSet& opset) const;
  void check_bits(const OpSetFile& file, const OpSet& opset, const std::vector<Cell>& cells) const;
  void keep_compiled(const Node& compiled, OpSet& opset);
  void keep_values(const Node::Member& kept, OpSet& opset) const;

  const std::vector<std::unique_ptr<OpSetFile>>& files_;
  const std::vector<std::string>& wanted_;
  const std::set<const Type*>& added_;
  SpecModel& model_;
  Diagnostics& diagnostics_;
  std::vector<Linked> linked_;
  std::vector<std::size_t> open_;  // files being linked, outermost first
};

void Linker::run() {
  report_duplicates();
  for (std::size_t i = 0; i < files_.size(); ++i) link(i);
  check_standing();
  check_wanted();
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (linked_[i].state != Linked::State::done) continue;
    // In every case, so that what is wrong is an error wherever the file is read.
    OpSet compiled = *linked_[i].opset;
    if (files_[i]->compiled != nullptr) keep_compiled(*files_[i]->compiled, compiled);
    if (!is_taken(*files_[i])) continue;
    if (!files_[i]->whole && (wanted_.empty() || !files_[i]->in_library)) *linked_[i].opset = std::move(compiled);
    model_.opsets.push_back(std::move(linked_[i].opset));
  }
  std::stable_sort(model_.opsets.begin(), model_.opsets.end(), [](const auto& a, const auto& b) {
    return a->family != b->family ? a->family < b->family : compare_versions(a->version, b->version) < 0;
  });
}

/// Whether the model gets the op-set.
bool Linker::is_taken(const OpSetFile& file) const {
  if (file.whole) return true;
  if (!wanted_.empty() && file.in_library) {
    return std::any_of(wanted_.begin(), wanted_.end(),
                       [&](const std::string& name) { return name == file.family || name == file.name(); });
  }
  return file.compiled == nullptr || file.compiled->kind != Node::Kind::boolean;
}

void Linker::check_wanted() const {
  std::vector<std::string> names;
  for (const auto& file : files_) {
    if (file->in_library) names.insert(names.end(), {file->name(), file->family});
  }
  for (const std::string& name : wanted_) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw std::invalid_argument("\"" + name + "\" is no op-set and no family of them" + did_you_mean(name, names));
  }
}

/// Leaves what the library has of an op-set.
void Linker::keep_compiled(const Node& compiled, OpSet& opset) {
  if (compiled.kind != Node::Kind::object) return;
  if (const Node* without = compiled.find("without")) {
    for (const Node& name : without->items) {
      const Type* type = known_type(name);
      if (type == nullptr) continue;
      if (!opset.admits(*type)) diagnostics_.error(name.where, "type " + name.describe() + " is not admitted");
      std::erase(opset.types, type);
      std::erase_if(opset.pairs, [&](const Pair& pair) { return pair.first == type || pair.second == type; });
    }
  }
  if (const Node* attributes = compiled.find("attributes")) {
    for (const Node::Member& kept : attributes->members) keep_values(kept, opset);
  }
}

void Linker::keep_values(const Node::Member& kept, OpSet& opset) const {
  const int index = opset.find_attribute(kept.key);
  if (index < 0) {
    diagnostics_.error(kept.key_where, opset.name() + " has no attribute \"" + kept.key + "\"");
    return;
  }
  if (kept.value.kind != Node::Kind::array) {
    diagnostics_.error(kept.value.where,
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
      diagnostics_.error(item.where, item.describe() + " is not a value of attribute \"" + attribute.name +
                                         "\"; its values are " + list_values(attribute));
      continue;
    }
    const auto at = static_cast<std::size_t>(value);
    if (std::find(fewer.values.begin(), fewer.values.end(), attribute.values[at]) != fewer.values.end()) {
      diagnostics_.error(item.where, "a value is listed twice (got " + item.describe() + ")");
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
    diagnostics_.error(kept.key_where, "attribute \"" + attribute.name + "\" is a flag, which has both values");
  else if (!has_default)
    diagnostics_.error(kept.key_where, "the default of attribute \"" + attribute.name + "\" has to be among them");
  else attribute = std::move(fewer);
}

/// Each name in braces is one that a conversion has.
void Linker::check_notation(const OpSetFile& file, const OpSet& opset) const {
  const auto is_attribute = [&](std::string_view name) { return opset.find_attribute(std::string(name)) >= 0; };
  if (opset.notation.empty() || notation::is_well_formed(opset.notation, is_attribute)) return;
  diagnostics_.error(file.where,
                     "\"notation\" must be a text with {src}, {dst} and attributes in braces, each once (got \"" +
                         opset.notation + "\")");
}

/// A bitcast converts nothing.
void Linker::check_bits(const OpSetFile& file, const OpSet& opset, const std::vector<Cell>& cells) const {
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
  const Type& added = added_.contains(first->dst) ? *first->dst : *first->src;
  diagnostics_.error(file.good ? added.where : file.where,
                     first->src->name + " -> " + first->dst->name + " " + print_combination(opset, number) +
                         ": the operation bitcast keeps all bits, but no rule sets \"bits\": \"kept\"" +
                         (more == 0 ? "" : " (and " + std::to_string(more) + " more like it)"));
}

void Linker::report_duplicates() const {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const int first = find_file(files_[i]->family, files_[i]->version);
    if (first == static_cast<int>(i)) continue;
    diagnostics_.error(files_[i]->where, "op-set " + files_[i]->name() + " is already defined at " +
                                             diagnostics_.cite(files_[static_cast<std::size_t>(first)]->where));
  }
}

/// Whether a version can stand beside `known`, which says how long it is valid. What cannot is reported.
bool Linker::may_be_added(const OpSetFile& added, const OpSetFile& known) const {
  const bool whole = is_whole_number(added.version);
  if (whole &&
      (compare_versions(added.version, known.version) <= 0 || compare_versions(added.version, known.valid_through) > 0))
    return true;
  diagnostics_.error(added.where,
                     "expected " + std::string(whole ? "a version that no other one covers" : "a whole number") +
                         " as \"version\", found " + added.version + ": " + known.name() + " has \"valid_through\" " +
                         known.valid_through + " (" + diagnostics_.cite(known.where) + ")");
  return false;
}

/// What versions and families say of one another.
void Linker::check_standing() const {
  std::map<std::pair<std::string, Default>, const OpSetFile*> defaults;  // by operation and role: the first family
  std::set<const OpSetFile*> refused;                                    // added versions
  for (const std::size_t i : known_first()) {
    const OpSetFile& file = *files_[i];
    if (const Node* node = file.valid_through_node; node != nullptr && !file.valid_through.empty()) {
      const OpSetFile* next = nullptr;
      bool whole = true;
      for (const auto& other : files_) {
        if (other->family != file.family) continue;
        if (file.good && !other->good) {
          if (!refused.contains(other.get()) && !may_be_added(*other, file)) refused.insert(other.get());
          continue;
        }
        whole = whole && is_whole_number(other->version);
        const bool above = compare_versions(other->version, file.version) > 0;
        if (above && (next == nullptr || compare_versions(other->version, next->version) < 0)) next = other.get();
      }
      if (!whole) {
        diagnostics_.error(node->where, "\"valid_through\" is for families whose versions are whole numbers");
      } else if (compare_versions(file.valid_through, file.version) < 0) {
        diagnostics_.error(node->where,
                           "\"valid_through\" " + file.valid_through + " is below the version itself, " + file.version);
      } else if (next != nullptr && compare_versions(file.valid_through, next->version) >= 0) {
        diagnostics_.error(node->where, "\"valid_through\" " + file.valid_through + " is not below the next version, " +
                                            next->version);
      }
    }
    if (const Node* node = file.cast_like_node; node != nullptr && !file.cast_like_of.empty()) {
      std::vector<std::string> families;
      for (const auto& other : files_) families.push_back(other->family);
      if (std::find(families.begin(), families.end(), file.cast_like_of) == families.end()) {
        diagnostics_.error(node->where, "\"cast_like_of\" names \"" + file.cast_like_of +
                                            "\", of which no version is loaded" +
                                            did_you_mean(file.cast_like_of, families));
      }
    }
    if (linked_[i].state != Linked::State::done || file.as_default == nullptr) continue;
    const OpSet& opset = *linked_[i].opset;
    if (opset.as_default == Default::no) continue;
    const auto [first, fresh] = defaults.emplace(std::pair(opset.operation, opset.as_default), &file);
    if (!fresh && first->second->family != file.family) {
      diagnostics_.error(file.as_default->where,
                         std::string("the ") + (opset.as_default == Default::yes ? "default" : "fallback") + " for " +
                             opset.operation + " is " + first->second->family + " already (" +
                             diagnostics_.cite(first->second->as_default->where) + ")");
    }
  }
}

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

/// Options belong to an operation, and some have to be said.
void Linker::check_options(const OpSetFile& file, const OpSet& opset) const {
  for (const auto& [name, value] : file.options) {
    if (find_option(name)->operation == opset.operation) continue;
    diagnostics_.error(value.second, "option \"" + name + "\" is one of the operation " +
                                         std::string(find_option(name)->operation) + ", not of " + opset.operation);
  }
  for (const auto& [name, value] : opset.options) {
    const Option& option = *find_option(name);
    if (option.kind != Option::Kind::attribute || says_words(opset, value, option.all_words())) continue;
    const auto own = file.options.find(name);
    diagnostics_.error(own == file.options.end() ? file.where : own->second.second,
                       "option \"" + name + "\" must be " + expected_value(option) + " (got \"" + value + "\")");
  }
  const auto least = opset.options.find("min_rank"), most = opset.options.find("max_rank");
  if (least != opset.options.end() && most != opset.options.end() &&
      std::stoull(least->second) > std::stoull(most->second)) {
    const auto own = file.options.find(file.options.contains("min_rank") ? "min_rank" : "max_rank");
    diagnostics_.error(
        own == file.options.end() ? file.where : own->second.second,
        "\"min_rank\" " + least->second + " is above \"max_rank\" " + most->second + ": no tensor could be converted");
  }
  for (const Option& option : kOptionDefinitions) {
    if (!option.required || option.operation != opset.operation || opset.options.contains(std::string(option.name)))
      continue;
    diagnostics_.error(file.where, "missing option \"" + std::string(option.name) + "\" of the operation " +
                                       opset.operation + ": " + expected_value(option));
  }
}

/// Of several the one that is known to be good: the others are one too many.
int Linker::find_file(const std::string& family, const std::string& version) const {
  int found = -1;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (files_[i]->family != family || compare_versions(files_[i]->version, version) != 0) continue;
    if (found < 0 || (files_[i]->good && !files_[static_cast<std::size_t>(found)]->good)) found = static_cast<int>(i);
  }
  return found;
}

std::vector<std::size_t> Linker::known_first() const {
  std::vector<std::size_t> order(files_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(), [&](std::size_t index) { return files_[index]->good; });
  return order;
}

void Linker::link(std::size_t index) {
  Linked& linked = linked_[index];
  if (linked.state != Linked::State::untouched) return;
  linked.state = Linked::State::open;
  open_.push_back(index);
  const OpSetFile& file = *files_[index];
  const std::size_t errors_before = diagnostics_.size();
  linked.opset = std::make_unique<OpSet>();
  OpSet& opset = *linked.opset;
  const bool inherited = inherit(index, opset);
  opset.family = file.family;
  opset.version = file.version;
  opset.where = file.where;
  if (!file.operation.empty()) opset.operation = file.operation;
  opset.doc = file.doc;
  opset.cites = file.cites;
  for (const auto& [key, value] : file.options) opset.options[key] = value.first;
  opset.valid_through = file.valid_through.empty() ? file.version : file.valid_through;
  if (!file.notation.empty()) opset.notation = file.notation;
  if (file.named_in != nullptr) opset.open_to = file.named_in->text;
  if (file.parent_family != file.family) {
    if (file.notation.empty()) opset.notation.clear();
    opset.cast_like_of.clear();
    opset.as_default = Default::no;
  }
  if (!file.cast_like_of.empty()) opset.cast_like_of = file.cast_like_of;
  if (const Node* node = file.as_default) {
    opset.as_default = node->kind == Node::Kind::string ? Default::fallback
                       : node->boolean                  ? Default::yes
                                                        : Default::no;
  }
  if (inherited) {
    read_types(file, opset);
    read_pairs(file, linked);
    form_pairs(linked);
    merge_attributes(file, opset);
    check_options(file, opset);
    check_notation(file, opset);
    read_rules(file, opset);
    check_inherited_tests(file, opset);
  }
  open_.pop_back();
  if (inherited && diagnostics_.size() == errors_before) {
    PairFilter to_be_checked;  // all
    if (file.good) {
      to_be_checked = [&](const Type& src, const Type& dst) { return added_.contains(&src) || added_.contains(&dst); };
    }
    const std::vector<Cell> cells = resolve(opset, diagnostics_, to_be_checked, file.good ? &added_ : nullptr);
    if (diagnostics_.size() == errors_before) check_bits(file, opset, cells);
  }
  const bool good = inherited && diagnostics_.size() == errors_before;
  linked.state = good ? Linked::State::done : Linked::State::failed;
}

/// Copies what the parent says. False when there is no usable parent; that is reported here or was before.
bool Linker::inherit(std::size_t index, OpSet& opset) {
  const OpSetFile& file = *files_[index];
  if (file.extends == nullptr) return true;
  const Location& where = file.extends->where;
  const std::string parent_name = file.parent_family + "@" + file.parent_version;
  if (file.parent_family == file.family && compare_versions(file.parent_version, file.version) >= 0) {
    diagnostics_.error(where,
                       "\"extends\" must name a version below " + file.version + " (got " + file.parent_version + ")");
    return false;
  }
  const int found = find_file(file.parent_family, file.parent_version);
  if (found < 0) {
    diagnostics_.error(where, "\"extends\" names " + parent_name + ", which is not loaded");
    return false;
  }
  const std::size_t parent = static_cast<std::size_t>(found);
  if (linked_[parent].state == Linked::State::open) {
    std::string circle;
    for (auto it = std::find(open_.begin(), open_.end(), parent); it != open_.end(); ++it) {
      circle += files_[*it]->name() + " -> ";
    }
    diagnostics_.error(where, "inheritance cycle: " + circle + parent_name);
    return false;
  }
  link(parent);
  if (linked_[parent].state != Linked::State::done) return false;
  const OpSet& base = *linked_[parent].opset;
  opset.operation = base.operation;
  opset.types = base.types;
  opset.attributes = base.attributes;
  opset.rules = base.rules;
  opset.options = base.options;
  opset.notation = base.notation;
  opset.open_to = base.open_to;
  opset.cast_like_of = base.cast_like_of;
  opset.as_default = base.as_default;
  linked_[index].all_pairs = linked_[parent].all_pairs;
  linked_[index].listed_pairs = linked_[parent].listed_pairs;
  return true;
}

std::vector<std::string> Linker::type_names() const {
  std::vector<std::string> names;
  for (const auto& type : model_.types) names.push_back(type->name);
  return names;
}

const Type* Linker::known_type(const Node& name) {
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
    diagnostics_.error(name.where, "unknown type " + name.describe() + did_you_mean(name.text, type_names()));
  else diagnostics_.error(name.where, "expected a type name, found " + name.describe());
  return nullptr;
}

void Linker::read_types(const OpSetFile& file, OpSet& opset) {
  if (file.types_remove != nullptr) {
    for (const Node& name : file.types_remove->items) {
      const Type* type = known_type(name);
      if (type == nullptr) continue;
      const auto found = std::find(opset.types.begin(), opset.types.end(), type);
      if (found != opset.types.end()) opset.types.erase(found);
      else diagnostics_.error(name.where, "removes type " + name.describe() + ", which is not admitted");
    }
  }
  if (file.named_in != nullptr) {
    std::vector<std::string> systems;
    for (const System& system : model_.systems) systems.push_back(system.name);
    for (const auto& type : model_.types) {
      for (const Alias& alias : type->aliases) systems.push_back(alias.system);
      const bool named = std::any_of(type->aliases.begin(), type->aliases.end(),
                                     [&](const Alias& alias) { return alias.system == file.named_in->text; });
      if (named && !opset.admits(*type)) opset.types.push_back(type.get());
    }
    if (std::find(systems.begin(), systems.end(), file.named_in->text) == systems.end()) {
      diagnostics_.error(file.named_in->where, "\"named_in\" names " + file.named_in->describe() +
                                                   ", a system that no spec describes and no type has an alias of" +
                                                   did_you_mean(file.named_in->text, systems));
    }
  }
  if (file.types_add == nullptr) return;
  if (file.types_add->kind == Node::Kind::string) {  // "all": every number there is
    for (const auto& type : model_.types) {
      if (type->kind != Kind::string && !opset.admits(*type)) opset.types.push_back(type.get());
    }
    return;
  }
  for (const Node& name : file.types_add->items) {
    const Type* type = known_type(name);
    if (type == nullptr) continue;
    if (!opset.admits(*type)) opset.types.push_back(type);
    else diagnostics_.error(name.where, "type " + name.describe() + " is already admitted");
  }
}

const Type* Linker::admitted_type(const std::string& name, const Location& where, const OpSet& opset) {
  for (const auto& type : model_.types) {
    if (type->name != name) continue;
    if (opset.admits(*type)) return type.get();
    diagnostics_.error(where, "type \"" + name + "\" is not admitted by " + opset.name());
    return nullptr;
  }
  diagnostics_.error(where, "unknown type \"" + name + "\"" + did_you_mean(name, type_names()));
  return nullptr;
}

void Linker::read_pairs(const OpSetFile& file, Linked& linked) {
  if (file.pairs == nullptr) return;
  linked.all_pairs = file.pairs->kind == Node::Kind::string;
  linked.listed_pairs.clear();
  for (const Node::Member& member : file.pairs->members) {
    const Type* src = admitted_type(member.key, member.key_where, *linked.opset);
    if (member.value.kind != Node::Kind::array) {
      diagnostics_.error(member.value.where,
                         "expected an array of destination types, found " + member.value.describe());
      continue;
    }
    for (const Node& item : member.value.items) {
      if (item.kind != Node::Kind::string) {
        diagnostics_.error(item.where, "expected a type name, found " + item.describe());
        continue;
      }
      const Type* dst = admitted_type(item.text, item.where, *linked.opset);
      if (src == nullptr || dst == nullptr) continue;
      if (!linked.listed_pairs.insert({src, dst}).second) {
        diagnostics_.error(item.where, "pair " + src->name + " -> " + dst->name + " is listed twice");
      }
    }
  }
}

void Linker::form_pairs(Linked& linked) {
  OpSet& opset = *linked.opset;
  for (const Type* src : opset.types) {
    for (const Type* dst : opset.types) {
      if (linked.all_pairs || linked.listed_pairs.contains({src, dst})) opset.pairs.emplace_back(src, dst);
    }
  }
}

void Linker::merge_attributes(const OpSetFile& file, OpSet& opset) {
  for (const Attribute& attribute : file.attributes) {
    const int known = opset.find_attribute(attribute.name);
    if (known < 0) opset.attributes.push_back(attribute);
    else opset.attributes[static_cast<std::size_t>(known)] = attribute;
  }
  // Checked attribute by attribute, so that the product cannot wrap around.
  std::size_t combinations = 1;
  for (const Attribute& attribute : opset.attributes) {
    combinations *= attribute.values.size();
    if (combinations <= kMostCombinations && opset.attributes.size() <= kMostAttributes) continue;
    diagnostics_.error(file.where, "more than " + std::to_string(kMostAttributes) + " attributes or " +
                                       std::to_string(kMostCombinations) + " combinations of their values");
    return;
  }
}

void Linker::read_rules(const OpSetFile& file, OpSet& opset) {
  if (file.rules == nullptr) return;
  std::set<std::string> own;
  for (const Node& node : file.rules->items) {
    Rule rule;
    if (!read_rule(node, opset, rule)) continue;
    if (!own.insert(rule.id).second) {
      diagnostics_.error(node.find("id")->where, "rule \"" + rule.id + "\" is already defined in this file");
      continue;
    }
    const bool alive = std::any_of(opset.pairs.begin(), opset.pairs.end(),
                                   [&](const Pair& pair) { return applies(rule, *pair.first, *pair.second); });
    if (!alive && opset.open_to.empty()) {
      diagnostics_.error(rule.where, "rule \"" + rule.id + "\" matches no admitted pair");
      continue;
    }
    const auto parent =
        std::find_if(opset.rules.begin(), opset.rules.end(), [&](const Rule& other) { return other.id == rule.id; });
    if (parent != opset.rules.end()) *parent = std::move(rule);
    else opset.rules.push_back(std::move(rule));
  }
}

/// A rule that was taken over would never hold again where its attribute has lost the value that it tests.
void Linker::check_inherited_tests(const OpSetFile& file, const OpSet& opset) const {
  for (const Attribute& attribute : file.attributes) {
    const auto is_lost = [&](const std::pair<std::string, AttributeValue>& test) {
      return test.first == attribute.name &&
             std::find(attribute.values.begin(), attribute.values.end(), test.second) == attribute.values.end();
    };
    for (const Rule& rule : opset.rules) {
      const auto lost = std::find_if(rule.attr.begin(), rule.attr.end(), is_lost);
      if (lost == rule.attr.end()) continue;
      diagnostics_.error(attribute.where, "attribute \"" + attribute.name + "\" has no value " + print(lost->second) +
                                              ", which the inherited rule \"" + rule.id + "\" tests; its values are " +
                                              list_values(attribute));
      break;
    }
  }
}

bool Linker::read_rule(const Node& node, const OpSet& opset, Rule& rule) {
  if (node.kind != Node::Kind::object) {
    diagnostics_.error(node.where, "expected a rule, found " + node.describe());
    return false;
  }
  const std::size_t errors_before = diagnostics_.size();
  const ObjectReader in(node, " for a rule", diagnostics_);
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
  return diagnostics_.size() == errors_before;
}

void Linker::read_selectors(const ObjectReader& in, std::string_view key, const OpSet& opset,
                            std::vector<std::string>& out) {
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
      const bool known = std::any_of(model_.types.begin(), model_.types.end(),
                                     [&](const auto& type) { return type->name == selector.type; });
      if (known) admitted_type(selector.type, text->where, opset);
      else {
        std::vector<std::string> names = type_names();
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

void Linker::read_attribute_tests(const ObjectReader& in, const OpSet& opset, Rule& rule) {
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

void Linker::read_settings(const ObjectReader& in, Rule& rule) {
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
      for (const auto& rounding : model_.roundings) words.push_back(rounding->name);
    }
    if (member.key == "saturate_first") {
      words.push_back(kNoRange);
      for (const auto& type : model_.types) {
        if (type->kind == Kind::integer) words.push_back(type->name);
      }
    }
    const auto word = in.word(&member.value, member.key, words);
    if (!word) continue;
    rule.set.values[member.key] = *word;
    rule.set.where[member.key] = member.value.where;
    if (member.key == "round") rule.set.round = model_.find_rounding(*word);
    if (member.key == "saturate_first" && *word != kNoRange)
      rule.set.saturate_first = range_of(*model_.find_type(*word));
  }
}

}  // namespace

void link_opsets(const std::vector<std::unique_ptr<OpSetFile>>& files, const std::vector<std::string>& wanted,
                 const std::set<const Type*>& added, SpecModel& model, Diagnostics& diagnostics) {
  Linker(files, wanted, added, model, diagnostics).run();
}

}  // namespace castforge::spec
