// Where two op-sets differ: exact ranges of source values per pair.
#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "cli/io/json_text.hpp"
#include "command/command.hpp"
#include "command/differences.hpp"
#include "emit/truth_table.hpp"
#include "semantics/convert.hpp"
#include "spec/attributes.hpp"
#include "spec/canonical.hpp"
#include "spec/hex.hpp"
#include "spec/lookup.hpp"
#include "spec/resolve.hpp"

namespace castforge::command {
namespace {

using Pair = std::pair<const spec::Type*, const spec::Type*>;

/// Where two meanings of a pair differ, with a few ranges in words.
struct PairDifferences {
  struct Range {
    bool of_one_code = false;
    std::string first, last;                                     // source values
    std::string left_first, left_last, right_first, right_last;  // results of these values
  };
  const spec::Type *src, *dst;
  std::string variant;        // " name=value" of the attributes that act
  bool kept_bits = false;     // one keeps the bits, the other converts: ranges follow values, which kept bits do not
  std::uint64_t count = 0;    // ranges
  std::vector<Range> ranges;  // all; where they are many those at the beginning, and the last one
};

PairDifferences::Range range_in_words(const spec::Meaning& a, const spec::Meaning& b, const RankRange& range) {
  const ValueOrder order(*a.src);
  const auto source = [&](std::uint64_t rank) { return emit::value_text(*a.src, order.code(rank)); };
  // Both results; with their codes where these differ and say the same, as several NaNs do.
  const auto results = [&](std::uint64_t rank) {
    const std::uint64_t left = semantics::convert_code(a, order.code(rank)),
                        right = semantics::convert_code(b, order.code(rank));
    std::pair texts(emit::value_text(*a.dst, left), emit::value_text(*b.dst, right));
    if (left != right && texts.first == texts.second) {
      texts.first += " (code " + spec::hex(left, a.dst->value_bits) + ")";
      texts.second += " (code " + spec::hex(right, b.dst->value_bits) + ")";
    }
    return texts;
  };
  const auto first = results(range.first), last = results(range.last);
  return {range.first == range.last,
          source(range.first),
          source(range.last),
          first.first,
          last.first,
          first.second,
          last.second};
}

/// Nothing when all results agree.
std::optional<PairDifferences> compare_pair(const spec::Meaning& a, const spec::Meaning& b, std::size_t shown) {
  PairDifferences out{a.src, a.dst, {}, false, 0, {}};
  if (a.bits != b.bits && a.src->value_bits > 16) {
    out.kept_bits = true;
    return out;
  }
  const Differences all = a.src->value_bits <= 16 ? differences_by_code(a, b) : differences_by_structure(a, b, shown);
  if (all.count == 0) return std::nullopt;
  out.count = all.count;
  const bool all_shown = all.count <= shown && all.last.empty();
  const std::size_t first = all_shown ? all.first.size() : std::min(shown - 1, all.first.size());
  for (std::size_t i = 0; i < first; ++i) out.ranges.push_back(range_in_words(a, b, all.first[i]));
  if (!all_shown) out.ranges.push_back(range_in_words(a, b, all.last.empty() ? all.first.back() : all.last.back()));
  return out;
}

/// "first .. last": one text where they are the same.
std::string from_to(const std::string& first, const std::string& last) {
  return first == last ? first : first + " .. " + last;
}

/// What the results are at the ends of a range. Between them there may be any others.
std::string results_in_words(const PairDifferences::Range& range) {
  const std::string first = range.left_first + " | " + range.right_first,
                    last = range.left_last + " | " + range.right_last;
  if (range.of_one_code) return first;
  return first == last ? first + " at both ends" : "first " + first + ", last " + last;
}

void print(const PairDifferences& pair) {
  std::printf("%s -> %s%s: ", pair.src->name.c_str(), pair.dst->name.c_str(), pair.variant.c_str());
  if (pair.kept_bits) {
    std::printf("one keeps the bits, the other converts\n");
    return;
  }
  std::printf("%llu range%s\n", static_cast<unsigned long long>(pair.count), pair.count == 1 ? "" : "s");
  for (std::size_t i = 0; i < pair.ranges.size(); ++i) {
    if (pair.count > pair.ranges.size() && i + 1 == pair.ranges.size()) {
      std::printf("    ... %llu more ranges, then the last one\n",
                  static_cast<unsigned long long>(pair.count - pair.ranges.size()));
    }
    const PairDifferences::Range& range = pair.ranges[i];
    std::printf("    %-40s %s\n", from_to(range.first, range.last).c_str(), results_in_words(range).c_str());
  }
}

nlohmann::ordered_json json_of(const PairDifferences& pair) {
  nlohmann::ordered_json ranges = nlohmann::ordered_json::array();
  for (const PairDifferences::Range& range : pair.ranges) {
    ranges.push_back({{"source", {range.first, range.last}},
                      {"left", {range.left_first, range.left_last}},
                      {"right", {range.right_first, range.right_last}}});
  }
  return {{"source", pair.src->name},
          {"destination", pair.dst->name},
          {"attributes", pair.variant.empty() ? "" : pair.variant.substr(1)},
          {"one_keeps_the_bits", pair.kept_bits},
          {"range_count", pair.count},
          {"ranges", ranges}};
}

using Words = std::map<std::string, std::string>;  // value by name, of the attributes that act
using Variants = std::map<Words, spec::Meaning>;

/// The pairs of an op-set, in its order, and what each is.
struct Pairs {
  std::vector<Pair> order;
  std::map<Pair, Variants> variants;
};

Pairs pairs_of(const spec::OpSet& opset) {
  Pairs all;
  for (const spec::Cell& cell : spec::resolve(opset)) {
    const Pair pair{cell.src, cell.dst};
    all.order.push_back(pair);
    for (std::size_t index = 0; index < cell.variants.size(); ++index) {
      const std::vector<std::size_t> values = spec::combination(opset, index);
      Words words;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const spec::Attribute& attribute = opset.attributes[i];
        if ((cell.attributes_used >> i & 1) != 0) words[attribute.name] = spec::print(attribute.values[values[i]]);
      }
      all.variants[pair].emplace(words, spec::canonical(cell.variants[index]));
    }
  }
  return all;
}

/// What somebody says to get both variants: attributes of the same name have to have the same value. One that acts on
/// one side only goes with every variant of the other.
class Both {
 public:
  Both(const spec::OpSet& left, const spec::OpSet& right) : left_(left), right_(right) {}

