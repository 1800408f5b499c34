// How castforge-gen writes files: whole or not at all, links and pipes stay what they are, nothing of another's goes.
#include <catch2/catch_all.hpp>

#include <sys/stat.h>

#include "cli/io/failure.hpp"
#include "cli/io/output_file.hpp"
#include "cli/records/record_file.hpp"
#include "support.hpp"

using namespace castforge::generating;
using castforge::cli::OutputFile;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kTables = "tables " + quoted(source_tree() / "tests/unit/load/specs/ue5m3.json") +
                            " --opset castforge@1 --pairs float32:ue5m3,ue5m3:float16 -o ";

std::vector<std::string> names(const fs::path& folder) {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(folder)) all.push_back(entry.path().filename().string());
  std::sort(all.begin(), all.end());
  return all;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("links stay links, and those that lead nowhere are refused") {
  const Folder folder;
  write(folder / "real.cft", "old");
  fs::create_symlink("real.cft", folder / "link.cft");
  fs::create_symlink("nowhere", folder / "dangling.cft");
  REQUIRE(gen(folder.path(), kTables + "link.cft").code == 0);
  CHECK(fs::is_symlink(folder / "link.cft"));
  CHECK(read(folder / "real.cft").substr(1, 3) == "CFT");
  const Run dangling = gen(folder.path(), kTables + "dangling.cft");
  CHECK(dangling.code == 4);
  CHECK(dangling.errors == "error: dangling.cft: cannot follow the symbolic link: No such file or directory\n");
  CHECK(fs::is_symlink(folder / "dangling.cft"));
  CHECK_FALSE(fs::exists(folder / "nowhere"));
  fs::create_symlink("../nowhere.json", folder / "mine.json");
  CHECK(gen(folder.path(), "new-type mine --bits 8 --exponent 4 --mantissa 3 --out .").code == 4);
  CHECK(fs::is_symlink(folder / "mine.json"));

  // In a generated tree, too.
  const fs::path specs = small_specs(folder);
  const std::string generate = "generate --specs specs --out generated";
  REQUIRE(gen(folder.path(), generate).code == 0);
  const std::string manifest = read(folder / "generated/MANIFEST.tsv");
  fs::rename(folder / "generated/MANIFEST.tsv", folder / "kept.tsv");
  fs::create_symlink("../kept.tsv", folder / "generated/MANIFEST.tsv");
  write(folder / "kept.tsv", "changed");
  REQUIRE(gen(folder.path(), generate).code == 0);
  CHECK(fs::is_symlink(folder / "generated/MANIFEST.tsv"));
  CHECK(read(folder / "kept.tsv") == manifest);
}

TEST_CASE("a pipe is written to and stays") {
  const Folder folder;
  REQUIRE(gen(folder.path(), kTables + "file.cft").code == 0);
  REQUIRE(::mkfifo((folder / "pipe.cft").c_str(), 0600) == 0);
  const Run run = shell(folder.path(), "cat pipe.cft > copy & '" CASTFORGE_GEN "' " + kTables + "pipe.cft && wait");
  CHECK(run.code == 0);
  CHECK(fs::is_fifo(folder / "pipe.cft"));
  CHECK(read(folder / "copy") == read(folder / "file.cft"));
}

TEST_CASE("files that are called like parts of others are left alone") {
  const Folder folder;
  write(folder / "x.cft.part", "mine");
  write(folder / "out/castforge_casts.c.part", "mine");
  REQUIRE(gen(folder.path(), kTables + "x.cft").code == 0);
  REQUIRE(gen(folder.path(), "amalgamate --pairs float32:float16 --isa portable -o out").code == 0);
  CHECK(read(folder / "x.cft.part") == "mine");
  CHECK(read(folder / "out/castforge_casts.c.part") == "mine");
  CHECK(names(folder.path()) == Names{"out", "x.cft", "x.cft.part"});
}

TEST_CASE("what cannot be written is told with the reason, and the old file stays") {
  const Folder folder;
  write(folder / "x.cft", "old");
  const Run limited =
      shell(folder.path(), "ulimit -f 1; '" CASTFORGE_GEN "' " + kTables + "x.cft");  // 512 or 1024 bytes
  CHECK(limited.code == 4);
  CHECK(limited.errors == "error: x.cft: cannot write: File too large\n");
  CHECK(names(folder.path()) == Names{"x.cft"});
  CHECK(read(folder / "x.cft") == "old");
  fs::create_directory(folder / "folder.cft");
  CHECK(gen(folder.path(), kTables + "folder.cft").errors == "error: folder.cft: cannot write: Is a directory\n");
  CHECK(gen(folder.path(), kTables + "no/x.cft").errors ==
        "error: no/x.cft: cannot write: No such file or directory\n");
  CHECK(gen(folder.path(), "completion bash -o no/x").errors ==
        "error: no/x: cannot write: No such file or directory\n");
  fs::create_directories(folder / "out/castforge_casts.h");
  CHECK(gen(folder.path(), "amalgamate --pairs float32:float16 --isa portable -o out").errors ==
        "error: out/castforge_casts.h: cannot write: Is a directory\n");
  CHECK(names(folder / "out") == Names{"castforge_casts.h"});
}

