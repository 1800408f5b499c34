// castforge convert: whole checkpoints, from folders to folders.
#include "child.hpp"

#include "cli/convert/checkpoint.hpp"
#include "cli/convert/hash.hpp"
#include "cli/convert/pieces.hpp"
#include "cli/io/output_file.hpp"

#include <catch2/catch_test_macros.hpp>

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <random>
#include <span>
#include <thread>

using namespace cli_test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPlan = R"({"opset": "onnx@28",
 "default": {"to": "float8e4m3fn", "saturate": 1},
 "rules": [{"tensors": ["*norm*"], "keep": true}, {"tensors": ["*.head.*"], "to": "float32"}]})";

struct Tensor {
  std::string name, dtype;
  std::size_t count, bytes_each;
};

/// A .safetensors file of random bits.
std::string shard_of(const std::vector<Tensor>& tensors, unsigned seed) {
  std::mt19937 random(seed);
  json header = json::object();
  std::string data;
  for (const Tensor& tensor : tensors) {
    const std::size_t begin = data.size();
    for (std::size_t i = 0; i < tensor.count * tensor.bytes_each; ++i) data += static_cast<char>(random());
    header[tensor.name] = {{"dtype", tensor.dtype}, {"shape", {tensor.count}}, {"data_offsets", {begin, data.size()}}};
  }
  return safetensors(header.dump(), data);
}

std::string shard_name(int number, int count) {
  return "model-0000" + std::to_string(number) + "-of-0000" + std::to_string(count) + ".safetensors";
}

/// in/: a checkpoint of three shards with an index, config and tokenizer; plan.json.
void write_checkpoint(const Folder& folder, std::size_t elements = 1000) {
  fs::create_directories(folder.path("in"));
  json map;
  for (int i = 1; i <= 3; ++i) {
    const std::string layer = "layer." + std::to_string(i);
    const std::vector<Tensor> tensors = {{layer + ".a_norm", "BF16", 16, 2},
                                         {layer + ".ids", "I64", 4, 8},
                                         {layer + ".mlp", "BF16", elements, 2},
                                         {layer + ".head.w", "BF16", 24, 2}};
    folder.write("in/" + shard_name(i, 3), shard_of(tensors, static_cast<unsigned>(i)));
    for (const Tensor& tensor : tensors) map[tensor.name] = shard_name(i, 3);
  }
  const json index = {
      {"metadata", {{"total_size", 1}, {"kind", "test"}}}, {"made by", {"a tool", 1}}, {"weight_map", map}};
  folder.write("in/model.safetensors.index.json", index.dump());
  folder.write("in/config.json", R"({"dtype": "bfloat16", "quantization_config": {"old": 1}})");
  folder.write("in/tokenizer.json", "{ \"as it\": \"was\" }\n");
  folder.write("in/pytorch_model.bin", "other weights");
  folder.write("plan.json", kPlan);
}

/// All files below a folder, by their paths.
std::map<std::string, std::string> contents(const Folder& folder, const std::string& name) {
  std::map<std::string, std::string> result;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path(name))) {
    const std::string path = fs::relative(entry.path(), folder.path(name)).string();
    if (entry.is_regular_file()) result[path] = folder.read(name + "/" + path);
  }
  return result;
}

Run convert(const Folder& folder, const std::string& arguments, const std::string& environment = "") {
  return program(folder, "convert " + arguments, environment);
}

}  // namespace

TEST_CASE("a checkpoint is converted as castforge cast converts its tensors") {
  const Folder folder;
  write_checkpoint(folder);
  REQUIRE(convert(folder, "in out --plan plan.json --threads 2 --verify").code == 0);
  for (int i = 1; i <= 3; ++i) {
    const std::string layer = "layer." + std::to_string(i);
    REQUIRE(program(folder, "cast in/" + shard_name(i, 3) +
                                " one.safetensors --to float8e4m3fn --saturate 1 --tensors " + layer +
                                ".mlp --opset onnx@28")
                .code == 0);
    REQUIRE(program(folder, "cast one.safetensors one.safetensors --to float32 --tensors '*.head.*'").code == 0);
    REQUIRE(
        program(folder, "cast out/" + shard_name(i, 3) + " two.safetensors --to float32 --tensors '*.head.*'").code ==
        0);
    CHECK(folder.read("one.safetensors") == folder.read("two.safetensors"));
  }
  const json index = json::parse(folder.read("out/model.safetensors.index.json"));
  CHECK(index["weight_map"] == json::parse(folder.read("in/model.safetensors.index.json"))["weight_map"]);
  CHECK(index["made by"] == json{"a tool", 1});
  CHECK(index["metadata"]["total_size"] == 3 * (32 + 32 + 1000 + 96));
  CHECK(index["metadata"]["kind"] == "test");
  CHECK(folder.read("out/tokenizer.json") == folder.read("in/tokenizer.json"));
  CHECK(folder.read("out/config.json") == folder.read("in/config.json"));
  CHECK(!fs::exists(folder.path("out/pytorch_model.bin")));

  const json manifest = json::parse(folder.read("out/castforge.manifest.json"));
  CHECK(manifest["files"].size() == 6);
  for (const auto& [name, file] : manifest["files"].items()) {
    CHECK(file["bytes"] == folder.read("out/" + name).size());
    CHECK(file["xxh128"] == castforge::cli::hash_of(folder.read("out/" + name)));
  }
}

