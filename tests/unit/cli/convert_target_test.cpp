// castforge convert: what is in the way of a result in its folder, and which files of a folder are weights.
#include "child.hpp"

#include <catch2/catch_test_macros.hpp>

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

using namespace cli_test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

const std::string kTwoFloats =
    safetensors(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", codes<float>({1, -2}));
/// Of a checkpoint whose only shard is a.safetensors.
constexpr std::string_view kOneShardIndex = R"({"metadata": {}, "weight_map": {"w": "a.safetensors"}})";

/// plan.json, and a folder `source` with these files; those that are no .json are shards.
void write_source(const Folder& folder, const std::string& source, const Names& names) {
  folder.write("plan.json", R"({"opset": "onnx@28", "default": {"to": "float16"}})");
  fs::create_directories(folder.path(source));
  for (const std::string& name : names)
    folder.write(source + "/" + name, name.ends_with(".json") ? kOneShardIndex : std::string_view(kTwoFloats));
}

Run convert_to_float16(const Folder& folder, const std::string& arguments) {
  return program(folder, "convert " + arguments + " --plan plan.json");
}

/// Names of the files in a folder, sorted; not those that are hidden.
Names files_of(const Folder& folder, const std::string& name) {
  Names names;
  for (const auto& entry : fs::directory_iterator(folder.path(name))) {
    std::string file = entry.path().filename().string();
    if (file.front() != '.') names.push_back(std::move(file));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string refusal_of(const std::string& target, const std::string& found) {
  return "castforge: " + target + ": expected no result of another source, found " + found +
         " of an earlier conversion: remove what is not needed, or choose another folder\n";
}

}  // namespace

TEST_CASE("a file that loaders take before the index is refused in the folder of a result that has an index") {
  const Folder folder;
  write_source(folder, "single", {"model.safetensors"});
  write_source(folder, "sharded", {"a.safetensors", "model.safetensors.index.json"});
  REQUIRE(convert_to_float16(folder, "single out").code == 0);
  const Run run = convert_to_float16(folder, "sharded out");
  CHECK(run.code == 2);
  CHECK(run.errors == refusal_of("out", "model.safetensors"));
  CHECK(files_of(folder, "out") == Names{"castforge.manifest.json", "model.safetensors"});
  fs::remove(folder.path("out/model.safetensors"));
  CHECK(convert_to_float16(folder, "sharded out").code == 0);
}

TEST_CASE("results whose shards are gone from the folder of the source are refused") {
  const Folder folder;
  write_source(folder, "in", {"a.safetensors", "b.safetensors"});
  REQUIRE(convert_to_float16(folder, "in out").code == 0);
  fs::remove(folder.path("in/b.safetensors"));
  for (const std::string arguments : {"in out", "in out --no-resume", "in out --shard 0/2"}) {
    const Run run = convert_to_float16(folder, arguments);
    CHECK(run.code == 2);
    CHECK(run.errors == refusal_of("out", "b.safetensors"));
  }
  const Run finish = program(folder, "convert in out --finish");
  CHECK(finish.code == 2);
  CHECK(finish.errors == refusal_of("out", "b.safetensors"));
  fs::remove(folder.path("out/b.safetensors"));
  CHECK(convert_to_float16(folder, "in out").output.starts_with("0 shards converted, 1 done before"));
  // Files that are named one by one lie beside each other.
  REQUIRE(convert_to_float16(folder, "in/a.safetensors both").code == 0);
  folder.write("b.safetensors", kTwoFloats);
  REQUIRE(convert_to_float16(folder, "b.safetensors both").code == 0);
  CHECK(files_of(folder, "both") == Names{"a.safetensors", "b.safetensors", "castforge.manifest.json"});
}

TEST_CASE("names that JSON cannot hold are refused before anything is written") {
  const Folder folder;
  write_source(folder, "in", {"a.safetensors", "b\xFF.safetensors"});
  write_source(folder, "companion", {"a.safetensors", "notes\xE4.json"});
  write_source(folder, "index", {"a.safetensors", "m\xFF.safetensors.index.json"});
  folder.write("list.txt", "in/b\xFF.safetensors\n");
  const std::string why =
      ": expected a file name in UTF-8, as the index and the manifest of the result hold no other, found bytes that "
      "are none: rename the file\n";
  for (const auto& [source, name] :
       std::vector<std::pair<std::string, std::string>>{{"in", "in/b\\xFF.safetensors"},
                                                        {"in/b*", "in/b\\xFF.safetensors"},
                                                        {"list.txt", "in/b\\xFF.safetensors"},
                                                        {"companion", "companion/notes\\xE4.json"},
                                                        {"index", "index/m\\xFF.safetensors.index.json"}}) {
    const Run run = convert_to_float16(folder, source + " out");
    CHECK(run.code == 1);
    CHECK(run.errors == "castforge: " + name + why);
    CHECK(!fs::exists(folder.path("out")));
  }
}

TEST_CASE("what is in the way of finishing is said before any shard is converted") {
  const Folder folder;
  write_source(folder, "in", {"a.safetensors", "config.json"});
  for (const std::string name : {"config.json", "castforge.manifest.json", "a.safetensors"}) {
    for (const std::string option : {"", " --shard 0/2"}) {
      fs::remove_all(folder.path("out"));
      fs::create_directories(folder.path("out/" + name));
      const Run run = convert_to_float16(folder, "in out" + option);
      INFO(name << option);
      CHECK(run.code == 4);
      CHECK(run.output == "");
      CHECK(run.errors == "castforge: out/" + name + ": cannot write: Is a directory\n");
      CHECK(files_of(folder, "out") == Names{name});
    }
  }
  // A pipe would be waited for, a device would take everything and keep nothing.
  for (const std::string name : {"config.json", "castforge.manifest.json", "a.safetensors"}) {
    for (const bool pipe : {false, true}) {
      fs::remove_all(folder.path("out"));
      fs::create_directories(folder.path("out"));
      const std::string path = folder.path("out/" + name);
      if (pipe) REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
      else fs::create_symlink("/dev/null", path);
      const Run run = convert_to_float16(folder, "in out");
      CHECK(run.code == 2);
      CHECK(run.errors == "castforge: out/" + name + ": expected a regular file or none, found another kind of file\n");
      CHECK(files_of(folder, "out") == Names{name});
    }
  }
  // Folders are in the way of files only, and of those that there will be.
  fs::remove_all(folder.path("out"));
  fs::create_directories(folder.path("out/a.safetensors.data"));
  CHECK(convert_to_float16(folder, "in out").code == 0);
}

TEST_CASE("what another user cannot read or write is said before any shard is converted") {
  const Folder folder;
  write_source(folder, "in", {"a.safetensors", "config.json"});
  REQUIRE(convert_to_float16(folder, "in out").code == 0);
  folder.write("errors", "");
  const auto as_another_user = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"convert", "in", "out", "--plan", "plan.json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    Child child(folder, arguments, [] {
      ::dup2(::open("errors", O_WRONLY | O_TRUNC), STDERR_FILENO);
      if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(125);
    });
    return child.wait().code;
  };
  REQUIRE(::chmod(folder.path("").c_str(), 0777) == 0);
  for (const auto& entry : fs::recursive_directory_iterator(folder.path("")))
    REQUIRE(::chmod(entry.path().c_str(), 0777) == 0);
  REQUIRE(::chmod(folder.path("out/.castforge").c_str(), 0555) == 0);
  const int code = as_another_user({"--no-resume"});
  if (code >= 125) SKIP("this program cannot be run by another user here");
  CHECK(code == 4);
  CHECK(folder.read("errors") == "castforge: out/.castforge: cannot write: Permission denied\n");
  CHECK(fs::exists(folder.path("out/castforge.manifest.json")));
  REQUIRE(::chmod(folder.path("out/.castforge").c_str(), 0755) == 0);
  fs::remove_all(folder.path("out"));
  REQUIRE(::chmod(folder.path("in/config.json").c_str(), 0) == 0);
  CHECK(as_another_user({}) == 4);
  CHECK(folder.read("errors") == "castforge: in/config.json: cannot open: Permission denied\n");
  CHECK(!fs::exists(folder.path("out/a.safetensors")));
}

