// Which way of reading large sources suits this processor: places that take turns, and how far ahead is prefetched
// (runtime/src/streaming.hpp). A family of processors for which another way is the best by much gets a row in
// runtime/src/streaming.cpp.
#include "src/streaming.hpp"

#include <algorithm>
#include <castforge/castforge.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cli/bench/buffer.hpp"
#include "cli/bench/sample_data.hpp"

namespace {

using namespace castforge;

constexpr std::size_t kRounds = 9;
constexpr Reading kWays[] = {{1, 0}, {1, 2048}, {1, 8192}, {2, 0}, {2, 2048}, {2, 8192}, {4, 0}};
constexpr std::pair<Type, Type> kPairs[] = {
    {Type::float32, Type::bfloat16}, {Type::float32, Type::float8e4m3fn},  {Type::float8e4m3fn, Type::float32},
    {Type::float64, Type::float32},  {Type::bfloat16, Type::float8e4m3fn}, {Type::int4, Type::float8e5m2},
    {Type::uint2, Type::int8},       {Type::int4, Type::bfloat16}};

template <class Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void measure(Type from, Type to, std::size_t count) {
  const Kernel kernel = find_kernel("castforge@1", from, to);
  const auto src_bits = static_cast<std::size_t>(type_info(from).storage_bits);
  const auto dst_bits = static_cast<std::size_t>(type_info(to).storage_bits);
  const Conversion conversion = {kernel.function(), kernel.isa(), src_bits, dst_bits};
  const std::size_t bytes = count / 8 * (src_bits + dst_bits);
  const std::size_t copied = count / 8 * std::min(src_bits, dst_bits);  // what both buffers hold
  const cli::Buffer src(count / 8 * src_bits, 0), dst(count / 8 * dst_bits, 2048);
  cli::fill_with_sample_data(from, cli::SampleData::mixed, src.data(), count);
  constexpr std::size_t kAll = std::size(kWays);
  std::vector<double> streamed[kAll], cached[kAll], memcpy_times;
  for (std::size_t round = 0; round < kRounds; ++round) {
    memcpy_times.push_back(seconds([&] { std::memcpy(dst.data(), src.data(), copied); }));
    for (std::size_t way = 0; way < kAll; ++way) {
      streamed[way].push_back(seconds([&] { run_streaming(conversion, src.data(), dst.data(), count, kWays[way]); }));
    }
    run_cached(conversion, src.data(), dst.data(), count, kWays[0]);  // what was streamed is in no cache
    for (std::size_t way = 0; way < kAll; ++way) {
      cached[way].push_back(seconds([&] { run_cached(conversion, src.data(), dst.data(), count, kWays[way]); }));
    }
  }
  const double copy_rate = 2 * static_cast<double>(copied) / median(memcpy_times) / 1e9;
  std::printf("%s:%s, memcpy %.1f GB/s\n", std::string(name(from)).c_str(), std::string(name(to)).c_str(), copy_rate);
  for (std::size_t way = 0; way < kAll; ++way) {
    const auto of_memcpy = [&](const std::vector<double>& times) {
      return static_cast<double>(bytes) / median(times) / 1e9 / copy_rate;
    };
    std::printf("  places %zu, ahead %4zu bytes: streamed %.2f of memcpy, through the caches %.2f\n",
                kWays[way].streams, kWays[way].ahead, of_memcpy(streamed[way]), of_memcpy(cached[way]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned long millions = argc != 2 ? 0 : std::strtoul(argv[1], nullptr, 10);
  if (millions < 1 || millions > 1024) {
    std::fprintf(stderr,
                 "usage: reading_ways MI_ELEMENTS, 1 to 1024\nMeasures the ways of reading sources of so many Mi "
                 "elements, 64 for "
                 "memory and 1 or 2 for a last-level cache.\n");
    return 2;
  }
  for (const auto& [from, to] : kPairs) measure(from, to, std::size_t{millions} << 20);
}
