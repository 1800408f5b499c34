// Headers that announce much: what they cost in time and memory is bounded by their size.
#include "child.hpp"

#include "cli/formats/safetensors_header.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/output_file.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fcntl.h>
#include <unistd.h>

using namespace cli_test;

namespace {

std::string repeated(const std::string& part, std::size_t count, const char* separator) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "" : separator) + part;
  return out;
}

/// A header of so many tensors without elements.
std::string empty_tensors(std::size_t count) {
  std::string header = "{";
  for (std::size_t i = 0; i < count; ++i) {
    header += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  }
  return header + '}';
}

std::string with_shape(const std::string& shape) {
  return R"({"t":{"dtype":"F32","shape":[)" + shape + R"(],"data_offsets":[0,0]}})";
}

std::string with_metadata(const std::string& members) { return R"({"__metadata__":{)" + members + "}}"; }

std::string many_keys(std::size_t count) {
  std::string members;
  for (std::size_t i = 0; i < count; ++i) members += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":\"\"";
  return members;
}

}  // namespace

TEST_CASE("safetensors: a tensor has at most 64 extents") {
  const auto rank = [](std::size_t extents) {
    return cast({.extension = "safetensors",
                 .input = safetensors(with_shape(repeated("0", extents, ",")), ""),
                 .to = "float16"});
  };
  CHECK(rank(64).message == "");
  CHECK(rank(65).code == 1);
  CHECK(rank(65).message.ends_with("safetensors header: tensor \"t\": expected at most 64 extents"));
}

TEST_CASE("safetensors: a header that no reader would take is not written") {
  namespace cli = castforge::cli;
  const Folder folder;
  const std::size_t rest = std::string_view(R"({:{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})").size();
  const auto write = [&](std::size_t header) {
    const std::string token = '"' + std::string(header - rest - 2, 'n') + '"';
    cli::OutputFile out(folder.path("x.safetensors"));
    cli::write_safetensors_header(out, "", 1,
                                  [&](std::size_t) { return cli::SafetensorsEntry{token, "U8", {0}, 0, 0, 0}; });
    out.commit();
  };
  write(100'000'000);
  CHECK(program(folder, "info x.safetensors").code == 0);
  std::filesystem::remove(folder.path("x.safetensors"));
  CHECK_THROWS_AS(write(100'000'001), cli::Failure);
  CHECK(folder.names().empty());
}

TEST_CASE("safetensors: a large header takes time and memory by its size") {
  struct Case {
    const char* what;
    std::string header;
    int code;
  };
  const std::size_t kTensors = 180000;  // 10 MB
  const Case cases[] = {
      {"tensors", empty_tensors(kTensors), 0},
      {"tensors of one name",
       "{" + repeated(R"("":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})", kTensors, ",") + "}", 1},
      {"extents", with_shape(repeated("0", 5000000, ",")), 1},
      {"keys of metadata", with_metadata(many_keys(800000)), 0},
      {"a long value", with_metadata("\"k\":\"" + repeated("v", 10000000, "") + "\""), 0},
      {"a long name", R"({")" + repeated("n", 10000000, "") + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
       0},
      {"nesting", "{\"t\":" + repeated("[", 10000000, ""), 1},
  };
  const Folder folder;
  folder.write("small.safetensors", safetensors(empty_tensors(1), ""));
  const std::vector<std::string> commands[] = {
      {"cast", "INPUT", "out.safetensors", "--to", "float16"}, {"info", "INPUT"}, {"info", "INPUT", "--json"}};
  for (std::vector<std::string> command : commands) {
    INFO(command.front() << ' ' << command.back());
    const auto run = [&](const std::string& input) {
      command[1] = input;
      Child child(folder, command, [] {
        const int null = ::open("/dev/null", O_WRONLY);  // what is printed
        ::dup2(null, STDOUT_FILENO);
      });
      return child.wait();
    };
    const End small = run("small.safetensors");
    REQUIRE(small.code == 0);
    for (const Case& c : cases) {
      INFO(c.what);
      folder.write("large.safetensors", safetensors(c.header, ""));
      const End end = run("large.safetensors");
      CHECK(end.code == c.code);
#ifndef CASTFORGE_SANITIZED  // which take time and memory themselves
      const double megabytes = static_cast<double>(c.header.size()) / 1e6;
      // As JSON more is said of each tensor than its header does.
      const double slower = command.back() == "--json" ? 5 : 1;
      CHECK(end.cpu_seconds < slower * 0.2 * megabytes + 0.5);
      if (command.back() != "--json" || c.what != std::string("a long name"))  // which is part of what is printed
        CHECK(static_cast<double>(end.peak_kilobytes - small.peak_kilobytes) / 1e3 <
              2 * megabytes + (command.front() == "cast" ? 2 : 4));
#endif
    }
  }
}
