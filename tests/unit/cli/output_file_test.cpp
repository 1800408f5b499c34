#include "support.hpp"

#include "cli/io/output_file.hpp"

#include <catch2/catch_test_macros.hpp>

#include <sys/stat.h>
#include <unistd.h>

using namespace cli_test;
using castforge::cli::OutputFile;

TEST_CASE("a file appears under its name when it is complete") {
  const Folder folder;
  {
    OutputFile out(folder.path("x.raw"));
    out.write("abc");
    CHECK(folder.names().size() == 1);
    CHECK(folder.names().front() != "x.raw");
    out.commit();
  }
  CHECK(folder.names() == std::vector<std::string>{"x.raw"});
  CHECK(folder.read("x.raw") == "abc");
}

TEST_CASE("an unfinished file leaves the old one as it was") {
  const Folder folder;
  folder.write("x.raw", "old");
  {
    OutputFile out(folder.path("x.raw"));
    out.write("new");
  }
  CHECK(folder.names() == std::vector<std::string>{"x.raw"});
  CHECK(folder.read("x.raw") == "old");
}

TEST_CASE("a replaced file keeps its permissions, and links stay links") {
  const Folder folder;
  folder.write("x.raw", "old");
  REQUIRE(::chmod(folder.path("x.raw").c_str(), 0640) == 0);
  std::filesystem::create_symlink("x.raw", folder.path("link.raw"));
  OutputFile out(folder.path("link.raw"));
  out.write("new");
  out.commit();
  CHECK(folder.read("x.raw") == "new");
  CHECK(std::filesystem::is_symlink(folder.path("link.raw")));
  struct stat status {};
  REQUIRE(::stat(folder.path("x.raw").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("a cast onto its own input") {
  const Folder folder;
  folder.write("x.npy", npy_array("<f4", "(2,)", codes<float>({1, -2})));
  CHECK(program(folder, "cast x.npy x.npy --to float16").code == 0);
  CHECK(folder.read("x.npy").substr(128) == codes<std::uint16_t>({0x3C00, 0xC000}));
  CHECK(folder.names() == std::vector<std::string>{"x.npy"});
}

TEST_CASE("places that cannot be written to") {
  const Folder folder;
  folder.write("in.raw", codes<float>({1}));
  std::filesystem::create_directory(folder.path("d.raw"));
  const Run directory = program(folder, "cast in.raw d.raw --from float32 --to float16");
  CHECK(directory.code == 4);
  CHECK(directory.errors == "castforge: d.raw: cannot write: Is a directory\n");
  const Run nowhere = program(folder, "cast in.raw no/x.raw --from float32 --to float16");
  CHECK(nowhere.code == 4);
  CHECK(nowhere.errors == "castforge: no/x.raw: cannot write: No such file or directory\n");
  CHECK(program(folder, "cast in.raw /dev/null --output-format raw --from float32 --to float16").code == 0);
  if (std::filesystem::exists("/dev/full")) {
    const Run full = program(folder, "cast in.raw /dev/full --output-format raw --from float32 --to float16");
    CHECK(full.code == 4);
    CHECK(full.errors == "castforge: /dev/full: cannot write: No space left on device\n");
    CHECK(program(folder, "list types > /dev/full").code == 4);
    // What is longer than a buffer is not tried again at the end.
    folder.write("x.safetensors", safetensors("{\"" + std::string(100'000, 'w') +
                                                  R"(":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                                              codes<float>({1})));
    folder.write("plan.json", R"({"opset": "onnx@28", "default": {"to": "bfloat16"}})");
    const Run report = program(folder, "convert x.safetensors out --plan plan.json --dry-run --json > /dev/full");
    CHECK(report.code == 4);
    CHECK(report.errors == "castforge: standard output: cannot write\n");
  }
}

TEST_CASE("descriptors by their paths are written on from where they stand") {
  const Folder folder;
  folder.write("in.raw", codes<float>({1}));
  const std::string half = codes<std::uint16_t>({0x3C00});
  folder.write("log", "old");
  const std::string cast = "cast in.raw /dev/stdout --output-format raw --from float32 --to float16";
  CHECK(program(folder, cast + " >> log").code == 0);
  CHECK(folder.read("log") == "old" + half);
  CHECK(program(folder, "cast in.raw /dev/fd/7 --output-format raw --from float32 --to float16 7>> log").code == 0);
  CHECK(folder.read("log") == "old" + half + half);
  CHECK(program(folder, "cast in.raw /dev/fd/99 --output-format raw --from float32 --to float16").code == 4);
}

TEST_CASE("standard output that is the input is refused before anything is written") {
  const Folder folder;
  const std::string input = codes<std::uint16_t>({0x3F80, 0x4000});
  folder.write("in.raw", input);
  const std::string types = " --output-format raw --from bfloat16 --to float32 ";
  for (const std::string& arguments :
       {"in.raw -" + types + "1<>in.raw", "- -" + types + "< in.raw >> in.raw",
        "in.raw /dev/stdout" + types + ">> in.raw", "in.raw /dev/fd/7" + types + "7>>in.raw"}) {
    INFO(arguments);
    // Without the check it would read what it writes for as long as the file may grow.
    const Run run = program(folder, "cast " + arguments, "ulimit -f 2000;");
    CHECK(run.code == 2);
    CHECK(run.errors ==
          "castforge: INPUT and OUTPUT are the same file: expected the file's path as OUTPUT, found standard "
          "output or another descriptor of it\n");
    CHECK(folder.read("in.raw") == input);
  }
  CHECK(program(folder, "cast in.raw -" + types + "> out.raw").code == 0);
  CHECK(program(folder, "cast - -" + types + "< /dev/null > /dev/null").code == 0);
}

TEST_CASE("a file that an administrator replaces stays its owner's") {
  const Folder folder;
  folder.write("x.raw", codes<float>({1}));
  if (::geteuid() != 0 || ::chown(folder.path("x.raw").c_str(), 1000, 1001) != 0)
    SKIP("no file can be given away here");
  REQUIRE(program(folder, "cast x.raw x.raw --from float32 --to float16").code == 0);
  struct stat status {};
  REQUIRE(::stat(folder.path("x.raw").c_str(), &status) == 0);
  CHECK(status.st_uid == 1000);
  CHECK(status.st_gid == 1001);
}

TEST_CASE("what a killed program left behind goes with the next one") {
  const Folder folder;
  folder.write("in.raw", codes<float>({1}));
  folder.write(".x.raw.123-0.tmp", "left behind");
  folder.write(".x.raw.mine.tmp", "somebody else's");
  REQUIRE(program(folder, "cast in.raw x.raw --from float32 --to float16").code == 0);
  CHECK(folder.names() == std::vector<std::string>{".x.raw.mine.tmp", "in.raw", "x.raw"});
}

TEST_CASE("an interrupted program removes its temporary file") {
  const Folder folder;
  REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  // The program waits for input that does not come; the temporary file is there by then.
  const Run run = program(folder,
                          "cast pipe out.raw --input-format raw --from float32 --to float16 & child=$!; exec 3> pipe; "
                          "for i in $(seq 100); do ls -A | grep -q tmp && break; sleep 0.2; done; "
                          "ls -A | grep -c tmp; kill -TERM $child; wait $child; echo $?");
  CHECK(run.output == "1\n143\n");
  CHECK(folder.names() == std::vector<std::string>{"pipe"});
}
