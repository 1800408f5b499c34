// Putting a module beside what is known. Everything is checked and built first; nothing is seen before publish().
#include <algorithm>
#include <castforge/added_kernels.hpp>
#include <castforge/interface.hpp>
#include <castforge/load.hpp>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/loaded/loaded_file.hpp"
#include "src/opset_tables.hpp"
#include "src/refusal.hpp"
#include "src/registry_state.hpp"
#include "src/same_format.hpp"
#include "src/type_rows.hpp"
#include "src/user_facing.hpp"
#include "src/versions.hpp"

namespace castforge {
namespace {

using tables::Module;
using tables::Variant;

/// An op-set that is no module's own table.
struct MadeOpSet {
  tables::OpSet table;
  std::vector<Type> types;
  std::vector<Variant> variants;
};

/// A registry with what it refers to.
struct MadeRegistry : Registry {
  const Registry* before;  // whose op-sets it shares; what checks for leaks finds it here
  std::vector<tables::TypeRow> type_list;
  std::vector<const tables::OpSet*> opset_list;
  std::vector<std::uint16_t> opset_name_slots;
  std::vector<tables::TextRule> text_rule_list;
  std::vector<tables::OtherElement> other_element_list;
  std::vector<AddedKernel> kernel_list;
  std::vector<const Module*> module_list;
  std::deque<MadeOpSet> made_opsets;
  std::vector<tables::KernelFn> functions;  // of the new kernels, those of one kernel in a row

  explicit MadeRegistry(const Registry& known)
      : before(&known),
        type_list(known.types.begin(), known.types.end()),
        opset_list(known.opsets.begin(), known.opsets.end()),
        text_rule_list(known.text_rules.begin(), known.text_rules.end()),
        other_element_list(known.other_elements.begin(), known.other_elements.end()),
        kernel_list(known.added_kernels.begin(), known.added_kernels.end()),
        module_list(known.added_modules.begin(), known.added_modules.end()) {
    loaded_types = known.loaded_types;
    loaded_opsets = known.loaded_opsets;
  }

  void show_all() {
    types = type_list;
    opsets = opset_list;
    opset_name_slots.assign(name_index::slot_count(opset_list.size()), 0);
    name_index::fill(opset_name_slots, opset_list);
    opset_names = opset_name_slots;
    text_rules = text_rule_list;
    other_elements = other_element_list;
    added_kernels = kernel_list;
    added_modules = module_list;
  }
};

struct SameRule {
  bool operator()(const tables::TextRule& a, const tables::TextRule& b) const noexcept {
    return a.src == b.src && a.dst == b.dst && a.rule == b.rule && a.parse == b.parse && a.format == b.format;
  }
};

struct RuleHash {
  std::size_t operator()(const tables::TextRule& rule) const noexcept {
    const Rule& r = rule.rule;
    std::size_t hash = 0;
    for (const std::size_t part :
         {std::size_t(rule.src), std::size_t(rule.dst), std::size_t{r.carry}, std::size_t(r.overflow),
          std::size_t{r.saturate_first.bits}, std::size_t(r.inf), std::size_t(r.nan), std::size_t(r.negative),
          std::size_t(r.negative_test), std::size_t(r.negative_inf), std::size_t(r.zero_sign), std::size_t(r.zero),
          std::size_t(r.underflow), std::size_t(r.same_type), std::size_t(r.bits)})
      hash = hash * 31 + part;
    return hash;
  }
};

/// Names of types, by letters of any case, and who has each.
class TakenNames {
 public:
  /// Whether the name is now that type's alone.
  bool take(std::string_view name, Type type) {
    std::string letters(name);
    std::transform(letters.begin(), letters.end(), letters.begin(), to_lower);
    return owners_.emplace(std::move(letters), type).first->second == type;
  }

