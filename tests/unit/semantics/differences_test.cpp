// Ranges on which two rule sets differ: the count by structure against the count by every code, and known answers.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "command/differences.hpp"
#include "driver/catalogue.hpp"
#include "semantics/convert.hpp"
#include "spec/canonical.hpp"
#include "spec/resolve.hpp"
#include "unit/semantics/meanings.hpp"

namespace {

using namespace castforge;
using command::Differences;
using command::RankRange;
using spec::Meaning;

/// Every meaning that an op-set gives to a pair.
std::vector<Meaning> meanings(const std::string& src, const std::string& dst) {
  static const std::vector<std::vector<spec::Cell>> resolved = [] {
    std::vector<std::vector<spec::Cell>> all;
    for (const auto& opset : test::shipped().model().opsets) {
      if (opset->operation == "cast") all.push_back(spec::resolve(*opset));
    }
    return all;
  }();
  std::vector<Meaning> found;
  std::vector<std::string> seen;
  for (const auto& cells : resolved) {
    for (const spec::Cell& cell : cells) {
      if (cell.src->name != src || cell.dst->name != dst) continue;
      for (const Meaning& variant : cell.variants) {
        const Meaning canonical = spec::canonical(variant);
        const std::string text = driver::meaning_text(canonical);
        if (std::find(seen.begin(), seen.end(), text) != seen.end()) continue;
        seen.push_back(text);
        found.push_back(canonical);
      }
    }
  }
  return found;
}

std::string problem(const Meaning& a, const Meaning& b) {
  const Differences expected = command::differences_by_code(a, b), found = command::differences_by_structure(a, b);
  const std::string both = driver::meaning_text(a) + "\n" + driver::meaning_text(b) + "\n";
  if (found.count != expected.count)
    return both + std::to_string(found.count) + " ranges, expected " + std::to_string(expected.count);
  const auto same = [](auto a_first, auto a_last, auto b_first) { return std::equal(a_first, a_last, b_first); };
  if (found.first.size() > expected.count || !same(found.first.begin(), found.first.end(), expected.first.begin()))
    return both + "first ranges";
  if (found.first.size() == expected.count) return found.last.empty() ? "" : both + "listed twice";
  if (found.first.size() < 8 || found.last.size() < 8) return both + "too few are listed";
  if (!same(found.last.rbegin(), found.last.rend(), expected.first.rbegin())) return both + "last ranges";
  return "";
}

/// A meaning with the given policies; the rest does not matter for sources and destinations used here.
Meaning meaning(const char* src, const char* dst, const char* round, spec::Overflow overflow) {
  Meaning m;
  m.src = test::shipped().model().find_type(src);
  m.dst = test::shipped().model().find_type(dst);
  m.round = test::shipped().model().find_rounding(round);
  m.overflow = overflow;
  const bool integer = m.dst->kind == spec::Kind::integer;
  m.inf = integer ? spec::InfResult::as_overflow : spec::InfResult::infinity;
  m.nan = integer ? spec::NanResult::zero : spec::NanResult::nan;
  return m;
}

}  // namespace

TEST_CASE("differences by structure are those by every code") {
  std::size_t compared = 0;
  for (const char* src : {"float16", "bfloat16", "float8e4m3fn", "float8e5m2", "float8e5m2fnuz", "float8e8m0",
                          "float4e2m1", "int16", "uint16", "int8", "uint8", "int4", "uint4", "uint2"}) {
    for (const auto& dst : test::shipped().model().types) {
      if (dst->kind == spec::Kind::string || dst->kind == spec::Kind::boolean) continue;
      const std::vector<Meaning> all = meanings(src, dst->name);
      for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t k = i + 1; k < all.size(); ++k) {
          CHECK(problem(all[i], all[k]) == "");
          ++compared;
        }
      }
    }
  }
  CHECK(compared > 400);
}

TEST_CASE("differences by structure are those by every code, for every mode and range policy") {
  using O = spec::Overflow;
  std::vector<const char*> modes;
  for (const auto& rounding : test::shipped().model().roundings) modes.push_back(rounding->name.c_str());
  for (const char* src : {"float16", "bfloat16", "float8e5m2", "int16", "uint16"}) {
    for (const char* dst : {"int2", "uint1", "uint4", "int8", "uint8", "int16", "uint16", "int32", "uint32",
                            "float8e4m3fnuz", "float4e2m1", "float16"}) {
      if (std::string(src) == dst) continue;
      const bool integer = test::shipped().model().find_type(dst)->kind == spec::Kind::integer;
      std::vector<Meaning> all;
      for (const char* mode : modes) {
        for (const O overflow :
             integer ? std::vector{O::wrap, O::saturate} : std::vector{O::infinity, O::max, O::ieee}) {
          all.push_back(meaning(src, dst, mode, overflow));
          all.back().inf = integer && overflow == O::wrap ? spec::InfResult::zero : all.back().inf;
        }
        if (!integer) continue;
        all.push_back(meaning(src, dst, mode, O::wrap));
        all.back().saturate_first = spec::IntegerRange{true, 32};
      }
      for (std::size_t i = 0; i < all.size(); i += 2) {
        for (std::size_t k = i + 1; k < all.size(); k += 3) CHECK(problem(all[i], all[k]) == "");
      }
    }
  }
}

