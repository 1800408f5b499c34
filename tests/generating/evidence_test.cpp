// Records of verification: whom they mark, in MANIFEST.tsv, `explain` and `audit`, and that a change takes the mark.
#include <catch2/catch_all.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <sstream>

#include "driver/catalogue.hpp"
#include "driver/program_hash.hpp"
#include "evidence/evidence.hpp"
#include "evidence/processors.hpp"
#include "ir/interpret.hpp"
#include "spec/loader.hpp"
#include "support.hpp"
#include "unit/planned.hpp"

using namespace castforge;
using namespace castforge::generating;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kHead = "kernel\tmeaning\tprograms\thow\tisas\tcodes\ttool\n";

/// The kernels of the small spec tree.
struct Small {
  Folder folder;
  spec::SpecModel model;
  driver::Catalogue catalogue;

  Small() : model(spec::load({small_specs(folder)})), catalogue(test::planned(model)) {}

  driver::Kernel& kernel(const std::string& name) {
    for (driver::Kernel& one : catalogue.kernels) {
      if (one.name == name) return one;
    }
    FAIL(name);
    throw std::logic_error(name);
  }

  evidence::Evidence evidence(const std::string& records) const {
    write(folder / "evidence/some.tsv", kHead + records);
    return evidence::Evidence(folder / "evidence");
  }
};

std::string sweep_of(const driver::Kernel& kernel, const std::string& isas) {
  return kernel.name + "\t" + kernel.hash + "\t" + driver::program_hashes(kernel) + "\texhaustive\t" + isas +
         "\t2^32\tcastforge 1\n";
}

std::string proof_of(const driver::Kernel& kernel, const ir::Program& program) {
  return kernel.name + "\t" + kernel.hash + "\t" + driver::program_hash(program) + "\tsmt\tall\t2^32\tz3 1\n";
}

/// Columns of a kernel's line of MANIFEST.tsv, by the words of its head.
std::map<std::string, std::string> manifest_row(const fs::path& generated, const std::string& kernel) {
  std::istringstream lines(read(generated / "MANIFEST.tsv"));
  std::string head, line;
  std::getline(lines, head);
  while (std::getline(lines, line) && !line.starts_with(kernel + "\t")) {
  }
  std::map<std::string, std::string> row;
  std::istringstream names(head), cells(line);
  for (std::string name, cell; std::getline(names, name, '\t') && std::getline(cells, cell, '\t');) row[name] = cell;
  return row;
}

const std::string kName = "float32_to_float16__rne_inf";

}  // namespace

TEST_CASE("a kernel has the mark of what holds of all its plans") {
  Small small;
  const driver::Kernel& kernel = small.kernel(kName);
  REQUIRE(kernel.programs.size() >= 2);
  CHECK(evidence::Evidence().of(kernel).mark() == std::string("classes"));
  CHECK(evidence::Evidence().of(small.kernel("float16_to_int8__rtz_wrap")).mark() == std::string("exhaustive"));

  std::string proofs;
  for (const ir::Program& program : kernel.programs) {
    const auto before = small.evidence(proofs).of(kernel);
    CHECK(before.mark() == std::string("classes"));
    proofs += proof_of(kernel, program);
  }
  const auto proved = small.evidence(proofs).of(kernel);
  CHECK(proved.mark() == std::string("smt"));
  CHECK(proved.plans[0].word() == "smt");
  CHECK(proved.swept.empty());

  const auto swept = small.evidence(sweep_of(kernel, "portable,sse4_2,avx2,avx512,avx512vbmi")).of(kernel);
  CHECK(swept.mark() == std::string("exhaustive"));
  CHECK(swept.swept == std::vector<std::string>{"portable", "sse4_2", "avx2", "avx512", "avx512vbmi"});
  const auto both = small.evidence(proofs + sweep_of(kernel, "portable")).of(kernel);
  CHECK(both.mark() == std::string("smt"));  // the plan of the others did not run
  CHECK(std::any_of(both.plans.begin(), both.plans.end(),
                    [](const evidence::PlanEvidence& plan) { return plan.word() == "exhaustive+smt"; }));
}