TEST_CASE("names that are too long are said before any work is done") {
  const Folder folder;
  folder.write("in.raw", codes<float>({1}));
  const std::string too_long = std::string(252, 'n') + ".raw";
  const Run cast = program(folder, "cast in.raw " + too_long + " --from float32 --to float16");
  CHECK(cast.code == 4);
  CHECK(cast.errors == "castforge: " + too_long + ": cannot write: File name too long\n");
  // That of the result fits, that of its state does not.
  const std::string name = std::string(240, 's') + ".safetensors";
  write_source(folder, "in", {name});
  const Run run = convert_to_float16(folder, "in out");
  CHECK(run.code == 4);
  CHECK(run.errors == "castforge: out/.castforge/" + name + ".json: cannot write: File name too long\n");
  CHECK(!fs::exists(folder.path("out")));
}

TEST_CASE("weights of other formats and copies of shards are not copied") {
  const Folder folder;
  write_source(folder, "in", {"a.safetensors", "model.safetensors.index.fp16.json", "config.json"});
  for (const char* name : {"x.onnx", "x.onnx_data", "x.onnx_data_1", "x.onnx.data", "saved_model.pb", "flax.msgpack",
                           "model.tflite", "a.safetensors.bak", "MODEL2.SAFETENSORS", "old.BIN"}) {
    folder.write(std::string("in/") + name, "weights");
  }
  folder.write("in/merges.txt", "text");
  folder.write("in/onnx_data.md", "text");
  REQUIRE(convert_to_float16(folder, "in out").code == 0);
  CHECK(files_of(folder, "out") == Names{"a.safetensors", "castforge.manifest.json", "config.json", "merges.txt",
                                         "model.safetensors.index.fp16.json", "onnx_data.md"});
  // The index of a variant is one: it is made anew.
  CHECK(json::parse(folder.read("out/model.safetensors.index.fp16.json"))["metadata"]["total_size"] == 4);
}

