// Measuring: what is measured and what is said about it. Nothing here depends on how fast anything is.
#include "support.hpp"

#include "cli/bench/bench_report.hpp"
#include "cli/bench/sample_data.hpp"
#include "cli/bench/split_work.hpp"
#include "cli/bench/stopwatch.hpp"
#include "cli/bench/thread_team.hpp"
#include "cli/io/element_words.hpp"

#include <castforge/types.hpp>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <ctime>
#include <set>
#include <sstream>
#include <thread>

using namespace castforge;
using namespace castforge::cli;
using cli_test::Folder;
using cli_test::program;
using nlohmann::json;

TEST_CASE("sample data are numbers of every type, special ones among them") {
  for (std::size_t i = 0; i < type_count(); ++i) {
    const Type type = type_at(i);
    const TypeInfo info = type_info(type);
    if (info.kind == TypeKind::string) continue;
    INFO(info.name);
    constexpr std::size_t kCount = 20000;
    std::vector<unsigned char> bytes(*storage_bytes(type, kCount));
    fill_with_sample_data(type, SampleData::mixed, bytes.data(), kCount);
    std::vector<unsigned char> again(bytes.size(), 0xFF);
    fill_with_sample_data(type, SampleData::mixed, again.data(), kCount);
    CHECK(bytes == again);
    std::set<std::uint64_t> codes;
    for (std::size_t k = 0; k < kCount; ++k) codes.insert(ElementWords(info).get(bytes.data(), k));
    if (info.kind == TypeKind::boolean) CHECK(codes == std::set<std::uint64_t>{0, 1});
    if (info.value_bits <= 4) CHECK(codes.size() == std::size_t{1} << info.value_bits);
    if (info.infinity) CHECK(codes.contains(info.infinity_code));
    if (info.canonical_nan != 0) CHECK(codes.contains(info.canonical_nan));
    if (info.value_bits >= 16) CHECK(codes.size() > 1000);
  }
}

TEST_CASE("data of one kind are of that kind, for every type that has it") {
  constexpr std::size_t kCount = 5000;
  const auto codes = [](Type type, SampleData data) {
    std::vector<unsigned char> bytes(*storage_bytes(type, kCount));
    fill_with_sample_data(type, data, bytes.data(), kCount);
    std::set<std::uint64_t> found;
    for (std::size_t k = 0; k < kCount; ++k) found.insert(ElementWords(type_info(type)).get(bytes.data(), k));
    return found;
  };
  const auto all = [](const std::set<std::uint64_t>& found, const auto& holds) {
    return std::all_of(found.begin(), found.end(), holds);
  };
  for (const Type type : {Type::float32, Type::float64, Type::bfloat16, Type::float8e5m2}) {
    const TypeInfo info = type_info(type);
    INFO(info.name);
    const std::uint64_t sign = std::uint64_t{1} << (info.value_bits - 1);
    const auto field = [&](std::uint64_t code) { return (code & ~sign) >> info.mantissa_bits; };
    const std::uint64_t top = field(info.infinity_code);
    CHECK(all(codes(type, SampleData::subnormal), [&](auto c) { return field(c) == 0 && (c & ~sign) != 0; }));
    CHECK(codes(type, SampleData::zero) == std::set<std::uint64_t>{0, sign});
    CHECK(all(codes(type, SampleData::special), [&](auto c) { return field(c) == top; }));
    CHECK(codes(type, SampleData::special).size() == 4);
    CHECK(all(codes(type, SampleData::huge), [&](auto c) { return field(c) == top - 1; }));
    CHECK(all(codes(type, SampleData::normal), [&](auto c) { return field(c) < top && (c & ~sign) != 0; }));
  }
  // Between 2^-155 and 2^-119
  const auto range = codes(Type::float32, SampleData::range);
  CHECK(all(range, [](auto c) { return (c & 0x7FFFFFFF) < 0x04000000 && (c & 0x7FFFFFFF) != 0; }));
  CHECK(std::any_of(range.begin(), range.end(), [](auto c) { return (c & 0x7F800000) == 0; }));
  CHECK(std::any_of(range.begin(), range.end(), [](auto c) { return (c & 0x7F800000) != 0; }));
  CHECK(codes(Type::float32, SampleData::all_codes).size() > kCount - 10);
  CHECK(codes(Type::float8e4m3fnuz, SampleData::zero) == std::set<std::uint64_t>{0});  // -0 is its NaN
  CHECK(codes(Type::int8, SampleData::zero) == std::set<std::uint64_t>{0});
  CHECK(codes(Type::int8, SampleData::subnormal).size() == 256);
  for (const NamedData& one : sample_data_names()) CHECK(name_of(one.data) == one.name);
}

