#include "spec/resolve.hpp"

#include <algorithm>
#include <set>

#include "spec/attributes.hpp"
#include "spec/canonical.hpp"
#include "spec/selectors.hpp"
#include "spec/words.hpp"

namespace castforge::spec {
namespace {

/// Whether the float has exactly the value 1; decided on its own grid.
bool holds_one(const Type& type) {
  if (type.max_finite() < 1 || type.min_positive() > 1) return false;
  const int ulp_exponent = type.min_exponent() - type.mantissa_bits;
  return ulp_exponent <= 0;
}

std::vector<std::string> needs_of_same_type(const Type& type, const Meaning& decided) {
  if (type.kind == Kind::string) return {};
  std::vector<std::string> needs = {"same_type"};
  if (type.kind != Kind::floating) return needs;
  if (type.infinity) needs.push_back("inf");
  const bool integral = decided.same_type == SameType::integral;
  if (integral || (type.infinity && decided.inf == InfResult::as_overflow)) {
    needs.push_back("round");
    needs.push_back("overflow");
  }
  if (integral && !type.has_zero()) needs.push_back("zero");
  return needs;
}

/// The properties that the pair must have; `decided` tells what the rules made of those that others depend on.
std::vector<std::string> needs_of(const Type& src, const Type& dst, const Meaning& decided) {
  if (decided.bits == Bits::kept) return {};
  if (&src == &dst && !converts_to_itself(decided)) return needs_of_same_type(dst, decided);
  if (dst.kind == Kind::string) return {"format"};
  std::vector<std::string> needs;
  const bool real = src.kind == Kind::floating || src.kind == Kind::string;
  if (src.kind == Kind::string) needs.push_back("parse");
  if (dst.kind == Kind::integer) {
    if (real) needs.push_back("round");
    if (src.kind != Kind::boolean) needs.push_back("overflow");
  }
  if (dst.kind == Kind::floating && (src.kind != Kind::boolean || !holds_one(dst))) {
    needs.push_back("round");
    needs.push_back("overflow");
  }
  if (dst.kind != Kind::boolean && real) {
    needs.push_back("inf");
    needs.push_back("nan");
  }
  if (dst.kind == Kind::floating) {
    if (!dst.is_signed && src.kind != Kind::boolean) needs.push_back("negative");
    if (!dst.has_zero()) needs.push_back("zero");
    if (!dst.has_zero() && (real || !holds_one(dst))) needs.push_back("underflow");
  }
  if (&src == &dst) needs.push_back("same_type");
  return needs;
}

void decide(const std::string& property, const Settings& set, Meaning& meaning) {
  find_property(property)->decide(set, set.values.at(property), meaning);
}

/// Whether elements of both are as many bits at the same place of their storage.
bool lies_alike(const Type& src, const Type& dst) {
  return src.kind != Kind::string && dst.kind != Kind::string && src.value_bits == dst.value_bits &&
         src.storage_bits == dst.storage_bits && src.storage_high == dst.storage_high;
}

/// The properties of the pair that rules may leave out.
std::vector<std::string> options_of(const Type& src, const Type& dst, const Meaning& decided,
                                    const std::vector<std::string>& needs) {
  std::vector<std::string> options = {"bits"};
  const auto needed = [&](const char* property) {
    return std::find(needs.begin(), needs.end(), property) != needs.end();
  };
  if (dst.kind == Kind::integer && needed("overflow")) options.push_back("saturate_first");
  if (needed("negative")) options.push_back("negative_test");
  if (needed("negative") && needed("inf")) options.push_back("negative_inf");
  const bool may_be_minus_zero =
      src.kind == Kind::floating || src.kind == Kind::string || (src.kind == Kind::integer && src.is_signed);
  const bool converts = &src != &dst || converts_to_itself(decided);
  if (converts && may_be_minus_zero && dst.kind == Kind::floating && dst.has_negative_zero() && needed("round"))
    options.push_back("zero_sign");
  return options;
}

/// Why the destination cannot follow the word; empty when it can.
std::string contradiction(const std::string& property, const std::string& word, const Type& src, const Type& dst) {
  const bool integer = dst.kind == Kind::integer;
  const bool one_of_integer_words = word == "wrap" || word == "saturate" || word == "indefinite";
  const std::string has_no = "but " + dst.name + " has no ";
  if (property == "overflow") {
    if (integer && !one_of_integer_words) return "but " + dst.name + " is an integer type";
    if (!integer && one_of_integer_words) return "but " + dst.name + " is a float type";
  }
  if (property == "inf") {
    if (integer && word == "infinity") return has_no + "infinity";
    if (integer && word == "nan") return has_no + "NaN";
    if (integer && word == "max") return "but the ends of the integer type " + dst.name + " are called \"saturate\"";
    if (!integer && word == "saturate") return "but " + dst.name + " is a float type";
    if (!integer && word == "zero" && !dst.has_zero()) return has_no + "zero";
  }
  if (property == "nan") {
    if (word == "nan" && !dst.has_nan()) return has_no + "NaN";
    if (word == "zero" && !dst.has_zero()) return has_no + "zero";
    if (word == "zero_opposite" && !dst.has_negative_zero()) return has_no + "negative zero";
  }
  const bool below =
      property == "negative" || property == "negative_inf" || property == "zero" || property == "underflow";
  if (below && word == "nan" && !dst.has_nan()) return has_no + "NaN";
  if (property == "bits" && word == "kept" && !lies_alike(src, dst)) {
    return "but " + src.name + " and " + dst.name + " do not have the same bits";
  }
  if (property == "same_type" && word == "integral" && (&src != &dst || dst.kind != Kind::floating)) {
    return "but " + dst.name + " is no float type";
  }
  return {};
}

class Resolver {
 public:
  Resolver(const OpSet& opset, const PairFilter& wanted, const std::set<const Type*>* added, Diagnostics& diagnostics)
      : opset_(opset), wanted_(wanted), added_(added), diagnostics_(diagnostics) {}

