// Every plan the planner makes, held against the exact semantics: all pairs of shipped types and of formats that nobody
// ships, all rounding modes and two invented ones, all policies; and broken plans, which have to be noticed.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "emit/catalogue.hpp"
#include "plan/interpret.hpp"
#include "plan/planner.hpp"
#include "semantics/convert.hpp"
#include "semantics/value.hpp"
#include "spec/neutral.hpp"
#include "unit/semantics/meanings.hpp"
#include "verify/compare.hpp"
#include "verify/points.hpp"

using namespace castforge;
using spec::Kind;
using spec::Meaning;
using spec::NanCodes;
using spec::Type;

namespace {

const std::vector<Type>& unshipped() {
  static const std::vector<Type> types = [] {
    using test::floating;
    std::vector<Type> made = {
        floating("float8e3m4", true, 3, 4, 3, true, true, NanCodes::ieee, 8),
        floating("float12e5m6", true, 5, 6, 15, true, true, NanCodes::ieee, 16),
        floating("float19e8m10", true, 8, 10, 127, true, true, NanCodes::ieee, 32),
        test::integer("int12", true, 12, 16),
        test::integer("uint12", false, 12, 16),
        test::integer("int24", true, 24, 32),
        floating("ufloat8e5m3", false, 5, 3, 15, true, true, NanCodes::top, 8),
        floating("binary8p1", true, 7, 0, 63, true, true, NanCodes::negative_zero, 8),
        floating("binary8p3", true, 5, 2, 16, true, true, NanCodes::negative_zero, 8),
        floating("float6e2m3", true, 2, 3, 1, true, false, NanCodes::none, 8),
    };
    made[2].storage_high = true;
    made[3].storage_sign_fill = true;
    return made;
  }();
  return types;
}

std::vector<const Type*> all_types() {
  std::vector<const Type*> types;
  for (const auto& type : test::shipped().model().types) {
    if (type->kind != Kind::string) types.push_back(type.get());
  }
  for (const Type& type : unshipped()) types.push_back(&type);
  return types;
}

const Type& any_type(const std::string& name) {
  for (const Type* type : all_types()) {
    if (type->name == name) return *type;
  }
  throw std::runtime_error("no type " + name);
}

/// The shipped modes, and two that only exist here.
std::vector<const spec::Rounding*> modes() {
  static const spec::Rounding half_toward_zero{"half_toward_zero", "rhz", 0x8888, "", {}};
  static const spec::Rounding away_from_zero{"away_from_zero", "raw", 0xEEEE, "", {}};
  std::vector<const spec::Rounding*> list;
  for (const auto& mode : test::shipped().model().roundings) list.push_back(mode.get());
  list.push_back(&half_toward_zero);
  list.push_back(&away_from_zero);
  return list;
}

struct Policy {
  spec::Overflow overflow;
  spec::InfResult inf;
  spec::NanResult nan;
  spec::NegativeResult negative;
  spec::BelowRange zero, underflow;
  std::optional<spec::IntegerRange> saturate_first = {};
};

std::vector<Policy> policies(const Type& dst) {
  using O = spec::Overflow;
  using I = spec::InfResult;
  using N = spec::NanResult;
  using G = spec::NegativeResult;
  using B = spec::BelowRange;
  if (dst.kind == Kind::integer) {
    return {{O::wrap, I::zero, N::zero, G::clamp, B::min, B::min},
            {O::saturate, I::max, N::zero, G::clamp, B::min, B::min},
            {O::saturate, I::as_overflow, N::max_signed, G::clamp, B::min, B::min},
            {O::wrap, I::as_overflow, N::min, G::clamp, B::min, B::min, spec::IntegerRange{true, 32}},
            {O::wrap, I::max, N::zero, G::clamp, B::min, B::min, spec::IntegerRange{true, 32}},
            {O::wrap, I::as_overflow, N::zero, G::clamp, B::min, B::min, spec::IntegerRange{false, 6}},
            {O::wrap, I::as_overflow, N::zero, G::clamp, B::min, B::min, spec::IntegerRange{true, 48}}};
  }
  const N nan = dst.has_nan() ? N::nan : N::max;
  std::vector<Policy> list = {{O::infinity, I::infinity, nan, G::clamp, B::min, B::min},
                              {O::max, I::max, N::max_signed, G::nan, B::nan, B::min},
                              {O::nan, I::nan, nan, G::nan, B::min, B::nan},
                              {O::ieee, I::as_overflow, N::zero_opposite, G::clamp, B::nan, B::nan}};
  if (dst.has_zero() && !dst.is_signed) list.push_back({O::max, I::infinity, nan, G::abs, B::min, B::min});
  return list;
}

Meaning meaning_of(const Type& src, const Type& dst, const spec::Rounding* mode, const Policy& policy) {
  Meaning meaning;
  meaning.src = &src;
  meaning.dst = &dst;
  meaning.round = mode;
  meaning.overflow = policy.overflow;
  meaning.saturate_first = policy.saturate_first;
  meaning.inf = policy.inf;
  meaning.nan = policy.nan;
  meaning.negative = policy.negative;
  meaning.zero = policy.zero;
  meaning.underflow = policy.underflow;
  return spec::neutral(meaning);
}

/// Telling source elements of a pair, thinned out: a thousand or so.
const std::vector<std::uint64_t>& points(const Meaning& meaning) {
  static std::map<std::pair<const Type*, const Type*>, std::vector<std::uint64_t>> known;
  auto& list = known[{meaning.src, meaning.dst}];
  if (!list.empty()) return list;
  const std::vector<std::uint64_t> all = verify::source_points(meaning);
  const std::size_t step = std::max<std::size_t>(1, all.size() / 1200) | 1;
  for (std::size_t i = 0; i < all.size(); i += step) list.push_back(all[i]);
  // What a stride may step over.
  for (const std::uint64_t code : {std::uint64_t{0}, std::uint64_t{1}, meaning.src->sign_mask(), meaning.src->magnitude_mask()}) {
    list.push_back(semantics::storage_of_code(*meaning.src, code));
  }
  if (meaning.src->kind == Kind::floating) {
    for (const std::uint64_t sign : {std::uint64_t{0}, meaning.src->sign_mask()}) {
      list.push_back(semantics::storage_of_code(*meaning.src, meaning.src->max_finite_code() | sign));
      if (meaning.src->infinity) list.push_back(semantics::storage_of_code(*meaning.src, meaning.src->infinity_code() | sign));
      if (meaning.src->has_nan()) list.push_back(semantics::storage_of_code(*meaning.src, meaning.src->canonical_nan(sign != 0)));
    }
  }
  return list;
}

/// What is wrong with the plans of a meaning, on points(): "" when nothing is.
std::string quick_check(const Meaning& meaning) {
  plan::KernelPlans plans;
  try {
    plans = plan::plan_kernel(meaning);
  } catch (const std::exception& problem) {
    return std::string("no plan: ") + problem.what();
  }
  if (plans.lanes.empty() && !plans.has_table) return "no plan at all";
  const std::vector<std::uint64_t>& sources = points(meaning);
  const int src_bits = meaning.src->storage_bits, dst_bits = meaning.dst->storage_bits;
  const std::uint64_t dst_mask = dst_bits >= 64 ? ~0ull : (1ull << dst_bits) - 1;
  std::vector<std::uint64_t> expected(sources.size()), lanes(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) expected[i] = semantics::convert_storage(meaning, sources[i]);
  const auto wrong = [&](const std::string& plan, std::size_t i, std::uint64_t found) {
    char text[160];
    std::snprintf(text, sizeof text, ": source %llx expected %llx found %llx", static_cast<unsigned long long>(sources[i]),
                  static_cast<unsigned long long>(expected[i]), static_cast<unsigned long long>(found));
    return plan + text;
  };
  if (plans.has_table) {
    if (plans.table.entries.size() != 1ull << src_bits) return "a table of " + std::to_string(plans.table.entries.size()) + " entries";
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (plans.table.entries[sources[i]] != expected[i]) return wrong("table", i, plans.table.entries[sources[i]]);
    }
  }
  if (plans.has_steps) {
    std::vector<std::uint64_t> placed = sources;
    if (plans.steps.place) {
      const std::string problem = plan::interpret(*plans.steps.place, placed);
      if (!problem.empty()) return problem;
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const std::uint64_t found = plans.steps.result(sources[i], placed[i]) & dst_mask;
      if (found != expected[i]) return wrong("steps", i, found);
    }
  }
  for (const plan::LanePlan& plan : plans.lanes) {
    for (std::size_t i = 0; i < sources.size(); ++i) lanes[i] = plan::extend(plan, sources[i], src_bits);
    const std::string problem = plan::interpret(plan, lanes);
    if (!problem.empty()) return problem;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if ((lanes[i] & dst_mask) != expected[i]) return wrong(plan.id, i, lanes[i] & dst_mask);
    }
  }
  if (!plans.lanes.empty() && plans.lanes.back().needs != plan::kNeedsNothing) return "no plan for plain machines";
  return "";
}

}  // namespace

