// Broken programs have to be noticed. A program is broken in every single place; what compare() does not notice must be
// the same function: by running every source code where there are 2^16 at most, by a reason given here where there are
// more.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "ir/interpret.hpp"
#include "plan/planner.hpp"
#include "semantics/convert.hpp"
#include "unit/plan/subjects.hpp"
#include "verify/compare.hpp"
#include "verify/points.hpp"
#include "verify/smt.hpp"

using namespace castforge;
using ir::Node;
using ir::Op;
using ir::Program;
using spec::Meaning;
using test::any_type;

namespace {

struct Mutant {
  std::string change;  // "kTop + 1", "select swapped at limited"
  Program program;
};

/// What a reader would call a node: its name, or its operation and number.
std::string place(const Program& program, std::size_t id) {
  const Node& node = program.nodes[id];
  if (!node.name.empty()) return node.name;
  if (node.op == Op::constant) return std::to_string(node.imm);
  return std::string(ir::operation(node.op).name) + " " + std::to_string(id);
}

bool has_number(const Node& node) { return ir::operation(node.op).signature.argument == ir::Argument::number; }

/// Numbers that stay allowed between angle brackets.
bool allowed(const Program& program, const Node& node, std::uint64_t imm) {
  const int bits = program.nodes[static_cast<std::size_t>(node.args[0])].bits;
  if (node.op == Op::fold) return imm >= 16 && imm <= 23;
  if (node.op == Op::byte) return imm < static_cast<std::uint64_t>(bits) / 8;
  if (node.op == Op::sign8) return imm < 8;
  return imm < static_cast<std::uint64_t>(bits);
}

std::vector<Mutant> mutants(const Program& program) {
  static const std::map<Op, Op> others = {{Op::add, Op::sub},
                                          {Op::sub, Op::add},
                                          {Op::min, Op::max},
                                          {Op::max, Op::min},
                                          {Op::bit_and, Op::bit_or},
                                          {Op::bit_or, Op::bit_and},
                                          {Op::shl, Op::shr},
                                          {Op::shr, Op::shl},
                                          {Op::shl_imm, Op::shr_imm},
                                          {Op::shr_imm, Op::shl_imm},
                                          {Op::mask_and, Op::mask_or},
                                          {Op::mask_or, Op::mask_and},
                                          {Op::min_signed, Op::max_signed},
                                          {Op::max_signed, Op::min_signed},
                                          {Op::int32_of_float32_rne, Op::int32_of_float32_rtz},
                                          {Op::int32_of_float32_rtz, Op::int32_of_float32_rne}};
  std::vector<Mutant> list;
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const Node& node = program.nodes[id];
    const auto with = [&](const std::string& change, const auto& edit) {
      list.push_back({change, program});
      edit(list.back().program.nodes[id]);
    };
    if (node.op == Op::constant) {
      for (const int step : {1, -1}) {
        with(place(program, id) + (step > 0 ? " + 1" : " - 1"), [&](Node& changed) {
          changed.imm = (node.imm + static_cast<std::uint64_t>(step)) & ir::low_bits(node.bits);
        });
      }
    }
    if (has_number(node)) {
      for (const int step : {1, -1}) {
        const std::uint64_t imm = node.imm + static_cast<std::uint64_t>(step);
        if (!allowed(program, node, imm)) continue;
        with(place(program, id) + ": number" + (step > 0 ? " + 1" : " - 1"), [&](Node& changed) { changed.imm = imm; });
      }
    }
    if (node.op == Op::select) {
      with(place(program, id) + ": swapped", [](Node& changed) { std::swap(changed.args[1], changed.args[2]); });
    }
    if (node.op == Op::greater || node.op == Op::sub) {
      with(place(program, id) + ": operands exchanged",
           [](Node& changed) { std::swap(changed.args[0], changed.args[1]); });
    }
    if (const auto other = others.find(node.op); other != others.end()) {
      with(place(program, id) + ": " + ir::operation(other->second).name,
           [&](Node& changed) { changed.op = other->second; });
    }
  }
  return list;
}

/// Does the program give another result than expected for some source code, or leave a domain? Looks at every code.
bool is_wrong(const Program& program, const std::vector<std::uint64_t>& expected) {
  std::vector<std::uint64_t> codes(expected.size());
  for (std::uint64_t code = 0; code < codes.size(); ++code) codes[code] = code;
  return !ir::interpret(program, codes).empty() || codes != expected;
}