TEST_CASE("whatever changes in a program takes the mark of its kernel") {
  Small small;
  driver::Kernel& kernel = small.kernel(kName);
  std::string records = sweep_of(kernel, "portable,sse4_2,avx2,avx512,avx512vbmi");
  for (const ir::Program& program : kernel.programs) records += proof_of(kernel, program);
  const evidence::Evidence evidence = small.evidence(records);
  const auto mark = [&] { return std::string(evidence.of(kernel).mark()); };
  CHECK(mark() == "exhaustive");
  CHECK(evidence::holds(records::read_records(small.folder / "evidence/some.tsv")[0], small.catalogue));

  const std::vector<ir::Program> right = kernel.programs;
  std::size_t constants = 0;
  for (std::size_t plan = 0; plan < right.size(); ++plan) {
    for (std::size_t id = 0; id < right[plan].nodes.size(); ++id) {
      if (right[plan].nodes[id].op != ir::Op::constant) continue;
      kernel.programs = right;
      kernel.programs[plan].nodes[id].imm ^= 1;
      CHECK(mark() == "classes");
      ++constants;
    }
    kernel.programs = right;
    kernel.programs[plan].nodes.back().bits *= 2;
    CHECK(mark() == "classes");
    kernel.programs = right;
    kernel.programs[plan].needs ^= ir::kNeedsAvx512;
    CHECK(mark() == "classes");
    kernel.programs = right;
    std::swap(kernel.programs[plan].nodes.front().op, kernel.programs[plan].nodes.back().op);
    CHECK(mark() == "classes");
    kernel.programs = right;
    kernel.programs[plan].tables.push_back({"kTable", 8, {1, 2}, ""});
    CHECK(mark() == "classes");
  }
  CHECK(constants > 5);
  kernel.programs = right;
  CHECK(mark() == "exhaustive");
  kernel.programs[0].nodes.back().note = "said better";  // nothing that runs
  kernel.programs[0].id = "renamed.float16";
  CHECK(mark() == "exhaustive");
  kernel.hash = "sha256:000000000000";  // another rule
  CHECK(mark() == "classes");
  CHECK_FALSE(evidence::holds(records::read_records(small.folder / "evidence/some.tsv")[0], small.catalogue));
}

TEST_CASE("a record of fewer codes than there are counts for nothing") {
  Small small;
  const driver::Kernel& kernel = small.kernel(kName);
  std::string record = sweep_of(kernel, "portable,avx2,avx512");
  record.replace(record.find("2^32"), 4, "2^16");
  CHECK(small.evidence(record).of(kernel).mark() == std::string("classes"));
}

TEST_CASE("a proof is of one plan, of the rule and of all codes, as they are today") {
  Small small;
  const driver::Kernel& kernel = small.kernel(kName);
  const ir::Program& program = kernel.programs.front();
  const records::Record proof{kernel.name, kernel.hash, driver::program_hash(program), records::How::smt, {}, 32, "z3"};
  REQUIRE(kernel.programs.size() > 1);
  CHECK(evidence::proves(proof, kernel, program));
  CHECK_FALSE(evidence::proves(proof, kernel, kernel.programs.back()));
  const auto proves_with = [&](const auto& change) {
    records::Record other = proof;
    change(other);
    return evidence::proves(other, kernel, program);
  };
  CHECK(proves_with([](records::Record& other) { other.kernel = "another name"; }));
  CHECK_FALSE(proves_with([](records::Record& other) { other.code_bits = 16; }));
  CHECK_FALSE(proves_with([](records::Record& other) { other.meaning = "sha256:000000000000"; }));
  CHECK_FALSE(proves_with([](records::Record& other) { other.how = records::How::exhaustive; }));
}

