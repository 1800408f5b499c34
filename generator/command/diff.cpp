// Where two rule sets differ: exact ranges of source values per pair.
#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>

#include "command/command.hpp"
#include "emit/truth_table.hpp"
#include "semantics/convert.hpp"
#include "semantics/value.hpp"
#include "spec/loader.hpp"
#include "spec/neutral.hpp"
#include "spec/resolve.hpp"
#include "verify/points.hpp"

namespace castforge::command {
namespace {

constexpr std::size_t kShownRanges = 8;

using Pair = std::pair<const spec::Type*, const spec::Type*>;

/// Source codes in value order: negative floats and integers first, NaN codes at the ends.
class Order {
 public:
  explicit Order(const spec::Type& type) : type_(type), sign_(1ull << (type.value_bits - 1)) {
    signed_float_ = type.kind == spec::Kind::floating && type.is_signed;
    signed_integer_ = type.kind == spec::Kind::integer && type.is_signed;
  }
  std::uint64_t rank(std::uint64_t code) const {
    if (signed_integer_) return code ^ sign_;
    if (!signed_float_) return code;
    return (code & sign_) != 0 ? sign_ - 1 - (code & (sign_ - 1)) : code | sign_;
  }
  std::uint64_t code(std::uint64_t rank) const {
    if (signed_integer_) return rank ^ sign_;
    if (!signed_float_) return rank;
    return (rank & sign_) != 0 ? rank & (sign_ - 1) : (sign_ - 1 - rank) | sign_;
  }

 private:
  const spec::Type& type_;
  std::uint64_t sign_;
  bool signed_float_ = false, signed_integer_ = false;
};

struct Range {
  std::uint64_t first, last;  // ranks
};

std::vector<Range> differing(const spec::Meaning& a, const spec::Meaning& b) {
  const Order order(*a.src);
  const auto differs = [&](std::uint64_t rank) {
    const std::uint64_t code = order.code(rank);
    return semantics::convert_code(a, code) != semantics::convert_code(b, code);
  };
  std::vector<std::uint64_t> ranks;
  for (const spec::Meaning* meaning : {&a, &b}) {
    for (const std::uint64_t storage : verify::source_points(*meaning)) ranks.push_back(order.rank(semantics::code_of_storage(*a.src, storage)));
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::vector<Range> ranges;
  bool inside = false;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const bool here = differs(ranks[i]);
    if (here == inside) continue;
    // The status changes between two class representatives: bisect for the exact place.
    std::uint64_t low = i == 0 ? ranks[0] : ranks[i - 1], high = ranks[i];
    while (low + 1 < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      (differs(middle) == here ? high : low) = middle;
    }
    if (here) ranges.push_back({high, high});
    else ranges.back().last = low;
    inside = here;
  }
  if (inside) ranges.back().last = ranks.back();
  return ranges;
}

void print_pair(const spec::Meaning& a, const spec::Meaning& b, const std::string& variant) {
  const std::vector<Range> ranges = differing(a, b);
  if (ranges.empty()) return;
  const char* atleast = verify::points_are_exhaustive(a) ? "" : "at least ";
  std::printf("%s -> %s%s: %s%zu range%s\n", a.src->name.c_str(), a.dst->name.c_str(), variant.c_str(), atleast, ranges.size(), ranges.size() == 1 ? "" : "s");
  const Order order(*a.src);
  const auto results = [&](const spec::Meaning& meaning, const Range& range) {
    const auto text = [&](std::uint64_t rank) { return emit::value_text(*meaning.dst, semantics::convert_code(meaning, order.code(rank))); };
    const std::string first = text(range.first), last = text(range.last);
    return first == last ? first : first + " .. " + last;
  };
  for (std::size_t i = 0; i < std::min(kShownRanges, ranges.size()); ++i) {
    const std::string first = emit::value_text(*a.src, order.code(ranges[i].first)), last = emit::value_text(*a.src, order.code(ranges[i].last));
    const std::string source = ranges[i].first == ranges[i].last ? first : first + " .. " + last;
    std::printf("    %-40s %s | %s\n", source.c_str(), results(a, ranges[i]).c_str(), results(b, ranges[i]).c_str());
  }
  if (ranges.size() > kShownRanges) std::printf("    ... and %zu more ranges\n", ranges.size() - kShownRanges);
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
        words.push_back(attribute.name + "=" + (number != nullptr ? std::to_string(*number) : std::get<std::string>(value)));
      }
      std::sort(words.begin(), words.end());
      std::string key;
      for (const std::string& word : words) key += " " + word;
      all[{cell.src, cell.dst}].emplace(key, spec::neutral(cell.variants[index]));
    }
  }
  return all;
}

}  // namespace

int diff(const Places& places, const std::string& a_name, const std::string& b_name, const std::string& pair) {
  const spec::SpecModel model = spec::load(places.specs);
  const spec::OpSet* a = model.find_opset(a_name);
  const spec::OpSet* b = model.find_opset(b_name);
  if (a == nullptr || b == nullptr) {
    throw std::invalid_argument("\"" + (a == nullptr ? a_name : b_name) + "\" is not an op-set; `castforge-gen list opsets` names them");
  }
  Pair only{nullptr, nullptr};
  if (!pair.empty()) {
    const std::size_t colon = pair.find(':');
    only = {model.find_type(pair.substr(0, colon)), colon == std::string::npos ? nullptr : model.find_type(pair.substr(colon + 1))};
    if (only.first == nullptr || only.second == nullptr) throw std::invalid_argument("--pair expects SRC:DST with two type names, found \"" + pair + "\"");
  }
  const auto left = variants_of(*a), right = variants_of(*b);
  std::printf("%s | %s: source range, result left | result right\n", a->name().c_str(), b->name().c_str());
  std::printf("Ends of ranges are exact. \"At least\": sources wider than 16 bits, looked at in every rounding class; single values\n"
              "inside a range on which both rule sets agree by chance are not told apart.\n");
  std::size_t only_left = 0, only_right = 0;
  for (const auto& [key, variants] : left) {
    if (only.first != nullptr && key != only) continue;
    const auto other = right.find(key);
    if (other == right.end()) {
      ++only_left;
      continue;
    }
    if (key.first->kind == spec::Kind::string || key.second->kind == spec::Kind::string) continue;
    // A variant without its counterpart is held against the other side's variant with fewer words.
    for (const auto& [words, meaning] : variants) {
      auto match = other->second.find(words);
      if (match == other->second.end() && other->second.size() == 1) match = other->second.begin();
      if (match == other->second.end()) continue;
      if (emit::meaning_text(meaning) != emit::meaning_text(match->second)) print_pair(meaning, match->second, words);
    }
    if (variants.size() == 1 && other->second.size() > 1) {
      for (const auto& [words, meaning] : other->second) {
        const spec::Meaning& mine = variants.begin()->second;
        if (words != variants.begin()->first && emit::meaning_text(meaning) != emit::meaning_text(mine)) print_pair(mine, meaning, words);
      }
    }
  }
  for (const auto& [key, variants] : right) only_right += left.count(key) == 0 && (only.first == nullptr || key == only);
  if (only_left != 0) std::printf("%zu pairs exist only in %s\n", only_left, a->name().c_str());
  if (only_right != 0) std::printf("%zu pairs exist only in %s\n", only_right, b->name().c_str());
  return kOk;
}

}  // namespace castforge::command