/// What compare() says of a mutant is so.
void check_counterexample(const Meaning& meaning, const Program& mutant, const verify::Counterexample& found) {
  if (!found.problem.empty()) return;
  CHECK(found.program == mutant.id);
  CHECK(found.expected == semantics::convert_storage(meaning, found.source));
  CHECK(found.found != found.expected);
  std::vector<std::uint64_t> code = {found.source};
  CHECK(ir::interpret(mutant, code).empty());
  CHECK(code[0] == found.found);
}

Meaning by_nearest(const char* src, const char* dst, std::size_t policy = 0, const char* mode = "nearest_even") {
  const spec::Type& to = any_type(dst);
  return test::meaning_of(any_type(src), to, &test::rounding(mode), test::policies(to)[policy]);
}

}  // namespace

TEST_CASE("of sources up to 16 bits every mutant that compare() lets pass is the same function") {
  const Meaning meanings[] = {
      by_nearest("float16", "float8e4m3fn"),
      by_nearest("float16", "float8e4m3fn", 1, "toward_zero"),
      by_nearest("float16", "float8e5m2fnuz", 2),
      by_nearest("bfloat16", "float8e5m2"),
      by_nearest("bfloat16", "float16", 1),
      by_nearest("float16", "int8", 1, "floor"),
      by_nearest("bfloat16", "uint4"),
      by_nearest("int16", "float8e4m3fn"),
      by_nearest("uint16", "bfloat16"),
      by_nearest("int16", "int4", 1),
      by_nearest("float12e5m6", "float8e8m0"),
      by_nearest("float12e5m6", "ufloat8e5m3", 1),
      by_nearest("uint8", "float16"),
  };
  std::size_t broken = 0, same = 0, refused = 0;
  for (const Meaning& meaning : meanings) {
    REQUIRE(verify::points_are_exhaustive(meaning));
    std::vector<std::uint64_t> expected(1ull << meaning.src->storage_bits);
    for (std::uint64_t code = 0; code < expected.size(); ++code)
      expected[code] = semantics::convert_storage(meaning, code);
    const verify::Comparison comparison(meaning);
    for (const Program& program : plan::plan_kernel(meaning)) {
      for (const Mutant& mutant : mutants(program)) {
        INFO(meaning.src->name << " to " << meaning.dst->name << ", " << program.id << ": " << mutant.change);
        const auto counterexample = comparison.find(mutant.program);
        const bool wrong = is_wrong(mutant.program, expected);
        CHECK(counterexample.has_value() == wrong);
        ++broken;
        same += !wrong;
        if (!counterexample) continue;
        refused += !counterexample->problem.empty();
        check_counterexample(meaning, mutant.program, *counterexample);
      }
    }
  }
  INFO(broken << " mutants, " << same << " of them the same function, " << refused << " outside a domain");
  CHECK(broken > 500);
  CHECK(same * 4 < broken);
  CHECK(refused * 4 < broken);
}

