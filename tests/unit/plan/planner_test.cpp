// Every plan the planner makes, held against the exact semantics: all pairs of shipped types and of formats that nobody
// ships, all rounding modes and two invented ones, all policies.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "driver/catalogue.hpp"
#include "ir/analysis.hpp"
#include "ir/interpret.hpp"
#include "plan/instruction_sets.hpp"
#include "plan/lowerings.hpp"
#include "plan/planner.hpp"
#include "plan/real.hpp"
#include "semantics/convert.hpp"
#include "semantics/value.hpp"
#include "spec/canonical.hpp"
#include "unit/ir/flushed.hpp"
#include "unit/plan/subjects.hpp"
#include "unit/semantics/meanings.hpp"
#include "verify/compare.hpp"
#include "verify/points.hpp"

using namespace castforge;
using spec::Kind;
using spec::Meaning;
using spec::Type;
using test::all_types;
using test::any_type;
using test::meaning_of;
using test::modes;
using test::policies;
using test::Policy;

namespace {

/// Telling source elements of a pair, thinned out: a thousand or so.
const std::vector<std::uint64_t>& points(const Meaning& meaning) {
  static std::map<std::pair<const Type*, const Type*>, std::vector<std::uint64_t>> known;
  auto& list = known[{meaning.src, meaning.dst}];
  if (!list.empty()) return list;
  const std::vector<std::uint64_t> all = verify::source_points(meaning);
  const std::size_t step = std::max<std::size_t>(1, all.size() / 1200) | 1;
  for (std::size_t i = 0; i < all.size(); i += step) list.push_back(all[i]);
  // What a stride may step over.
  for (const std::uint64_t code :
       {std::uint64_t{0}, std::uint64_t{1}, meaning.src->sign_mask(), meaning.src->magnitude_mask()}) {
    list.push_back(semantics::storage_of_code(*meaning.src, code));
  }
  if (meaning.src->kind == Kind::floating) {
    for (const std::uint64_t sign : {std::uint64_t{0}, meaning.src->sign_mask()}) {
      list.push_back(semantics::storage_of_code(*meaning.src, meaning.src->max_finite_code() | sign));
      if (meaning.src->infinity)
        list.push_back(semantics::storage_of_code(*meaning.src, meaning.src->infinity_code() | sign));
      if (meaning.src->has_nan())
        list.push_back(semantics::storage_of_code(*meaning.src, meaning.src->canonical_nan(sign != 0)));
    }
  }
  return list;
}

bool is_dense(const Type& type) {
  const std::vector<Type>& types = test::dense();
  return &type >= types.data() && &type < types.data() + types.size();
}

/// The lowerings that quick_check() has seen programs of.
std::set<const plan::Lowering*> met;

/// The lowerings of that name that serve the meaning; infinities may be given their own result afterwards.
std::vector<const plan::Lowering*> lowerings_of(const ir::Program& program, const Meaning& meaning) {
  Meaning overflows = meaning;
  overflows.inf = spec::InfResult::as_overflow;
  std::vector<const plan::Lowering*> found;
  for (const plan::Lowering& row : plan::lowerings()) {
    if (row.id == program.id && row.needs == program.needs && row.source(*meaning.src) &&
        row.destination(*meaning.dst) && (row.rule(meaning) || row.rule(overflows)))
      found.push_back(&row);
  }
  return found;
}

/// What is wrong with the programs of a meaning on these sources: "" when nothing is.
std::string quick_check(const Meaning& meaning, const std::vector<std::uint64_t>& sources) {
  std::vector<ir::Program> programs;
  try {
    programs = plan::plan_kernel(meaning);
  } catch (const std::exception& problem) {
    return std::string("no plan: ") + problem.what();
  }
  if (programs.empty()) return "no plan at all";
  std::vector<std::uint64_t> expected(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) expected[i] = semantics::convert_storage(meaning, sources[i]);
  for (std::size_t index = 0; index < programs.size(); ++index) {
    const ir::Program& program = programs[index];
    const std::vector<const plan::Lowering*> rows = lowerings_of(program, meaning);
    if (rows.size() != 1) return program.id + ": from " + std::to_string(rows.size()) + " rows of the list";
    met.insert(rows.front());
    if (program.src_bits != meaning.src->storage_bits || program.dst_bits != meaning.dst->storage_bits)
      return program.id + ": other elements";
    if (program.result().bits != storage_unit(program.dst_bits)) return program.id + ": a result of another width";
    for (const ir::Node& node : program.nodes) {
      const auto is_constant = [&](int arg) {
        return program.nodes[static_cast<std::size_t>(arg)].op == ir::Op::constant;
      };
      if (!node.args.empty() && std::all_of(node.args.begin(), node.args.end(), is_constant)) {
        return program.id + ": an operation on constants alone, which have no width in C++";
      }
    }
    if (plan::chosen_on(programs, index).empty()) return program.id + ": no instruction set runs it";
    std::vector<std::uint64_t> codes = sources;
    const std::string problem = ir::interpret(program, codes);
    if (!problem.empty()) return problem;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (codes[i] == expected[i]) continue;
      char text[160];
      std::snprintf(text, sizeof text, ": source %llx expected %llx found %llx",
                    static_cast<unsigned long long>(sources[i]), static_cast<unsigned long long>(expected[i]),
                    static_cast<unsigned long long>(codes[i]));
      return program.id + text;
    }
    if (!ir::fits(program, static_cast<int>(program.nodes.size()) - 1, program.dst_bits)) {
      return program.id + ": bits above the element are not known to be zero";
    }
    if (ir::environment(program) != ir::Environment::rounding) continue;
    codes = sources;
    const std::string flushed = test::interpret_flushed(program, codes);
    if (!flushed.empty()) return flushed;
    if (codes != expected) return program.id + ": other results when subnormal numbers are flushed";
  }
  if (programs.back().needs != ir::kNeedsNothing) return "no plan for plain machines";
  return "";
}
std::string quick_check(const Meaning& meaning) { return quick_check(meaning, points(meaning)); }