 private:
  std::unordered_map<std::string, Type> owners_;
};

/// An alias as its system knows it.
std::string in_system(const tables::Alias& alias) { return std::string(alias.system) + '\n' + alias.name; }

bool same_attributes(const tables::OpSet& a, const tables::OpSet& b) noexcept {
  if (a.attribute_count != b.attribute_count || std::string_view(a.operation) != b.operation) return false;
  for (std::uint16_t i = 0; i < a.attribute_count; ++i) {
    const tables::Attribute &x = a.attributes[i], &y = b.attributes[i];
    if (std::string_view(x.name) != y.name || x.value_count != y.value_count || x.default_index != y.default_index ||
        x.kind != y.kind)
      return false;
    for (std::uint8_t k = 0; k < x.value_count; ++k) {
      const std::string_view word = x.values[k].word == nullptr ? "" : x.values[k].word;
      if (word != (y.values[k].word == nullptr ? "" : y.values[k].word) || x.values[k].number != y.values[k].number)
        return false;
    }
  }
  return true;
}

/// What an op-set says of tensors, sequences and names. (Whether it is a default changes when a newer version comes.)
bool same_options(const tables::OpSet& a, const tables::OpSet& b) noexcept {
  const auto same = [](const char* x, const char* y) {
    return x == nullptr || y == nullptr ? x == y : std::string_view(x) == y;
  };
  return a.valid_through == b.valid_through && same(a.notation, b.notation) && same(a.cast_like_of, b.cast_like_of) &&
         std::ranges::equal(std::span(a.options, a.option_count), std::span(b.options, b.option_count),
                            [&](const tables::Option& x, const tables::Option& y) {
                              return same(x.name, y.name) && same(x.value, y.value);
                            });
}

std::optional<std::uint8_t> place_of(const tables::AttributeValue& value, const tables::Attribute& among) noexcept {
  for (std::uint8_t k = 0; k < among.value_count; ++k) {
    const char *const x = value.word, *const y = among.values[k].word;
    const bool same_word = x == nullptr || y == nullptr ? x == y : std::string_view(x) == y;
    if (same_word && among.values[k].number == value.number) return k;
  }
  return std::nullopt;
}

/// Attributes of an op-set with more values than a known one's.
class Wider {
 public:
  Wider(const tables::OpSet& known, const tables::OpSet& added) : known_(known), added_(added) {}

  /// Whether the added attributes have all values of the known ones, with the same defaults.
  bool holds() {
    if (known_.attribute_count != added_.attribute_count || std::string_view(known_.operation) != added_.operation)
      return false;
    for (std::uint16_t i = 0; i < known_.attribute_count; ++i) {
      const tables::Attribute &x = known_.attributes[i], &y = added_.attributes[i];
      if (std::string_view(x.name) != y.name || x.kind != y.kind) return false;
      auto& places = places_.emplace_back();
      for (std::uint8_t k = 0; k < x.value_count; ++k) {
        const auto place = place_of(x.values[k], y);
        if (!place) return false;
        places.push_back(*place);
      }
      if (places[x.default_index] != y.default_index) return false;
    }
    return true;
  }

