#include "driver/catalogue.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <tuple>

#include "driver/sha256.hpp"
#include "semantics/value.hpp"
#include "spec/attributes.hpp"
#include "spec/canonical.hpp"
#include "spec/resolve.hpp"
#include "spec/words.hpp"

namespace castforge::driver {
namespace {

using spec::Kind;
using spec::Meaning;
using spec::Type;

std::string part(const char* before, std::string_view word) { return before + std::string(word); }

/// Of kernel names: "sat32wrap" saturates to 32 bits first, "satu7wrap" to 7 bits without a sign.
std::string overflow_word(const Meaning& meaning) {
  const std::string word(spec::in_kernel_name(meaning.overflow));
  if (!meaning.saturate_first) return word;
  return (meaning.saturate_first->is_signed ? "sat" : "satu") + std::to_string(meaning.saturate_first->bits) + word;
}

std::string encoding_text(const Type& type) {
  std::string text = type.name;
  switch (type.kind) {
    case Kind::floating:
      text += " float s" + std::to_string(type.is_signed) + " e" + std::to_string(type.exponent_bits) + " m" +
              std::to_string(type.mantissa_bits) + " bias " + std::to_string(type.exponent_bias) +
              (type.subnormals ? " sub" : "") + (type.infinity ? " inf" : "") + " nan " +
              std::string(spec::word_of(type.nan));
      if (type.has_nan()) text += " canonical " + std::to_string(type.canonical_nan(false));
      break;
    case Kind::integer:
      text += std::string(" integer s") + std::to_string(type.is_signed) + " b" + std::to_string(type.value_bits);
      break;
    case Kind::boolean: text += " bool"; break;
    case Kind::string: text += " string"; break;
  }
  text += " in " + std::to_string(type.storage_bits);
  if (type.packing != Packing::low_first) text += " " + std::string(spec::word_of(type.packing));
  if (type.storage_high) text += " high";
  if (type.storage_sign_fill) text += " fill sign";
  return text;
}

bool is_text(const Meaning& meaning) { return meaning.src->kind == Kind::string || meaning.dst->kind == Kind::string; }

/// The parts for what only some destinations have: no sign, no zero, a choice of the sign of zero. Empty for all
/// others, as meanings are in canonical form.
std::string parts_of_few_destinations(const Meaning& meaning) {
  std::string name;
  if (meaning.negative != spec::NegativeResult::clamp) name += part("_neg", spec::word_of(meaning.negative));
  if (meaning.negative_test == spec::NegativeTest::exact) name += "exact";
  if (meaning.negative_inf != spec::NegativeInf::as_negative) name += "_neginfnan";
  if (meaning.zero_sign != spec::ZeroSign::kept) name += "_zeropos";
  if (meaning.zero != spec::BelowRange::min) name += part("_zero", spec::word_of(meaning.zero));
  if (meaning.underflow != spec::BelowRange::min) name += part("_low", spec::word_of(meaning.underflow));
  return name;
}

/// The grammar of kernel names. A part stands there only where the result is not what the parts before it suggest.
///   <src>_to_<dst>__bits                                   the bit pattern
///   <src>_to_<dst>__[converted_]<round>                    exact: nothing is rounded; converted: a type to itself
///     _integral[_<overflow>][_zero<word>]                  to whole numbers of the same type
///     [_<overflow>][_inf<word>][_nan<word>][_neg<word>[exact]][_neginfnan][_zeropos][_zero<word>][_low<word>]
/// low: what is smaller than the smallest number; negnanexact: before it is rounded; zeropos: no zero has a sign.
std::string struct_name(const Meaning& meaning) {
  const Type& src = *meaning.src;
  const Type& dst = *meaning.dst;
  std::string name = "from_" + src.name + "__";
  if (meaning.bits == spec::Bits::kept) return name + "bits";
  if (spec::converts_to_itself(meaning)) name += "converted_";
  name += rounds(meaning) ? meaning.round->short_name : "exact";
  if (&src == &dst && meaning.same_type == spec::SameType::integral && src.kind == Kind::floating) {
    name += "_integral";
    const bool rounds_up = semantics::decode(dst, dst.max_finite_code()).exponent < 0;  // the largest, maybe
    if (rounds_up) name += "_" + overflow_word(meaning);
    if (!dst.has_zero() && meaning.zero != spec::BelowRange::min) name += part("_zero", spec::word_of(meaning.zero));
    return name;
  }
  if (dst.kind == Kind::boolean) return name;
  const bool over = overflow_matters(meaning);
  if (over) name += "_" + overflow_word(meaning);
  if (src.kind == Kind::floating && src.infinity) {
    const bool follows = over && spec::in_kernel_name(meaning.inf) == overflow_word(meaning);
    const spec::InfResult to_integer = spec::clamp_range(meaning) ? spec::InfResult::max : spec::InfResult::zero;
    const bool natural =
        dst.kind == Kind::floating ? meaning.inf == spec::InfResult::infinity && !over : meaning.inf == to_integer;
    if (!follows && !natural) name += part("_inf", spec::in_kernel_name(meaning.inf));
  }
  if (src.kind == Kind::floating && src.has_nan()) {
    const spec::NanResult natural = dst.kind == Kind::floating ? spec::NanResult::nan : spec::NanResult::zero;
    if (meaning.nan != natural) name += part("_nan", spec::in_kernel_name(meaning.nan));
  }
  return name + parts_of_few_destinations(meaning);
}

/// Of a text rule: <src>_to_string__<notation>, or string_to_<dst>__<round>_<overflow>_inf<word>_nan<word> and what is
/// not the usual result of a destination without sign or zero. Strings hold every number, so every property may matter.
std::string text_rule_name(const Meaning& meaning) {
  std::string name = meaning.src->name + "_to_" + meaning.dst->name + "__";
  if (meaning.dst->kind == Kind::string) return name + meaning.format;
  name += rounds(meaning) ? meaning.round->short_name : "exact";
  if (meaning.dst->kind == Kind::boolean) return name;
  name += "_" + overflow_word(meaning) + part("_inf", spec::in_kernel_name(meaning.inf)) +
          part("_nan", spec::in_kernel_name(meaning.nan));
  return name + parts_of_few_destinations(meaning);
}

/// The op-set and its attributes that act on the cell: "onnx@19 saturate=0".
std::string request_of(const spec::OpSet& opset, const spec::Cell& cell, std::size_t variant) {
  std::string text = opset.name();
  const std::vector<std::size_t> values = spec::combination(opset, variant);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const spec::Attribute& attribute = opset.attributes[i];
    if ((cell.attributes_used >> i & 1) != 0)
      text += " " + attribute.name + "=" + spec::print(attribute.values[values[i]]);
  }
  return text;
}

}  // namespace

