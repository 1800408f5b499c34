// Formats and rounding modes that are only JSON files: the generator's reading and exact semantics against the oracle's
// own, for every word of the properties that choose a result.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "oracle/oracle.hpp"
#include "semantics/convert.hpp"
#include "semantics/value.hpp"
#include "spec/loader.hpp"
#include "spec/words.hpp"

using namespace castforge;

namespace {

const std::filesystem::path kShipped = std::string(CASTFORGE_SOURCE_DIR) + "/specs";
const std::filesystem::path kAdded = std::string(CASTFORGE_SOURCE_DIR) + "/tests/exhaustive/formats";

const spec::SpecModel& model() {
  static const spec::SpecModel loaded = [] {
    oracle::read_specs({kShipped, kAdded});
    return spec::load({kShipped, kAdded});
  }();
  return loaded;
}

const std::map<std::string, oracle::Overflow> kOverflow = {
    {"infinity", oracle::Overflow::infinity}, {"max", oracle::Overflow::max},
    {"nan", oracle::Overflow::nan},           {"ieee", oracle::Overflow::ieee},
    {"wrap", oracle::Overflow::wrap},         {"saturate", oracle::Overflow::saturate}};
const std::map<std::string, oracle::Infinite> kInfinite = {
    {"infinity", oracle::Infinite::infinity}, {"max", oracle::Infinite::max},
    {"nan", oracle::Infinite::nan},           {"zero", oracle::Infinite::zero},
    {"saturate", oracle::Infinite::max},      {"as_overflow", oracle::Infinite::as_overflow}};
const std::map<std::string, oracle::NotANumber> kNotANumber = {
    {"nan", oracle::NotANumber::nan},          {"zero", oracle::NotANumber::zero},
    {"max", oracle::NotANumber::max_positive}, {"max_signed", oracle::NotANumber::max_signed},
    {"min", oracle::NotANumber::min},          {"zero_opposite", oracle::NotANumber::zero_opposite_sign}};

/// Whether the destination can give what the word says.
bool fits(const std::string& property, const std::string& word, const spec::Type& dst) {
  const bool integer = dst.kind == spec::Kind::integer;
  if (property == "overflow") return (word == "wrap" || word == "saturate") == integer;
  if (word == "nan") return dst.has_nan();
  if (word == "zero") return integer || dst.has_zero();
  if (property == "inf") return word == "as_overflow" || (word == "saturate") == integer;
  return word == "zero_opposite" ? dst.has_negative_zero() : true;
}

std::vector<std::uint64_t> codes_of(const spec::Type& src) {
  const std::uint64_t all = src.value_bits == 64 ? ~0ull : (1ull << src.value_bits) - 1;
  std::vector<std::uint64_t> codes;
  if (src.value_bits <= 12) {
    for (std::uint64_t code = 0; code <= all; ++code) codes.push_back(code);
    return codes;
  }
  std::mt19937_64 noise(src.value_bits);
  for (int i = 0; i < 600; ++i) codes.push_back(noise() & all & ~(i % 3 == 0 ? all >> (5 + i % 7) : 0));
  for (int i = 0; i < src.value_bits; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    for (const std::uint64_t code : {bit, bit - 1, ~bit, all >> i, ~(all >> i)}) codes.push_back(code & all);
  }
  return codes;
}

class Pair {
 public:
  Pair(const spec::Type& src, const spec::Type& dst)
      : from_(oracle::codec(src.name)), to_(oracle::codec(dst.name)), codes_(codes_of(src)) {
    meaning_.src = &src;
    meaning_.dst = &dst;
    const bool integer = dst.kind == spec::Kind::integer;
    set("overflow", integer ? "saturate" : "max");
    set("inf", "as_overflow");
    set("nan", integer || !dst.has_nan() ? "max" : "nan");
    set_round("nearest_even");
  }

  void set(const std::string& property, const std::string& word) {
    spec::find_property(property)->decide({}, word, meaning_);
    if (property == "overflow") rule_.overflow = kOverflow.at(word);
    if (property == "inf") rule_.infinite = kInfinite.at(word);
    if (property == "nan") rule_.not_a_number = kNotANumber.at(word);
  }
  void set_round(const std::string& name) {
    meaning_.round = model().find_rounding(name);
    rule_.round = oracle::find_rounding(name).value();
  }