/// Integers at powers of two from 2^20 to 2^27, halfway to the next number of `fraction_bits` bits, and beside them, of
/// both signs.
std::vector<std::uint64_t> integers_to_round(const Type& src, int fraction_bits) {
  std::vector<std::uint64_t> codes;
  for (int exponent = 20; exponent <= 27; ++exponent) {
    const std::uint64_t power = 1ull << exponent, half = power >> (fraction_bits + 1);
    for (const std::uint64_t ties : {0ull, 1ull, 2ull, 3ull, (2ull << fraction_bits) - 1}) {
      for (const std::uint64_t beside : {0ull - 1, 0ull, 1ull}) {
        const std::uint64_t value = power + ties * half + beside;
        for (const std::uint64_t code : {value, 0 - value}) codes.push_back(code & low_bits(src.storage_bits));
      }
    }
  }
  return codes;
}

}  // namespace

TEST_CASE("every pair, mode and policy has plans that agree with the semantics") {
  std::set<std::string> seen;
  std::map<std::string, int> failures;  // by what is alike in them
  for (const Type* src : all_types()) {
    for (const Type* dst : all_types()) {
      if (src == dst || dst->kind == Kind::boolean) continue;
      // Of the many pairs of dense elements two modes are enough: what differs is how elements are read and written.
      const bool thinned = is_dense(*src) || is_dense(*dst);
      for (const spec::Rounding* mode : modes()) {
        if (thinned && mode->carry != plan::kNearestEvenTable && mode->carry != plan::kFloorTable) continue;
        for (const Policy& policy : policies(*dst)) {
          const Meaning meaning = meaning_of(*src, *dst, mode, policy);
          if (!seen.insert(driver::meaning_text(meaning)).second) continue;
          const std::string problem = quick_check(meaning);
          if (problem.empty()) continue;
          const std::string text = driver::meaning_text(meaning);
          if (++failures[text.substr(text.find(" | overflow")) + problem.substr(0, problem.find(':'))] > 2) continue;
          FAIL_CHECK(text << "\n  " << problem);
        }
      }
    }
  }
  for (const auto& [kind, count] : failures) FAIL_CHECK(count << " times" << kind);
  CHECK(seen.size() > 5000);  // distinct meanings
  for (const plan::Lowering& row : plan::lowerings()) {
    INFO(row.id << " needs " << row.needs);
    const bool below =
        row.id == "truth.integer" || row.id == "copy.integer" || row.id.substr(0, 18) == "round_to_integral.";
    CHECK((below || met.contains(&row)));
  }
}

