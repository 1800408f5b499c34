// Proofs of cheap kernels end to end, and that a wrong program is found out. Skipped where there is no z3.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "ir/interpret.hpp"
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
    throw;  // SKIP does not come back, which the compiler cannot know
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

/// The program that runs everywhere, compared at the quick level first.
ir::Program general_program(const spec::Meaning& m) {
  const std::vector<ir::Program> programs = plan::plan_kernel(m);
  REQUIRE_FALSE(verify::compare(m, programs).has_value());
  return programs.back();
}

}  // namespace

TEST_CASE("programs of 64-bit sources are proved for every source word") {
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
    const Proof proof = verify::prove(m, general_program(m), z3);
    INFO(proof.reason);
    CHECK(proof.result == Proof::Result::proved);
    CHECK(proof.cases >= 1);
  }
}

TEST_CASE("a program with one wrong constant has a counterexample") {
  const verify::Solver z3 = solver();
  const spec::Meaning m = meaning("float64", "float8e4m3fn");
  const ir::Program right = general_program(m);
  std::size_t wrong_programs = 0;
  for (std::size_t id = 0; id < right.nodes.size() && wrong_programs < 3; ++id) {
    if (right.nodes[id].op != ir::Op::constant || right.nodes[id].name.empty()) continue;
    ir::Program wrong = right;
    wrong.nodes[id].imm ^= 1;
    const Proof proof = verify::prove(m, wrong, z3);
    if (proof.result == Proof::Result::proved) continue;  // a constant may have some freedom
    INFO(right.nodes[id].name);
    REQUIRE(proof.result == Proof::Result::counterexample);
    std::vector<std::uint64_t> code{proof.source};
    const std::string problem = ir::interpret(wrong, code);
    CHECK(proof.expected == semantics::convert_storage(m, proof.source));
    CHECK(problem == proof.problem);
    CHECK((!problem.empty() || (proof.found == code[0] && proof.found != proof.expected)));
    ++wrong_programs;
  }
  CHECK(wrong_programs == 3);
}

TEST_CASE("an error on a single source word is found") {
  const verify::Solver z3 = solver();
  const spec::Meaning m = meaning("uint64", "bool");
  ir::Builder b("wrong.integer", "a test", 64, m.dst->storage_bits, 64);
  const ir::Value bits = b.input();
  const ir::Value missed = ir::equal(bits, b.constant("kMissed", 0x0123456789ABCDEF, "some source word"));
  const ir::Value truth = ir::min(bits, b.literal(1));
  const ir::Program wrong = b.finish(ir::select(missed, b.literal(0), truth));
  const Proof proof = verify::prove(m, wrong, z3);
  REQUIRE(proof.result == Proof::Result::counterexample);
  CHECK(proof.source == 0x0123456789ABCDEF);
  CHECK(proof.expected == 1);
  CHECK(proof.found == 0);
}

TEST_CASE("a bit above the element is an error too") {
  const verify::Solver z3 = solver();
  const spec::Meaning m = meaning("uint64", "bool");
  REQUIRE(m.dst->storage_bits < 16);
  ir::Builder b("wrong.integer", "a test", 64, m.dst->storage_bits, 64);
  const ir::Value bits = b.input();
  ir::Program wrong = b.finish(ir::min(bits, b.literal(1)));
  CHECK(verify::prove(m, wrong, z3).result == Proof::Result::proved);
  REQUIRE(wrong.nodes.back().bits == 8);
  ir::Builder above("wrong.integer", "a test", 64, 8, 64);
  const ir::Value truth = ir::min(above.input(), above.literal(1));
  wrong = above.finish(truth | (truth << 7));
  wrong.dst_bits = m.dst->storage_bits;
  CHECK(verify::prove(m, wrong, z3).result == Proof::Result::counterexample);
}

TEST_CASE("a multiply-add outside its domain is refused") {
  const verify::Solver z3 = solver();
  const spec::Meaning m = meaning("float32", "float8e4m3fn");
  ir::Builder b("wrong.multiply_add", "a test", 32, 8, 32);
  const ir::Value bits = b.input();
  const ir::Program program = b.finish(b.node(ir::Op::multiply_add, {bits, bits, bits}));
  const Proof proof = verify::prove(m, program, z3);
  CHECK(proof.result == Proof::Result::counterexample);
}

TEST_CASE("a narrowing that drops bits is refused where it must not") {
  const verify::Solver z3 = solver();
  const spec::Meaning m = meaning("uint64", "uint32");
  ir::Builder b("wrong.integer", "a test", 64, 32, 64);
  const ir::Value bits = b.input();
  const ir::Program program = b.finish(b.node(ir::Op::narrow, {bits}, 0, 32));
  const Proof proof = verify::prove(m, program, z3);
  REQUIRE(proof.result == Proof::Result::counterexample);
  CHECK(proof.problem.find("the value fits") != std::string::npos);
}

TEST_CASE("a solver that does not run to its end proves nothing") {
  namespace fs = std::filesystem;
  const fs::path program = fs::temp_directory_path() / ("castforge-solver-" + std::to_string(::getpid()));
  const spec::Meaning m = meaning("uint64", "bool");
  const ir::Program right = general_program(m);
  const auto message = [&](const std::string& commands) -> std::string {
    std::ofstream(program) << "#!/bin/sh\n" << commands << "\n";
    fs::permissions(program, fs::perms::owner_all);
    try {
      return verify::prove(m, right, {program, 10}).reason;
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  };
  const std::string proved = "for i in 1 2 3 4 5 6 7 8 9; do echo unsat; done";
  CHECK(message(proved) == "");
  CHECK(message(proved + "; kill -9 $$") == program.string() + " did not run to its end");
  CHECK(message(proved + "; exit 126") == program.string() + " did not run to its end");
  CHECK(message("true") == program.string() + " gave no answer");
  CHECK(message("echo unsat; echo unknown").starts_with("not proved within 10 s: "));
  fs::remove(program);
}

TEST_CASE("a missing solver comes with advice") { CHECK_THROWS_AS(verify::find_z3("/no/such/z3"), std::runtime_error); }