  std::optional<Words> operator()(const Words& left, const Words& right) const {
    Words all = left;
    for (const auto& [name, value] : right) {
      if (all.emplace(name, value).first->second != value) return std::nullopt;
    }
    for (const auto& [name, value] : all) {
      if (!may_be(left_, name, value) || !may_be(right_, name, value)) return std::nullopt;
    }
    return all;
  }

 private:
  /// An attribute that acts on no pair of the one side is checked there all the same, as a rule.
  static bool may_be(const spec::OpSet& opset, const std::string& name, const std::string& value) {
    for (const spec::Attribute& attribute : opset.attributes) {
      if (attribute.name != name || attribute.checked_where_used) continue;
      return std::any_of(attribute.values.begin(), attribute.values.end(),
                         [&](const auto& one) { return spec::print(one) == value; });
    }
    return true;
  }

  const spec::OpSet &left_, &right_;
};

std::string text_of(const Words& words) {
  std::string text;
  for (const auto& [name, value] : words) text += " " + name + "=" + value;
  return text;
}

/// What an op-set says beside its rules, where the two say something else.
struct OptionDifference {
  std::string name, left, right;
};

std::vector<OptionDifference> option_differences(const spec::OpSet& a, const spec::OpSet& b) {
  std::map<std::string, OptionDifference> all;
  for (const auto& [name, value] : a.options) all[name] = {name, value, "not set"};
  for (const auto& [name, value] : b.options) {
    const auto [found, is_new] = all.try_emplace(name, OptionDifference{name, "not set", ""});
    found->second.right = value;
  }
  std::vector<OptionDifference> differing;
  for (const auto& [name, one] : all) {
    if (one.left != one.right) differing.push_back(one);
  }
  return differing;
}

/// Compares meanings, each two of them once: many variants mean the same.
class Comparison {
 public:
  explicit Comparison(std::size_t shown) : shown_(shown) {}

  std::optional<PairDifferences> operator()(const spec::Meaning& one, const spec::Meaning& other,
                                            const std::string& words) {
    const std::string left = driver::meaning_text(one), right = driver::meaning_text(other);
    if (left == right) return std::nullopt;
    const auto [known, is_new] = known_.try_emplace({left, right});
    if (is_new) known->second = compare_pair(one, other, shown_);
    std::optional<PairDifferences> result = known->second;
    if (result) result->variant = words;
    return result;
  }