TEST_CASE("to bool, and a type to itself") {
  for (const Type* src : all_types()) {
    INFO(src->name);
    Meaning truth = meaning_of(*src, any_type("bool"), nullptr, policies(any_type("int8"))[0]);
    CHECK(quick_check(truth) == "");
    if (src->kind == Kind::boolean) continue;
    for (const Policy& policy : policies(*src)) CHECK(quick_check(meaning_of(*src, *src, modes()[0], policy)) == "");
  }
}

TEST_CASE("numbers to integral values of their own type") {
  const Type with_fractions[] = {
      // up to the largest number, which may round up
      test::floating("float10e3m6", true, 3, 6, 3, true, false, spec::NanCodes::top, 10),
      test::floating("float16e4m11", true, 4, 11, 7, true, true, spec::NanCodes::ieee, 16),
      test::floating("ufloat12e2m10", false, 2, 10, 1, true, false, spec::NanCodes::none, 12),
  };
  std::vector<const Type*> types = all_types();
  for (const Type& type : with_fractions) types.push_back(&type);
  for (const Type* type : types) {
    if (type->kind != Kind::floating) continue;
    for (const spec::Rounding* mode : modes()) {
      for (const Policy& policy : policies(*type)) {
        Meaning meaning = meaning_of(*type, *type, mode, policy);
        meaning.same_type = spec::SameType::integral;
        meaning.round = mode;
        meaning = spec::canonical(meaning);
        INFO(driver::meaning_text(meaning));
        CHECK(quick_check(meaning) == "");
      }
    }
  }
}

TEST_CASE("integers that float32 rounds become formats whose range ends near 2^24") {
  const int biases[] = {8, 7, 6};  // the largest numbers are just below 2^23, 2^24 and 2^25
  for (const int bias : biases) {
    for (const int fraction_bits : {2, 6, 10}) {
      const Type dst = test::floating("near", true, 5, fraction_bits, bias, true, true, spec::NanCodes::ieee,
                                      fraction_bits == 2 ? 8 : 16);
      for (const std::string source : {"int32", "uint32", "int64", "uint64"}) {
        const Type& src = any_type(source);
        const std::vector<std::uint64_t> codes = integers_to_round(src, fraction_bits);
        for (const spec::Rounding* mode : modes()) {
          for (const Policy& policy : policies(dst)) {
            const Meaning meaning = meaning_of(src, dst, mode, policy);
            INFO(driver::meaning_text(meaning));
            CHECK(quick_check(meaning, codes) == "");
          }
        }
      }
    }
  }
}

TEST_CASE("a NaN takes no part in a sum that rounds, where no number has to be bounded either") {
  const Type narrow = test::floating("float10e3m6", true, 3, 6, 3, true, false, spec::NanCodes::top, 10);
  const Type wide = test::floating("float12e6m5", true, 6, 5, 4, true, false, spec::NanCodes::none, 12);
  Policy policy = policies(wide)[0];
  policy.nan = spec::NanResult::zero;
  CHECK(quick_check(spec::canonical(meaning_of(narrow, wide, &test::rounding("nearest_even"), policy))) == "");
}

TEST_CASE("an infinity with a result of its own is found in the upper bits of its storage") {
  Type high = test::floating("float11e3m7", true, 3, 7, -8, true, true, spec::NanCodes::ieee, 16);
  high.storage_high = true;
  const Type narrow = test::floating("float7e5m1", true, 5, 1, 14, true, true, spec::NanCodes::ieee, 7);
  Policy policy = policies(narrow)[0];
  for (const spec::InfResult result : {spec::InfResult::zero, spec::InfResult::max}) {
    policy.inf = result;
    CHECK(quick_check(spec::canonical(meaning_of(high, narrow, &test::rounding("nearest_even"), policy))) == "");
  }
}

TEST_CASE("a format whose largest number is subnormal") {
  const Type narrow = test::floating("float3e1m1", true, 1, 1, 18, true, true, spec::NanCodes::top, 8);
  for (const char* src : {"bfloat16", "float32", "float64", "int8"}) {
    for (const Policy& policy : policies(narrow)) {
      const Meaning meaning = meaning_of(test::type(src), narrow, &test::rounding("nearest_even"), policy);
      INFO(driver::meaning_text(meaning));
      CHECK(quick_check(spec::canonical(meaning)) == "");
    }
  }
}