namespace {

struct Subject {
  Meaning meaning;
  std::map<std::string, std::string> same;  // "variant: change" -> why it is the same function
};

/// Wide sources, and every mutant of their programs that is the same function.
std::vector<Subject> wide_subjects() {
  const std::string sticky = "so far below, any shift leaves zero and a sticky bit";
  const std::string one_result = "the NaN beside infinity and infinity have one result";
  const std::string near_top = "numbers so near the largest round to it";
  const std::string near_bottom = "numbers so near the least round to it";
  const std::string beyond = "what is clamped is far beyond the range, and exact";
  const std::string low_bit = "the bit is clear in every number that the range does not end below";
  const std::string dropped = "the bit is dropped with the lower half";
  return {
      {by_nearest("float32", "float8e4m3fn"),
       {{"integer: kExpZero - 1", sticky},
        {"integer: kInf + 1", "overflow gives the NaN"},
        {"integer: kInf - 1", "infinity gives the NaN"},
        {"multiply_add: kTop + 1", near_top},
        {"multiply_add: kTop - 1", near_top}}},
      {by_nearest("float32", "float16", 1),
       {{"integer: kExpZero - 1", sticky},
        {"integer: kInf + 1", one_result},
        {"integer: kInf - 1", one_result},
        {"multiply_add: kTop + 1", near_top},
        {"multiply_add: kTop - 1", near_top}}},
      {by_nearest("float32", "int8", 1),
       {{"integer: kBeyond + 1", beyond},
        {"integer: kBeyond - 1", beyond},
        {"integer: kExpInteger + 1", "bounded numbers have exponents far below"},
        {"integer: kExpInteger - 1", "bounded numbers have exponents far below"},
        {"integer: kExpZero - 1", sticky},
        {"saturate: 0 + 1", "the least subnormal number rounds to zero"},
        {"saturate: kTop + 1", near_top},
        {"saturate: kTop - 1", near_top},
        {"saturate: kBottom + 1", near_bottom},
        {"saturate: kBottom - 1", near_bottom}}},
      {by_nearest("float64", "bfloat16"),
       {{"integer: kExpZero - 1", sticky},
        {"odd: kNaN + 1", dropped},
        {"odd: kNaN - 1", "no NaN of a conversion is below; the lower half rounds up to it"},
        {"odd: kMinusNaN + 1", dropped},
        {"odd: kMinusNaN - 1", "no NaN of a conversion is below; the lower half rounds up to it"},
        {"odd_sticky: kNaN + 1", dropped},
        {"odd_sticky: kNaN - 1", "no NaN of a conversion is below; the lower half rounds up to it"},
        {"odd_sticky: kMinusNaN + 1", dropped},
        {"odd_sticky: kMinusNaN - 1", "no NaN of a conversion is below; the lower half rounds up to it"}}},
      {by_nearest("int32", "float8e5m2", 1),
       {{"multiply_add: kExponent + 1", low_bit},
        {"multiply_add: kMagnitude - 1", low_bit},
        {"multiply_add: kLimit - 1", beyond},
        {"multiply_add: kMinusLimit + 1", beyond},
        {"multiply_add: kTop + 1", near_top},
        {"multiply_add: kTop - 1", near_top},
        {"quick: kExpZero + 1", "of integers only zero is so small, and is zero after any shift"},
        {"quick: kExpZero - 1", "of integers only zero is so small, and is zero after any shift"},
        {"quick: kFraction - 1", low_bit},
        {"quick: kMagnitude - 1", low_bit},
        {"quick: kLimit - 1", beyond},
        {"quick: kMinusLimit + 1", beyond}}},
      {by_nearest("int64", "float32"),
       {{"integer: kExact - 1", "integers from there on are not taken from here; it keeps them in the domain"},
        {"integer: kExpZero + 1", "of integers only zero is so small, and is zero after any shift"},
        {"integer: kExpZero - 1", "of integers only zero is so small, and is zero after any shift"},
        {"integer: kSign + 1", dropped},
        {"integer: shr_imm 19: number - 1", "integers from 2^52 on may be rounded to odd too"}}},
  };
}

/// What compare() lets pass: the names of the mutants, as in Subject, and the mutants.
std::map<std::string, Program> survivors(const Meaning& meaning) {
  std::map<std::string, Program> found;
  const verify::Comparison comparison(meaning);
  for (const Program& program : plan::plan_kernel(meaning)) {
    for (const Mutant& mutant : mutants(program)) {
      const auto counterexample = comparison.find(mutant.program);
      if (counterexample) check_counterexample(meaning, mutant.program, *counterexample);
      else found.emplace(program.variant() + ": " + mutant.change, mutant.program);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("of wider sources every mutant that compare() lets pass is the same function for a reason") {
  for (const Subject& subject : wide_subjects()) {
    INFO(subject.meaning.src->name << " to " << subject.meaning.dst->name);
    const std::map<std::string, Program> found = survivors(subject.meaning);
    for (const auto& [change, program] : found) {
      if (!subject.same.contains(change)) FAIL_CHECK("not noticed, and no reason is given: " << change);
    }
    for (const auto& [change, reason] : subject.same) {
      if (!found.contains(change)) FAIL_CHECK("noticed, or no such mutant: " << change << " (" << reason << ")");
    }
  }
}

TEST_CASE("the reasons are true: z3 proves it of the mutants of 32-bit sources") {
#ifdef CASTFORGE_Z3
  const verify::Solver z3{CASTFORGE_Z3, 120};  // those of 64 bits take minutes
  std::size_t proved = 0;
  for (const Subject& subject : wide_subjects()) {
    if (subject.meaning.src->storage_bits > 32) continue;
    for (const auto& [change, program] : survivors(subject.meaning)) {
      const verify::Proof proof = verify::prove(subject.meaning, program, z3);
      INFO(subject.meaning.src->name << " to " << subject.meaning.dst->name << ": " << change << ": " << proof.reason);
      CHECK(proof.result == verify::Proof::Result::proved);
      ++proved;
    }
  }
  CHECK(proved > 20);
#else
  SKIP("proofs need the program z3");
#endif
}
