// The cases themselves: every row and width of the table is among them, with operands enough; and the SMT-LIB term of
// every operation gives what the interpreter gives.
#include <catch2/catch_test_macros.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "ir/smt_terms.hpp"
#include "unit/operations/cases.hpp"
#include "verify/print_smt.hpp"
#include "verify/smt.hpp"

using namespace castforge;

namespace {

std::string z3_or_skip() {
#ifdef CASTFORGE_Z3
  return CASTFORGE_Z3;
#else
  try {
    return verify::find_z3("").string();
  } catch (const std::runtime_error& missing) {
    SKIP(missing.what());
    throw;  // SKIP does not come back, which the compiler cannot know
  }
#endif
}

std::string conjunction(const std::vector<std::string>& terms) {
  std::string text = "(and true";
  for (const std::string& term : terms) text += " " + term;
  return text + ")";
}

}  // namespace

TEST_CASE("every operation is among the cases, at every width it has, with many operands") {
  std::map<ir::Op, std::set<int>> widths;
  std::map<ir::Op, std::size_t> refused;
  std::set<std::string> names;
  for (const test::Case& one : test::operation_cases()) {
    INFO(one.name);
    CHECK(names.insert(one.name).second);
    widths[one.op].insert(one.bits);
    const test::Tuples tuples = test::tuples_of(one);
    CHECK(tuples.columns.size() == one.operands.size());
    for (const auto& column : tuples.columns) CHECK(column.size() == tuples.results.size());
    const std::size_t all = one.operands.size() * static_cast<std::size_t>(one.bits);
    const bool has_domain = std::string(ir::operation(one.op).domain) != "";
    if (!has_domain) {
      CHECK(tuples.results.size() >= (all <= 16 ? 1ull << all : 6000));
      CHECK(tuples.outside.empty());
    } else {
      CHECK(tuples.results.size() >= (one.op == ir::Op::lookup8_wide ? 8 : all <= 16 ? 15 : 4000));
      refused[one.op] += tuples.outside.size();
    }
  }
  for (std::size_t i = 0; i < ir::operations().size(); ++i) {
    const auto op = static_cast<ir::Op>(i);
    if (op == ir::Op::input) continue;
    INFO(ir::operation(op).name);
    unsigned found = 0;
    for (const int bits : widths[op]) found |= static_cast<unsigned>(bits);
    CHECK(found == ir::operation(op).signature.widths);
    if (std::string(ir::operation(op).domain) != "") CHECK(refused[op] > 0);
  }
}

TEST_CASE("terms give what the interpreter gives, and refuse what it refuses") {
  const std::string z3 = z3_or_skip();
  constexpr std::size_t kInside = 60;
  const std::vector<test::Case> cases = test::operation_cases();
  std::ostringstream script;
  std::vector<std::string> names;
  std::size_t equations = 0;
  for (const test::Case& one : cases) {
    const test::Tuples tuples = test::tuples_of(one);
    const std::size_t count = tuples.results.size();
    const bool large = one.op == ir::Op::table || one.op == ir::Op::lookup256;  // terms of 256 entries
    const std::size_t inside = std::min<std::size_t>(count, large ? 8 : kInside);
    const auto ask = [&](const std::string& name, const std::string& claims) {
      names.push_back(name);
      script << "(reset)\n(set-logic QF_BVFP)\n(assert (not (and true" << claims << ")))\n(check-sat)\n";
    };
    std::string claims;
    for (std::size_t i = 0; i < inside; ++i) {
      const std::size_t at = i * (count / inside) + i % 7 % (count / inside);
      std::vector<std::uint64_t> operands;
      for (const auto& column : tuples.columns) operands.push_back(column[at]);
      const verify::SmtProgram printed = verify::print_smt(test::at(one, operands), "");
      std::vector<std::string> terms = printed.domain;
      terms.push_back(smt::call("=", printed.result, smt::constant(tuples.results[at], one.to())));
      claims += "\n" + printed.bindings + conjunction(terms) + smt::close_bindings(printed.bindings);
      ++equations;
    }
    ask(one.name, claims);
    claims.clear();
    for (const auto& operands : tuples.outside) {
      const verify::SmtProgram printed = verify::print_smt(test::at(one, operands), "");
      claims +=
          "\n" + printed.bindings + "(not " + conjunction(printed.domain) + ")" + smt::close_bindings(printed.bindings);
      ++equations;
    }
    if (!claims.empty()) ask(one.name + ", outside its domain", claims);
  }

  std::string path = (std::filesystem::temp_directory_path() / "castforge-terms-").string() +
                     std::string(6, 'X');  // what mkstemp fills in
  const int file = mkstemp(path.data());
  REQUIRE(file >= 0);
  close(file);
  std::ofstream(path, std::ios::binary) << script.str();
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen((z3 + " -smt2 -T:600 " + path).c_str(), "r"),
                                                             pclose);
  REQUIRE(pipe);
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    text.append(buffer.data(), got);
  std::remove(path.c_str());

  std::istringstream answers(text);
  for (const std::string& name : names) {
    std::string answer;
    std::getline(answers, answer);
    INFO(name << ": " << answer);
    CHECK(answer == "unsat");
  }
  CHECK(equations > 20000);
}
