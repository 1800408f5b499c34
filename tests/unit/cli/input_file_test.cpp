#include "cli/io/input_file.hpp"

#include "support.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace cli_test;
using castforge::cli::ExitCode;
using castforge::cli::Failure;
using castforge::cli::InputFile;

namespace {

/// What read_all(what, most) complains of; empty where it reads all.
std::string complaint_about(const std::string& path, std::size_t most, ExitCode expected = ExitCode::bad_data) {
  InputFile file(path);
  try {
    file.read_all("a list", most, expected);
  } catch (const Failure& failure) {
    CHECK(failure.code() == expected);
    const std::string message = failure.what();
    return message.substr(message.find(": ") + 2);
  }
  return "";
}

}  // namespace

TEST_CASE("a whole file of at most so many bytes is held in memory") {
  const Folder folder;
  const std::string ten = folder.write("ten", "0123456789"), none = folder.write("none", "");
  CHECK(InputFile(ten).read_all("a list", 10) == "0123456789");
  CHECK(InputFile(none).read_all("a list", 0).empty());
  CHECK(complaint_about(ten, 9) == "expected a list of at most 9 bytes, found 10");
  CHECK(complaint_about(ten, 0, ExitCode::usage) == "expected a list of at most 0 bytes, found 10");
}

TEST_CASE("a whole file that does not say how large it is") {
  const std::string kSaysZero = "/proc/self/status";  // its size is 0, as is that of all files there
  const std::string all = InputFile(kSaysZero).read_all("a list", 1 << 20);
  CHECK(all.starts_with("Name:"));
  CHECK(all.ends_with("\n"));
  CHECK(all.size() > 500);
  CHECK(complaint_about(kSaysZero, 100) == "expected a list of at most 100 bytes, found more");
}