TEST_CASE("manifest, explain and audit say the same of a kernel") {
  Small small;
  const Folder& folder = small.folder;
  const driver::Kernel& kernel = small.kernel(kName);
  write(folder / "evidence/some.tsv", kHead + sweep_of(kernel, "portable,sse4_2,avx2,avx512,avx512vbmi"));
  fs::create_directories(folder / "none");
  for (const auto& [records, mark] : {std::pair{"none", "classes"}, {"evidence", "exhaustive"}}) {
    const std::string with = std::string(" --specs specs --evidence ") + records;
    REQUIRE(gen(folder.path(), "generate --out generated" + with).code == 0);
    CHECK(gen(folder.path(), "check --out generated" + with).code == 0);
    const auto row = manifest_row(folder / "generated", kName);
    CHECK(row.at("programs") == driver::program_hashes(kernel));
    CHECK_THAT(row.at("verified"), ContainsSubstring(mark));
    CHECK(row.at("swept") == (records == std::string("none") ? "" : "portable,sse4_2,avx2,avx512,avx512vbmi"));
    const Run explained = gen(folder.path(), "explain float32 float16 --opset mini@1" + with);
    CHECK_THAT(explained.output, ContainsSubstring(std::string("  mark: ") + mark + "\n"));
    const auto facts =
        nlohmann::json::parse(gen(folder.path(), "explain float32 float16 --opset mini@1 --json" + with).output);
    CHECK(facts.at("kernel").at("verified") == mark);
    CHECK(facts.at("kernel").at("plans").at(0).at("program") == driver::program_hash(kernel.programs[0]));
    REQUIRE(gen(folder.path(), "audit -o report" + with).code == 0);
    const std::string page = read(folder / "report/pairs/float32--float16.html");
    CHECK_THAT(page, ContainsSubstring(std::string("<span class=\"mark ") + mark + "\">"));
  }
  CHECK(gen(folder.path(), "check --out generated --specs specs --evidence none").code == 3);
  write(folder / "evidence/other.tsv", "kernel\n");
  const Run broken = gen(folder.path(), "check --out generated --specs specs --evidence evidence");
  CHECK(broken.code == 1);
  CHECK_THAT(broken.errors, ContainsSubstring("other.tsv:1: this is no file of verification records"));
}

TEST_CASE("proofs are recorded, and what is proved is not proved again") {
  Small small;
  const std::string command = "verify --specs specs --level smt --pair float32:float8e4m3fn --record smt.tsv";
  const Run first = gen(small.folder.path(), command);
  if (first.errors.find("proofs need the program z3") != std::string::npos) SKIP("no z3");
  INFO(first.output << first.errors);
  REQUIRE(first.code == 0);
  const auto records = records::read_records(small.folder / "smt.tsv");
  REQUIRE(!records.empty());
  CHECK(records[0].tool.starts_with("z3 "));
  CHECK(std::all_of(records.begin(), records.end(),
                    [&](const records::Record& record) { return evidence::holds(record, small.catalogue); }));
  CHECK_THAT(first.output, ContainsSubstring(std::to_string(records.size()) + " proved equal"));
  const Run again = gen(small.folder.path(), command);
  CHECK_THAT(again.output,
             ContainsSubstring("plans proved before, by record: " + std::to_string(records.size()) + "\n"));
  CHECK_THAT(again.output, ContainsSubstring(": 0 proved equal"));
  write(small.folder / "smt.tsv", "kernel\n");
  const Run broken = gen(small.folder.path(), command);
  CHECK(broken.code == 1);
  CHECK_THAT(broken.errors, ContainsSubstring("smt.tsv:1: this is no file of verification records"));
}

TEST_CASE("a proof that a signal ends leaves no file behind") {
  const Small small;
  write(small.folder / "z3", "#!/bin/sh\n[ \"$1\" = --version ] && exec echo Z3 version 1\n: > asked; exec sleep 2\n");
  fs::permissions(small.folder / "z3", fs::perms::owner_all);
  fs::create_directory(small.folder / "temporary");
  const Run ended = shell(small.folder.path(),
                          "TMPDIR=$PWD/temporary '" CASTFORGE_GEN
                          "' verify --specs specs --level smt --pair float32:float16 --z3 ./z3 & "
                          "while kill -0 $! && [ ! -e asked ]; do sleep 0.1; done; ls temporary; kill $!; wait $!");
  INFO(ended.output << ended.errors);
  CHECK(ended.code == 128 + SIGTERM);
  CHECK_THAT(ended.output, ContainsSubstring("castforge-smt-"));
  CHECK(fs::is_empty(small.folder / "temporary"));
}