  std::vector<Cell> run();

 private:
  /// Rules that speak of the pair, in order.
  std::vector<const Rule*> rules_for(const Type& src, const Type& dst) const;
  bool tests_hold(const Rule& rule, const std::vector<std::size_t>& values) const;
  Meaning resolve_one(const Cell& cell, const std::vector<const Rule*>& rules, std::size_t number);
  void find_attributes(Cell& cell, const std::vector<const Rule*>& rules) const;
  /// The type of the pair that was added to an op-set known to be good; null where it is not the types' fault.
  const Type* added_of(const Cell& cell) const;
  void report_contradiction(const Rule& rule, const std::string& property, const std::string& what, const Cell& cell);
  void report_undecided() const;
  void report_useless() const;

  bool failed() const { return diagnostics_.size() != errors_before_ || !undecided_.empty(); }

  const OpSet& opset_;
  const PairFilter& wanted_;
  const std::set<const Type*>* const added_;
  Diagnostics& diagnostics_;
  std::size_t errors_before_ = diagnostics_.size();
  struct Undecided {
    std::string first;            // the first cell, as printed
    const Type* added = nullptr;  // of it
    std::size_t more = 0;
  };
  std::map<std::string, Undecided> undecided_;                  // by property
  std::set<std::pair<const Rule*, std::string>> contradicted_;  // rule, property: reported once
  std::set<std::pair<const Rule*, std::string>> used_;          // rule, property: some pair has that property
};

std::vector<Cell> Resolver::run() {
  const std::size_t combinations = combination_count(opset_);
  std::vector<Cell> cells;
  for (const auto& [src, dst] : opset_.pairs) {
    if (wanted_ && !wanted_(*src, *dst)) continue;
    Cell cell;
    cell.src = src;
    cell.dst = dst;
    const std::vector<const Rule*> rules = rules_for(*src, *dst);
    for (std::size_t number = 0; number < combinations; ++number) {
      cell.variants.push_back(resolve_one(cell, rules, number));
    }
    find_attributes(cell, rules);
    cells.push_back(std::move(cell));
  }
  if (failed()) report_undecided();
  else if (opset_.open_to.empty() && !wanted_) report_useless();
  return cells;
}

std::vector<const Rule*> Resolver::rules_for(const Type& src, const Type& dst) const {
  std::vector<const Rule*> rules;
  for (const Rule& rule : opset_.rules) {
    if (applies(rule, src, dst)) rules.push_back(&rule);
  }
  return rules;
}

bool Resolver::tests_hold(const Rule& rule, const std::vector<std::size_t>& values) const {
  return std::all_of(rule.attr.begin(), rule.attr.end(), [&](const auto& test) {
    const std::size_t index = static_cast<std::size_t>(opset_.find_attribute(test.first));
    return opset_.attributes[index].values[values[index]] == test.second;
  });
}

Meaning Resolver::resolve_one(const Cell& cell, const std::vector<const Rule*>& rules, std::size_t number) {
  const std::vector<std::size_t> values = combination(opset_, number);
  std::map<std::string, const Rule*> deciders;
  Meaning all;  // with everything that was set, needed or not
  all.src = cell.src;
  all.dst = cell.dst;
  std::vector<const Rule*> active;
  for (const Rule* rule : rules) {
    if (!tests_hold(*rule, values)) continue;
    active.push_back(rule);
    for (const auto& [property, word] : rule->set.values) {
      deciders[property] = rule;
      decide(property, rule->set, all);
    }
  }
  Meaning meaning;
  meaning.src = cell.src;
  meaning.dst = cell.dst;
  std::vector<std::string> needs = needs_of(*cell.src, *cell.dst, all);
  for (const std::string& property : options_of(*cell.src, *cell.dst, all, needs)) {
    if (deciders.contains(property)) needs.push_back(property);
  }
  for (const std::string& property : needs) {
    for (const Rule* rule : active) {
      if (rule->set.values.contains(property)) used_.insert({rule, property});
    }
    const auto found = deciders.find(property);
    if (found == deciders.end()) {
      Undecided& undecided = undecided_[property];
      if (undecided.first.empty()) {
        undecided.first = cell.src->name + " -> " + cell.dst->name + " " + print_combination(opset_, number);
        undecided.added = added_of(cell);
      } else {
        ++undecided.more;
      }
      continue;
    }
    const Rule* rule = found->second;
    const std::string& word = rule->set.values.at(property);
    const std::string why_not = contradiction(property, word, *cell.src, *cell.dst);
    if (!why_not.empty())
      report_contradiction(*rule, property, "\"" + property + "\": \"" + word + "\" " + why_not, cell);
    decide(property, rule->set, meaning);
    meaning.decided_by[property] = rule;
  }
  if (meaning.saturate_first && meaning.overflow == Overflow::indefinite) {
    report_contradiction(*meaning.decided_by.at("saturate_first"), "saturate_first",
                         "\"saturate_first\" belongs to \"overflow\": \"wrap\" or \"saturate\", but rule \"" +
                             meaning.decided_by.at("overflow")->id + "\" says \"indefinite\"",
                         cell);
  }
  return meaning;
}

const Type* Resolver::added_of(const Cell& cell) const {
  for (const Type* const type : {cell.dst, cell.src}) {
    if (added_ != nullptr && added_->contains(type)) return type;
  }
  return nullptr;
}

/// A setting that the destination cannot follow, once for all pairs.
void Resolver::report_contradiction(const Rule& rule, const std::string& property, const std::string& what,
                                    const Cell& cell) {
  if (!contradicted_.insert({&rule, property}).second) return;
  const Location& said = rule.set.where.at(property);
  const Type* const added = added_of(cell);
  const bool inherited = said.file != opset_.where.file;
  const std::string by =
      added != nullptr || inherited ? ", rule \"" + rule.id + "\" at " + diagnostics_.cite(said) : "";
  diagnostics_.error(added != nullptr ? added->where
                     : inherited      ? opset_.where
                                      : said,
                     what + " (" + opset_.name() + ", " + cell.src->name + " -> " + cell.dst->name + by + ")");
}

void Resolver::find_attributes(Cell& cell, const std::vector<const Rule*>& rules) const {
  for (const Rule* rule : rules) {
    for (const auto& [attribute, value] : rule->attr) {
      cell.attributes_tested |= 1u << opset_.find_attribute(attribute);
    }
  }
  if (cell.attributes_tested == 0 || failed()) return;
  std::vector<Meaning> forms;
  for (const Meaning& meaning : cell.variants) forms.push_back(canonical(meaning));
  std::size_t stride = 1;
  for (std::size_t i = opset_.attributes.size(); i-- > 0;) {
    const std::size_t size = opset_.attributes[i].values.size();
    for (std::size_t number = 0; number < forms.size(); ++number) {
      const std::size_t first = number - number / stride % size * stride;  // the same with value 0 of attribute i
      if (!same_properties(forms[number], forms[first])) cell.attributes_used |= 1u << i;
    }
    stride *= size;
  }
}

void Resolver::report_undecided() const {
  for (const auto& [property, undecided] : undecided_) {
    const std::string more = undecided.more == 0 ? "" : " (and " + std::to_string(undecided.more) + " more like it)";
    const bool good = undecided.added != nullptr;
    const std::string of = good ? " of " + opset_.name() + " (" + diagnostics_.cite(opset_.where) + ")" : "";
    diagnostics_.error(good ? undecided.added->where : opset_.where,
                       undecided.first + ": no rule" + of + " sets \"" + property + "\"" + more);
  }
}

/// Settings of the op-set's own file that speak of a property which none of their pairs has.
void Resolver::report_useless() const {
  for (const Rule& rule : opset_.rules) {
    if (rule.where.file != opset_.where.file) continue;
    for (const auto& [property, word] : rule.set.values) {
      if (used_.contains({&rule, property})) continue;
      diagnostics_.error(rule.set.where.at(property),
                         "rule \"" + rule.id + "\" sets \"" + property + "\", which none of its pairs has");
    }
  }
}

}  // namespace

std::vector<Cell> resolve(const OpSet& opset, Diagnostics& diagnostics, const PairFilter& wanted,
                          const std::set<const Type*>* added) {
  return Resolver(opset, wanted, added, diagnostics).run();
}

std::vector<Cell> resolve(const OpSet& opset, const PairFilter& wanted) {
  Diagnostics diagnostics;
  std::vector<Cell> cells = resolve(opset, diagnostics, wanted);
  diagnostics.throw_if_any();
  return cells;
}

}  // namespace castforge::spec