TEST_CASE("bench takes several kinds of data") {
  const Folder folder;
  const auto run = program(folder, "bench --pair f32:f16 --size 1000 --data normal,subnormal,mixed --json out.json");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  CHECK(run.output.find("subnormal") != std::string::npos);
  const json entries = json::parse(folder.read("out.json")).at("benchmarks");
  REQUIRE(entries.size() == 3);
  const std::string name = "cast/float32:float16/onnx@28/" + std::string(active_isa()) + "/1000";
  CHECK(entries[0].at("name") == name + "/data:normal");
  CHECK(entries[0].at("data") == "normal");
  CHECK(entries[1].at("name") == name + "/data:subnormal");
  CHECK(entries[2].at("name") == name);
  CHECK(entries[2].at("data") == "mixed");
  // Each beside normal numbers.
  CHECK(run.output.find("/normal") != std::string::npos);
  CHECK(entries[0].at("normal_ratio") == 1);
  const double normal = entries[0].at("real_time");
  for (const json& entry : entries) {
    const double expected = normal / entry.at("real_time").get<double>(), found = entry.at("normal_ratio");
    CHECK(std::abs(found - expected) < 1e-9 * expected);
  }
  const auto without = program(folder, "bench --pair f32:f16 --size 1000 --data subnormal,mixed --json out.json");
  REQUIRE(without.code == 0);
  CHECK(without.output.find("/normal") == std::string::npos);
  const json others = json::parse(folder.read("out.json")).at("benchmarks");
  REQUIRE(others.size() == 2);
  for (const json& entry : others) CHECK_FALSE(entry.contains("normal_ratio"));
}

TEST_CASE("contestants take turns, each once a round, in changing order") {
  static std::string order;
  order.clear();
  const auto slow = [](const void*, void*, std::size_t count) noexcept {
    order += count == 1 ? 'a' : 'b';
    // Work, for one call per round: only the thread's own time counts.
    for (const std::clock_t start = std::clock(); std::clock() - start < CLOCKS_PER_SEC / 2000;) {
    }
  };
  const std::vector<Contestant> both = {{slow, nullptr, nullptr, 1}, {slow, nullptr, nullptr, 2}};
  constexpr std::size_t kRounds = 20;
  const auto timings = time_in_turns(both, {.seconds = 1000, .least_rounds = 3, .most_rounds = kRounds});
  REQUIRE(timings.size() == 2);
  CHECK(timings[0].seconds > 0);
  CHECK(timings[0].calls == kRounds);
  REQUIRE(order.size() >= 2 * kRounds);  // after calls that find out how many fill a round: one here
  std::set<std::string> rounds;
  for (std::size_t at = order.size() - 2 * kRounds; at < order.size(); at += 2) rounds.insert(order.substr(at, 2));
  CHECK(rounds == std::set<std::string>{"ab", "ba"});
}

TEST_CASE("a short call runs once more than is timed, before each round") {
  static std::size_t called;
  called = 0;
  const std::vector<Contestant> one = {
      {[](const void*, void*, std::size_t) noexcept { ++called; }, nullptr, nullptr, 1}};
  const auto timings = time_in_turns(one, {.seconds = 1000, .least_rounds = 3, .most_rounds = 4});
  REQUIRE(timings.size() == 1);
  CHECK(timings[0].calls % 4 == 0);
  CHECK(timings[0].calls > 4);
  const std::size_t untimed = called - timings[0].calls;
  CHECK(untimed >= 4 + 1);  // one a round, and one to four to find out how many calls fill a round
  CHECK(untimed <= 4 + 4);
}

TEST_CASE("a slow first call does not decide how many fill a round") {
  static bool first;
  first = true;
  const auto start_slowly = [](const void*, void*, std::size_t) noexcept {
    if (!first) return;
    first = false;
    for (const std::clock_t start = std::clock(); std::clock() - start < CLOCKS_PER_SEC / 5000;) {
    }
  };
  const std::vector<Contestant> one = {{start_slowly, nullptr, nullptr, 1}};
  const auto timings = time_in_turns(one, {.seconds = 1000, .least_rounds = 2, .most_rounds = 2});
  REQUIRE(timings.size() == 1);
  CHECK(timings[0].calls > 2);
}

