// castforge --kernels with files that it cannot use.
#include <sys/wait.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <fstream>
#include <string>

namespace {

struct Run {
  int code;
  std::string output;  // of both streams
};

Run program(const std::string& arguments) {
  const std::string line = std::string("\"") + CASTFORGE_PROGRAM + "\" " + arguments + " 2>&1";
  std::FILE* const pipe = popen(line.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), got);
  return {WEXITSTATUS(pclose(pipe)), output};
}

void refuses(const std::string& file, const std::string& why) {
  const Run run = program("--kernels \"" + file + "\" list types");
  INFO(run.output);
  CHECK(run.code == 4);
  CHECK(run.output.find(why) != std::string::npos);
  CHECK(run.output.find("float32 ") == std::string::npos);  // nothing is listed
}

}  // namespace

TEST_CASE("files that hold no kernels for this program are refused") {
  refuses(FOREIGN_KERNELS, "beside a library with manifest sha256:feedfeedfeedfeed, this one has sha256:");
  refuses(NO_KERNELS, "lacks the function castforge_kernels");
  refuses("/nowhere/libkernels.so", "/nowhere/libkernels.so: cannot open: No such file or directory");
  const std::string text = std::string(CASTFORGE_BINARY_DIR) + "/unit_added_no_object.so";
  std::ofstream(text) << "not a shared object";
  refuses(text, "cannot be opened as a shared object");
  CHECK(program("--kernels").code == 2);
}