 private:
  std::size_t shown_;
  std::map<std::pair<std::string, std::string>, std::optional<PairDifferences>> known_;
};

}  // namespace

int diff(const Places& places, const std::string& a_name, const std::string& b_name, const std::string& pair,
         std::size_t shown, bool json) {
  const spec::SpecModel model = places.model();
  const spec::OpSet* a = &spec::opset_named(model, a_name);
  const spec::OpSet* b = &spec::opset_named(model, b_name);
  // Range op-sets say what sequences are, and their conversions only what becomes of one element.
  if ((a->operation == "range") != (b->operation == "range"))
    throw std::invalid_argument(a->name() + " is of the operation " + a->operation + ", " + b->name() + " of " +
                                b->operation + ": there is nothing to compare");
  Pair only{nullptr, nullptr};
  if (!pair.empty()) only = spec::pair_named(model, pair);
  const Pairs left = pairs_of(*a), right = pairs_of(*b);
  const Both both(*a, *b);
  const std::vector<OptionDifference> options = option_differences(*a, *b);
  if (!json) {
    std::printf("%s | %s: source range, result left | result right of its first and last value\n", a->name().c_str(),
                b->name().c_str());
    std::printf("Ranges are maximal: every value of one differs, the values next to it do not. All are counted.\n");
    for (const OptionDifference& one : options)
      std::printf("option %s: %s | %s\n", one.name.c_str(), one.left.c_str(), one.right.c_str());
  }
  std::size_t only_left = 0, only_right = 0, shared = 0, strings = 0, apart = 0;
  std::vector<PairDifferences> found;
  for (const Pair& key : left.order) {
    if (only.first != nullptr && key != only) continue;
    const auto other = right.variants.find(key);
    if (other == right.variants.end()) {
      ++only_left;
      continue;
    }
    if (key.first->kind == spec::Kind::string || key.second->kind == spec::Kind::string) {
      ++strings;
      continue;
    }
    Comparison compare(shown);
    bool compared = false;
    for (const auto& [own, meaning] : left.variants.at(key)) {
      for (const auto& [others, other_meaning] : other->second) {
        const std::optional<Words> words = both(own, others);
        if (!words) continue;
        compared = true;
        auto differing = compare(meaning, other_meaning, text_of(*words));
        if (!differing) continue;
        if (!json) print(*differing);
        found.push_back(std::move(*differing));
      }
    }
    (compared ? shared : apart) += 1;
  }
  for (const Pair& key : right.order) {
    only_right += !left.variants.contains(key) && (only.first == nullptr || key == only);
  }
  if (only.first != nullptr && shared + strings + apart + only_left + only_right == 0) {
    throw std::invalid_argument("neither " + a->name() + " nor " + b->name() + " admits " + only.first->name + " -> " +
                                only.second->name);
  }
  if (json) {
    nlohmann::ordered_json differing = nlohmann::ordered_json::array();
    for (const PairDifferences& one : found) differing.push_back(json_of(one));
    nlohmann::ordered_json differing_options = nlohmann::ordered_json::array();
    for (const OptionDifference& one : options)
      differing_options.push_back({{"option", one.name}, {"left", one.left}, {"right", one.right}});
    const nlohmann::ordered_json out = {{"left", a->name()},
                                        {"right", b->name()},
                                        {"pairs_in_both", shared},
                                        {"not_compared_strings", strings},
                                        {"not_compared_attributes", apart},
                                        {"only_left", only_left},
                                        {"only_right", only_right},
                                        {"options", differing_options},
                                        {"differing", differing}};
    std::printf("%s\n", cli::json_text(out, 2).c_str());
    return kOk;
  }
  if (found.empty() && shared != 0) std::printf("no result differs in the pairs that both have: %zu\n", shared);
  if (a->operation == "range") std::printf("not compared: sequences, which follow from the options of an op-set\n");
  if (strings != 0) std::printf("not compared, as texts have no ranges; pairs from or to string: %zu\n", strings);
  if (apart != 0) std::printf("not compared, as an attribute has no value in common; pairs: %zu\n", apart);
  if (only_left != 0) std::printf("%zu pairs exist only in %s\n", only_left, a->name().c_str());
  if (only_right != 0) std::printf("%zu pairs exist only in %s\n", only_right, b->name().c_str());
  return kOk;
}

}  // namespace castforge::command