TEST_CASE("tables get the name by which they are loaded, and no other") {
  const Folder folder;
  for (const std::string out : {"q.txt", "q", "q.CFT", "q.cft.bak", ".cft", "-"}) {
    const Run run = gen(folder.path(), kTables + out);
    INFO(out);
    CHECK(run.code == 2);
    CHECK(run.errors ==
          "error: " + out + ": expected NAME.cft, the extension by which `castforge --load` knows tables\n");
  }
  CHECK(names(folder.path()).empty());
}

TEST_CASE("two that write one file: it is that of one of them") {
  const Folder folder;
  REQUIRE(gen(folder.path(), kTables + "one.cft").code == 0);
  for (int i = 0; i < 3; ++i) {
    const Run run = shell(folder.path(), "'" CASTFORGE_GEN "' " + kTables + "x.cft & '" CASTFORGE_GEN "' " + kTables +
                                             "x.cft; a=$?; wait $! && exit $a");
    CHECK(run.code == 0);
    CHECK(read(folder / "x.cft") == read(folder / "one.cft"));
    CHECK(names(folder.path()) == Names{"one.cft", "x.cft"});
  }
}

TEST_CASE("what another run is writing into a generated tree is no file of it") {
  const Folder folder;
  const fs::path specs = small_specs(folder);
  const std::string generate = "generate --specs specs --out generated";
  REQUIRE(gen(folder.path(), generate).code == 0);
  const std::string kernel = "generated/kernels/int8/from_float16.hpp";
  {
    OutputFile alive((folder / kernel).string());
    alive.write("half");
    CHECK(gen(folder.path(), "check --specs specs --out generated").code == 0);
    REQUIRE(gen(folder.path(), generate).code == 0);
    CHECK(fs::exists(alive.temporary()));
  }
  // One that was killed holds no lock on it.
  write(folder / "generated/kernels/int8/.from_float16.hpp.1234-0.tmp", "half");
  REQUIRE(gen(folder.path(), generate).code == 0);
  CHECK_FALSE(fs::exists(folder / "generated/kernels/int8/.from_float16.hpp.1234-0.tmp"));
}

TEST_CASE("records of verification are written as other files are") {
  using namespace castforge::records;
  const Folder folder;
  write(folder / "r.tsv.new", "mine");
  {
    RecordFile made(folder / "r.tsv", [](const Record&) { return true; });
  }
  fs::create_symlink("r.tsv", folder / "link.tsv");
  {
    RecordFile file(folder / "link.tsv", [](const Record&) { return true; });
    file.add({"b", "sha256:1", "sha256:2", How::smt, {}, 32, "z3"});
    file.add({"a", "sha256:3", "sha256:4", How::smt, {}, 32, "z3"});
    CHECK(read_records(folder / "r.tsv").size() == 2);  // at once
    file.sort();
  }
  CHECK(fs::is_symlink(folder / "link.tsv"));
  CHECK(read(folder / "r.tsv.new") == "mine");
  CHECK(read_records(folder / "r.tsv").front().kernel == "a");
  CHECK(names(folder.path()) == Names{"link.tsv", "r.tsv", "r.tsv.new"});
  REQUIRE(::mkfifo((folder / "pipe.tsv").c_str(), 0600) == 0);
  CHECK_THROWS_AS(RecordFile(folder / "pipe.tsv", [](const Record&) { return true; }), castforge::cli::Failure);
}

TEST_CASE("control characters of names do not reach the terminal") {
  const Folder folder;
  small_specs(folder);
  write(folder / "a\x1b[31m.json", "{");
  write(folder / "e\x1b[31m/x.txt", "");
  for (const std::string arguments :
       {"list types --specs 'a\x1b[31m.json'", "list types --specs 'none\x1b[31m'", "list types --specs 'e\x1b[31m'",
        "tables 'a\x1b[31m.json' -o x.cft", "generate --specs specs --out 'e\x1b[31m'", "list 'x\x1b[31m'",
        "explain 'x\x1b[31m' float16", "list types '--x\x1b[31m'", "completion bash -o 'no\x1b[31m/x'"}) {
    const Run run = gen(folder.path(), arguments);
    INFO(run.errors);
    CHECK(run.code != 0);
    CHECK(run.errors.find('\x1b') == std::string::npos);
    CHECK_THAT(run.errors, ContainsSubstring("\\x1B[31m"));
  }
  const Run fine = gen(folder.path(), kTables + "'y\x1b[31m.cft'");
  CHECK(fine.code == 0);
  CHECK_THAT(fine.output, ContainsSubstring("y\\x1B[31m.cft: "));
}