TEST_CASE("a file of a year that 64 bits of nanoseconds do not reach is later than others") {
  const Folder folder;
  folder.write("x.raw", "x");
  const std::int64_t now = castforge::cli::described(folder.path("x.raw")).modified;
  const timespec far[2] = {{10'413'792'000, 0}, {10'413'792'000, 0}};  // 2300-01-01
  REQUIRE(::utimensat(AT_FDCWD, folder.path("x.raw").c_str(), far, 0) == 0);
  CHECK(castforge::cli::described(folder.path("x.raw")).modified > now);
}

TEST_CASE("the hash is XXH3 of 128 bits") {
  CHECK(castforge::cli::hash_of("") == "99aa06d3014798d86001c324468d497f");  // of the xxHash specification
}

TEST_CASE("what was written otherwise than the cast gives is named by its piece") {
  using namespace castforge::cli;
  struct OnePiece : Pieces {
    std::size_t size() const override { return 1; }
    Piece piece(std::size_t) const override { return {0, 4, nullptr}; }
  };
  const std::string before = "abcd", after = "__abXd";
  InputFile from("in", std::as_bytes(std::span(before))), written("out", std::as_bytes(std::span(after)));
  Progress progress(0);
  std::string message;
  try {
    check_pieces(
        from, OnePiece(), written, 2, 1, progress, [](const castforge::Kernel* kernel) { return kernel; },
        [](std::size_t) { return std::string("tensor \"w\""); });
  } catch (const Failure& failure) {
    message = failure.what();
  }
  CHECK(message == "out: byte 4: tensor \"w\": expected what the cast gives again, found another byte");
}

TEST_CASE("what is done is skipped, and only that") {
  const Folder folder;
  write_checkpoint(folder);
  const auto run = [&](const std::string& options = "") {
    const Run result = convert(folder, "in out --plan plan.json " + options);
    REQUIRE(result.code == 0);
    return result.output.substr(0, result.output.find(" failed"));
  };
  CHECK(run() == "3 shards converted, 0 done before, 0");
  const auto first = contents(folder, "out");
  CHECK(run() == "0 shards converted, 3 done before, 0");
  CHECK(run("--verify") == "0 shards converted, 3 done before, 0");
  CHECK(run("--no-resume") == "3 shards converted, 0 done before, 0");
  CHECK(contents(folder, "out") == first);

  // A result that is shorter than it was.
  folder.write("out/" + shard_name(1, 3), "x");
  CHECK(run() == "1 shard converted, 2 done before, 0");
  // One in which somebody changed a bit since; and one with its time put back, which only --verify tells.
  const auto damage = [&] {
    std::string damaged = folder.read("out/" + shard_name(2, 3));
    damaged.back() = static_cast<char>(damaged.back() ^ 1);
    const auto time = fs::last_write_time(folder.path("out/" + shard_name(2, 3)));
    folder.write("out/" + shard_name(2, 3), damaged);
    return time;
  };
  damage();
  CHECK(run() == "1 shard converted, 2 done before, 0");
  CHECK(contents(folder, "out") == first);
  fs::last_write_time(folder.path("out/" + shard_name(2, 3)), damage());
  CHECK(run() == "0 shards converted, 3 done before, 0");
  CHECK(run("--verify") == "1 shard converted, 2 done before, 0");
  CHECK(contents(folder, "out") == first);

  // Another source of the same size.
  std::string source = folder.read("in/" + shard_name(3, 3));
  source.back() = static_cast<char>(source.back() ^ 1);
  folder.write("in/" + shard_name(3, 3), source);
  CHECK(run() == "1 shard converted, 2 done before, 0");
  // Another plan, whose results have the same sizes.
  const std::string plan = R"({"opset": "onnx@28", "default": {"to": "float8e5m2", "saturate": 1},
 "rules": [{"tensors": ["*norm*"], "keep": true}, {"tensors": ["*.head.*"], "to": "float32"}]})";
  folder.write("plan.json", plan);
  CHECK(run() == "3 shards converted, 0 done before, 0");
}