TEST_CASE("every pair, mode and policy has plans that agree with the semantics") {
  std::set<std::string> seen;
  std::map<std::string, int> failures;  // by what is alike in them
  for (const Type* src : all_types()) {
    for (const Type* dst : all_types()) {
      if (src == dst || dst->kind == Kind::boolean) continue;
      for (const spec::Rounding* mode : modes()) {
        for (const Policy& policy : policies(*dst)) {
          const Meaning meaning = meaning_of(*src, *dst, mode, policy);
          if (!seen.insert(emit::meaning_text(meaning)).second) continue;
          const std::string problem = quick_check(meaning);
          if (problem.empty()) continue;
          const std::string text = emit::meaning_text(meaning);
          if (++failures[text.substr(text.find(" | overflow")) + problem.substr(0, problem.find(':'))] > 2) continue;
          FAIL_CHECK(text << "\n  " << problem);
        }
      }
    }
  }
  for (const auto& [kind, count] : failures) FAIL_CHECK(count << " times" << kind);
  CHECK(seen.size() > 5000);  // distinct meanings
}

TEST_CASE("to bool, and a type to itself") {
  for (const Type* src : all_types()) {
    INFO(src->name);
    Meaning truth = meaning_of(*src, any_type("bool"), nullptr, policies(any_type("int8"))[0]);
    CHECK(quick_check(truth) == "");
    if (src->kind == Kind::boolean) continue;
    for (const Policy& policy : policies(*src)) CHECK(quick_check(meaning_of(*src, *src, modes()[0], policy)) == "");
  }
  for (const std::string name : {"float32", "float64"}) {
    for (const spec::Rounding* mode : modes()) {
      INFO(name << " " << mode->name);
      Meaning meaning;
      meaning.src = meaning.dst = &any_type(name);
      meaning.same_type = spec::SameType::integral;
      meaning.round = mode;
      CHECK(quick_check(spec::neutral(meaning)) == "");
    }
  }
}

