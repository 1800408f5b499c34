// Proofs of cheap kernels end to end, and that a wrong plan is found out. Skipped where there is no z3.
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

#include "plan/interpret.hpp"
#include "plan/planner.hpp"
#include "semantics/convert.hpp"
#include "spec/loader.hpp"
#include "spec/model.hpp"
#include "verify/compare.hpp"
#include "verify/smt.hpp"

using namespace castforge;
using verify::Proof;

namespace {

verify::Solver solver() {
#ifdef CASTFORGE_Z3
  return {CASTFORGE_Z3, 120};
#else
  try {
    return {verify::find_z3(""), 120};
  } catch (const std::runtime_error& missing) {
    SKIP(missing.what());
  }
#endif
}

const spec::SpecModel& model() {
  static const spec::SpecModel loaded = spec::load({std::filesystem::path(CASTFORGE_SOURCE_DIR) / "specs"});
  return loaded;
}

spec::Meaning meaning(const char* src, const char* dst) {
  spec::Meaning m;
  m.src = model().find_type(src);
  m.dst = model().find_type(dst);
  m.round = model().find_rounding("nearest_even");
  REQUIRE(m.src != nullptr);
  REQUIRE(m.dst != nullptr);
  REQUIRE(m.round != nullptr);
  if (m.dst->kind == spec::Kind::integer) {
    m.overflow = spec::Overflow::saturate;
    m.inf = spec::InfResult::as_overflow;
    m.nan = spec::NanResult::zero;
  }
  return m;
}

/// The plan that runs everywhere, compared at the quick level first.
plan::LanePlan general_plan(const spec::Meaning& m) {
  plan::KernelPlans plans = plan::plan_kernel(m);
  REQUIRE_FALSE(verify::compare(m, plans).has_value());
  return plans.lanes.back();
}

}  // namespace

TEST_CASE("plans of 64-bit sources are proved for every source word") {
  const verify::Solver z3 = solver();
  for (const auto& [src, dst] :
       {std::pair{"float64", "float8e4m3fn"}, {"uint64", "int8"}, {"float64", "float4e2m1"}, {"int64", "bool"}}) {
    INFO(src << " to " << dst);
    spec::Meaning m = meaning(src, dst);
    if (std::string(dst) == "float4e2m1") {  // has neither infinity nor NaN
      m.overflow = spec::Overflow::max;
      m.inf = spec::InfResult::max;
      m.nan = spec::NanResult::max;
    }
    const Proof proof = verify::prove(m, general_plan(m), z3);
    INFO(proof.reason);
    CHECK(proof.result == Proof::Result::proved);
    CHECK(proof.cases >= 1);
  }
}

TEST_CASE("a plan with one wrong constant has a counterexample") {
  const verify::Solver z3 = solver();
  const spec::Meaning m = meaning("float64", "float8e4m3fn");
  const plan::LanePlan right = general_plan(m);
  std::size_t wrong_plans = 0;
  for (std::size_t id = 0; id < right.nodes.size() && wrong_plans < 3; ++id) {
    if (right.nodes[id].op != plan::Op::constant || right.nodes[id].name.empty()) continue;
    plan::LanePlan wrong = right;
    wrong.nodes[id].imm ^= 1;
    const Proof proof = verify::prove(m, wrong, z3);
    if (proof.result == Proof::Result::proved) continue;  // a constant may have some freedom
    INFO(right.nodes[id].name);
    REQUIRE(proof.result == Proof::Result::counterexample);
    std::vector<std::uint64_t> lanes{plan::extend(wrong, proof.source, m.src->storage_bits)};
    const std::string problem = plan::interpret(wrong, lanes);
    CHECK(proof.expected == semantics::convert_storage(m, proof.source));
    CHECK((!problem.empty() || proof.found != proof.expected));
    ++wrong_plans;
  }
  CHECK(wrong_plans == 3);
}

TEST_CASE("an error on a single source word is found") {
  const verify::Solver z3 = solver();
  const spec::Meaning m = meaning("uint64", "bool");
  plan::Builder b("wrong.integer", "a test", 64);
  const plan::Value bits = b.input();
  const plan::Value missed = plan::equal(bits, b.constant("kMissed", 0x0123456789ABCDEF, "some source word"));
  const plan::Value truth = plan::min(bits, b.literal(1));
  const plan::LanePlan wrong = b.finish(plan::select(missed, b.literal(0), truth));
  const Proof proof = verify::prove(m, wrong, z3);
  REQUIRE(proof.result == Proof::Result::counterexample);
  CHECK(proof.source == 0x0123456789ABCDEF);
  CHECK(proof.expected == 1);
  CHECK(proof.found == 0);
}

TEST_CASE("a multiply-add outside its domain is refused") {
  const verify::Solver z3 = solver();
  const spec::Meaning m = meaning("float32", "float8e4m3fn");
  plan::Builder b("wrong.multiply_add", "a test", 32);
  const plan::Value bits = b.input();
  const plan::LanePlan plan = b.finish(plan::multiply_add(bits, bits, bits));
  const Proof proof = verify::prove(m, plan, z3);
  CHECK(proof.result == Proof::Result::counterexample);
}

TEST_CASE("a missing solver comes with advice") {
  CHECK_THROWS_AS(verify::find_z3("/no/such/z3"), std::runtime_error);
}
