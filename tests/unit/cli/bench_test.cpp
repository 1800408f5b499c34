// Measuring: what is measured and what is said about it. Nothing here depends on how fast anything is.
#include "support.hpp"

#include "cli/bench/bench_report.hpp"
#include "cli/bench/sample_data.hpp"
#include "cli/bench/stopwatch.hpp"
#include "cli/element_words.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <ctime>
#include <set>

using namespace castforge;
using namespace castforge::cli;
using cli_test::Folder;
using cli_test::program;
using nlohmann::json;

TEST_CASE("sample data are numbers of every type, special ones among them") {
  for (int i = 0; i < kTypeCount; ++i) {
    const auto type = static_cast<Type>(i);
    const TypeInfo info = type_info(type);
    if (info.kind == TypeKind::string) continue;
    INFO(info.name);
    constexpr std::size_t kCount = 20000;
    std::vector<unsigned char> bytes(*storage_bytes(type, kCount));
    fill_with_sample_data(type, bytes.data(), kCount);
    std::vector<unsigned char> again(bytes.size(), 0xFF);
    fill_with_sample_data(type, again.data(), kCount);
    CHECK(bytes == again);
    std::set<std::uint64_t> codes;
    for (std::size_t k = 0; k < kCount; ++k) codes.insert(ElementWords(info).get(bytes.data(), k));
    if (info.kind == TypeKind::boolean) CHECK(codes == std::set<std::uint64_t>{0, 1});
    if (info.value_bits <= 4) CHECK(codes.size() == std::size_t{1} << info.value_bits);
    if (info.infinity) CHECK(codes.count(info.infinity_code) == 1);
    if (info.canonical_nan != 0) CHECK(codes.count(info.canonical_nan) == 1);
    if (info.value_bits >= 16) CHECK(codes.size() > 1000);
  }
}

TEST_CASE("contestants take turns and are all called") {
  static std::string order;
  order.clear();
  const auto slow = [](const void*, void*, std::size_t count) noexcept {
    order += count == 1 ? 'a' : 'b';
    // Work, for one call per round: only the thread's own time counts.
    for (const std::clock_t start = std::clock(); std::clock() - start < CLOCKS_PER_SEC / 2000;) {
    }
  };
  const std::vector<Contestant> both = {{slow, nullptr, nullptr, 1}, {slow, nullptr, nullptr, 2}};
  const auto timings = time_in_turns(both, {.seconds = 1000, .least_rounds = 3, .most_rounds = 4});
  REQUIRE(timings.size() == 2);
  CHECK(timings[0].seconds > 0);
  CHECK(timings[0].calls == 4);
  CHECK(order.ends_with("abababab"));
}

TEST_CASE("copies copy") {
  for (const Kernel::Function copy : {Kernel::Function(copy_by_memcpy), vector_copy_loop()}) {
    for (const std::size_t size : {0u, 1u, 63u, 64u, 255u, 256u, 257u, 1000u}) {
      std::vector<unsigned char> src(size), dst(size + 1, 7);
      for (std::size_t i = 0; i < size; ++i) src[i] = static_cast<unsigned char>(i * 31);
      copy(src.data(), dst.data(), size);
      CHECK(std::equal(src.begin(), src.end(), dst.begin()));
      CHECK(dst[size] == 7);
    }
  }
}

TEST_CASE("a size is halved until its buffers fit") {
  const std::vector<TypePair> pairs = {{Type::int8, Type::int8}, {Type::float64, Type::float64}};
  CHECK(size_that_fits(pairs, 1 << 20, 0) == 1 << 20);  // memory unknown
  CHECK(size_that_fits(pairs, 1 << 20, std::uint64_t{32} << 20) == 1 << 20);
  CHECK(size_that_fits(pairs, 1 << 20, (std::uint64_t{32} << 20) - 2) == 1 << 19);
  CHECK(size_that_fits({pairs[0]}, 1 << 20, std::uint64_t{4} << 20) == 1 << 20);
}

TEST_CASE("results have Google Benchmark's form and the names that were promised") {
  const Folder folder;
  const auto run = program(
      folder, "bench --pair f32:f8e4m3fn --pair int4:float16 --size 1000 --saturate 0 --json out.json");
  INFO(run.errors);
  // int4 to float16 has no saturate to act on, which is no error.
  REQUIRE(run.code == 0);
  CHECK(run.output.find("float32:float8e4m3fn") != std::string::npos);
  const json out = json::parse(folder.read("out.json"));
  REQUIRE(out.at("benchmarks").size() == 2);
  const json& first = out["benchmarks"][0];
  const std::string isa(active_isa());
  CHECK(first.at("name") == "cast/float32:float8e4m3fn/onnx@25/" + isa + "/1000/saturate:0");
  CHECK(first.at("run_type") == "iteration");
  CHECK(first.at("iterations") > 0);
  const double items = first.at("items_per_second"), bytes = first.at("bytes_per_second");
  CHECK(bytes / items > 4.999);
  CHECK(bytes / items < 5.001);
  CHECK(first.at("memcpy_ratio") > 0.0);
  CHECK(first.at("copy_loop_ratio") > 0.0);
  CHECK(out.at("context").contains("cpu_name"));
  CHECK(out.at("context").at("castforge_version") == version());
}

TEST_CASE("bench refuses what makes no sense") {
  const Folder folder;
  for (const char* arguments :
       {"", "--all --pair f32:f16", "--pair float32", "--pair f32:nonsense", "--pair f32:f16 --size 0",
        "--pair f32:f16 --size 1k", "--pair f32:f16 --isa avx9000", "--pair f32:f16 --isa portable,",
        "--pair f32:f16 --opset onnx@0", "--pair f32:string", "--pair f32:f16 --seconds -1"}) {
    INFO(arguments);
    const auto run = program(folder, std::string("bench --json out.json ") + arguments);
    CHECK(run.code == 2);
    CHECK(run.errors.starts_with("castforge: "));
  }
  CHECK(folder.names().empty());
}
