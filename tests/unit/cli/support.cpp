#include "support.hpp"

#include <catch2/catch_test_macros.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace cli_test {
namespace fs = std::filesystem;

Folder::Folder() {
  static int number = 0;
  path_ = fs::temp_directory_path() / ("castforge-cli-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
  fs::create_directories(path_);
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, std::string_view contents) const {
  std::ofstream(path(name), std::ios::binary).write(contents.data(), static_cast<std::streamsize>(contents.size()));
  return path(name);
}

std::string Folder::read(const std::string& name) const {
  std::ifstream in(path(name), std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> result;
  for (const auto& entry : fs::directory_iterator(path_)) {
    result.push_back(entry.path().filename().string());
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out += static_cast<char>(value);
  return out;
}

std::string npy(std::string_view header, std::string_view data, int major) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(major);
  out += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) out += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return out.append(header).append(data);
}

std::string npy_array(std::string_view descr, std::string_view shape, std::string_view data, bool fortran) {
  return npy("{'descr': '" + std::string(descr) + "', 'fortran_order': " + (fortran ? "True" : "False") +
                 ", 'shape': " + std::string(shape) + ", }\n",
             data);
}

std::string safetensors(std::string_view header, std::string_view data) {
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(std::uint64_t{header.size()} >> (8 * i) & 0xFF);
  return out.append(header).append(data);
}

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 128; value /= 128) out += static_cast<char>(value % 128 + 128);
  return out + static_cast<char>(value);
}

std::string varint_field(std::uint32_t number, std::uint64_t value) { return varint(number * 8ULL) + varint(value); }

std::string bytes_field(std::uint32_t number, std::string_view contents) {
  return varint(number * 8ULL + 2) + varint(contents.size()) + std::string(contents);
}

Outcome cast(const CastOf& what) {
  using namespace castforge::cli;
  // One folder for thousands of casts; it is empty in between.
  static const Folder folder;
  const std::string input = "in." + what.extension;
  const std::string output = "out." + (what.output_extension.empty() ? what.extension : what.output_extension);
  Outcome outcome;
  try {
    CastJob job;
    job.input = folder.write(input, what.input);
    job.output = folder.path(output);
    job.input_format = file_format(job.input, "", FileUse::read);
    job.output_format = file_format(job.output, "", FileUse::write);
    job.to = type_option(what.to, "--to");
    if (!what.from.empty()) job.from = type_option(what.from, "--from");
    job.tensors = what.tensors;
    job.kernels.opset = what.opset;
    job.threads = what.threads;
    run(job);
    outcome.output = folder.read(output);
  } catch (const Failure& failure) {
    outcome.code = static_cast<int>(failure.code());
    outcome.message = failure.what();
    // What failed leaves nothing behind.
    CHECK(folder.names() == std::vector<std::string>{input});
  }
  CHECK(folder.read(input) == what.input);
  for (const std::string& name : folder.names()) fs::remove(folder.path(name));
  const std::string prefix = folder.path("");
  for (std::size_t at; (at = outcome.message.find(prefix)) != std::string::npos;) {
    outcome.message.erase(at, prefix.size());
  }
  return outcome;
}

std::string program_path() {
  const char* const tried = std::getenv("CASTFORGE_TRIED_PROGRAM");
  return tried != nullptr ? tried : CASTFORGE_PROGRAM;
}

Run program(const Folder& folder, const std::string& arguments, const std::string& environment) {
  const Folder captured;
  const std::string command = "cd '" + folder.path("") + "' && { " + environment + " '" + program_path() + "' " +
                              arguments + " ; } > '" + captured.path("out") + "' 2> '" + captured.path("err") + "'";
  const int status = std::system(command.c_str());
  REQUIRE(WIFEXITED(status));
  return {WEXITSTATUS(status), captured.read("out"), captured.read("err")};
}

}  // namespace cli_test