TEST_CASE("parts on several machines make what one makes") {
  const Folder folder;
  write_checkpoint(folder);
  const Run nothing = convert(folder, "in parts --finish");
  CHECK(nothing.code == 1);
  CHECK(nothing.errors ==
        "castforge: parts: no part of it has been converted yet: convert them with --plan, then use "
        "--finish once\n");
  REQUIRE(convert(folder, "in whole --plan plan.json").code == 0);
  for (const char* part : {"1/2", "0/2"}) {
    CHECK(convert(folder, "in parts --plan plan.json --shard " + std::string(part)).code == 0);
    CHECK(!fs::exists(folder.path("parts/castforge.manifest.json")));
    const Run early = convert(folder, "in parts --finish");
    CHECK(early.code == (part[0] == '1' ? 1 : 0));
    fs::remove(folder.path("parts/castforge.manifest.json"));
    fs::remove(folder.path("parts/model.safetensors.index.json"));
    for (const char* name : {"config.json", "tokenizer.json"}) fs::remove(folder.path("parts") + "/" + name);
  }
  CHECK(convert(folder, "in parts --finish --verify").code == 0);
  CHECK(contents(folder, "parts") == contents(folder, "whole"));
  CHECK(convert(folder, "in parts --plan plan.json --shard 7/8").code == 0);  // an empty part
  for (const char* part : {"2/2", "x", "1", "-1/2", "1/0", "1/", "/2"}) {
    CHECK(convert(folder, "in parts --plan plan.json --shard=" + std::string(part)).code == 2);
  }
  // Copied later than their states: their hashes decide.
  const std::string whole = folder.read("parts/" + shard_name(2, 3));
  const auto later =
      fs::last_write_time(folder.path("parts/.castforge/" + shard_name(2, 3) + ".json")) + std::chrono::seconds(2);
  folder.write("parts/" + shard_name(2, 3), whole);
  fs::last_write_time(folder.path("parts/" + shard_name(2, 3)), later);
  CHECK(convert(folder, "in parts --finish").code == 0);
  std::string damaged = whole;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  folder.write("parts/" + shard_name(2, 3), damaged);
  fs::last_write_time(folder.path("parts/" + shard_name(2, 3)), later);
  for (const char* how : {"", " --verify"}) {
    const Run finish = convert(folder, std::string("in parts --finish") + how);
    CHECK(finish.code == 1);
    CHECK(finish.errors.find(shard_name(2, 3) + " (not as it was written)") != std::string::npos);
  }
}

TEST_CASE("parts hold every shard once, and are about equally large") {
  std::vector<castforge::cli::Shard> shards;
  for (std::uint64_t i = 0; i < 163; ++i) shards.push_back({"s" + std::to_string(i), "", 1000 + i * 37 % 500, {}});
  for (const std::size_t parts : {1, 4, 16, 163, 200}) {
    std::vector<int> seen(shards.size());
    std::uint64_t largest = 0, all = 0;
    for (std::size_t part = 0; part < parts; ++part) {
      std::uint64_t bytes = 0;
      for (const std::size_t i : castforge::cli::shards_of_part(shards, part, parts)) {
        ++seen[i];
        bytes += shards[i].bytes;
      }
      largest = std::max(largest, bytes);
      all += bytes;
    }
    CHECK(seen == std::vector<int>(shards.size(), 1));
    CHECK(largest <= all / parts + 1500);
  }
}

TEST_CASE("shards are known by their extension in any letter case") {
  const Folder folder;
  write_checkpoint(folder);
  fs::create_directory(folder.path("capitals"));
  fs::copy(folder.path("in/" + shard_name(1, 3)), folder.path("capitals/a.safetensors"));
  fs::copy(folder.path("in/" + shard_name(2, 3)), folder.path("capitals/B.SAFETENSORS"));
  CHECK(convert(folder, "capitals out --plan plan.json").output.starts_with("2 shards converted"));
  CHECK(fs::exists(folder.path("out/B.SAFETENSORS")));
}

TEST_CASE("a report on standard output stands there alone") {
  const Folder folder;
  write_checkpoint(folder);
  const Run run = convert(folder, "in out --plan plan.json --stats -");
  CHECK(run.code == 0);
  CHECK(json::parse(run.output)["finished"] == true);
  CHECK(run.errors.starts_with("3 shards converted"));
}

TEST_CASE("a type that the format of a shard lacks is told with rule and tensor") {
  const Folder folder;
  write_checkpoint(folder);
  folder.write("plan.json", R"({"opset": "onnx@28", "default": {"to": "int4"}})");
  for (const char* how : {"", " --dry-run"}) {
    const Run run = convert(folder, std::string("in out --plan plan.json") + how);
    CHECK(run.code == 2);
    CHECK(run.errors.find("the default (plan.json:1:33), tensor \"") != std::string::npos);
    CHECK(run.errors.find("a safetensors file cannot hold int4") != std::string::npos);
  }
}

