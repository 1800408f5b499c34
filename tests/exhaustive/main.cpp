// exhaustive --dst TYPE     every kernel to that type, on every instruction set of this machine, against the oracle
// exhaustive --coverage     every type, kernel and op-set of the library is one that the runs above reach
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "checks.hpp"
#include "elements.hpp"
#include "inputs.hpp"

namespace castforge::exhaustive {

namespace {

constexpr std::size_t kIdentityCodes = 1 << 17;  // random ones, on which instruction sets are compared with each other
constexpr std::size_t kEnvironmentCodes = 1 << 13;

struct Filter {
  std::string dst, src, kernel, isa;
};

std::vector<std::uint64_t> thinned(std::span<const std::uint64_t> codes, std::size_t count) {
  if (codes.size() <= count) return {codes.begin(), codes.end()};
  std::vector<std::uint64_t> some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(codes[i * codes.size() / count]);
  return some;
}

std::vector<std::uint64_t> answers(const oracle::Converter& oracle, std::span<const std::uint64_t> codes) {
  std::vector<std::uint64_t> all;
  all.reserve(codes.size());
  for (std::uint64_t code : codes) all.push_back(oracle(code));
  return all;
}

void check_identity(const std::vector<Subject>& subjects, Report& report) {
  if (subjects.size() < 2 || subjects[0].src->format().bits <= 16) return;  // narrow sources: all codes are done
  const std::vector<std::uint64_t> codes = random_codes(*subjects[0].src, kIdentityCodes, 23);
  const std::vector<std::uint64_t> first = run_codes(subjects[0], codes);
  for (std::size_t k = 1; k < subjects.size(); ++k) {
    const std::vector<std::uint64_t> other = run_codes(subjects[k], codes);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (other[i] == first[i]) continue;
      report.about(subjects[k].name + " on " + subjects[k].isa);
      report.fail("differs from " + subjects[0].isa + " at " + hex(codes[i], subjects[0].src->format().bits));
      break;
    }
  }
}

int run_destination(const Filter& filter) {
  Report report;
  std::vector<std::string> problems;
  const std::vector<Duty> all = duties(filter.dst, problems);
  report.about("lookup");
  for (const std::string& problem : problems) report.fail(problem);

  std::map<std::string, std::vector<const Duty*>> by_source;
  for (const Duty& duty : all) {
    if (!filter.src.empty() && duty.request.src != filter.src) continue;
    if (!filter.kernel.empty() && duty.kernel != filter.kernel) continue;
    by_source[duty.request.src].push_back(&duty);
  }
  std::set<std::string> buffers_done;
  std::set<std::pair<int, std::string>> large_done;  // once for each width of the source and instruction set
  std::uint64_t codes_checked = 0, subject_count = 0;
  for (const auto& [source, list] : by_source) {
    const oracle::Codec& src = oracle::codec(source);
    const oracle::Codec& dst = oracle::codec(filter.dst);
    const std::vector<std::uint64_t> codes = inputs_for(src, dst);
    const std::vector<std::uint64_t> few = thinned(codes, kEnvironmentCodes);
    for (const Duty* duty : list) {
      const oracle::Converter oracle(src, dst, duty->rule);
      const std::vector<std::uint64_t> expected = answers(oracle, codes);
      const std::vector<std::uint64_t> expected_few = answers(oracle, few);
      const bool first_time = buffers_done.insert(duty->kernel).second;
      std::vector<Subject> subjects;
      for (const std::string& isa : usable_isas()) {
        if (!filter.isa.empty() && isa != filter.isa) continue;
        subjects.push_back(subject_of(*duty, isa));
        const Subject& subject = subjects.back();
        report.about(subject.name + " on " + isa + " (" + label(*duty) + ")");
        check_values(subject, codes, expected, report);
        codes_checked += codes.size();
        if (!first_time) continue;
        ++subject_count;
        check_buffers(subject, oracle, report);
        check_environment(subject, few, expected_few, report);
        if (large_done.insert({subject.src_bits(), isa}).second) check_large(subject, oracle, report);
      }
      if (first_time) check_identity(subjects, report);
    }
  }
  std::printf("%s: %llu kernels times instruction sets, %llu results compared with the oracle, %llu failures\n",
              filter.dst.c_str(), static_cast<unsigned long long>(subject_count),
              static_cast<unsigned long long>(codes_checked), static_cast<unsigned long long>(report.failures()));
  return report.failures() == 0 && subject_count > 0 ? 0 : 1;
}

/// Types of an op-set as the runtime lists them, strings left out.
std::set<std::string> runtime_types(const OpSet& opset) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < opset.type_count(); ++i) {
    if (type_info(opset.type(i)).kind != TypeKind::string) names.emplace(name(opset.type(i)));
  }
  return names;
}