  void check(const std::string& what) const {
    for (const std::uint64_t code : codes_) {
      const std::uint64_t found = semantics::convert_code(meaning_, code);
      const std::uint64_t expected = oracle::convert(from_, to_, rule_, code);
      if (found == expected) continue;
      FAIL_CHECK(meaning_.src->name << " -> " << meaning_.dst->name << ", " << what << ": source " << std::hex << code
                                    << ": semantics " << found << ", oracle " << expected);
      return;
    }
  }

 private:
  const oracle::Codec& from_;
  const oracle::Codec& to_;
  std::vector<std::uint64_t> codes_;
  spec::Meaning meaning_;
  oracle::Rule rule_;
};

bool is_added(const spec::Type& type) {
  const auto& own = oracle::all_formats();
  return std::none_of(own.begin(), own.end(), [&](const oracle::Format& format) { return format.name == type.name; });
}

template <class Check>
void for_added_pairs(const Check& check) {
  for (const auto& src : model().types) {
    for (const auto& dst : model().types) {
      const bool numbers = src->kind != spec::Kind::string && src->kind != spec::Kind::boolean &&
                           dst->kind != spec::Kind::string && dst->kind != spec::Kind::boolean;
      if (!numbers || src == dst || (!is_added(*src) && !is_added(*dst))) continue;
      check(*src, *dst);
    }
  }
}

}  // namespace

TEST_CASE("both readers find the added formats and rounding modes") {
  std::vector<std::string> types;
  for (const auto& type : model().types) {
    if (is_added(*type) && type->kind != spec::Kind::string) types.push_back(type->name);
  }
  std::vector<std::string> added;
  for (const oracle::Format& format : oracle::added_formats()) added.push_back(format.name);
  std::sort(added.begin(), added.end());
  CHECK(types == added);
  for (const char* special : {"int12", "uint10", "float19e8m10", "float8e5m2q"}) {
    CHECK(std::count(added.begin(), added.end(), special) == 1);
  }
  for (const auto& mode : model().roundings) {
    INFO(mode->name);
    REQUIRE(oracle::find_rounding(mode->name));
    CHECK(oracle::carry_of(*oracle::find_rounding(mode->name)) == mode->carry);
  }
  CHECK(model().find_rounding("ties_to_odd") != nullptr);
  CHECK(model().find_rounding("ties_up") != nullptr);
}

TEST_CASE("added formats and modes: every rounding, with overflow by the mode") {
  for_added_pairs([](const spec::Type& src, const spec::Type& dst) {
    Pair pair(src, dst);
    if (dst.kind == spec::Kind::floating) pair.set("overflow", "ieee");
    for (const auto& mode : model().roundings) {
      pair.set_round(mode->name);
      pair.check(mode->name);
    }
  });
}

TEST_CASE("added formats: every word of every property that chooses a result") {
  for (const std::string property : {"overflow", "inf", "nan"}) {
    for_added_pairs([&](const spec::Type& src, const spec::Type& dst) {
      for (const std::string_view view : spec::find_property(property)->words) {
        const std::string word(view);
        const bool known = kOverflow.contains(word) || kInfinite.contains(word) || kNotANumber.contains(word);
        if (!known || !fits(property, word, dst)) continue;
        Pair pair(src, dst);
        pair.set(property, word);
        pair.check(property + " " + word);
      }
    });
  }
}

TEST_CASE("added formats: elements as they are stored") {
  for (const auto& type : model().types) {
    if (type->kind == spec::Kind::string) continue;
    const oracle::Codec& codec = oracle::codec(type->name);
    INFO(type->name);
    const std::uint64_t noise = 0x5A5A5A5A5A5A5A5Aull & ~0ull >> (64 - type->storage_bits);
    CHECK(codec.code_in(noise) == semantics::code_of_storage(*type, noise));
    for (const std::uint64_t code : codes_of(*type)) {
      if (codec.stored(code) == semantics::storage_of_code(*type, code)) continue;
      FAIL_CHECK("code " << std::hex << code << " is stored as " << semantics::storage_of_code(*type, code));
      break;
    }
  }
}
