// Inheritance: from op-set files to op-sets. An op-set counts as linked when every cell of it is decided; what is
// wrong with a parent is said once, not again for its children.
#include <algorithm>
#include <castforge/loadable.hpp>
#include <set>
#include <stdexcept>

#include "spec/attributes.hpp"
#include "spec/check_opset.hpp"
#include "spec/compiled_part.hpp"
#include "spec/named_types.hpp"
#include "spec/names.hpp"
#include "spec/nearest.hpp"
#include "spec/read.hpp"
#include "spec/read_rules.hpp"
#include "spec/resolve.hpp"
#include "spec/standing.hpp"

namespace castforge::spec {
namespace {

using Pair = std::pair<const Type*, const Type*>;

// Each is resolved for itself.
constexpr std::size_t kMostCombinations = 1024;

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
        types_(model, diagnostics),
        linked_(files.size()) {}

  void run();

 private:
  void link(std::size_t index);
  bool inherit(std::size_t index, OpSet& opset);
  void read_types(const OpSetFile& file, OpSet& opset);
  void read_pairs(const OpSetFile& file, Linked& linked);
  void form_pairs(Linked& linked);
  void merge_attributes(const OpSetFile& file, OpSet& opset);

  void check_wanted() const;
  bool is_taken(const OpSetFile& file) const;

  const std::vector<std::unique_ptr<OpSetFile>>& files_;
  const std::vector<std::string>& wanted_;
  const std::set<const Type*>& added_;
  SpecModel& model_;
  Diagnostics& diagnostics_;
  NamedTypes types_;
  std::vector<Linked> linked_;
  std::vector<std::size_t> open_;  // files being linked, outermost first
};

void Linker::run() {
  report_duplicates(files_, diagnostics_);
  for (std::size_t i = 0; i < files_.size(); ++i) link(i);
  std::vector<const OpSet*> good;
  for (const Linked& linked : linked_)
    good.push_back(linked.state == Linked::State::done ? linked.opset.get() : nullptr);
  check_standing(files_, good, diagnostics_);
  check_wanted();
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (linked_[i].state != Linked::State::done) continue;
    // In every case, so that what is wrong is an error wherever the file is read.
    OpSet compiled = *linked_[i].opset;
    if (files_[i]->compiled != nullptr) keep_compiled(*files_[i]->compiled, types_, compiled, diagnostics_);
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
    check_options(file, opset, diagnostics_);
    check_notation(file, opset, diagnostics_);
    read_rules(file, model_, opset, diagnostics_);
    check_inherited_tests(file, opset, diagnostics_);
  }
  open_.pop_back();
  if (inherited && diagnostics_.size() == errors_before) {
    PairFilter to_be_checked;  // all
    if (file.good) {
      to_be_checked = [&](const Type& src, const Type& dst) { return added_.contains(&src) || added_.contains(&dst); };
    }
    const std::vector<Cell> cells = resolve(opset, diagnostics_, to_be_checked, file.good ? &added_ : nullptr);
    if (diagnostics_.size() == errors_before) check_bits(file, opset, cells, added_, diagnostics_);
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
  const int found = find_file(files_, file.parent_family, file.parent_version);
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

void Linker::read_types(const OpSetFile& file, OpSet& opset) {
  if (file.types_remove != nullptr) {
    for (const Node& name : file.types_remove->items) {
      const Type* type = types_.known(name);
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
    const Type* type = types_.known(name);
    if (type == nullptr) continue;
    if (!opset.admits(*type)) opset.types.push_back(type);
    else diagnostics_.error(name.where, "type " + name.describe() + " is already admitted");
  }
}

void Linker::read_pairs(const OpSetFile& file, Linked& linked) {
  if (file.pairs == nullptr) return;
  linked.all_pairs = file.pairs->kind == Node::Kind::string;
  linked.listed_pairs.clear();
  for (const Node::Member& member : file.pairs->members) {
    const Type* src = types_.admitted(member.key, member.key_where, *linked.opset);
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
      const Type* dst = types_.admitted(item.text, item.where, *linked.opset);
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
  if (combination_count(opset) <= kMostCombinations && opset.attributes.size() <= loadable::kMostAttributes) return;
  diagnostics_.error(file.where, "more than " + std::to_string(loadable::kMostAttributes) + " attributes or " +
                                     std::to_string(kMostCombinations) + " combinations of their values");
}

}  // namespace

void link_opsets(const std::vector<std::unique_ptr<OpSetFile>>& files, const std::vector<std::string>& wanted,
                 const std::set<const Type*>& added, SpecModel& model, Diagnostics& diagnostics) {
  Linker(files, wanted, added, model, diagnostics).run();
}

}  // namespace castforge::spec