int run_coverage() {
  Report report;
  report.about("coverage");
  for (const std::string& type : unknown_types()) report.fail("the oracle does not know " + type);
  std::set<std::string> known;
  for (const RuleSet& set : rule_sets()) {
    known.insert(set.opset);
    const std::optional<OpSet> opset = find_opset(set.opset);
    if (!opset) {
      report.fail("the library lacks " + set.opset);
      continue;
    }
    if (opset->name() != set.opset) report.fail(set.opset + " is taken for " + std::string(opset->name()));
    const std::vector<std::string> types = oracle::types_of(set.family, set.version);
    const std::set<std::string> expected(types.begin(), types.end());
    if (runtime_types(*opset) != expected) report.fail(set.opset + ": other types");
    const auto pairs = oracle::pairs_of(set.family, set.version);
    const std::set<std::pair<std::string, std::string>> admitted(pairs.begin(), pairs.end());
    for (const std::string& src : types) {
      for (const std::string& dst : types) {
        if (opset->admits(*find_type(src), *find_type(dst)) != admitted.contains({src, dst})) {
          report.fail(set.opset + ": admits or refuses " + src + " to " + dst + " against the rules");
        }
      }
    }
  }
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet set = opset(i);
    const bool converts = set.operation() == "cast" || set.operation() == "bitcast";
    if (converts && !known.contains(std::string(set.name()))) report.fail(std::string(set.name()) + " is not tested");
  }
  std::set<std::string> reached;
  std::vector<std::string> problems;
  for (const std::string& type : tested_types()) {
    for (const Duty& duty : duties(type, problems)) reached.insert(duty.kernel);
  }
  for (const std::string& problem : problems) report.fail(problem);
  for (std::size_t i = 0; i < kernel_count(); ++i) {
    const std::string kernel(kernel_at(i).name());
    if (!reached.contains(kernel)) report.fail("no request leads to kernel " + kernel);
  }
  std::printf("%zu kernels, all reached: %s\n", kernel_count(), report.failures() == 0 ? "yes" : "no");
  return report.failures() == 0 && kernel_count() > 0 ? 0 : 1;
}

int usage() {
  std::fputs("usage: exhaustive --dst TYPE [--src TYPE] [--kernel NAME] [--isa NAME] | --coverage\n", stderr);
  return 2;
}

int main_checked(int argc, char** argv) {
  oracle::read_specs({std::string(CASTFORGE_SOURCE_DIR) + "/specs"});
  Filter filter;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--coverage" && argc == 2) return run_coverage();
    if (i + 1 == argc) return usage();
    const char* value = argv[++i];
    if (option == "--dst") filter.dst = value;
    else if (option == "--src") filter.src = value;
    else if (option == "--kernel") filter.kernel = value;
    else if (option == "--isa") filter.isa = value;
    else return usage();
  }
  return filter.dst.empty() ? usage() : run_destination(filter);
}

}  // namespace

}  // namespace castforge::exhaustive

int main(int argc, char** argv) {
  castforge::exhaustive::name_subject_on_crash();
  setenv("CASTFORGE_STREAM_BYTES", "1048576", 0);  // so that large buffers here are large to the library
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  try {
    return castforge::exhaustive::main_checked(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "exhaustive: %s\n", e.what());
    return 3;
  }
}