bool rounds(const Meaning& meaning) { return meaning.round != nullptr; }

bool overflow_matters(const Meaning& meaning) {
  const Type& src = *meaning.src;
  const Type& dst = *meaning.dst;
  if (meaning.saturate_first) return true;
  if (meaning.bits == spec::Bits::kept || &src == &dst || dst.kind == Kind::boolean || dst.kind == Kind::string ||
      src.kind == Kind::string)
    return false;
  return spec::reach(meaning).overflow;
}

std::string carry_word(const spec::Rounding& mode) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%04X", static_cast<unsigned>(mode.carry));
  return text;
}

std::string meaning_text(const Meaning& meaning) {
  std::string text = encoding_text(*meaning.src) + " -> " + encoding_text(*meaning.dst);
  const auto add = [&](const char* property, std::string_view said) {
    text += std::string(" | ") + property + " " + std::string(said);
  };
  add("round", meaning.round == nullptr ? "exact" : meaning.round->name + " " + carry_word(*meaning.round));
  add("overflow", spec::word_of(meaning.overflow));
  if (meaning.saturate_first) add("saturate_first", print(*meaning.saturate_first));
  add("inf", spec::word_of(meaning.inf, meaning.dst->kind));
  add("nan", spec::word_of(meaning.nan));
  add("negative", spec::word_of(meaning.negative));
  if (meaning.negative_test != spec::NegativeTest::rounded) add("negative_test", spec::word_of(meaning.negative_test));
  if (meaning.negative_inf != spec::NegativeInf::as_negative) add("negative_inf", spec::word_of(meaning.negative_inf));
  if (meaning.zero_sign != spec::ZeroSign::kept) add("zero_sign", spec::word_of(meaning.zero_sign));
  add("zero", spec::word_of(meaning.zero));
  add("underflow", spec::word_of(meaning.underflow));
  add("same_type", spec::word_of(meaning.same_type));
  if (meaning.bits != spec::Bits::converted) add("bits", spec::word_of(meaning.bits));
  if (!meaning.parse.empty()) add("parse", meaning.parse);
  if (!meaning.format.empty()) add("format", meaning.format);
  return text;
}

