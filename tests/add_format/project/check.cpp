// check SPECS: every pair with a format that the oracle's own table lacks, on every instruction set built, against the
// oracle, which reads the formats' specs by a parser of its own. Exits 0 when all results are right.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>

#include "checks.hpp"
#include "inputs.hpp"

namespace {

using namespace castforge;
using namespace castforge::exhaustive;

/// Every third code of long lists of wide sources; all of narrow ones.
std::vector<std::uint64_t> codes_of(const oracle::Codec& src, const oracle::Codec& dst) {
  std::vector<std::uint64_t> codes = inputs_for(src, dst);
  if (src.format().bits <= 16) return codes;
  std::vector<std::uint64_t> some;
  for (std::size_t i = 0; i < codes.size(); i += 3) some.push_back(codes[i]);
  return some;
}

/// The rules of added@1 once more, not read from its file.
oracle::Rule added_rule(const oracle::Format& src, const oracle::Format& dst) {
  oracle::Rule rule;
  if (dst.kind == oracle::Kind::integer) {
    rule.round = oracle::find_rounding("ties_to_odd").value();
    rule.overflow = oracle::Overflow::saturate;
    rule.infinite = oracle::Infinite::max;
    rule.not_a_number = dst.name == "uint10" ? oracle::NotANumber::max_positive
                        : dst.name == "int8" ? oracle::NotANumber::min
                                             : oracle::NotANumber::max_signed;
  } else {
    rule.round = oracle::find_rounding("ties_up").value();
    rule.overflow = oracle::Overflow::ieee;
  }
  return oracle::normalised(src, dst, rule);
}

class Check {
 public:
  Report report;

  void pair(const std::string& from, const std::string& to, const std::vector<Duty>& duties) {
    ++pairs_;
    const oracle::Codec &src = oracle::codec(from), &dst = oracle::codec(to);
    const std::vector<std::uint64_t> codes = codes_of(src, dst);
    std::string previous;
    for (Duty duty : duties) {
      const Kernel kernel = find_kernel(duty.opset, *find_type(from), *find_type(to), attributes_of(duty.request));
      report.about(label(duty));
      if (!kernel) {
        report.fail(kernel.status().message());
        continue;
      }
      duty.kernel = kernel.name();
      const bool again = duty.kernel == previous;
      previous = duty.kernel;
      const oracle::Converter oracle(src, dst, duty.rule);
      std::vector<std::uint64_t> expected;
      for (const std::uint64_t code : codes) expected.push_back(oracle(code));
      for (const std::string& isa : usable_isas()) {
        const Subject subject = subject_of(duty, isa);
        report.about(subject.name + " on " + isa + " (" + label(duty) + ")");
        check_values(subject, codes, expected, report);
        results_ += codes.size();
        if (again) continue;
        ++kernels_;
        check_buffers(subject, oracle, report);
      }
    }
  }

  std::size_t pairs() const { return pairs_; }
  void print() const {
    std::printf("%zu pairs, %zu kernels times instruction sets, %llu results compared with the oracle, %llu failures\n",
                pairs_, kernels_, static_cast<unsigned long long>(results_),
                static_cast<unsigned long long>(report.failures()));
  }

 private:
  std::size_t pairs_ = 0, kernels_ = 0;
  std::uint64_t results_ = 0;
};

int run(const std::string& specs) {
  oracle::read_specs({specs});
  Check check;
  check.report.about("formats");
  for (const std::string& type : unknown_types()) check.report.fail("the oracle does not know " + type);

  // castforge@1: float8e3m4 and float12e5m6 from and to every type.
  const auto is_new = [](const std::string& type) { return type == "float8e3m4" || type == "float12e5m6"; };
  const std::optional<OpSet> open = find_opset("castforge@1");
  for (const std::string& from : tested_types()) {
    for (const std::string& to : tested_types()) {
      if ((!is_new(from) && !is_new(to)) || !open->admits(*find_type(from), *find_type(to))) continue;
      std::vector<Duty> duties;
      for (const std::int64_t saturate : {1, 0}) {
        Duty duty;
        duty.request = {"castforge", "1", from, to, saturate, {}, {}, {}};
        duty.opset = "castforge@1";
        duty.rule = oracle::rule_for(duty.request);
        duties.push_back(duty);
      }
      check.pair(from, to, duties);
    }
  }
  if (check.pairs() != 96) check.report.fail("other pairs than those of castforge@1 in this test");

  const std::optional<OpSet> added = find_opset("added@1");
  for (const std::string& from : tested_types()) {
    for (const std::string& to : tested_types()) {
      if (!added->admits(*find_type(from), *find_type(to))) continue;
      Duty duty;
      duty.request = {"added", "1", from, to, {}, {}, {}, {}};
      duty.opset = "added@1";
      duty.rule = added_rule(oracle::codec(from).format(), oracle::codec(to).format());
      check.pair(from, to, {duty});
    }
  }
  if (check.pairs() != 96 + 44) check.report.fail("other pairs than those of added@1 in this test");
  check.print();
  return check.report.failures() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  castforge::exhaustive::name_subject_on_crash();
  try {
    return argc == 2 ? run(argv[1]) : 2;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "check: %s\n", problem.what());
    return 3;
  }
}
