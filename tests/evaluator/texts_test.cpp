// The evaluator on the kernel texts in data/: the right ones give what the oracle expects; each wrong one is reported,
// at the line that says "// WRONG: <part of the message>", and nothing else is.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "compare.hpp"

using namespace castforge::evaluator;
namespace oracle = castforge::oracle;
namespace fs = std::filesystem;

namespace {

struct Said {
  int line;
  std::string text;
};

/// The rule of a kernel in data/, by the policy in its name.
oracle::Rule rule_of(const Kernel& kernel) {
  const std::map<std::string, oracle::Rule> rules = {
      {"exact", {}},
      {"wrap", {.overflow = oracle::Overflow::wrap}},
      {"sat", {.overflow = oracle::Overflow::saturate}},
      {"rne_inf", {}},
      {"rne_max", {.overflow = oracle::Overflow::max, .infinite = oracle::Infinite::max}},
      {"rtz_wrap",
       {.round = oracle::Round::toward_zero,
        .overflow = oracle::Overflow::wrap,
        .infinite = oracle::Infinite::zero,
        .not_a_number = oracle::NotANumber::zero}},
  };
  return rules.at(kernel.name.substr(kernel.name.find("__") + 2));
}

/// Everything that reading, evaluating and comparing a file has to say.
std::vector<Said> said_of(const File& file) {
  std::vector<Said> said;
  for (const Problem& p : file.problems) said.push_back({p.line, p.message});
  for (const Kernel& kernel : file.kernels) {
    const oracle::Converter oracle(oracle::codec(kernel.src), oracle::codec(kernel.dst), rule_of(kernel));
    const std::vector<std::uint64_t> codes = codes_for(kernel, oracle.src(), oracle.dst());
    std::vector<std::uint64_t> expected;
    for (std::uint64_t code : codes) expected.push_back(oracle(code));
    const Results results(kernel, codes);
    std::vector<Finding> findings = results.findings();
    results.compare(oracle.src(), oracle.dst(), expected, "the test", findings);
    check_comment(kernel, findings);
    results.check_nibbles(findings);
    check_rows(kernel, oracle, findings);
    for (const Finding& f : findings) said.push_back({f.line, f.text});
  }
  return said;
}

std::vector<fs::path> texts(const char* folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(CASTFORGE_EVALUATOR_DATA) / folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("right texts give what the oracle expects") {
  std::size_t kernels = 0, plans = 0;
  std::vector<File> files;
  for (const fs::path& path : texts("right")) files.push_back(read_file(path));
  link(files);
  for (const File& file : files) {
    INFO(file.path.filename().string());
    for (const Said& said : said_of(file)) FAIL_CHECK(said.line << ": " << said.text);
    for (const Kernel& kernel : file.kernels) {
      ++kernels;
      plans += kernel.plans.size();
      CHECK(kernel.rows.size() >= 4);
    }
  }
  CHECK(kernels == 10);
  CHECK(plans == 16);
}

TEST_CASE("a wrong text is reported at its line") {
  for (const fs::path& path : texts("wrong")) {
    std::ifstream stream(path);
    std::string line, wanted;
    int number = 0, wanted_line = 0;
    while (std::getline(stream, line)) {
      ++number;
      const std::size_t mark = line.find("// WRONG: ");
      if (mark == std::string::npos) continue;
      INFO(path.filename().string());
      CHECK(wanted.empty());  // one thing wrong
      wanted = line.substr(mark + 10);
      wanted_line = number;
    }
    INFO(path.filename().string() << " should say at " << wanted_line << ": " << wanted);
    CHECK_FALSE(wanted.empty());
    std::vector<File> files = {read_file(path)};
    link(files);
    const std::vector<Said> all = said_of(files.front());
    bool found = false;
    for (const Said& said : all) {
      INFO("it says at " << said.line << ": " << said.text);
      CHECK(said.line == wanted_line);
      found = found || said.text.find(wanted) != std::string::npos;
      if (&said == &all.back()) CHECK(found);
    }
    CHECK(found);
  }
}

TEST_CASE("a kernel's plans go to instruction sets in order") {
  const File file = read_file(fs::path(CASTFORGE_EVALUATOR_DATA) / "right" / "to_float16.hpp");
  const auto sets = runners(file.kernels.at(0));
  const auto names = [&sets](std::size_t plan) {
    std::string all;
    for (const InstructionSet& set : sets.at(plan)) all += set.name + " ";
    return all;
  };
  CHECK(names(0) == "avx512vbmi ");
  CHECK(names(1) == "sse4_2 avx2 avx512 neon64 ");
  CHECK(names(2) == "portable ");
}

TEST_CASE("the comment before a kernel belongs to it") {
  const File file = read_file(fs::path(CASTFORGE_EVALUATOR_DATA) / "right" / "to_float8e4m3fn.hpp");
  CHECK(file.kernels.at(0).comments ==
        std::vector<std::string>{"   kernel   float32_to_float8e4m3fn__rne_max",
                                 "   plan     test.multiply_add (by hand), runs on sse4_2 avx2 avx512 avx512vbmi",
                                 "            neon64", "   plan     test.integer (by hand), runs on portable"});
}