std::string meaning_summary(const Meaning& meaning) {
  const Type& src = *meaning.src;
  const Type& dst = *meaning.dst;
  const std::string pair =
      src.name + " -> " + dst.name + (spec::converts_to_itself(meaning) ? " | converted | " : " | ");
  if (meaning.bits == spec::Bits::kept) return pair + "all bits kept";
  if (dst.kind == Kind::boolean) return pair + "zero is false, everything else true";
  const Meaning usual;
  const bool same = &src == &dst && !spec::converts_to_itself(meaning), to_float = dst.kind == Kind::floating,
             from_float = src.kind == Kind::floating;
  // Results with the cases that have them, in the order in which they are first seen.
  std::vector<std::pair<std::string, std::string>> results;
  const auto add = [&](bool matters, const char* what, std::string_view result) {
    if (!matters) return;
    for (auto& [known, cases] : results) {
      if (known != result) continue;
      cases += std::string(", ") + what;
      return;
    }
    results.emplace_back(result, what);
  };
  const bool ranged = to_float ? meaning.overflow != usual.overflow
                               : dst.kind == Kind::integer && meaning.overflow != spec::Overflow::wrap;
  std::string overflow(spec::word_of(meaning.overflow));
  if (meaning.saturate_first) overflow += ", saturated to " + print(*meaning.saturate_first) + " first";
  add(overflow_matters(meaning) || ranged, "overflow", overflow);
  add(from_float && src.infinity && (!same || meaning.inf != usual.inf), "infinity",
      spec::word_of(meaning.inf, dst.kind));
  add(from_float && src.has_nan() && !same, "NaN", spec::word_of(meaning.nan));
  add(to_float && !dst.is_signed && src.is_signed && !same, "negative",
      std::string(spec::word_of(meaning.negative)) +
          (meaning.negative_test == spec::NegativeTest::exact ? ", before rounding" : ""));
  add(meaning.negative_inf != usual.negative_inf, "minus infinity", spec::word_of(meaning.negative_inf));
  add(meaning.zero_sign != usual.zero_sign, "zero", "+0");
  add(to_float && !dst.has_zero() && src.has_zero() && !same, "zero", spec::word_of(meaning.zero));
  add(to_float && !dst.has_zero() && from_float && !same, "underflow", spec::word_of(meaning.underflow));
  std::string text = pair + (rounds(meaning) ? "round " + meaning.round->name : "exact");
  if (same && meaning.same_type == spec::SameType::integral) text += " to a whole number";
  for (const auto& [result, cases] : results) text += " | " + cases + ": " + result;
  return text;
}