TEST_CASE("a damaged shard fails by its name and the others are converted") {
  const Folder folder;
  write_checkpoint(folder);
  const std::string whole = folder.read("in/" + shard_name(2, 3));
  folder.write("in/" + shard_name(2, 3), whole.substr(0, whole.size() - 8));
  const Run run = convert(folder, "in out --plan plan.json --json");
  CHECK(run.code == 1);
  CHECK(run.errors.find(shard_name(2, 3)) != std::string::npos);
  const json report = json::parse(run.output);
  CHECK(report["shards"][0]["outcome"] == "converted");
  CHECK(report["shards"][1]["outcome"] == "failed");
  CHECK(report["shards"][2]["outcome"] == "converted");
  CHECK(report["finished"] == false);
  CHECK(!fs::exists(folder.path("out/" + shard_name(2, 3))));
  CHECK(!fs::exists(folder.path("out/castforge.manifest.json")));
  // Mended, the same command makes the rest.
  folder.write("in/" + shard_name(2, 3), whole);
  CHECK(convert(folder, "in out --plan plan.json").output.starts_with("1 shard converted, 2 done before, 0 failed"));
}

TEST_CASE("nothing is left of a target in which no shard was converted") {
  const Folder folder;
  write_checkpoint(folder);
  const std::string whole = folder.read("in/" + shard_name(1, 3));
  folder.write("broken.safetensors", whole.substr(0, whole.size() - 8));
  fs::create_directory(folder.path("there"));
  folder.write("there/other.txt", "not ours");
  CHECK(convert(folder, "broken.safetensors new/deep/out --plan plan.json").code == 1);
  CHECK(!fs::exists(folder.path("new")));
  CHECK(convert(folder, "broken.safetensors there --plan plan.json").code == 1);
  CHECK(contents(folder, "there").size() == 1);
  CHECK(!fs::exists(folder.path("there/.castforge")));
  // A target in which something was made before keeps it, and the plan that goes with it.
  folder.write("one.safetensors", whole);
  CHECK(convert(folder, "one.safetensors out --plan plan.json").code == 0);
  const auto before = contents(folder, "out");
  CHECK(convert(folder, "broken.safetensors out --plan plan.json").code == 1);
  CHECK(contents(folder, "out") == before);
  // Other parts may be at work in it.
  CHECK(convert(folder, "broken.safetensors parts --plan plan.json --shard 0/2").code == 1);
  CHECK(fs::exists(folder.path("parts/.castforge/plan.json")));
}

TEST_CASE("a target that has the index of another source is refused before anything is written") {
  const Folder folder;
  write_checkpoint(folder);
  folder.write("model.safetensors", folder.read("in/" + shard_name(1, 3)));
  REQUIRE(convert(folder, "in out --plan plan.json").code == 0);
  const auto before = contents(folder, "out");
  const auto refusal = [&](const std::string& found) {
    for (const std::string options : {"", " --no-resume", " --shard 0/2"}) {
      const Run run = convert(folder, "model.safetensors out --plan plan.json" + options);
      CHECK(run.code == 2);
      CHECK(run.errors == "castforge: out: expected no result of another source, found " + found +
                              " of an earlier conversion: remove what is not needed, or choose another folder\n");
    }
  };
  refusal("config.json, " + shard_name(1, 3) + ", " + shard_name(2, 3) + ", " + shard_name(3, 3) +
          ", model.safetensors.index.json, tokenizer.json");
  CHECK(contents(folder, "out") == before);
  CHECK(convert(folder, "in out --plan plan.json").output.starts_with("0 shards converted, 3 done before"));
  // Without an index nothing leads to the others, nor to what no conversion wrote.
  fs::remove(folder.path("out/model.safetensors.index.json"));
  folder.write("out/notes.txt", "mine");
  folder.write("out/plan", "mine");
  CHECK(convert(folder, "model.safetensors out --plan plan.json").code == 0);
  CHECK(contents(folder, "out").contains("model.safetensors"));
}

TEST_CASE("members of config.json are set and removed as the plan says") {
  const Folder folder;
  write_checkpoint(folder);
  folder.write("plan.json", R"({"opset": "onnx@28", "default": {"keep": true},
    "config": {"quantization_config": {"quant_method": "fp8"}, "dtype": null}})");
  REQUIRE(convert(folder, "in out --plan plan.json").code == 0);
  CHECK(json::parse(folder.read("out/config.json")) == json{{"quantization_config", {{"quant_method", "fp8"}}}});
  fs::remove(folder.path("in/config.json"));
  CHECK(convert(folder, "in other --plan plan.json").code == 2);
  CHECK(!fs::exists(folder.path("other")));
}

