// What the programs write lasts: a file's contents are on the disk before it has its name, and its name before the
// program ends. The calls are those that the programs really make, recorded by record_calls.c.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "generating/support.hpp"

using namespace castforge::generating;

namespace {

struct Call {
  std::string what;     // "sync", "sync_all", "rename"
  fs::path path, to;    // to: of a rename
  std::uintmax_t size;  // sync: of the file at that moment
  bool locked;          // of a rename: nobody takes the file for an abandoned one and removes it
};
using Calls = std::vector<Call>;

std::string tried_program() {
  const char* const tried = std::getenv("CASTFORGE_TRIED_PROGRAM");  // tests/mutation
  return tried != nullptr ? tried : CASTFORGE_PROGRAM;
}

/// What a program did with arguments as a shell reads them; `folder` has no blank in its path.
Calls calls_of(const Folder& folder, const std::string& program, const std::string& arguments) {
  const Folder records;
  const fs::path here = fs::canonical(folder.path());
  const Run run = shell(here, "LD_PRELOAD=" + quoted(fs::path(CASTFORGE_RECORD_CALLS)) + " RECORDED_CALLS=" +
                                  quoted(records / "calls") + " " + quoted(fs::path(program)) + " " + arguments);
  INFO(run.errors);
  REQUIRE(run.code == 0);
  Calls calls;
  std::istringstream lines(read(records / "calls"));
  for (Call call{}; lines >> call.what >> call.path; calls.push_back(call)) {
    if (call.what == "rename") lines >> call.to >> call.locked;
    if (call.what == "sync") lines >> call.size;
    for (fs::path* path : {&call.path, &call.to}) *path = (here / *path).lexically_normal();
  }
  return calls;
}

/// Every file gets its name by a rename: the whole of it was made to last before, its folder after.
void check_lasting(const fs::path& file, const Calls& calls) {
  INFO(file.string());
  const fs::path path = fs::canonical(file);
  const auto renamed = std::find_if(calls.rbegin(), calls.rend(),
                                    [&](const Call& call) { return call.what == "rename" && call.to == path; });
  REQUIRE(renamed != calls.rend());
  CHECK(renamed->locked);
  const auto before = std::find_if(renamed, calls.rend(),
                                   [&](const Call& call) { return call.what == "sync" && call.path == renamed->path; });
  CHECK(before != calls.rend());
  if (before != calls.rend()) CHECK(before->size == fs::file_size(path));
  CHECK(std::any_of(renamed.base(), calls.end(),
                    [&](const Call& call) { return call.what == "sync" && call.path == path.parent_path(); }));
}

/// Many files, which are made to last together.
void check_lasting_together(const fs::path& folder, const Calls& calls) {
  std::size_t renamed = 0;
  for (const auto& [name, content] : tree(folder)) {
    INFO(name);
    const fs::path path = fs::canonical(folder / name);
    const bool has = std::any_of(calls.begin(), calls.end(),
                                 [&](const Call& call) { return call.what == "rename" && call.to == path; });
    CHECK(has);
    renamed += has ? 1 : 0;
  }
  CHECK(renamed > 15);
  REQUIRE_FALSE(calls.empty());
  CHECK(calls.back().what == "sync_all");
  CHECK(calls.back().path == fs::canonical(folder));
}

/// A .safetensors file with one tensor of float32.
std::string safetensors(const std::string& header, std::size_t bytes) {
  std::string file;
  for (int i = 0; i < 8; ++i) file += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return file + header + std::string(bytes, '\x3F');
}

}  // namespace

TEST_CASE("a cast lasts", "[durable]") {
  const Folder folder;
  write(folder / "in.raw", std::string(100000, '\x40'));
  const std::string arguments = "cast in.raw out.raw --from float32 --to float16";
  check_lasting(folder / "out.raw", calls_of(folder, tried_program(), arguments));
  write(folder / "out.raw", "what was there before");
  check_lasting(folder / "out.raw", calls_of(folder, tried_program(), arguments));
}

TEST_CASE("without locks the temporary file of another writer stays", "[durable]") {
  const Folder folder;
  write(folder / "in.raw", std::string(64, '\x40'));
  write(folder / ".out.raw.999999999-0.tmp", "half");
  const std::string arguments = "cast in.raw out.raw --from float32 --to float16";
  REQUIRE(::setenv("WITHOUT_LOCKS", "1", 1) == 0);
  calls_of(folder, tried_program(), arguments);
  REQUIRE(::unsetenv("WITHOUT_LOCKS") == 0);
  CHECK(fs::exists(folder / ".out.raw.999999999-0.tmp"));
  calls_of(folder, tried_program(), arguments);  // where there are locks nobody holds it
  CHECK_FALSE(fs::exists(folder / ".out.raw.999999999-0.tmp"));
}

TEST_CASE("a converted checkpoint lasts, every file of it", "[durable]") {
  const Folder folder;
  const std::string header = R"({"w":{"dtype":"F32","shape":[5000],"data_offsets":[0,20000]}})";
  write(folder / "in/model.safetensors", safetensors(header, 20000));
  write(folder / "in/config.json", "{}");
  write(folder / "plan.json", R"({"opset": "onnx@28", "default": {"to": "float16"}})");
  const Calls calls = calls_of(folder, tried_program(), "convert in out --plan plan.json");
  const Tree files = tree(folder / "out");
  for (const char* const name : {"model.safetensors", "config.json", "castforge.manifest.json"}) {
    INFO(name);
    CHECK(files.contains(name));
  }
  const std::string state = ".castforge/model.safetensors.json";
  for (const auto& [name, content] : files) {
    if (name != state) check_lasting(folder / "out" / name, calls);
  }
  // What is known of the shard need not last, but nothing may be known of one that does not.
  REQUIRE(files.contains(state));
  const fs::path out = fs::canonical(folder / "out");
  const auto known = std::find_if(calls.begin(), calls.end(), [&](const Call& call) { return call.to == out / state; });
  CHECK(std::any_of(calls.begin(), known, [&](const Call& call) { return call.what == "sync" && call.path == out; }));
}

TEST_CASE("a new spec and generated files last", "[durable]") {
  const Folder folder;
  const std::string gen = CASTFORGE_GEN;
  small_specs(folder);
  const Calls spec =
      calls_of(folder, gen, "new-type float8e3m4 --bits 8 --exponent 3 --mantissa 4 --nan ieee --out specs/types");
  check_lasting(folder / "specs/types/float8e3m4.json", spec);
  const Calls calls = calls_of(folder, gen, "generate --specs specs --out generated");
  check_lasting_together(folder / "generated", calls);
}