TEST_CASE("kernels run as on a lesser instruction set where that was measured to be faster") {
  Small small;
  driver::Kernel& kernel = small.kernel(kName);
  evidence::Processors processors;
  const std::string head = "# vendor GenuineIntel\n# by hand\nkernel\tmeaning\tprograms\tavx512\tavx512vbmi\n";
  const auto marks = [&](const std::string& text) {
    write(small.folder / "evidence/processors/intel.tsv", text);
    processors = {small.catalogue, small.folder / "evidence/processors"};
    return processors.of(kernel).size();
  };
  const std::string names = kernel.name + "\t" + kernel.hash + "\t" + driver::program_hashes(kernel) + "\t";
  CHECK(marks(head + names + "21\t20\n") == 1);  // 1.05 times as fast
  REQUIRE(processors.families().size() == 1);
  const evidence::ProcessorFamily family = processors.of(kernel).at(0);
  CHECK(family.name == "intel");
  CHECK(family.vendor == "GenuineIntel");
  CHECK(family.set == "avx512vbmi");
  CHECK(family.lesser == "avx512");
  CHECK(processors.of(small.kernel("float16_to_int8__rtz_wrap")).empty());
  CHECK(marks(head + names + "20.9\t20\n") == 0);
  CHECK(marks(head + kernel.name + "\t" + kernel.hash + "\t0123456789ab\t30\t20\n") == 0);  // another program
  CHECK(marks(head + kernel.name + "\tsha256:0123456789ab\t" + driver::program_hashes(kernel) + "\t30\t20\n") == 0);

  const std::pair<std::string, std::string> wrong[] = {
      {"", "intel.tsv:0: expected a line \"# vendor NAME\""},
      {"# vendor GenuineIntel\n", "intel.tsv:1: expected a line of columns"},
      {"# vendor GenuineIntel\nkernel\tmeaning\n", "intel.tsv:2: expected the columns kernel, meaning, programs"},
      {"# vendor GenuineIntel\nkernel\tmeaning\tprograms\tavx512\tavx1024\n",
       "intel.tsv:2: \"avx1024\" is no instruction set"},
      {"# vendor GenuineIntel\r\n", "intel.tsv:1: expected the 12 characters of CPUID's vendor"},
      {head + names + "21\t20", "intel.tsv:4: the line has no end: the file is truncated"},
      {head + names + "21\t20\n" + names + "21\t20\n", "intel.tsv:5: there is a record of " + kName + " already"},
      {head + names + "21\n", "intel.tsv:4: expected 5 columns, found 4"},
      {head + names + "fast\t20\n", "intel.tsv:4: expected a rate above 0, found \"fast\""},
      {head + names + "inf\t20\n", "intel.tsv:4: expected a rate above 0, found \"inf\""},
      {head + names + "21\t0\n", "intel.tsv:4: expected a rate above 0, found \"0\""}};
  for (const auto& [text, message] : wrong) {
    CHECK_THROWS_WITH(marks(text), ContainsSubstring(message));
  }

  write(small.folder / "evidence/processors/more.tsv", head);
  CHECK_THROWS_WITH(marks(head), ContainsSubstring("more.tsv: another file is about the same vendor"));
  fs::remove(small.folder / "evidence/processors/more.tsv");
  write(small.folder / "evidence/processors/in-tel.tsv", head);
  CHECK_THROWS_WITH(marks(head), ContainsSubstring("in-tel.tsv:0: the file's name becomes an identifier"));
  fs::remove(small.folder / "evidence/processors/in-tel.tsv");

  // What the files of the tree say of it.
  REQUIRE(marks(head + names + "30\t20\n") == 1);
  REQUIRE(gen(small.folder.path(), "generate --out generated --specs specs --evidence evidence").code == 0);
  CHECK_THAT(
      read(small.folder / "generated/kernels/float16/from_float32.hpp"),
      ContainsSubstring("\n//   intel    on processors of GenuineIntel, avx512vbmi runs the function compiled for "
                        "avx512, measured to be faster\n"));
  CHECK_THAT(read(small.folder / "generated/tables/kernels.cpp"), ContainsSubstring("}, on::intel},"));
  CHECK_THAT(read(small.folder / "generated/tables/ids.hpp"),
             ContainsSubstring("{\"GenuineIntel\", \"avx512vbmi\", \"avx512\"}"));
  CHECK_THAT(
      gen(small.folder.path(), "explain float32 float16 --opset mini@1 --specs specs --evidence evidence").output,
      ContainsSubstring("  intel  on processors of GenuineIntel, avx512vbmi runs the function compiled for avx512, "
                        "measured to be faster\n"));

  write(small.folder / "evidence/processors/intel.tsv", "kernel\n");
  const Run refused = gen(small.folder.path(), "check --out generated --specs specs --evidence evidence");
  CHECK(refused.code == 1);
  CHECK_THAT(refused.errors, ContainsSubstring("error: evidence/processors/intel.tsv:1: expected the columns kernel"));
}