TEST_CASE("a contestant that is a kernel converts") {
  const Kernel kernel = find_kernel("onnx@25", Type::float32, Type::bfloat16);
  REQUIRE(kernel);
  const float src[] = {1.0f, -2.5f, 3.0e38f};
  std::uint16_t dst[3] = {};
  Contestant{.src = src, .dst = dst, .count = 3, .kernel = &kernel}.call();
  CHECK(dst[0] == 0x3F80);
  CHECK(dst[1] == 0xC020);
  CHECK(dst[2] == 0x7F62);
}

TEST_CASE("copies copy") {
  for (const Routine copy : {Routine(copy_by_memcpy), vector_copy_loop()}) {
    for (const std::size_t size : {0u, 1u, 63u, 64u, 255u, 256u, 257u, 1000u}) {
      std::vector<unsigned char> src(size), dst(size + 1, 7);
      for (std::size_t i = 0; i < size; ++i) src[i] = static_cast<unsigned char>(i * 31);
      copy(src.data(), dst.data(), size);
      CHECK(std::equal(src.begin(), src.end(), dst.begin()));
      CHECK(dst[size] == 7);
    }
  }
}

TEST_CASE("moves read all of one side and write all of the other") {
  constexpr std::size_t kNarrow = 256;  // bytes: whole vectors of any machine
  for (const std::size_t src_bits : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
    for (const std::size_t dst_bits : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
      const std::size_t least = std::min(src_bits, dst_bits), read = kNarrow * src_bits / least,
                        written = kNarrow * dst_bits / least;
      std::vector<unsigned char> src(read, 0), dst(written + 1, 7);
      vector_move_loop(src_bits, dst_bits)(src.data(), dst.data(), kNarrow);
      INFO(src_bits << " to " << dst_bits);
      CHECK(std::count(dst.begin(), dst.end(), 0) == static_cast<std::ptrdiff_t>(written));
      CHECK(dst[written] == 7);
      for (std::size_t at = 0; at < read; at += 16) {  // a set bit anywhere shows
        src[at] = 1;
        vector_move_loop(src_bits, dst_bits)(src.data(), dst.data(), kNarrow);
        CHECK(std::count(dst.begin(), dst.end() - 1, 1) > 0);
        src[at] = 0;
      }
    }
  }
}

TEST_CASE("by the wall clock a thread that sleeps takes time") {
  const auto sleep = [](const void*, void*, std::size_t) noexcept {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  const std::vector<Contestant> one = {{.run = sleep, .wall = true}};
  const auto timings = time_in_turns(one, {.seconds = 1000, .least_rounds = 2, .most_rounds = 2});
  REQUIRE(timings.size() == 1);
  CHECK(timings[0].seconds >= 0.005);
  CHECK(timings[0].calls == 2);
  CHECK(timings[0].cpu_seconds < timings[0].seconds);
}

TEST_CASE("a team does every task once, the same thread the same tasks") {
  struct Record {
    std::array<std::atomic<int>, 40> calls{};
    std::array<std::thread::id, 40> by{};
  };
  const auto task = [](void* data, std::size_t index) {
    auto& record = *static_cast<Record*>(data);
    ++record.calls[index];
    record.by[index] = std::this_thread::get_id();
  };
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    ThreadTeam team(threads);
    const ParallelFor parallel = team.parallel_for();
    for (const std::size_t tasks : {0u, 1u, 2u, 7u, 40u}) {
      INFO(threads << " threads, " << tasks << " tasks");
      Record first, record;
      parallel.run(parallel.context, tasks, task, &first);
      for (int i = 0; i < 50; ++i) parallel.run(parallel.context, tasks, task, &record);
      for (std::size_t i = 0; i < record.calls.size(); ++i) CHECK(record.calls[i] == (i < tasks ? 50 : 0));
      CHECK(record.by == first.by);
      const std::set<std::thread::id> distinct(first.by.begin(), first.by.begin() + tasks);
      CHECK(distinct.size() == std::min<std::size_t>(tasks, threads));
      CHECK((tasks == 0 || first.by[0] == std::this_thread::get_id()));
    }
  }
}

