// Where two rule sets differ: exact ranges of source values per pair.
#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>

#include "command/command.hpp"
#include "command/differences.hpp"
#include "emit/truth_table.hpp"
#include "semantics/convert.hpp"
#include "spec/canonical.hpp"
#include "spec/loader.hpp"
#include "spec/lookup.hpp"
#include "spec/resolve.hpp"

namespace castforge::command {
namespace {

constexpr std::size_t kShownRanges = 8;

using Pair = std::pair<const spec::Type*, const spec::Type*>;

/// Both results on the codes of a range: one text where they are constant.
void print_range(const spec::Meaning& a, const spec::Meaning& b, const RankRange& range) {
  const ValueOrder order(*a.src);
  const auto from_to = [](const std::string& first, const std::string& last) {
    return first == last ? first : first + " .. " + last;
  };
  const auto results = [&](const spec::Meaning& meaning) {
    const auto text = [&](std::uint64_t rank) {
      return emit::value_text(*meaning.dst, semantics::convert_code(meaning, order.code(rank)));
    };
    return from_to(text(range.first), text(range.last));
  };
  const auto source = [&](std::uint64_t rank) { return emit::value_text(*a.src, order.code(rank)); };
  const std::string ends =
      range.first == range.last ? source(range.first) : source(range.first) + " .. " + source(range.last);
  std::printf("    %-40s %s | %s\n", ends.c_str(), results(a).c_str(), results(b).c_str());
}

/// False, and nothing printed, when all results agree.
bool print_pair(const spec::Meaning& a, const spec::Meaning& b, const std::string& variant) {
  if (a.bits != b.bits && a.src->value_bits > 16) {  // ranges follow values, which kept bits do not
    std::printf("%s -> %s%s: one keeps the bits, the other converts\n", a.src->name.c_str(), a.dst->name.c_str(),
                variant.c_str());
    return true;
  }
  const Differences all = a.src->value_bits <= 16 ? differences_by_code(a, b) : differences_by_structure(a, b);
  if (all.count == 0) return false;
  std::printf("%s -> %s%s: %llu range%s\n", a.src->name.c_str(), a.dst->name.c_str(), variant.c_str(),
              static_cast<unsigned long long>(all.count), all.count == 1 ? "" : "s");
  if (all.count <= kShownRanges) {
    for (const RankRange& range : all.first) print_range(a, b, range);
    return true;
  }
  for (std::size_t i = 0; i + 1 < kShownRanges; ++i) print_range(a, b, all.first[i]);
  std::printf("    ... %llu more ranges, then the last one\n",
              static_cast<unsigned long long>(all.count - kShownRanges));
  print_range(a, b, all.last.empty() ? all.first.back() : all.last.back());
  return true;
}

using Variants = std::map<std::string, spec::Meaning>;  // by "name=value" of the attributes that act

std::map<Pair, Variants> variants_of(const spec::OpSet& opset) {
  std::map<Pair, Variants> all;
  for (const spec::Cell& cell : spec::resolve(opset)) {
    for (std::size_t index = 0; index < cell.variants.size(); ++index) {
      std::size_t rest = index;
      std::vector<std::string> words;
      for (std::size_t i = opset.attributes.size(); i-- > 0;) {
        const spec::Attribute& attribute = opset.attributes[i];
        const auto& value = attribute.values[rest % attribute.values.size()];
        rest /= attribute.values.size();
        if ((cell.attributes_used >> i & 1) == 0) continue;
        const auto* number = std::get_if<std::int64_t>(&value);
        words.push_back(attribute.name + "=" +
                        (number != nullptr ? std::to_string(*number) : std::get<std::string>(value)));
      }
      std::sort(words.begin(), words.end());
      std::string key;
      for (const std::string& word : words) key += " " + word;
      all[{cell.src, cell.dst}].emplace(key, spec::canonical(cell.variants[index]));
    }
  }
  return all;
}

}  // namespace

int diff(const Places& places, const std::string& a_name, const std::string& b_name, const std::string& pair) {
  const spec::SpecModel model = spec::load(places.specs);
  const spec::OpSet* a = &spec::opset_named(model, a_name);
  const spec::OpSet* b = &spec::opset_named(model, b_name);
  Pair only{nullptr, nullptr};
  if (!pair.empty()) only = spec::pair_named(model, pair);
  const auto left = variants_of(*a), right = variants_of(*b);
  std::printf("%s | %s: source range, result left | result right\n", a->name().c_str(), b->name().c_str());
  std::printf("Ranges are maximal: every value of one differs, the values next to it do not. All are counted.\n");
  std::size_t only_left = 0, only_right = 0, shared = 0, strings = 0;
  bool any = false;
  for (const auto& [key, variants] : left) {
    if (only.first != nullptr && key != only) continue;
    const auto other = right.find(key);
    if (other == right.end()) {
      ++only_left;
      continue;
    }
    if (key.first->kind == spec::Kind::string || key.second->kind == spec::Kind::string) {
      ++strings;
      continue;
    }
    ++shared;
    // A variant without its counterpart is held against the other side's variant with fewer words.
    for (const auto& [words, meaning] : variants) {
      auto match = other->second.find(words);
      if (match == other->second.end() && other->second.size() == 1) match = other->second.begin();
      if (match == other->second.end()) continue;
      if (driver::meaning_text(meaning) != driver::meaning_text(match->second))
        any |= print_pair(meaning, match->second, words);
    }
    if (variants.size() == 1 && other->second.size() > 1) {
      for (const auto& [words, meaning] : other->second) {
        const spec::Meaning& mine = variants.begin()->second;
        if (words != variants.begin()->first && driver::meaning_text(meaning) != driver::meaning_text(mine))
          any |= print_pair(mine, meaning, words);
      }
    }
  }
  for (const auto& [key, variants] : right) {
    only_right += !left.contains(key) && (only.first == nullptr || key == only);
  }
  if (only.first != nullptr && shared + strings + only_left + only_right == 0) {
    throw std::invalid_argument("neither " + a->name() + " nor " + b->name() + " admits " + only.first->name + " -> " +
                                only.second->name);
  }
  if (!any && shared != 0) std::printf("no result differs in the pairs that both have: %zu\n", shared);
  if (strings != 0) std::printf("not compared, as texts have no ranges; pairs from or to string: %zu\n", strings);
  if (only_left != 0) std::printf("%zu pairs exist only in %s\n", only_left, a->name().c_str());
  if (only_right != 0) std::printf("%zu pairs exist only in %s\n", only_right, b->name().c_str());
  return kOk;
}

}  // namespace castforge::command
