// Every pair with a format that the oracle's own table lacks, on every instruction set built, against the oracle, which is
// told the parameters that the library states. Exits 0 when all results are right.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

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

int run() {
  Report report;
  report.about("formats");
  for (const std::string& type : add_library_formats()) report.fail(type + " cannot be described to the oracle");
  std::vector<std::string> added;
  for (const oracle::Format& format : oracle::added_formats()) added.push_back(format.name);
  std::sort(added.begin(), added.end());
  if (added != std::vector<std::string>{"float12e5m6", "float8e3m4"}) report.fail("the library does not add the two formats of this test");

  const auto is_new = [&](const std::string& type) { return std::find(added.begin(), added.end(), type) != added.end(); };
  std::size_t pairs = 0, kernels = 0;
  std::uint64_t results = 0;
  for (const std::string& from : tested_types()) {
    for (const std::string& to : tested_types()) {
      if ((!is_new(from) && !is_new(to)) || from == "float8e8m0" || to == "float8e8m0") continue;
      ++pairs;
      const oracle::Codec &src = oracle::codec(from), &dst = oracle::codec(to);
      const std::vector<std::uint64_t> codes = codes_of(src, dst);
      std::string previous;
      for (const std::int64_t saturate : {1, 0}) {
        Duty duty;
        duty.request = {"castforge", "1", from, to, saturate, {}, {}, {}};
        duty.opset = "castforge@1";
        duty.rule = oracle::rule_for(duty.request);
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
          results += codes.size();
          if (again) continue;
          ++kernels;
          check_buffers(subject, oracle, report);
        }
      }
    }
  }
  std::printf("%zu pairs, %zu kernels times instruction sets, %llu results compared with the oracle, %llu failures\n", pairs, kernels,
              static_cast<unsigned long long>(results), static_cast<unsigned long long>(report.failures()));
  return report.failures() == 0 && pairs == 96 ? 0 : 1;
}

}  // namespace

int main() {
  castforge::exhaustive::name_subject_on_crash();
  try {
    return run();
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "check: %s\n", problem.what());
    return 3;
  }
}