  /// Whether a pair is served as before under every combination of known values of the attributes that act on it. False
  /// where these are more than any pair has: kMostCombinations.
  template <class Registered>
  bool agrees(const Variant* known, const Variant* added, const Registered& registered) const {
    const unsigned acting = known->attributes | added->attributes;
    std::size_t combinations = 1;
    for (std::uint16_t i = 0; i < known_.attribute_count; ++i) {
      if (acting >> i & 1) combinations *= known_.attributes[i].value_count;
      if (combinations > kMostCombinations) return false;
    }
    std::vector<std::uint8_t> values(known_.attribute_count);
    for (; combinations != 0; --combinations) {
      std::size_t in_known = 0, in_added = 0;
      for (std::uint16_t i = 0; i < known_.attribute_count; ++i) {
        if (known->attributes >> i & 1) in_known = in_known * known_.attributes[i].value_count + values[i];
        if (added->attributes >> i & 1) in_added = in_added * added_.attributes[i].value_count + places_[i][values[i]];
      }
      if (known[in_known].entry != registered(added[in_added].entry)) return false;
      for (std::uint16_t i = known_.attribute_count; i-- > 0;) {  // the next combination
        if ((acting >> i & 1) == 0) continue;
        if (++values[i] < known_.attributes[i].value_count) break;
        values[i] = 0;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kMostCombinations = 1 << 16;

  const tables::OpSet &known_, &added_;
  std::vector<std::vector<std::uint8_t>> places_;  // of the known values among the added ones
};

/// The order of a registry's op-sets: families by name, versions number by number, "01" before "1" before "1.0".
bool comes_before(const tables::OpSet& a, const tables::OpSet& b) noexcept {
  if (const int order = std::string_view(a.family).compare(b.family); order != 0) return order < 0;
  if (const int order = compare_versions(a.version, b.version); order != 0) return order < 0;
  return std::string_view(a.version) < b.version;
}

class Addition {
 public:
  /// `loaded`: the file that the module belongs to, whose kernels are data; null for one with code.
  Addition(const Registry& known, const Module& module, const LoadedFile* loaded)
      : known_(known), module_(module), loaded_(loaded), next_(std::make_unique<MadeRegistry>(known)) {}

  /// The registry with the module, or null where the status says why it cannot be.
  std::unique_ptr<MadeRegistry> build(Status& status) {
    using Step = Status (Addition::*)();
    for (const Step step : {&Addition::types, &Addition::kernels, &Addition::text_rules, &Addition::other_elements,
                            &Addition::opsets, &Addition::defaults}) {
      status = (this->*step)();
      if (!status) return nullptr;
    }
    next_->module_list.push_back(&module_);
    next_->show_all();
    return std::move(next_);
  }

 private:
  Status types() {
    TakenNames taken;
    struct Owner {
      Type type;
      bool shares;
    };
    std::unordered_map<std::string, Owner> in_systems;
    for (const tables::TypeRow& known : next_->type_list) {
      for (const tables::Alias& one : std::span(known.aliases, known.alias_count))
        in_systems.emplace(in_system(one), Owner{known.id, one.is_shared});
    }
    for (const tables::TypeRow& row : std::span(module_.types, module_.type_count)) {
      const auto at = std::partition_point(next_->type_list.begin(), next_->type_list.end(),
                                           [&](const tables::TypeRow& other) { return other.id < row.id; });
      const std::string_view name = row.name;
      if (at != next_->type_list.end() && at->id == row.id) {
        if (name != at->name || !same_format(*at, row)) return refused(Refusal::type, name, nullptr, row.id);
        continue;
      }
      for (const tables::TypeRow& other : next_->type_list) {
        if (name == other.name) return refused(Refusal::type, name, nullptr, row.id);
      }
      // Names of added types that a user may write mean one type each.
      const auto is_free = [&](std::string_view word) {
        return !is_user_facing(word) || (!find_type(word) && taken.take(word, row.id));
      };
      if (!is_free(name)) return refused(Refusal::alias, name);
      for (const tables::Alias& own : std::span(row.aliases, row.alias_count)) {
        const Owner owner = in_systems.emplace(in_system(own), Owner{row.id, own.is_shared}).first->second;
        const bool may_have_it = owner.type == row.id || (owner.shares && own.is_shared);
        if (!may_have_it || !is_free(own.name)) return refused(Refusal::alias, own.name);
      }
      if (loaded_ != nullptr && ++next_->loaded_types > kMostLoadedTypes) return refused(Refusal::too_many_types, name);
      next_->type_list.insert(at, row);
    }
    return Status();
  }

  Status kernels() {
    std::unordered_map<std::string_view, std::uint16_t> by_name;
    for (std::size_t i = 0; i < known_.kernel_count(); ++i)
      by_name.emplace(known_.kernel_row(i).name, static_cast<std::uint16_t>(i));
    std::size_t isa_count = 0;
    isa_table(isa_count);
    std::vector<std::size_t> isas(isa_count);  // of the module, by Isa::place
    if (loaded_ == nullptr) {
      if (const Status status = match_instruction_sets(isas); !status) return status;
    }

    std::vector<std::uint16_t> added;
    for (std::uint16_t i = 0; i < module_.kernel_count; ++i) {
      const tables::Kernel& row = module_.kernels[i];
      const auto [known, fresh] =
          by_name.emplace(row.name, static_cast<std::uint16_t>(known_.kernel_count() + added.size()));
      if (fresh) {
        added.push_back(i);
      } else if (!is_known(known->second, row.meaning)) {
        return refused(Refusal::kernel, row.name);
      }
      kernel_index_.push_back(known->second);
    }
    for (const tables::KernelReference& reference : std::span(module_.references, module_.reference_count)) {
      const auto known = by_name.find(reference.name);
      if (known == by_name.end() || !is_known(known->second, reference.meaning))
        return refused(Refusal::missing_kernel, reference.name);
      kernel_index_.push_back(known->second);
    }

    if (known_.kernel_count() + added.size() > kMostEntries) return refused(Refusal::too_many);
    if (loaded_ != nullptr) {
      for (const std::uint16_t i : added) next_->kernel_list.push_back({&loaded_->kernels[i], nullptr});
      return Status();
    }

    next_->functions.reserve(added.size() * isa_count);
    for (const std::uint16_t i : added) {
      for (std::size_t place = 0; place < isa_count; ++place)
        next_->functions.push_back(function_in(module_, isas[place], i));
    }
    for (std::size_t k = 0; k < added.size(); ++k)
      next_->kernel_list.push_back({&module_.kernels[added[k]], next_->functions.data() + k * isa_count});
    return Status();
  }

  /// Whether the kernel of that index was there before this module, with that meaning.
  bool is_known(std::size_t index, std::string_view meaning) const {
    return index < known_.kernel_count() && meaning == known_.kernel_row(index).meaning;
  }

  Status match_instruction_sets(std::vector<std::size_t>& isas) const {
    std::size_t count = 0;
    const Isa* const table = isa_table(count);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t at = 0;
      while (at < module_.isa_count && table[i].name != module_.isas[at].name) ++at;
      if (at == module_.isa_count) return refused(Refusal::instruction_set, table[i].name);
      isas[table[i].place] = at;
    }
    return Status();
  }

  Status text_rules() {
    auto& list = next_->text_rule_list;
    std::unordered_map<tables::TextRule, std::size_t, RuleHash, SameRule> places;
    for (const tables::TextRule& rule : list) places.emplace(rule, places.size());
    for (const tables::TextRule& rule : std::span(module_.text_rules, module_.text_rule_count)) {
      const auto [place, is_new] = places.emplace(rule, list.size());
      if (is_new) list.push_back(rule);
      if (list.size() > kMostEntries) return refused(Refusal::too_many);
      text_index_.push_back(static_cast<std::uint16_t>(place->second));
    }
    return Status();
  }

  Status other_elements() {
    for (const tables::OtherElement& one : std::span(module_.other_elements, module_.other_element_count)) {
      auto& list = next_->other_element_list;
      const auto same = std::find_if(list.begin(), list.end(), [&](const auto& other) {
        return std::string_view(one.system) == other.system && std::string_view(one.name) == other.name;
      });
      if (same == list.end()) list.push_back(one);
      else if (same->bits != one.bits) return refused(Refusal::alias, one.name);
    }
    return Status();
  }

  Status opsets() {
    for (const tables::OpSet* added : std::span(module_.opsets, module_.opset_count)) {
      auto& list = next_->opset_list;
      const auto at = std::partition_point(list.begin(), list.end(),
                                           [&](const tables::OpSet* other) { return comes_before(*other, *added); });
      const bool known = at != list.end() && std::string_view((*at)->name) == added->name;
      if (known && !same_options(**at, *added)) return refused(Refusal::options, {}, *at);
      if (known && !same_attributes(**at, *added)) {
        if (const Status status = widen(*at, *added); !status) return status;
        continue;
      }
      if (loaded_ != nullptr && !known && ++next_->loaded_opsets > kMostLoadedOpSets)
        return refused(Refusal::too_many_opsets, added->name);
      MadeOpSet& made = next_->made_opsets.emplace_back();
      made.table = known ? **at : *added;
      if (known) {
        made.types.assign((*at)->types, (*at)->types + (*at)->type_count);
        made.variants.assign((*at)->variants, (*at)->variants + (*at)->variant_count);
      }
      const tables::OpSet* const before = known ? *at : nullptr;
      for (const Type type : std::span(added->types, added->type_count)) {
        if (std::find(made.types.begin(), made.types.end(), type) == made.types.end()) made.types.push_back(type);
      }
      if (const Status status = cells(*added, before, made.variants); !status) return status;
      made.table.types = made.types.data();
      made.table.type_count = static_cast<std::uint16_t>(made.types.size());
      made.table.variants = made.variants.data();
      made.table.variant_count = static_cast<std::uint32_t>(made.variants.size());
      if (known) *at = &made.table;
      else list.insert(at, &made.table);
    }
    return Status();
  }

  /// Puts an op-set that has more values of its attributes in the place of the one known, of which it has everything.
  Status widen(const tables::OpSet*& known, const tables::OpSet& added) {
    Wider wider(*known, added);
    if (!wider.holds()) return refused(Refusal::attributes, {}, known);
    const auto entry_of = [&](tables::Entry entry) { return registered(entry); };
    for (const Variant& one : std::span(known->variants, known->variant_count)) {
      const Variant* const first = find_pair(*known, one.src, one.dst);
      if (first != &one) continue;
      const Variant* const pair = find_pair(added, one.src, one.dst);
      if (pair == nullptr || !wider.agrees(first, pair, entry_of))
        return refused(Refusal::cell, {}, known, one.src, one.dst);
    }
    MadeOpSet& made = next_->made_opsets.emplace_back();
    made.table = added;
    made.table.as_default = known->as_default;
    made.types.assign(known->types, known->types + known->type_count);
    for (const Type type : std::span(added.types, added.type_count)) {
      if (std::find(made.types.begin(), made.types.end(), type) == made.types.end()) made.types.push_back(type);
    }
    made.variants.assign(added.variants, added.variants + added.variant_count);
    for (Variant& one : made.variants) one.entry = registered(one.entry);
    made.table.types = made.types.data();
    made.table.type_count = static_cast<std::uint16_t>(made.types.size());
    made.table.variants = made.variants.data();
    known = &made.table;
    return Status();
  }

  /// The variants of `added`, with the registry's indices, into the list of an op-set that has been `known` before.
  Status cells(const tables::OpSet& added, const tables::OpSet* known, std::vector<Variant>& variants) const {
    const auto order = [](const Variant& a, const Variant& b) {
      return std::pair(a.src, a.dst) < std::pair(b.src, b.dst);
    };
    std::vector<Variant> fresh;
    const Variant* const end = added.variants + added.variant_count;
    for (const Variant* first = added.variants; first != end;) {
      const Variant* const last = std::find_if(first, end, [&](const Variant& one) { return order(*first, one); });
      std::vector<Variant> pair(first, last);
      for (Variant& one : pair) one.entry = registered(one.entry);
      const Variant* const old = known == nullptr ? nullptr : find_pair(*known, first->src, first->dst);
      if (old == nullptr) {
        fresh.insert(fresh.end(), pair.begin(), pair.end());
      } else {
        const Variant* const old_end = known->variants + known->variant_count;
        const Variant* const old_last =
            std::find_if(old, old_end, [&](const Variant& one) { return order(*old, one); });
        if (!std::equal(pair.begin(), pair.end(), old, old_last, [](const Variant& a, const Variant& b) {
              return a.attributes == b.attributes && a.entry == b.entry;
            })) {
          return refused(Refusal::cell, {}, known, first->src, first->dst);
        }
      }
      first = last;
    }
    const auto middle = variants.insert(variants.end(), fresh.begin(), fresh.end());
    std::inplace_merge(variants.begin(), middle, variants.end(), order);
    return Status();
  }

  tables::Entry registered(tables::Entry entry) const noexcept {
    if (entry.is_text()) return static_cast<tables::TextRuleId>(text_index_[entry.index()]);
    return static_cast<tables::KernelId>(kernel_index_[entry.index()]);
  }

  /// One family at most is the default of an operation, and one its fallback; its newest version serves.
  Status defaults() {
    auto& list = next_->opset_list;
    for (std::size_t i = list.size(); i-- > 0;) {
      const tables::Default role = list[i]->as_default;
      if (role == tables::Default::no) continue;
      for (std::size_t k = i; k-- > 0;) {
        if (list[k]->as_default != role || std::string_view(list[k]->operation) != list[i]->operation) continue;
        if (std::string_view(list[k]->family) != list[i]->family) return refused(Refusal::default_opset, list[i]->name);
        MadeOpSet& made = next_->made_opsets.emplace_back();
        made.table = *list[k];
        made.table.as_default = tables::Default::no;
        list[k] = &made.table;
      }
    }
    return Status();
  }

  const Registry& known_;
  const Module& module_;
  const LoadedFile* loaded_;
  std::unique_ptr<MadeRegistry> next_;
  std::vector<std::uint16_t> kernel_index_, text_index_;  // the registry's, by the module's
};

Status check_origin(const Module& module) noexcept {
  if (module.layout != tables::kLayout) return refused(Refusal::layout);
  if (std::string_view(module.version) != version()) return refused(Refusal::version, module.version);
  const std::string_view beside = module.beside == nullptr ? "none" : module.beside;
  if (beside != manifest_hash()) return refused(Refusal::manifest, beside);
  return Status();
}

constinit std::mutex adding;

/// Under the lock. `added` tells whether the registry refers to the module now.
Status add(const Module& module, const LoadedFile* loaded, bool& added) {
  Status status;
  std::unique_ptr<MadeRegistry> next = Addition(registry(), module, loaded).build(status);
  added = next != nullptr;
  if (added) publish(next.release());
  return status;
}

}  // namespace

Status add_kernels(const Module* module) noexcept {
  if (module == nullptr) return simple_status(StatusCode::null_pointer, Role::source, 1);
  if (const Status status = check_origin(*module); !status) return status;
  try {
    const std::lock_guard lock(adding);
    for (const Module* other : registry().added_modules) {
      if (other == module) return Status();
    }
    bool added = false;
    return add(*module, nullptr, added);
  } catch (const std::bad_alloc&) {
    return refused(Refusal::memory);
  }
}

Status add_loaded(std::unique_ptr<LoadedFile> file) {
  const std::lock_guard lock(adding);
  for (const Module* other : registry().added_modules) {
    // Files with one check hold the same, unless someone made them so: then there is nothing to gain by it.
    if (std::string_view(other->manifest) == file->module.manifest) return Status();
  }
  bool added = false;
  const Status status = add(file->module, file.get(), added);
  if (added) static_cast<void>(file.release());  // lookups may hold its rows for ever
  return status;
}

std::size_t added_kernels_count() noexcept { return registry().added_modules.size(); }

AddedKernels added_kernels(std::size_t index) noexcept {
  const Module& module = *registry().added_modules[index];
  return {module.manifest, module.type_count, module.kernel_count};
}

}  // namespace castforge