TEST_CASE("config.json and metadata keep the text of what is not changed") {
  const Folder folder;
  write_checkpoint(folder);
  folder.write("in/config.json", R"({"big": 123456789012345678901234567890, "dtype": "bfloat16", "nested": [ 1,2 ]})");
  folder.write("plan.json", R"({"opset": "onnx@28", "default": {"keep": true}, "config": {"dtype": "x", "new": 1}})");
  REQUIRE(convert(folder, "in out --plan plan.json").code == 0);
  CHECK(folder.read("out/config.json") ==
        "{\n  \"big\": 123456789012345678901234567890,\n  \"dtype\": \"x\",\n"
        "  \"nested\": [ 1,2 ],\n  \"new\": 1\n}\n");
  // What is nested too deep, or no object, is refused, whatever its size.
  for (const std::string& config : {"{\"x\": " + std::string(50000, '[') + std::string(50000, ']') + "}",
                                    std::string("[]"), std::string("{\"a\": 1} x")}) {
    folder.write("in/config.json", config);
    CHECK(convert(folder, "in out --plan plan.json").code == 1);
    CHECK(convert(folder, "in other --plan plan.json").code == 1);
    CHECK(!fs::exists(folder.path("other")));
  }
}

TEST_CASE("config.json and metadata may hold what Python writes for numbers that JSON has not") {
  const Folder folder;
  write_checkpoint(folder);
  const std::string words = R"([0.0, Infinity, -Infinity, NaN, 1e400, -0.5E+9])";
  folder.write("in/config.json", "{\"time_step_limit\": " + words + ", \"x\": NaN, \"dtype\": \"float32\"}");
  json index = json::parse(folder.read("in/model.safetensors.index.json"));
  const std::string map = index["weight_map"].dump();
  folder.write("in/model.safetensors.index.json",
               "{\"metadata\": {\"limit\": " + words + "}, \"weight_map\": " + map + ", \"made by\": " + words + "}");
  folder.write("plan.json",
               R"({"opset": "onnx@28", "default": {"keep": true}, "config": {"dtype": "x", "large": 1e400}})");
  const Run run = convert(folder, "in out --plan plan.json");
  CHECK(run.errors == "");
  REQUIRE(run.code == 0);
  CHECK(folder.read("out/config.json") ==
        "{\n  \"time_step_limit\": " + words + ",\n  \"x\": NaN,\n  \"dtype\": \"x\",\n  \"large\": 1e400\n}\n");
  const std::string written = folder.read("out/model.safetensors.index.json");
  CHECK(written.find("\"limit\": " + words) != std::string::npos);
  CHECK(written.find("\"made by\": " + words) != std::string::npos);
  for (const std::string word : {"nan", "Inf", "-NaN", "+1", "01", "1.", ".5", "1e", "-", "tru", "0x1"}) {
    folder.write("in/config.json", "{\n \"a\": [1, " + word + "]}");
    const Run refused = convert(folder, "in out --plan plan.json");
    CHECK(refused.code == 1);
    CHECK(refused.errors == "castforge: in/config.json:2:11: expected a JSON value, found \"" + word + "\"\n");
  }
}

TEST_CASE("no file of the source is written, also by way of links") {
  const Folder folder;
  write_checkpoint(folder);
  const auto before = contents(folder, "in");
  fs::create_directories(folder.path("out"));
  fs::create_symlink("../in/tokenizer.json", folder.path("out/tokenizer.json"));
  CHECK(convert(folder, "in out --plan plan.json").code == 2);
  fs::create_directories(folder.path("shards"));
  fs::create_symlink("../in/" + shard_name(2, 3), folder.path("shards/tokenizer.json"));
  CHECK(convert(folder, "in shards --plan plan.json").code == 2);
  CHECK(convert(folder, "in other --plan plan.json --stats in/config.json").code == 2);
  CHECK(convert(folder, "in other --plan plan.json --stats plan.json").code == 2);
  CHECK(folder.read("plan.json") == kPlan);
  CHECK(contents(folder, "in") == before);
}

TEST_CASE("no result takes the place of another shard's source") {
  const Folder folder;
  write_checkpoint(folder);
  const auto before = contents(folder, "in");
  fs::create_directories(folder.path("out"));
  fs::create_symlink("../in/" + shard_name(2, 3), folder.path("out/" + shard_name(1, 3)));
  const Run run = convert(folder, "in out --plan plan.json");
  CHECK(run.code == 2);
  CHECK(run.errors.find("expected another file than those of the source") != std::string::npos);
  CHECK(contents(folder, "in") == before);
  CHECK(!fs::exists(folder.path("out/" + shard_name(3, 3))));
}

