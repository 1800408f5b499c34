// The test of the README notices what it should.
#include <catch2/catch_all.hpp>

#include "blocks.hpp"

using namespace castforge::readme;

TEST_CASE("blocks are found with their language, line and reason") {
  const std::vector<Block> found = blocks(
      "# T\n\n```sh\necho a\n\necho b\n```\ntext\n<!-- not run: needs a network -->\n```sh\ncurl x\n```\n"
      "<!-- not run: far away -->\nwords\n```cpp\nint x;\n```\n");
  REQUIRE(found.size() == 3);
  CHECK(found[0].language == "sh");
  CHECK(found[0].text == "echo a\n\necho b\n");
  CHECK(found[0].line == 3);
  CHECK(found[0].not_run.empty());
  CHECK(found[1].not_run == "needs a network");
  CHECK(found[2].language == "cpp");
  CHECK(found[2].not_run.empty());  // the comment is not right above it
}

TEST_CASE("sloppy markdown is an error") {
  CHECK_THROWS(blocks("```sh\necho a\n"));
  CHECK_THROWS(blocks("<!-- not run: -->\n```sh\necho a\n```\n"));
  CHECK_THROWS(blocks("<!-- not run: reason without end\n```sh\necho a\n```\n"));
}

TEST_CASE("a command that fails fails its block") {
  const Folder folder;
  CHECK(run_script(folder.path(), "true\n").code == 0);
  CHECK(run_script(folder.path(), "false\ntrue\n").code != 0);
  CHECK(run_script(folder.path(), "exit 7\n").code == 7);
  CHECK(run_script(folder.path(), "false | cat\n").code != 0);
  CHECK(run_script(folder.path(), "no-such-program --help\n").code == 127);
  CHECK(run_script(folder.path(), "echo \"$UNSET_VARIABLE\"\n").code != 0);
  CHECK(run_script(folder.path(), "castforge cast missing.npy out.npy --to float16\n").code != 0);
  CHECK(run_script(folder.path(), "castforge-gen frobnicate\n").code == 2);
}

TEST_CASE("the built programs are the ones that run, in the folder given") {
  const Folder folder;
  const Run run = run_script(folder.path(), "echo here > file\ncommand -v castforge-gen\n");
  CHECK(run.output == CASTFORGE_GEN "\n");
  CHECK(read(folder.path() / "file") == "here\n");
}

TEST_CASE("a sample that does not compile, or that fails, fails") {
  const Folder folder;
  CHECK(run_program(folder.path(), "int main() { return 0; }\n").code == 0);
  CHECK(run_program(folder.path(), "int main() { return 3; }\n").code == 3);
  CHECK(run_program(folder.path(), "int main() { return no_such_name; }\n").code != 0);
}
