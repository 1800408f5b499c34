// Every pair of an op-set on every instruction set of this machine, as Google Benchmark's program. Names and
// counters are those of `castforge bench --json`, so that one can be compared with the other:
//   castforge_bench --benchmark_filter='float32:.*/avx2/16384$' --benchmark_out=out.json
//   castforge_bench --opset=onnx@24
// Beside them lookup/..., from names to a kernel; few/.../N, calls with N elements whose results are thrown away; and
// range/..., sequences:
//   castforge_bench --benchmark_filter='^(lookup|few|range)/'
#include "cli/bench/buffer.hpp"
#include "cli/bench/sample_data.hpp"
#include "cli/bench/stopwatch.hpp"
#include "cli/selection/pair_list.hpp"

#include <castforge/castforge.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace castforge;

constexpr std::size_t kSizes[] = {std::size_t{16} << 10, std::size_t{256} << 10, std::size_t{64} << 20};

void measure(benchmark::State& state, Kernel kernel, std::size_t size) {
  const std::size_t read = *storage_bytes(kernel.src(), size), written = *storage_bytes(kernel.dst(), size);
  const std::size_t half = (read + written) / 2;
  const cli::Buffer src(std::max(read, half), 0), dst(std::max(written, half), 2048);
  cli::fill_with_sample_data(kernel.src(), cli::SampleData::mixed, src.data(), size);
  for (auto _ : state) {
    static_cast<void>(kernel.run(src.data(), dst.data(), size));
    benchmark::ClobberMemory();
  }
  // The ratios come from a measurement of their own, in which kernel and copies take turns.
  const cli::Routine moves = cli::vector_move_loop(static_cast<std::size_t>(type_info(kernel.src()).storage_bits),
                                                   static_cast<std::size_t>(type_info(kernel.dst()).storage_bits));
  const std::array<cli::Contestant, 4> contestants = {
      {{.src = src.data(), .dst = dst.data(), .count = size, .kernel = &kernel},
       {.run = cli::copy_by_memcpy, .src = src.data(), .dst = dst.data(), .count = half},
       {.run = cli::vector_copy_loop(), .src = src.data(), .dst = dst.data(), .count = half},
       {.run = moves, .src = src.data(), .dst = dst.data(), .count = std::min(read, written)}}};
  const auto timings = cli::time_in_turns(contestants, {});
  const auto per_iteration = [&](std::size_t amount) {
    return static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(amount);
  };
  state.SetItemsProcessed(per_iteration(size));
  state.SetBytesProcessed(per_iteration(read + written));
  state.counters["memcpy_ratio"] = timings[1].seconds / timings[0].seconds;
  state.counters["copy_loop_ratio"] = timings[2].seconds / timings[0].seconds;
  state.counters["moves_ratio"] = timings[3].seconds / timings[0].seconds;
}

int register_all(const std::string& opset_name) {
  OpSet opset;
  if (const Status status = find_opset(opset_name, opset); !status) {
    std::fprintf(stderr, "castforge_bench: --opset: %s\n", status.message().c_str());
    return 2;
  }
  for (const cli::TypePair& pair : cli::admitted_pairs(opset)) {
    for (const std::string& isa : cli::isas_from("all")) {
      const Kernel kernel = find_kernel(opset, pair.src, pair.dst, {}, isa);
      if (!kernel) {
        std::fprintf(stderr, "castforge_bench: %s\n", kernel.status().message().c_str());
        return 2;
      }
      for (const std::size_t size : kSizes) {
        const std::string name =
            "cast/" + cli::text_of(pair) + "/" + opset_name + "/" + isa + "/" + std::to_string(size);
        benchmark::RegisterBenchmark(name.c_str(),
                                     [kernel, size](benchmark::State& state) { measure(state, kernel, size); });
      }
    }
  }
  return 0;
}

void register_lookups() {
  struct Lookup {
    const char* name;
    std::string_view opset;
    Attributes attributes;
  };
  static const Lookup lookups[] = {{"lookup/castforge@1", "castforge@1", {}},
                                   {"lookup/onnx@23", "onnx@23", {}},
                                   {"lookup/onnx@23/saturate", "onnx@23", {.saturate = false}}};
  for (const Lookup& one : lookups) {
    benchmark::RegisterBenchmark(one.name, [&one](benchmark::State& state) {
      for (auto _ : state)
        benchmark::DoNotOptimize(find_kernel(one.opset, Type::float32, Type::float8e4m3fn, one.attributes));
    });
  }
}

void register_few() {
  constexpr std::pair<Type, Type> pairs[] = {{Type::float32, Type::float8e4m3fn},
                                             {Type::float8e4m3fn, Type::float32},
                                             {Type::float32, Type::bfloat16},
                                             {Type::float16, Type::float8e5m2},
                                             {Type::int8, Type::int4},
                                             {Type::int64, Type::float32}};
  constexpr std::size_t kFew = 31;
  for (const auto& [src, dst] : pairs) {
    for (const std::string& isa : cli::isas_from("all")) {
      const Kernel kernel = find_kernel("castforge@1", src, dst, {}, isa);
      const std::string name = "few/" + cli::text_of({src, dst}) + "/" + isa + "/" + std::to_string(kFew);
      benchmark::RegisterBenchmark(name.c_str(), [kernel](benchmark::State& state) {
        alignas(64) std::byte from[8 * kFew] = {}, to[8 * kFew];
        cli::fill_with_sample_data(kernel.src(), cli::SampleData::mixed, from, kFew);
        for (auto _ : state) {
          static_cast<void>(kernel.run(from, to, kFew));
          benchmark::ClobberMemory();
        }
      });
    }
  }
}

/// Sequences from 0 whose elements are all exact in float32, and others.
void register_ranges() {
  constexpr Type types[] = {Type::float16, Type::bfloat16, Type::float32, Type::float64, Type::int32};
  constexpr std::pair<const char*, double> steps[] = {{"exact", 1}, {"rounded", 0.1}};
  constexpr std::size_t kCount = std::size_t{8} << 10;
  for (const Type type : types) {
    for (const auto& [word, step] : steps) {
      for (const std::string& isa : cli::isas_from("all")) {
        const Range range = find_range("openvino-range@4", 0, step * kCount, step, type, {}, isa);
        if (!range || range.count() != kCount) continue;  // integers have whole steps
        const std::string name =
            "range/" + std::string(castforge::name(type)) + "/" + word + "/" + isa + "/" + std::to_string(kCount);
        benchmark::RegisterBenchmark(name.c_str(), [range](benchmark::State& state) {
          const cli::Buffer dst(8 * kCount, 0);
          for (auto _ : state) {
            static_cast<void>(range.fill(0, dst.data(), kCount));
            benchmark::ClobberMemory();
          }
          state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kCount));
        });
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string opset = "onnx@25";
  const std::string_view option = "--opset=";
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]).substr(0, option.size()) != option) continue;
    opset = argv[i] + option.size();
    std::copy(argv + i + 1, argv + argc, argv + i);
    --argc;
    break;
  }
  if (const int failed = register_all(opset); failed != 0) return failed;
  register_lookups();
  register_few();
  register_ranges();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
