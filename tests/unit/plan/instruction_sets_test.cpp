// Which program runs where: the first one that the instruction set can run.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "driver/catalogue.hpp"
#include "plan/instruction_sets.hpp"
#include "plan/planner.hpp"
#include "spec/loader.hpp"
#include "unit/planned.hpp"

using namespace castforge;
using namespace castforge::ir;
using plan::chosen_on;

namespace {

Program needing(const std::string& id, unsigned needs) {
  Builder b(id, "here", 8, 8, 8);
  b.needs(needs);
  return b.finish(b.input());
}

std::vector<std::string> ids(const std::vector<Program>& programs) {
  std::vector<std::string> list;
  for (const Program& program : programs) list.push_back(program.id);
  return list;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("the instruction sets are those of the build, and each offers what lesser ones do") {
  std::ifstream file(std::filesystem::path(CASTFORGE_SOURCE_DIR) / ".cmake/CastforgeLibrary.cmake");
  const std::string build{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(build.find("function(castforge_isa_options") != std::string::npos);
  std::set<std::string> names;
  for (const plan::InstructionSet& set : plan::instruction_sets()) {
    INFO(set.name);
    CHECK(names.insert(set.name).second);
    CHECK(build.find(std::string("set(") + set.name + " ") != std::string::npos);
    CHECK(((set.offers & kNeedsVector) != 0) == (std::string(set.name) != "portable"));
  }
  CHECK(names.size() == 6);
  const auto offers = [](const std::string& name) {
    for (const plan::InstructionSet& set : plan::instruction_sets()) {
      if (set.name == name) return set.offers;
    }
    return 0u;
  };
  CHECK(offers("portable") == kNeedsNothing);
  const char* const x86[] = {"sse4_2", "avx2", "avx512", "avx512vbmi"};
  for (std::size_t i = 1; i < std::size(x86); ++i) CHECK((offers(x86[i - 1]) & ~offers(x86[i])) == 0);
}

TEST_CASE("the first program that an instruction set can run is chosen") {
  const std::vector<Program> programs = {needing("a.vbmi", kNeedsVbmi | kNeedsAvx512), needing("a.neon", kNeedsNeon),
                                         needing("a.vector", kNeedsVector), needing("a.plain", kNeedsNothing)};
  CHECK(chosen_on(programs, 0) == Names{"avx512vbmi"});
  CHECK(chosen_on(programs, 1) == Names{"neon64"});
  CHECK(chosen_on(programs, 2) == Names{"sse4_2", "avx2", "avx512"});
  CHECK(chosen_on(programs, 3) == Names{"portable"});
  const std::vector<Program> plain_first = {needing("a.plain", kNeedsNothing), needing("a.vector", kNeedsVector)};
  CHECK(chosen_on(plain_first, 0).size() == plan::instruction_sets().size());
  CHECK(chosen_on(plain_first, 1).empty());
}

TEST_CASE("keep_chosen() leaves out what no instruction set would run, and keeps order and the last one") {
  std::vector<Program> programs = {needing("a.vector", kNeedsVector), needing("a.bytes", kNeedsVector | kNeedsBytes16),
                                   needing("a.avx512", kNeedsAvx512), needing("a.plain", kNeedsNothing)};
  plan::keep_chosen(programs);
  CHECK(ids(programs) == Names{"a.vector", "a.plain"});
  programs = {needing("a.bytes", kNeedsBytes16), needing("a.vector", kNeedsVector), needing("a.plain", kNeedsNothing)};
  plan::keep_chosen(programs);
  CHECK(ids(programs) == Names{"a.bytes", "a.vector", "a.plain"});
  programs = {needing("a.plain", kNeedsNothing), needing("a.other", kNeedsNothing)};
  plan::keep_chosen(programs);
  CHECK(ids(programs) == Names{"a.plain", "a.other"});  // the last one stays, even unused
  programs = {needing("a.only", kNeedsVector)};
  plan::keep_chosen(programs);
  CHECK(ids(programs) == Names{"a.only"});
}

TEST_CASE("a kernel can be planned without the program that an instruction set runs") {
  const spec::SpecModel model = spec::load({std::filesystem::path(CASTFORGE_SOURCE_DIR) / "specs"});
  const driver::Catalogue catalogue = test::planned(model);
  for (const plan::InstructionSet& set : plan::instruction_sets()) {
    INFO(set.name);
    driver::Catalogue other = test::planned(model);
    driver::plan_all(other, &set);
    int others = 0;
    for (std::size_t i = 0; i < catalogue.kernels.size(); ++i) {
      const auto chosen = [&](const std::vector<Program>& programs) {
        return std::ranges::find_if(programs, [&](const Program& one) { return plan::runs(set, one); });
      };
      const std::vector<Program>&first = catalogue.kernels[i].programs, &next = other.kernels[i].programs;
      INFO(catalogue.kernels[i].name);
      REQUIRE(chosen(next) != next.end());
      CHECK(next.back().needs == kNeedsNothing);
      if (chosen(first)->id == chosen(next)->id) continue;
      CHECK(std::ranges::find(next, chosen(first)->id, &Program::id) == next.end());
      CHECK((set.offers & kNeedsVector) != 0);
      ++others;
    }
    CHECK((others > 100) == ((set.offers & kNeedsVector) != 0));
  }
}

TEST_CASE("every program of every shipped kernel is run by some instruction set, the last one by all that are left") {
  const spec::SpecModel model = spec::load({std::filesystem::path(CASTFORGE_SOURCE_DIR) / "specs"});
  const driver::Catalogue catalogue = test::planned(model);
  std::map<std::string, int> chosen;
  for (const driver::Kernel& kernel : catalogue.kernels) {
    INFO(kernel.name);
    REQUIRE_FALSE(kernel.programs.empty());
    CHECK(kernel.programs.back().needs == kNeedsNothing);
    std::set<std::string> variants, covered;
    for (std::size_t i = 0; i < kernel.programs.size(); ++i) {
      INFO(kernel.programs[i].id);
      CHECK(variants.insert(kernel.programs[i].variant()).second);  // the names of the kernel's nested structs
      const std::vector<std::string> sets = chosen_on(kernel.programs, i);
      CHECK_FALSE(sets.empty());
      for (const std::string& set : sets) {
        CHECK(covered.insert(set).second);
        ++chosen[set];
      }
    }
    CHECK(covered.size() == plan::instruction_sets().size());
  }
  for (const auto& [set, count] : chosen) CHECK(static_cast<std::size_t>(count) == catalogue.kernels.size());
}