TEST_CASE("the report takes the place of no file of the result") {
  const Folder folder;
  write_checkpoint(folder);
  for (const std::string& report : {shard_name(1, 3), std::string("config.json"), std::string(".castforge/x.json"),
                                    std::string("model.safetensors.index.json"), std::string("castforge.manifest.json"),
                                    std::string("../out/tokenizer.json")}) {
    INFO(report);
    const Run run = convert(folder, "in out --plan plan.json --stats out/" + report);
    CHECK(run.code == 2);
    CHECK(run.errors.find("expected another file than those of the result") != std::string::npos);
    CHECK(!fs::exists(folder.path("out")));
  }
  CHECK(convert(folder, "in out --plan plan.json --stats none/x.json").code == 4);
  CHECK(!fs::exists(folder.path("out")));
  fs::create_directory(folder.path("folder"));
  CHECK(convert(folder, "in out --plan plan.json --stats folder").code == 4);
  CHECK(!fs::exists(folder.path("out")));
  const Run piped = convert(folder, "in piped --plan plan.json --stats /dev/stdout | cat");
  CHECK(piped.output.find("\"shards\":[") != std::string::npos);
  CHECK(convert(folder, "in out --plan plan.json --stats /dev/null").code == 0);
  CHECK(convert(folder, "in out --plan plan.json --stats out/report.json").code == 0);
  CHECK(json::parse(folder.read("out/report.json")).contains("shards"));
}

TEST_CASE("a result of two plans has no manifest") {
  const Folder folder;
  write_checkpoint(folder);
  REQUIRE(convert(folder, "in out --plan plan.json").code == 0);
  const std::string whole = folder.read("in/" + shard_name(2, 3));
  folder.write("in/" + shard_name(2, 3), whole.substr(0, whole.size() - 8));
  folder.write("plan.json", R"({"opset": "onnx@28", "default": {"to": "float16"}})");
  CHECK(convert(folder, "in out --plan plan.json").code == 1);
  CHECK(!fs::exists(folder.path("out/castforge.manifest.json")));
  folder.write("in/" + shard_name(2, 3), whole);
  CHECK(convert(folder, "in out --plan plan.json").code == 0);
  CHECK(fs::exists(folder.path("out/castforge.manifest.json")));
}

TEST_CASE("tensors that fill no whole bytes are said before anything is written") {
  const Folder folder;
  folder.write("x.safetensors", shard_of({{"odd", "F32", 3, 4}}, 1));
  folder.write("plan.json", R"({"opset": "onnx@28", "default": {"to": "float4e2m1"}})");
  for (const char* dry : {"", " --dry-run"}) {
    const Run run = convert(folder, std::string("x.safetensors out --plan plan.json") + dry);
    CHECK(run.code == 2);
    CHECK(run.errors.find("tensor \"odd\": expected a number of elements that fills whole bytes") != std::string::npos);
    CHECK(!fs::exists(folder.path("out")));
  }
}

TEST_CASE("a target by way of a link's parent") {
  const Folder folder;
  folder.write("x.safetensors", shard_of({{"a", "F32", 4, 4}}, 1));
  folder.write("plan.json", R"({"opset": "onnx@28", "default": {"to": "float16"}})");
  fs::create_directories(folder.path("far/a/b"));
  fs::create_directory_symlink("far/a/b", folder.path("link"));
  CHECK(convert(folder, "x.safetensors link/../out --plan plan.json").code == 0);
  CHECK(fs::exists(folder.path("far/a/out/castforge.manifest.json")));
  fs::create_symlink("loop", folder.path("loop"));
  for (const char* arguments : {"loop/out --plan plan.json", "out --plan plan.json --stats loop/x.json"}) {
    const Run run = convert(folder, std::string("x.safetensors ") + arguments);
    CHECK(run.code == 4);
    CHECK(run.errors.find(": cannot open: Too many levels of symbolic links") != std::string::npos);
  }
  CHECK(!fs::exists(folder.path("out")));
}

TEST_CASE("a link of the source that leads nowhere is an error") {
  const Folder folder;
  fs::create_directories(folder.path("in"));
  folder.write("in/a.safetensors", shard_of({{"w", "F32", 4, 4}}, 1));
  fs::create_symlink("gone", folder.path("in/b.safetensors"));
  folder.write("plan.json", kPlan);
  const Run run = convert(folder, "in out --plan plan.json");
  CHECK(run.code == 1);
  CHECK(run.errors.find("b.safetensors: expected a file, found a link that leads nowhere") != std::string::npos);
}

