// What README.md tells the reader to type works.
#include <catch2/catch_all.hpp>

#include "blocks.hpp"

using namespace castforge::readme;

namespace {

std::vector<Block> readme_blocks(const std::string& language) {
  std::vector<Block> list;
  for (Block& block : blocks(read(CASTFORGE_SOURCE_DIR "/README.md"))) {
    if (block.language == language) list.push_back(std::move(block));
  }
  return list;
}

/// What a reader of a failure needs of a long output.
std::string ending(const std::string& output) {
  constexpr std::size_t kShown = 1500;
  return output.size() <= kShown ? output : "..." + output.substr(output.size() - kShown);
}

}  // namespace

TEST_CASE("the README's commands") {
  const Folder folder;  // one for all: later blocks may use what earlier ones made
  int run = 0;
  for (const Block& block : readme_blocks("sh")) {
    if (!block.not_run.empty()) continue;
    const Run result = run_script(folder.path(), block.text);
    INFO("README.md:" << block.line << "\n" << block.text << "\n" << ending(result.output));
    CHECK(result.code == 0);
    ++run;
  }
  CHECK(run >= 1);
}

TEST_CASE("the README's C++ samples") {
  int run = 0;
  for (const Block& block : readme_blocks("cpp")) {
    if (!block.not_run.empty()) continue;
    const Folder folder;
    const Run result = run_program(folder.path(), block.text);
    INFO("README.md:" << block.line << "\n" << block.text << "\n" << result.output);
    CHECK(result.code == 0);
    CHECK(result.output.find("warning") == std::string::npos);
    ++run;
  }
  CHECK(run >= 1);
}

TEST_CASE("every block of the README says what it is") {
  for (const Block& block : blocks(read(CASTFORGE_SOURCE_DIR "/README.md"))) {
    INFO("README.md:" << block.line);
    CHECK((block.language == "sh" || block.language == "cpp" || block.language == "json" || block.language == "cmake" ||
           block.language == "text"));
  }
}