TEST_CASE("differences by structure are those by every code, where ranges of any width are clamped to first") {
  using O = spec::Overflow;
  const spec::IntegerRange ranges[] = {{false, 3}, {true, 5},  {false, 6}, {true, 8},
                                       {false, 9}, {true, 11}, {false, 13}};
  for (const char* src : {"int16", "uint16", "float16", "bfloat16"}) {
    for (const char* dst : {"int8", "uint8", "int16", "uint16"}) {
      if (std::string(src) == dst) continue;
      std::vector<Meaning> all = {meaning(src, dst, "toward_zero", O::wrap),
                                  meaning(src, dst, "toward_zero", O::saturate)};
      all.front().inf = spec::InfResult::zero;
      for (const spec::IntegerRange& range : ranges) {
        all.push_back(meaning(src, dst, "nearest_even", O::wrap));
        all.back().saturate_first = range;
      }
      for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t k = i + 1; k < all.size(); k += i == 0 ? 1 : 3) CHECK(problem(all[i], all[k]) == "");
      }
    }
  }
}

TEST_CASE("wide sources: a wrapped integer meets the end of a range once in every period") {
  using O = spec::Overflow;
  Meaning clamped = meaning("int32", "int16", "toward_zero", O::wrap);
  clamped.saturate_first = spec::IntegerRange{false, 8};
  const Meaning wrapped = meaning("int32", "int16", "toward_zero", O::wrap);
  const Differences found = command::differences_by_structure(clamped, wrapped);
  CHECK(found.count == 2 * 0x8000u);  // of both signs as many periods, a range to each
  REQUIRE_FALSE(found.last.empty());
  const command::ValueOrder order(*clamped.src);
  for (const std::vector<RankRange>& listed : {found.first, found.last}) {
    for (const RankRange& range : listed) {
      const auto differs = [&](std::uint64_t rank) {
        return semantics::convert_code(clamped, order.code(rank)) != semantics::convert_code(wrapped, order.code(rank));
      };
      INFO(range.first << " to " << range.last);
      for (std::uint64_t rank = range.first; rank <= range.last; ++rank) {
        if (!differs(rank)) FAIL_CHECK("equal at " << rank);
      }
      if (range.first > 0) CHECK_FALSE(differs(range.first - 1));
      if (range.last < 0xFFFFFFFFu) CHECK_FALSE(differs(range.last + 1));
    }
  }
  // 255 is the end of the range, and 65791 has its low bits.
  Meaning positive = clamped, modulo = wrapped;
  positive.src = modulo.src = test::shipped().model().find_type("uint32");
  const Differences upwards = command::differences_by_structure(positive, modulo);
  REQUIRE(upwards.first.size() >= 2);
  CHECK(upwards.first[0] == RankRange{256, 65790});
  CHECK(upwards.first[1] == RankRange{65792, 131326});
}

TEST_CASE("wide sources: counts that follow from arithmetic") {
  using O = spec::Overflow;
  const auto count = [](const Meaning& a, const Meaning& b) { return command::differences_by_structure(a, b).count; };
  // Wrapped and clamped int16 agree inside the range, at 32767 modulo 2^16 above it and at -32768 modulo 2^16 below it.
  CHECK(count(meaning("int32", "int16", "toward_zero", O::wrap),
              meaning("int32", "int16", "toward_zero", O::saturate)) == 2 * 0x8000u);
  CHECK(count(meaning("int64", "int16", "toward_zero", O::wrap),
              meaning("int64", "int16", "toward_zero", O::saturate)) == 2 * 0x800000000000u);
  CHECK(count(meaning("uint64", "uint32", "toward_zero", O::wrap),
              meaning("uint64", "uint32", "toward_zero", O::saturate)) == 0xFFFFFFFFu);
  // Truncation and rounding up differ on every number between two of the destination: one range for each gap.
  CHECK(count(meaning("int64", "float64", "toward_zero", O::infinity),
              meaning("int64", "float64", "odd", O::infinity)) == 10 * (1ull << 51) * 2);
  const Differences ties = command::differences_by_structure(meaning("uint32", "float32", "nearest_even", O::infinity),
                                                             meaning("uint32", "float32", "nearest_away", O::infinity));
  CHECK(ties.count == 8 * (1u << 22));  // every other tie in the binades from 2^24 to 2^31
  REQUIRE(ties.first.size() == 8);
  CHECK(ties.first[0] == RankRange{(1u << 24) + 1, (1u << 24) + 1});
  CHECK(ties.first[1] == RankRange{(1u << 24) + 5, (1u << 24) + 5});
  REQUIRE_FALSE(ties.last.empty());
  CHECK(ties.last.back() == RankRange{0xFFFFFE80u, 0xFFFFFE80u});
}