TEST_CASE("codes in the upper bits of storage wider than the lanes that make them") {
  // Static, as points() knows types by where they are.
  static std::vector<Type> types = {
      test::floating("bfloat16high64", true, 8, 7, 127, true, true, spec::NanCodes::ieee, 64),
      test::floating("float20high64", true, 6, 13, 31, true, true, spec::NanCodes::ieee, 64),
      test::floating("float8e4m3high64", true, 4, 3, 7, true, false, spec::NanCodes::top, 64),
      test::floating("power8high32", false, 8, 0, 127, false, false, spec::NanCodes::top, 32),
      test::floating("power8high16", false, 8, 0, 127, false, false, spec::NanCodes::top, 16),
  };
  for (Type& type : types) type.storage_high = true;
  for (const Type& dst : types) {
    for (const auto& src : test::shipped().model().types) {
      if (src->kind == Kind::string) continue;
      for (const spec::Rounding* mode : modes()) {
        for (const Policy& policy : policies(dst)) {
          const Meaning meaning = meaning_of(*src, dst, mode, policy);
          INFO(driver::meaning_text(meaning));
          CHECK(quick_check(meaning) == "");
        }
      }
    }
  }
}

TEST_CASE("integers rounded directly to formats without a sign, in any bits of their storage") {
  static std::vector<Type> types = {
      test::floating("ufloat31", false, 8, 23, 127, true, true, spec::NanCodes::ieee, 32),
      test::floating("ufloat31high", false, 8, 23, 127, true, true, spec::NanCodes::ieee, 32),
      test::floating("ufloat63high", false, 11, 52, 1023, true, true, spec::NanCodes::ieee, 64)};
  types[1].storage_high = types[2].storage_high = true;
  int direct = 0;
  for (const Type& dst : types) {
    for (const char* src : {"int32", "uint32", "int64", "uint64"}) {
      if (dst.storage_bits < any_type(src).storage_bits) continue;
      for (const spec::Rounding* mode : modes()) {
        for (const Policy& policy : policies(dst)) {
          const Meaning meaning = meaning_of(any_type(src), dst, mode, policy);
          INFO(driver::meaning_text(meaning));
          CHECK(quick_check(meaning) == "");
          direct += plan::plan_kernel(meaning).back().id == "wide_integer.integer";
        }
      }
    }
  }
  CHECK(direct > 50);
}

TEST_CASE("integers to formats that keep all fraction bits of a working layout, with fewer exponents") {
  static const Type types[] = {
      test::floating("float31e7m23", true, 7, 23, 63, true, true, spec::NanCodes::ieee, 32),
      test::floating("ufloat62e10m52", false, 10, 52, 511, true, true, spec::NanCodes::top, 64),
      test::floating("float28e4m23", true, 4, 23, 7, true, false, spec::NanCodes::none, 32)};
  int without_subnormals = 0;
  for (const Type& dst : types) {
    for (const char* src : {"int8", "uint16", "int32", "uint32"}) {
      for (const spec::Rounding* mode : modes()) {
        for (const Policy& policy : policies(dst)) {
          const Meaning meaning = meaning_of(any_type(src), dst, mode, policy);
          INFO(driver::meaning_text(meaning));
          CHECK(quick_check(meaning) == "");
          const ir::Program last = plan::plan_kernel(meaning).back();
          without_subnormals += std::ranges::any_of(last.nodes, [](const auto& n) { return n.name == "kBiasChange"; });
        }
      }
    }
  }
  CHECK(without_subnormals > 20);
}