TEST_CASE("the report counts what casts did") {
  const Folder folder;
  const std::string values = codes<float>({1, 1000, -1e-9F, std::nanf(""), INFINITY, 1.0625F, 448, 0});
  folder.write("x.safetensors", safetensors(R"({"w":{"dtype":"F32","shape":[8],"data_offsets":[0,32]}})", values));
  folder.write("plan.json", R"({"opset": "onnx@28", "default": {"to": "float8e4m3fn"}})");
  REQUIRE(convert(folder, "x.safetensors out --plan plan.json --stats report.json").code == 0);
  const json tensor = json::parse(folder.read("report.json"))["shards"][0]["tensors"][0];
  CHECK(tensor["tensor"] == "w");
  CHECK(tensor["from"] == "float32");
  CHECK(tensor["to"] == "float8e4m3fn");
  CHECK(tensor["statistics"] == json{{"amax", 1000.0},
                                     {"nan", 1},
                                     {"infinite", 1},
                                     {"saturated", 1},
                                     {"nonfinite", 0},
                                     {"underflowed", 1},
                                     {"inexact", 2},
                                     {"largest_error_ulp", 0.5}});
  // Skipped shards have them too, and a run that wants them where the first one did not makes them.
  REQUIRE(convert(folder, "x.safetensors out --plan plan.json --stats again.json").code == 0);
  CHECK(json::parse(folder.read("again.json"))["shards"][0]["outcome"] == "skipped");
  CHECK(json::parse(folder.read("again.json"))["shards"][0]["tensors"][0] == tensor);
}

TEST_CASE("a dry run says which rule takes which tensor and writes nothing") {
  const Folder folder;
  write_checkpoint(folder);
  const Run run = convert(folder, "in out --plan plan.json --dry-run");
  CHECK(run.code == 0);
  CHECK(run.output.find("rule 1   BF16 kept                      32 ->           32  layer.1.a_norm [16]") !=
        std::string::npos);
  CHECK(run.output.find("rule 2   BF16 -> F32                    48 ->           96  layer.1.head.w [24]") !=
        std::string::npos);
  CHECK(run.output.find("default  BF16 -> F8_E4M3              2000 ->         1000  layer.3.mlp [1000]") !=
        std::string::npos);
  CHECK(run.output.find("default  I64 kept") != std::string::npos);
  CHECK(convert(folder, "in out --plan plan.json --dry-run --stats s.json").code == 2);
  const json facts = json::parse(convert(folder, "in out --plan plan.json --dry-run --json").output);
  CHECK(facts.at("shards").size() == 3);
  std::uint64_t tensors = 0;
  for (const json& shard : facts.at("shards")) tensors += shard.at("tensors").size();
  CHECK(facts.at("all").at("tensors") == tensors);
  CHECK(facts.at("shards").at(0).at("tensors").at(0).contains("dtype_after"));
  CHECK(!fs::exists(folder.path("out")));
}

TEST_CASE("a report calls rules what a dry run calls them") {
  const Folder folder;
  write_checkpoint(folder);
  const auto rules = [&](const std::string& options) {
    std::map<std::string, json> found;
    const json report = json::parse(convert(folder, "in out --plan plan.json --json" + options).output);
    for (const json& shard : report.at("shards")) {
      for (const json& tensor : shard.at("tensors"))
        found[tensor.at(options.empty() ? "tensor" : "name").get<std::string>()] = tensor.at("rule");
    }
    return found;
  };
  const auto dry = rules(" --dry-run"), done = rules("");
  CHECK(dry.at("layer.1.a_norm") == "rule 1");
  CHECK(done.at("layer.1.head.w") == "rule 2");
  CHECK(done.at("layer.1.mlp") == "default");
  for (const auto& [tensor, rule] : done) CHECK(dry.at(tensor) == rule);
}

TEST_CASE("single files and lists") {
  const Folder folder;
  write_checkpoint(folder);
  folder.write("list.txt", "# two of them\nin/" + shard_name(3, 3) + "\n\nin/" + shard_name(1, 3) + "\r\n");
  CHECK(convert(folder, "in out --plan plan.json").code == 0);
  CHECK(convert(folder, "list.txt some --plan plan.json").code == 0);
  CHECK(convert(folder, "in/" + shard_name(2, 3) + " one --plan plan.json").code == 0);
  CHECK(folder.read("some/" + shard_name(3, 3)) == folder.read("out/" + shard_name(3, 3)));
  CHECK(folder.read("one/" + shard_name(2, 3)) == folder.read("out/" + shard_name(2, 3)));
  CHECK(!fs::exists(folder.path("one/model.safetensors.index.json")));
  folder.write("list.txt", "in/" + shard_name(1, 3) + "\n./in/" + shard_name(1, 3) + "\n");
  CHECK(convert(folder, "list.txt some --plan plan.json").code == 1);
  folder.write("list.txt", "plan.json\n");
  const Run run = convert(folder, "list.txt some --plan plan.json");
  CHECK(run.errors ==
        "castforge: list.txt:1: expected the path of a .safetensors or .onnx file, found \"plan.json\"\n");
}