TEST_CASE("compare() passes what is right, on all its points") {
  const std::pair<const char*, const char*> pairs[] = {{"float32", "float8e4m3fn"}, {"float64", "float12e5m6"}, {"float16", "float8e3m4"},
                                                       {"float12e5m6", "float32"},  {"float19e8m10", "float16"}, {"int12", "float16"},
                                                       {"float32", "int12"},        {"float32", "ufloat8e5m3"},  {"float16", "binary8p1"},
                                                       {"float32", "binary8p3"},    {"int64", "float19e8m10"},   {"float64", "int64"},
                                                       {"uint64", "float8e8m0"},    {"float8e3m4", "float12e5m6"}};
  for (const auto& [src, dst] : pairs) {
    INFO(src << " -> " << dst);
    for (const spec::Rounding* mode : {modes()[0], modes().back()}) {
      const Meaning meaning = meaning_of(any_type(src), any_type(dst), mode, policies(any_type(dst))[1]);
      plan::KernelPlans plans = plan::plan_kernel(meaning);
      CHECK_FALSE(verify::compare(meaning, plans).has_value());
    }
  }
}

TEST_CASE("compare() notes whether a result needs masking") {
  const Policy policy = policies(any_type("float16"))[0];
  const Meaning meaning = meaning_of(any_type("float32"), any_type("float16"), &test::rounding("nearest_even"), policy);
  plan::KernelPlans plans = plan::plan_kernel(meaning);
  REQUIRE_FALSE(verify::compare(meaning, plans).has_value());
  for (plan::LanePlan& plan : plans.lanes) {
    const bool noted = plan.code_fits;
    std::vector<std::uint64_t> lanes = verify::source_points(meaning);
    REQUIRE(plan::interpret(plan, lanes).empty());
    const bool fits = std::none_of(lanes.begin(), lanes.end(), [](std::uint64_t lane) { return lane > 0xFFFF; });
    CHECK(noted == (fits && last_lane_bits(plan) > 16));
  }
}

TEST_CASE("compare() notes which plans may meet flushed subnormals") {
  const auto plans_of = [](const char* src, const char* dst) {
    const Meaning meaning = meaning_of(any_type(src), any_type(dst), &test::rounding("nearest_even"), policies(any_type(dst))[0]);
    plan::KernelPlans plans = plan::plan_kernel(meaning);
    REQUIRE_FALSE(verify::compare(meaning, plans).has_value());
    return plans.lanes;
  };
  CHECK(plans_of("float32", "float8e4m3fn").front().flush_safe);         // what is subnormal in float32 is zero there
  CHECK(plans_of("float64", "float16").front().flush_safe);
  CHECK_FALSE(plans_of("float64", "float32").front().flush_safe);        // makes subnormals
  CHECK_FALSE(plans_of("float32", "float64").front().flush_safe);        // reads them
  CHECK_FALSE(plans_of("float32", "float8e4m3fn").back().flush_safe);    // the integer plan has nothing to say
}