TEST_CASE("kept bits are copied, whatever the types") {
  for (const auto& [src, dst] : {std::pair{"float32", "int32"},
                                 {"int64", "float64"},
                                 {"bfloat16", "float16"},
                                 {"bool", "uint8"},
                                 {"uint8", "bool"},
                                 {"bool", "bool"},
                                 {"float8e5m2", "float8e8m0"},
                                 {"int12", "uint12"},
                                 {"uint12", "int12"},
                                 {"uint4", "float4e2m1"}}) {
    INFO(src << " -> " << dst);
    Meaning meaning;
    meaning.src = &any_type(src);
    meaning.dst = &any_type(dst);
    meaning.bits = spec::Bits::kept;
    const Meaning plain = spec::canonical(meaning);
    CHECK(quick_check(meaning) == "");
    CHECK(quick_check(plain) == "");
    CHECK_FALSE(verify::compare(meaning, plan::plan_kernel(meaning)).has_value());
    CHECK_FALSE(verify::compare(meaning, plan::plan_kernel(plain)).has_value());
    const bool whole = any_type(dst).value_bits == any_type(dst).storage_bits;
    CHECK(plan::plan_kernel(meaning).back().is_copy() == whole);
  }
}

TEST_CASE("compare() passes what is right, on all its points") {
  const std::pair<const char*, const char*> pairs[] = {
      {"float32", "float8e4m3fn"}, {"float64", "float12e5m6"},     {"float16", "float8e3m4"},
      {"float12e5m6", "float32"},  {"float19e8m10", "float16"},    {"int12", "float16"},
      {"float32", "int12"},        {"float32", "ufloat8e5m3"},     {"float16", "binary8p1"},
      {"float32", "binary8p3"},    {"int64", "float19e8m10"},      {"float64", "int64"},
      {"uint64", "float8e8m0"},    {"float8e3m4", "float12e5m6"},  {"float32", "bfloat16ns"},
      {"float64", "float8e4m3ns"}, {"float32", "ufloat16e6m10ns"}, {"bfloat16ns", "float16"}};
  for (const auto& [src, dst] : pairs) {
    INFO(src << " -> " << dst);
    for (const spec::Rounding* mode : {modes()[0], modes().back()}) {
      const Meaning meaning = meaning_of(any_type(src), any_type(dst), mode, policies(any_type(dst))[1]);
      CHECK_FALSE(verify::compare(meaning, plan::plan_kernel(meaning)).has_value());
    }
  }
}

TEST_CASE("which plans may meet flushed subnormals") {
  const auto environments = [](const char* src, const char* dst) {
    const Meaning meaning =
        meaning_of(any_type(src), any_type(dst), &test::rounding("nearest_even"), policies(any_type(dst))[0]);
    std::vector<ir::Environment> list;
    for (const ir::Program& program : plan::plan_kernel(meaning)) list.push_back(ir::environment(program));
    return list;
  };
  using ir::Environment;
  CHECK(environments("float32", "float8e4m3fn").front() ==
        Environment::rounding);  // what is subnormal in float32 is zero there
  CHECK(environments("float64", "float16").front() == Environment::rounding);
  CHECK(environments("float64", "float32").front() == Environment::subnormals);  // makes subnormals
  CHECK(environments("float32", "float64").front() == Environment::subnormals);  // reads them
  CHECK(environments("float32", "float8e4m3fn").back() == Environment::none);    // integers only
}

TEST_CASE("where an instruction set is to run its next program, it does, and names stay apart") {
  const auto running = [](const plan::InstructionSet& set, const std::vector<ir::Program>& programs) {
    return std::ranges::find_if(programs, [&](const ir::Program& one) { return plan::runs(set, one); })->id;
  };
  int replaced = 0;
  for (const auto& [src, dst] : {std::pair{"float16", "bfloat16"},
                                 {"float32", "float8e4m3fn"},
                                 {"float32", "float16"},
                                 {"float64", "int32"},
                                 {"uint32", "float8e8m0"}}) {
    const Meaning meaning =
        meaning_of(any_type(src), any_type(dst), &test::rounding("nearest_even"), policies(any_type(dst))[0]);
    const std::string last = plan::plan_kernel(meaning).back().id;
    for (const plan::InstructionSet& set : plan::instruction_sets()) {
      INFO(src << " -> " << dst << " on " << set.name);
      const std::string first = running(set, plan::plan_kernel(meaning));
      const std::vector<ir::Program> programs = plan::plan_kernel(meaning, &set);
      std::set<std::string> names;
      for (const ir::Program& program : programs) CHECK(names.insert(program.id).second);
      const bool has_next = running(set, programs) != first;
      CHECK(has_next == (first != last));
      replaced += has_next;
      CHECK_FALSE(verify::compare(meaning, programs).has_value());
    }
  }
  CHECK(replaced > 15);

  // lookup.bytes16 would do the same as lookup.bytes, which every set with vectors runs.
  const Meaning tabulated =
      meaning_of(any_type("float4e2m1"), any_type("bfloat16"), nullptr, policies(any_type("bfloat16"))[0]);
  for (const plan::InstructionSet& set : plan::instruction_sets()) {
    for (const ir::Program& program : plan::plan_kernel(tabulated, &set)) CHECK(program.id != "lookup.bytes16");
  }
}