TEST_CASE("source and target are different places") {
  const Folder folder;
  write_checkpoint(folder);
  const auto before = contents(folder, "in");
  CHECK(convert(folder, "in in --plan plan.json").code == 2);
  CHECK(convert(folder, "in/" + shard_name(1, 3) + " in --plan plan.json").code == 2);
  fs::create_directory(folder.path("linked"));
  fs::create_symlink("../in/" + shard_name(1, 3), folder.path("linked/") + shard_name(1, 3));
  CHECK(convert(folder, "in linked --plan plan.json").code == 2);
  fs::remove_all(folder.path("in/.castforge"));
  CHECK(contents(folder, "in") == before);
  CHECK(convert(folder, "nothing out --plan plan.json").code == 4);
  CHECK(convert(folder, "in plan.json --plan plan.json").code == 4);
  CHECK(convert(folder, "in out").code == 2);
}

TEST_CASE("killed at any moment, the same command makes the same bytes") {
  const Folder folder;
  write_checkpoint(folder, 1 << 20);
  const auto convert_to = [&](const std::string& target) {
    return std::vector<std::string>{"convert", "in", target, "--plan", "plan.json", "--threads", "2"};
  };
  const auto start = std::chrono::steady_clock::now();
  REQUIRE(Child(folder, convert_to("whole")).wait().code == 0);
  const auto duration = std::chrono::steady_clock::now() - start;
  const auto whole = contents(folder, "whole");

  constexpr int kKills = 50, kPerResult = 5;
  std::mt19937 random(15);
  std::uniform_real_distribution<double> moment(0, 1);
  int killed = 0;
  for (int kill = 0; kill < kKills; ++kill) {
    {
      Child child(folder, convert_to("out"));
      std::this_thread::sleep_for(moment(random) * duration);
      child.send(SIGKILL);
      killed += child.wait().signal == SIGKILL;
    }
    if (kill % kPerResult != kPerResult - 1) continue;
    REQUIRE(Child(folder, convert_to("out")).wait().code == 0);
    REQUIRE(contents(folder, "out") == whole);  // no temporary file is left either
    fs::remove_all(folder.path("out"));
  }
  CHECK(killed > 0);
}

TEST_CASE("a temporary file whose writer lives is not swept") {
  const Folder folder;
  write_checkpoint(folder);
  fs::create_directories(folder.path("out"));
  const std::string name = shard_name(1, 3);
  folder.write("out/." + name + ".123-0.tmp", "left behind");
  folder.write("out/." + name + ".mine.tmp", "somebody else's");
  castforge::cli::OutputFile alive(folder.path("out/" + name));
  REQUIRE(convert(folder, "in out --plan plan.json").code == 0);
  CHECK(!fs::exists(folder.path("out/." + name + ".123-0.tmp")));
  CHECK(fs::exists(folder.path("out/." + name + ".mine.tmp")));
  CHECK(fs::exists(alive.temporary()));
}

TEST_CASE("memory stays below 64 MiB, with a tensor larger than that and with several threads") {
#ifdef CASTFORGE_SANITIZED
  SKIP("the limit counts the sanitizer's own memory, terabytes of addresses");
#endif
  const Folder folder;
  fs::create_directories(folder.path("in"));
  constexpr std::size_t kElements = 80 << 20;
  const std::string header = R"({"w":{"dtype":"BF16","shape":[83886080],"data_offsets":[0,167772160]}})";
  folder.write("in/model.safetensors", safetensors(header, ""));
  fs::resize_file(folder.path("in/model.safetensors"), 8 + header.size() + 2 * kElements);
  folder.write("plan.json", R"({"opset": "onnx@28", "default": {"to": "float8e4m3fn"}})");
  // The limit counts what may be written to: heaps, and the stacks of threads, 8 MiB each.
  const auto limit = [] {
    const rlimit most{64 << 20, 64 << 20};
    ::setrlimit(RLIMIT_DATA, &most);
  };
  for (const char* threads : {"2", "4"}) {
    Child child(folder,
                {"convert", "in", "out", "--plan", "plan.json", "--threads", threads, "--no-resume", "--verify"},
                limit);
    CHECK(child.wait().code == 0);
  }
  CHECK(fs::file_size(folder.path("out/model.safetensors")) > kElements);
}
