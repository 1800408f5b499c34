// walkthrough PAGE: does what a page of .docs/walkthroughs says, in a new folder, and compares what comes out.
//
// A block ```LANGUAGE NAME is a file of that name, ```sh are commands, all in one shell, and ```text right after them
// is what they print: a line "..." stands for any, and such an end of a line for any end. Blocks below `not run` are
// left out.
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "readme/blocks.hpp"

namespace {

using namespace castforge::readme;
namespace fs = std::filesystem;

struct Step {
  Block block;
  std::string expected;
  bool has_expected = false;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool line_is(const std::string& line, const std::string& expected) {
  if (expected.ends_with("...")) return line.starts_with(expected.substr(0, expected.size() - 3));
  return line == expected;
}

bool output_is(const std::string& output, const std::string& expected) {
  const std::vector<std::string> got = lines_of(output), wanted = lines_of(expected);
  if (got.size() != wanted.size()) return false;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!line_is(got[i], wanted[i])) return false;
  }
  return true;
}

/// Commands with what they print, and the script of all: the files too, in their order.
std::vector<Step> steps_of(const std::vector<Block>& all, const fs::path& outputs, std::string& script) {
  std::vector<Step> steps;
  bool follows = false;
  for (const Block& block : all) {
    const std::size_t space = block.language.find(' ');
    const bool is_text = block.language == "text";
    if (!block.not_run.empty()) {
      follows = false;
    } else if (space != std::string::npos) {
      script += "cat > '" + block.language.substr(space + 1) + "' <<'END_OF_FILE'\n" + block.text + "END_OF_FILE\n";
      follows = false;
    } else if (block.language == "sh") {
      const std::string file = "'" + (outputs / std::to_string(steps.size())).string() + "'";
      script += "exec > " + file + " 2>&1\n" + block.text;
      steps.push_back({block, "", false});
      follows = true;
    } else if (is_text && follows) {
      steps.back().expected = block.text;
      steps.back().has_expected = true;
      follows = false;
    } else {
      throw std::runtime_error("line " + std::to_string(block.line) +
                               ": a block that is neither commands, nor a file, "
                               "nor what commands print");
    }
  }
  return steps;
}

int run(const fs::path& page) {
  const Folder work, outputs;
  std::string script;
  const std::vector<Step> steps = steps_of(blocks(read(page)), outputs.path(), script);
  const Run whole = run_script(work.path(), script);
  int wrong = 0;
  std::size_t ran = 0;
  for (; ran < steps.size() && fs::exists(outputs.path() / std::to_string(ran)); ++ran) {
    const std::string output = read(outputs.path() / std::to_string(ran));
    const Step& step = steps[ran];
    const bool last = ran + 1 == steps.size() || !fs::exists(outputs.path() / std::to_string(ran + 1));
    const bool failed = last && whole.code != 0;
    if (!failed && (!step.has_expected || output_is(output, step.expected))) continue;
    ++wrong;
    std::printf("%s:%d: %s\n%s---- printed\n%s---- expected\n%s\n", page.filename().c_str(), step.block.line,
                failed ? "the commands failed" : "the commands print something else", step.block.text.c_str(),
                output.c_str(), step.has_expected ? step.expected.c_str() : "(anything)\n");
  }
  if (ran == 0) std::printf("%s: nothing was run\n%s", page.filename().c_str(), whole.output.c_str());
  std::printf("%s: %zu of %zu blocks of commands were run, %d wrong\n", page.filename().c_str(), ran, steps.size(),
              wrong);
  return wrong == 0 && ran == steps.size() && ran > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: walkthrough PAGE.md\n", stderr), 2;
  try {
    return run(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 1;
  }
}