Catalogue resolve_catalogue(const spec::SpecModel& model,
                            const std::function<spec::PairFilter(const spec::OpSet&)>& wanted) {
  Catalogue catalogue;
  catalogue.model = &model;
  for (const auto& type : model.types) catalogue.types.push_back(type.get());
  std::sort(catalogue.types.begin(), catalogue.types.end(), [](const Type* a, const Type* b) { return a->id < b->id; });
  for (const spec::System& system : model.systems) catalogue.systems.push_back(&system);
  std::map<std::string, Kernel> kernels;      // by meaning text
  std::map<std::string, Meaning> text_rules;  // by meaning text
  struct PendingCell {
    std::pair<const Type*, const Type*> pair;
    std::uint32_t used;
    std::vector<std::string> keys;
  };
  std::vector<std::pair<const spec::OpSet*, std::vector<PendingCell>>> pending;

  for (const auto& opset : model.opsets) {
    std::vector<PendingCell> cells;
    const bool own_rules = std::all_of(opset->rules.begin(), opset->rules.end(),
                                       [&](const spec::Rule& rule) { return rule.family == opset->family; });
    for (const spec::Cell& cell : spec::resolve(*opset, wanted ? wanted(*opset) : spec::PairFilter())) {
      PendingCell entry{{cell.src, cell.dst}, cell.attributes_used, {}};
      for (std::size_t i = 0; i < opset->attributes.size(); ++i) {
        // Such an attribute is checked wherever a rule asks for it, also where its values happen to agree.
        if (opset->attributes[i].checked_where_used) entry.used |= cell.attributes_tested & (1u << i);
      }
      for (const Meaning& variant : cell.variants) {
        const Meaning canonical = spec::canonical(variant);
        const std::string text = meaning_text(canonical);
        entry.keys.push_back(text);
        if (is_text(canonical)) {
          text_rules.emplace(text, canonical);
          continue;
        }
        Kernel& kernel = kernels[text];
        kernel.opsets.insert(opset->name());
        // Cite the first op-set that states its rules itself; one built on another family only if there is no such.
        if (!kernel.text.empty() && (kernel.cites_own_rules || !own_rules)) continue;
        kernel.cites_own_rules = own_rules;
        kernel.rules.clear();
        kernel.request = request_of(*opset, cell, static_cast<std::size_t>(&variant - cell.variants.data()));
        kernel.meaning = canonical;
        kernel.text = text;
        kernel.hash = "sha256:" + sha256(text).substr(0, 12);
        kernel.struct_name = struct_name(canonical);
        kernel.name = canonical.src->name + "_to_" + canonical.dst->name + "__" +
                      kernel.struct_name.substr(kernel.struct_name.find("__") + 2);
        std::set<const spec::Rule*> seen;
        for (const spec::Rule& rule : opset->rules) {
          for (const auto& [property, decider] : variant.decided_by) {
            if (decider == &rule && seen.insert(decider).second) kernel.rules.push_back(decider);
          }
        }
      }
      cells.push_back(std::move(entry));
    }
    pending.push_back({opset.get(), std::move(cells)});
  }

  for (auto& [text, kernel] : kernels) catalogue.kernels.push_back(std::move(kernel));
  std::sort(catalogue.kernels.begin(), catalogue.kernels.end(), [](const Kernel& a, const Kernel& b) {
    return std::tie(a.meaning.dst->name, a.meaning.src->name, a.struct_name) <
           std::tie(b.meaning.dst->name, b.meaning.src->name, b.struct_name);
  });
  std::map<std::string, Entry> entries;  // by meaning text
  for (std::size_t i = 0; i < catalogue.kernels.size(); ++i) {
    Kernel& kernel = catalogue.kernels[i];
    if (i > 0 && catalogue.kernels[i - 1].name == kernel.name) {
      throw std::logic_error("two meanings share the kernel name " + kernel.name + ":\n  " +
                             catalogue.kernels[i - 1].text + "\n  " + kernel.text);
    }
    entries[kernel.text] = {Entry::List::kernels, i};
  }
  std::map<std::string, std::string> text_names;  // name -> meaning text
  for (const auto& [text, meaning] : text_rules) {
    const auto [other, fresh] = text_names.emplace(text_rule_name(meaning), text);
    if (fresh) continue;
    throw std::logic_error("two meanings share the name " + other->first + ":\n  " + other->second + "\n  " + text);
  }
  for (const auto& [name, text] : text_names) {
    entries[text] = {Entry::List::text_rules, catalogue.text_rules.size()};
    catalogue.text_rules.push_back({text_rules.at(text), name});
  }
  for (auto& [opset, cells] : pending) {
    OpSetCells out;
    out.opset = opset;
    out.types = opset->types;
    for (const PendingCell& cell : cells) {
      OpSetCells::Cell& made = out.cells[cell.pair];
      made.attributes_used = cell.used;
      for (const std::string& key : cell.keys) made.variants.push_back(entries.at(key));
    }
    catalogue.opsets.push_back(std::move(out));
  }
  return catalogue;
}

std::vector<CellInOrder> in_order(const OpSetCells& cells) {
  std::vector<CellInOrder> list;
  for (const auto& [pair, cell] : cells.cells) list.emplace_back(pair, &cell);
  std::sort(list.begin(), list.end(), [](const CellInOrder& a, const CellInOrder& b) {
    return std::pair(a.first.first->id, a.first.second->id) < std::pair(b.first.first->id, b.first.second->id);
  });
  return list;
}

std::vector<Entry> acting_variants(const spec::OpSet& opset, const OpSetCells::Cell& cell) {
  std::vector<Entry> variants;
  for (std::size_t number = 0; number < cell.variants.size(); ++number) {
    std::vector<std::size_t> values = spec::combination(opset, number);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if ((cell.attributes_used >> i & 1) == 0) values[i] = 0;
    }
    const std::size_t first = spec::combination_number(opset, values);  // of those that differ in idle attributes alone
    if (number == first) variants.push_back(cell.variants[number]);
    if (cell.variants[number] != cell.variants[first]) throw std::logic_error("an attribute acts where it should not");
  }
  return variants;
}

const std::string& Catalogue::name_of(Entry entry) const {
  if (entry.is_text()) return text_rules.at(entry.index).name;
  return entry.is_kernel() ? kernels.at(entry.index).name : references.at(entry.index).name;
}

std::string manifest_hash(const Catalogue& catalogue) {
  std::string all;
  for (const Type* type : catalogue.types) all += type->name + " " + std::to_string(type->id) + "\n";
  for (const Kernel& kernel : catalogue.kernels) all += kernel.text + "\n";
  return "sha256:" + sha256(all).substr(0, 16);
}

}  // namespace castforge::driver