TEST_CASE("integers of floats: an operation for each mode that has one") {
  ir::Builder b("test.integer", "here", 64, 64, 64);
  const ir::Value wide = b.input(), single = ir::truncate(wide, 32);
  const auto op = [&](ir::Value number, std::uint16_t carry) { return b.at(plan::int_of_float(number, carry)).op; };
  CHECK(op(single, plan::kTowardZeroTable) == ir::Op::int32_of_float32_rtz);
  CHECK(op(single, plan::kNearestEvenTable) == ir::Op::int32_of_float32_rne);
  CHECK(op(single, plan::kNearestAwayTable) == ir::Op::int32_of_float32_rna);
  CHECK(op(single, plan::kFloorTable) == ir::Op::int32_of_float32_rtn);
  CHECK(op(single, plan::kCeilTable) == ir::Op::int32_of_float32_rtp);
  CHECK(op(single, plan::kOddTable) == ir::Op::int32_of_float32_rto);
  CHECK_FALSE(plan::int_of_float(single, 0x1234));
  CHECK(op(wide, plan::kTowardZeroTable) == ir::Op::int64_of_float64_rtz);
  CHECK(op(wide, plan::kNearestEvenTable) == ir::Op::int64_of_float64_rne);
  CHECK_FALSE(plan::int_of_float(wide, plan::kFloorTable));
}

TEST_CASE("a broken table is caught at its entry") {
  const Meaning meaning =
      meaning_of(any_type("float8e3m4"), any_type("float16"), nullptr, policies(any_type("float16"))[0]);
  std::vector<ir::Program> programs = plan::plan_kernel(meaning);
  REQUIRE(programs.back().tables.size() == 1);
  REQUIRE_FALSE(verify::compare(meaning, programs).has_value());
  programs.back().tables[0].entries[0x5A] ^= 1;
  const auto counterexample = verify::compare(meaning, programs);
  REQUIRE(counterexample.has_value());
  CHECK(counterexample->program == programs.back().id);
  CHECK(counterexample->source == 0x5A);
  CHECK(counterexample->found == (counterexample->expected ^ 1));
}

TEST_CASE("a result with bits above the element is wrong, whatever is in the element") {
  const Meaning meaning = meaning_of(any_type("uint4"), any_type("int8"), nullptr, policies(any_type("int8"))[0]);
  Meaning narrow = meaning_of(any_type("int8"), any_type("uint4"), nullptr, policies(any_type("uint4"))[0]);
  ir::Builder b("wrong.integer", "a test", 8, 4, 8);
  ir::Program program = b.finish(b.element());  // masked
  CHECK_FALSE(verify::compare(narrow, {&program, 1}).has_value());
  program.nodes.pop_back();
  REQUIRE(program.nodes.back().op != ir::Op::bit_and);
  program.nodes = {program.nodes.front()};
  const auto counterexample = verify::compare(narrow, {&program, 1});
  REQUIRE(counterexample.has_value());
  CHECK((counterexample->found & 0xF) == counterexample->expected);
  CHECK_FALSE(verify::compare(meaning, plan::plan_kernel(meaning)).has_value());
}