TEST_CASE("copies of programs can be executed, by those who may read them") {
  const Folder folder;
  write_source(folder, "in", {"a.safetensors"});
  for (const char* name : {"in/run.sh", "in/notes.txt"}) folder.write(name, "text");
  REQUIRE(::chmod(folder.path("in/run.sh").c_str(), 0755) == 0);
  REQUIRE(::chmod(folder.path("in/notes.txt").c_str(), 0644) == 0);
  REQUIRE(program(folder, "convert in out --plan plan.json", "umask 027;").code == 0);
  struct stat status {};
  REQUIRE(::stat(folder.path("out/run.sh").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0750);
  REQUIRE(::stat(folder.path("out/notes.txt").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("numbers of shards and tensors are told in words that agree with them") {
  const Folder folder;
  write_source(folder, "in", {"a.safetensors"});
  CHECK(convert_to_float16(folder, "in out --dry-run").output.ends_with("all: 1 tensor, 8 B -> 4 B\n"));
  write_source(folder, "two", {"a.safetensors", "b.safetensors"});
  REQUIRE(convert_to_float16(folder, "in out").code == 0);
  const Run finish = program(folder, "convert two out --finish");
  CHECK(finish.code == 1);
  CHECK(finish.errors.starts_with("castforge: out: expected 2 shards, found 0; missing: "));
}

TEST_CASE("sizes are told in units that fit them") {
  using castforge::cli::size_text;
  CHECK(size_text(0) == "0 B");
  CHECK(size_text(999) == "999 B");
  CHECK(size_text(1000) == "1.0 kB");
  CHECK(size_text(999'949) == "999.9 kB");
  CHECK(size_text(999'950) == "1.0 MB");
  CHECK(size_text(16'060'000'000) == "16.1 GB");
  CHECK(size_text(1'234'000'000'000) == "1234.0 GB");
}

TEST_CASE("a byte order mark before a list is seen in the message") {
  const Folder folder;
  write_source(folder, "in", {"a.safetensors"});
  folder.write("list.txt", "\xEF\xBB\xBFin/a.safetensors\n");
  const Run run = convert_to_float16(folder, "list.txt out");
  CHECK(run.code == 4);
  CHECK(run.errors == "castforge: \\xEF\\xBB\\xBFin/a.safetensors: cannot open: No such file or directory\n");
}