TEST_CASE("split work gives what one thread gives") {
  ThreadTeam team(3);
  for (const std::size_t count : {1u, 511u, 512u, 513u, 1537u, 100001u}) {
    INFO(count);
    std::vector<float> src(count);
    fill_with_sample_data(Type::float32, SampleData::mixed, src.data(), count);
    std::vector<unsigned char> expected(*storage_bytes(Type::int4, count)), found(expected.size() + 1, 7);
    REQUIRE(find_kernel("onnx@25", Type::float32, Type::int4).run(src.data(), expected.data(), count));
    const Attributes none;
    const SplitCast cast = {"onnx@25",  none,         active_isa(), Type::float32, src.data(),
                            Type::int4, found.data(), count,        &team};
    REQUIRE(cast.cast());
    CHECK(std::equal(expected.begin(), expected.end(), found.begin()));
    CHECK(found.back() == 7);

    for (const std::size_t parts : {1u, 2u, 3u, 5u}) {
      std::vector<float> copied(count + 1, 7);
      SplitCopy copy = {copy_by_memcpy, src.data(), copied.data(), 4 * count, parts, team};
      const Contestant contestant = copy.contestant();
      contestant.call();
      CHECK(std::memcmp(src.data(), copied.data(), 4 * count) == 0);
      CHECK(copied.back() == 7);
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
  const auto run = program(folder, "bench --pair f32:f8e4m3fn,int4:float16 --size 1000 --saturate 0 --json out.json");
  INFO(run.errors);
  // int4 to float16 has no saturate to act on, which is no error.
  REQUIRE(run.code == 0);
  CHECK(run.output.find("float32:float8e4m3fn") != std::string::npos);
  const json out = json::parse(folder.read("out.json"));
  REQUIRE(out.at("benchmarks").size() == 2);
  const json& first = out["benchmarks"][0];
  const std::string isa(active_isa());
  CHECK(first.at("name") == "cast/float32:float8e4m3fn/onnx@28/" + isa + "/1000/saturate:0");
  CHECK(first.at("run_type") == "iteration");
  CHECK(first.at("iterations") > 0);
  const double items = first.at("items_per_second"), bytes = first.at("bytes_per_second");
  CHECK(bytes / items > 4.999);
  CHECK(bytes / items < 5.001);
  CHECK(first.at("memcpy_ratio") > 0.0);
  CHECK(first.at("copy_loop_ratio") > 0.0);
  CHECK(first.at("moves_ratio") > 0.0);
  CHECK(out.at("context").contains("cpu_name"));
  CHECK(out.at("context").at("castforge_version") == version());
}

TEST_CASE("results on one thread say nothing of threads") {
  const Folder folder;
  for (const std::string threads : {"", " --threads 1"}) {
    const auto run = program(folder, "bench --pair f32:f16 --size 1000 --json out.json" + threads);
    INFO(run.errors);
    REQUIRE(run.code == 0);
    CHECK(run.output.find("thread") == std::string::npos);
    const json entries = json::parse(folder.read("out.json")).at("benchmarks");
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].at("threads") == 1);
    CHECK(entries[0].at("cpu_time") == entries[0].at("real_time"));
    CHECK_FALSE(entries[0].contains("one_thread_ratio"));
  }
}

TEST_CASE("with several threads every pair has a second result, beside one thread") {
  if (std::thread::hardware_concurrency() < 2) SKIP("one processor");
  const Folder folder;
  const std::string arguments = "bench --pair f32:f16 --pair int4:bool --size 3000 --saturate 1 --threads 2 --json ";
  const auto run = program(folder, arguments + "out.json");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  CHECK(run.output.find("/1 thread  memcpy's\n") != std::string::npos);
  CHECK(std::count(run.output.begin(), run.output.end(), '\n') == 5);
  const json entries = json::parse(folder.read("out.json")).at("benchmarks");
  REQUIRE(entries.size() == 4);
  const std::string isa(active_isa());
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    const json &one = entries[i], &two = entries[i + 1];
    CHECK(one.at("threads") == 1);
    CHECK_FALSE(one.contains("one_thread_ratio"));
    CHECK(two.at("threads") == 2);
    CHECK(two.at("name") == one.at("name").get<std::string>() + "/threads:2");
    CHECK(two.at("run_name") == two.at("name"));
    CHECK(two.size() == one.size() + 1);  // two ratios more, no moves_ratio
    CHECK_FALSE(two.contains("moves_ratio"));
    for (const char* value : {"iterations", "real_time", "cpu_time", "items_per_second", "bytes_per_second",
                              "memcpy_ratio", "copy_loop_ratio", "one_thread_ratio", "memcpy_one_thread_ratio"}) {
      INFO(value);
      CHECK(two.at(value) > 0.0);
    }
  }
  CHECK(entries[1].at("name") == "cast/float32:float16/onnx@28/" + isa + "/3000/saturate:1/threads:2");
}