TEST_CASE("points of comparison") {
  const Policy policy = policies(any_type("float16"))[0];
  const Meaning narrow =
      meaning_of(any_type("float16"), any_type("float8e5m2"), &test::rounding("nearest_even"), policy);
  CHECK(verify::points_are_exhaustive(narrow));
  CHECK(verify::source_points(narrow).size() == 65536);
  const Meaning wide = meaning_of(any_type("float32"), any_type("float8e5m2"), &test::rounding("nearest_even"), policy);
  CHECK_FALSE(verify::points_are_exhaustive(wide));
  const std::vector<std::uint64_t> sources = verify::source_points(wide);
  const std::set<std::uint64_t> set(sources.begin(), sources.end());
  for (const std::uint64_t special :
       {0x00000000u, 0x80000000u, 0x00000001u, 0x007FFFFFu, 0x7F7FFFFFu, 0x7F800000u, 0xFF800000u, 0x7F800001u,
        0x7FFFFFFFu, 0x47600000u /* 57344 */, 0x47700000u /* 61440 */, 0x476FFFFFu,
        0x37000000u /* 2^-17: a tie with zero */, 0x37000001u, 0x3FA00000u /* 1.25 */, 0x3F900000u /* 1.125: a tie */,
        0x3F900001u, 0x3F8FFFFFu}) {
    INFO(std::hex << special);
    CHECK(set.contains(special));
  }
  const Meaning from_int = meaning_of(any_type("int64"), any_type("float32"), &test::rounding("nearest_even"), policy);
  const std::vector<std::uint64_t> integers = verify::source_points(from_int);
  const std::set<std::uint64_t> integer_set(integers.begin(), integers.end());
  for (const std::uint64_t special :
       {0ull, 1ull, ~0ull, 1ull << 63, ~0ull >> 1, (1ull << 24) + 1, (1ull << 53) + 1, (1ull << 63) + 1})
    CHECK(integer_set.contains(special));
}

TEST_CASE("where points of comparison would be many millions, some exponents of normal numbers have a few only") {
  Type twenty_two_bits = any_type("float64");
  twenty_two_bits.mantissa_bits = 10;
  twenty_two_bits.value_bits = 22;
  twenty_two_bits.storage_bits = 32;
  const Meaning meaning =
      meaning_of(any_type("float64"), twenty_two_bits, &test::rounding("nearest_even"), policies(twenty_two_bits)[0]);
  const std::vector<std::uint64_t> sources = verify::source_points(meaning);
  CHECK(sources.size() < 5'000'000);
  const std::set<std::uint64_t> set(sources.begin(), sources.end());
  const auto one_of = [&set](std::uint64_t exponent) { return set.contains(exponent << 52 | 0x0005'DE00'0000'0001); };
  CHECK(one_of(1));     // 2^-1022, the smallest normal number
  CHECK(one_of(2046));  // the largest numbers
  int others = 0;
  for (std::uint64_t exponent = 2; exponent < 2046; ++exponent) others += one_of(exponent) ? 1 : 0;
  CHECK(others > 100);
  CHECK(others < 1000);
}

TEST_CASE("formats without fraction bits, in words of 32 bits, have a point for every code") {
  for (const bool is_signed : {false, true}) {
    const Type powers = test::floating("powers", is_signed, 8, 0, 127, false, false, spec::NanCodes::top, 32);
    const Meaning meaning =
        meaning_of(powers, any_type("float16"), &test::rounding("nearest_even"), policies(any_type("float16"))[0]);
    const std::vector<std::uint64_t> sources = verify::source_points(meaning);
    CHECK(sources.size() < 100'000);
    const std::set<std::uint64_t> set(sources.begin(), sources.end());
    for (std::uint64_t code = 0; code <= low_bits(powers.value_bits); ++code) CHECK(set.contains(code));
    CHECK_FALSE(verify::compare(meaning, plan::plan_kernel(meaning)).has_value());
  }
}

TEST_CASE("integers with bits around them have points for all three forms of those, in as much memory as others") {
  Type high = any_type("int64");
  high.value_bits = 63;
  high.storage_high = true;
  const Policy policy = policies(any_type("float64"))[0];
  const Meaning meaning = meaning_of(high, any_type("float64"), &test::rounding("nearest_even"), policy);
  const std::vector<std::uint64_t> sources = verify::source_points(meaning);
  CHECK(sources.size() < 5'000'000);
  CHECK(sources.capacity() == sources.size());
  const std::set<std::uint64_t> set(sources.begin(), sources.end());
  for (const std::uint64_t code : {0ull, 1ull, (1ull << 53) + 1, (1ull << 62) + 1})
    CHECK((set.contains(code << 1) && set.contains(code << 1 | 1)));
}