TEST_CASE("a broken plan is caught, with a counterexample that is one") {
  const Meaning meaning = meaning_of(any_type("float32"), any_type("float8e4m3fn"), &test::rounding("nearest_even"), policies(any_type("float8e4m3fn"))[0]);
  const plan::KernelPlans right = plan::plan_kernel(meaning);
  REQUIRE_FALSE(right.lanes.empty());
  std::size_t broken = 0, missed = 0, refused = 0;
  const auto try_with = [&](std::size_t which, const plan::LanePlan& mutant) {
    plan::KernelPlans plans = right;
    plans.lanes[which] = mutant;
    ++broken;
    const auto counterexample = verify::compare(meaning, plans);
    if (!counterexample) {
      ++missed;
      return;
    }
    if (!counterexample->problem.empty()) {
      ++refused;
      return;
    }
    CHECK(counterexample->expected == semantics::convert_storage(meaning, counterexample->source));
    CHECK(counterexample->found != counterexample->expected);
    std::vector<std::uint64_t> lane = {plan::extend(mutant, counterexample->source, 32)};
    CHECK(plan::interpret(mutant, lane).empty());
    CHECK((lane[0] & 0xFF) == counterexample->found);
  };
  for (std::size_t which = 0; which < right.lanes.size(); ++which) {
    for (std::size_t i = 0; i < right.lanes[which].nodes.size(); ++i) {
      plan::LanePlan mutant = right.lanes[which];
      plan::Node& node = mutant.nodes[i];
      if (node.op == plan::Op::constant || node.op == plan::Op::shl_imm || node.op == plan::Op::shr_imm) {
        node.imm += node.imm == 0 ? 1 : node.imm + 1 < static_cast<std::uint64_t>(mutant.lane_bits) || node.op == plan::Op::constant ? 1 : -1;
        node.imm &= mutant.lane_bits == 64 ? ~0ull : (1ull << mutant.lane_bits) - 1;
        try_with(which, mutant);
      } else if (node.op == plan::Op::select) {
        std::swap(node.b, node.c);
        try_with(which, mutant);
      } else if (node.op == plan::Op::add) {
        node.op = plan::Op::sub;
        try_with(which, mutant);
      } else if (node.op == plan::Op::min) {
        node.op = plan::Op::max;
        try_with(which, mutant);
      }
    }
  }
  CHECK(broken >= 8);
  CHECK(missed * 4 <= broken);  // a bound that may move by one without an effect is no error
  CHECK(refused < broken);
}

TEST_CASE("a broken table is caught at its entry") {
  const Meaning meaning = meaning_of(any_type("float8e3m4"), any_type("float16"), nullptr, policies(any_type("float16"))[0]);
  plan::KernelPlans plans = plan::plan_kernel(meaning);
  REQUIRE(plans.has_table);
  REQUIRE_FALSE(verify::compare(meaning, plans).has_value());
  plans.table.entries[0x5A] ^= 1;
  const auto counterexample = verify::compare(meaning, plans);
  REQUIRE(counterexample.has_value());
  CHECK(counterexample->source == 0x5A);
  CHECK(counterexample->found == (counterexample->expected ^ 1));
}

TEST_CASE("points of comparison") {
  const Policy policy = policies(any_type("float16"))[0];
  const Meaning narrow = meaning_of(any_type("float16"), any_type("float8e5m2"), &test::rounding("nearest_even"), policy);
  CHECK(verify::points_are_exhaustive(narrow));
  CHECK(verify::source_points(narrow).size() == 65536);
  const Meaning wide = meaning_of(any_type("float32"), any_type("float8e5m2"), &test::rounding("nearest_even"), policy);
  CHECK_FALSE(verify::points_are_exhaustive(wide));
  const std::vector<std::uint64_t> sources = verify::source_points(wide);
  const std::set<std::uint64_t> set(sources.begin(), sources.end());
  for (const std::uint64_t special : {0x00000000u, 0x80000000u, 0x00000001u, 0x007FFFFFu, 0x7F7FFFFFu, 0x7F800000u, 0xFF800000u, 0x7F800001u, 0x7FFFFFFFu,
                                      0x47600000u /* 57344 */, 0x47700000u /* 61440 */, 0x476FFFFFu, 0x37000000u /* 2^-17: a tie with zero */,
                                      0x37000001u, 0x3FA00000u /* 1.25 */, 0x3F900000u /* 1.125: a tie */, 0x3F900001u, 0x3F8FFFFFu}) {
    INFO(std::hex << special);
    CHECK(set.contains(special));
  }
  const Meaning from_int = meaning_of(any_type("int64"), any_type("float32"), &test::rounding("nearest_even"), policy);
  const std::vector<std::uint64_t> integers = verify::source_points(from_int);
  const std::set<std::uint64_t> integer_set(integers.begin(), integers.end());
  for (const std::uint64_t special : {0ull, 1ull, ~0ull, 1ull << 63, ~0ull >> 1, (1ull << 24) + 1, (1ull << 53) + 1, (1ull << 63) + 1}) CHECK(integer_set.contains(special));
}