TEST_CASE("many results on several threads are told in short") {
  std::vector<BenchResult> results;
  for (const unsigned threads : {1u, 4u}) {
    BenchResult result = {{Type::float32, Type::float16}, "portable", 1024, 6144, 1, 1e-6, 5e-7, 8e-7};
    result.threads = threads;
    result.one_thread_seconds = 3e-6;
    result.memcpy_one_thread_seconds = 1e-6;
    results.push_back(result);
  }
  std::ostringstream out;
  print_summary(out, results);
  CHECK(out.str().find("1 Ki  portable           4     1     3.000    3.000          2.000\n") != std::string::npos);
  CHECK(out.str().find("1 Ki on portable, 1 thread:\n") != std::string::npos);
  CHECK(out.str().find("1 Ki on portable, 4 threads:\n") != std::string::npos);
  results.pop_back();
  std::ostringstream alone;
  print_summary(alone, results);
  CHECK(alone.str().find("thread") == std::string::npos);
}

TEST_CASE("threads are between one and one per processor, which 0 is") {
  const Folder folder;
  const unsigned most = std::max(1u, std::thread::hardware_concurrency());
  const auto all = program(folder, "bench --pair f32:f16 --size 3000 --seconds 0.1 --json - --threads 0");
  REQUIRE(all.code == 0);
  CHECK(json::parse(all.output).at("benchmarks").back().at("threads") == most);
  for (const std::string& threads : {std::string("-1"), std::to_string(most + 1), std::string("4000000000"),
                                     std::string("99999999999"), std::string("two"), std::string("1x")}) {
    const auto run = program(folder, "bench --pair f32:f16 --json out.json --threads " + threads);
    CHECK(run.code == 2);
    CHECK(run.errors == cli::text("castforge: --threads: expected a number from 0 to ", most,
                                  ", which is how many processors there are, found \"", threads, "\"\n"));
  }
  CHECK(folder.names().empty());
}

TEST_CASE("a size that was asked for and does not fit is refused") {
  const Folder folder;
  const auto run = program(folder, "bench --pair f32:f16 --size 1024,99999999999999999");
  CHECK(run.code == 2);
  CHECK(
      run.errors.starts_with("castforge: --size 99999999999999999: so many elements need more than half of the "
                             "memory that is free, "));
  CHECK(run.output.empty());
}

TEST_CASE("bench refuses what makes no sense") {
  const Folder folder;
  for (const char* arguments :
       {"--all --pair f32:f16", "--pair float32", "--pair f32:f16,", "--pair f32:f16 --size 64,", "--pair f32:nonsense",
        "--pair f32:f16 --size 0", "--pair f32:f16 --size 1k", "--pair f32:f16 --isa avx9000",
        "--pair f32:f16 --isa portable,", "--pair f32:f16 --opset onnx@0", "--pair f32:string",
        "--pair f32:f16 --seconds -1", "--pair f32:f16 --threads -1", "--pair f32:f16 --threads two",
        "--pair f32:f16 --data tiny", "--pair f32:f16 --data normal,", "--pair f32:f16 --data ,zero"}) {
    INFO(arguments);
    const auto run = program(folder, std::string("bench --json out.json ") + arguments);
    CHECK(run.code == 2);
    CHECK(run.errors.starts_with("castforge: "));
  }
  CHECK(program(folder, "bench --pair f32:f16 --data norml")
            .errors.ends_with(", range, found \"norml\": did you mean \"normal\"?\n"));
  const auto mixed = program(folder, "bench --pair f32:f16 --size 64 --seconds 1 --json - --tsv -");
  CHECK(mixed.code == 2);
  CHECK(mixed.output == "");
  CHECK(mixed.errors == "castforge: standard output takes --json - or --tsv -, not both\n");
  for (const char* outputs : {"--json out --tsv out", "--json out --tsv ./out", "--json - --tsv /dev/stdout"}) {
    INFO(outputs);
    const auto run = program(folder, std::string("bench --pair f32:f16 --size 64 --seconds 1 ") + outputs);
    CHECK(run.code == 2);
    CHECK(run.output == "");
    CHECK(run.errors.starts_with("castforge: --tsv: expected another file than that of --json, found \""));
  }
  const auto no_rates = program(folder, "bench --pair f32:f16 --size 64 --data normal,zero --tsv out.tsv");
  CHECK(no_rates.code == 2);
  CHECK(no_rates.errors ==
        "castforge: --tsv: a table has the rates with mixed data alone; expected mixed among --data, found "
        "\"normal,zero\"\n");
  CHECK(folder.names().empty());
}
