#include "cli/bench/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

namespace castforge::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double time_calls(const Contestant& contestant, std::size_t calls) {
  const auto start = Clock::now();
  for (std::size_t i = 0; i < calls; ++i) contestant.run(contestant.src, contestant.dst, contestant.count);
  return seconds_since(start);
}

std::size_t calls_per_round(const Contestant& contestant) {
  constexpr double kSampleSeconds = 60e-6;
  double seconds = time_calls(contestant, 1);  // brings code and data near
  if (seconds < kSampleSeconds) seconds = std::min(seconds, time_calls(contestant, 1));
  return static_cast<std::size_t>(std::clamp(std::ceil(kSampleSeconds / std::max(seconds, 1e-9)), 1.0, 10000.0));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// The barrier keeps the compiler from seeing a memcpy in the loop.
template <class Vector>
[[gnu::always_inline]] inline void copy_loop(const void* src, void* dst, std::size_t bytes) noexcept {
  const auto* from = static_cast<const char*>(src);
  auto* to = static_cast<char*>(dst);
  std::size_t at = 0;
  for (; at + 4 * sizeof(Vector) <= bytes; at += 4 * sizeof(Vector)) {
    const auto* s = reinterpret_cast<const Vector*>(from + at);
    auto* d = reinterpret_cast<Vector*>(to + at);
    const Vector a = s[0], b = s[1], c = s[2], e = s[3];
    d[0] = a;
    d[1] = b;
    d[2] = c;
    d[3] = e;
    asm volatile("" ::: "memory");
  }
  std::memcpy(to + at, from + at, bytes - at);
}

using Vector16 [[gnu::vector_size(16), gnu::aligned(1), gnu::may_alias]] = char;

void copy_16(const void* src, void* dst, std::size_t bytes) noexcept { copy_loop<Vector16>(src, dst, bytes); }

#if defined(__x86_64__)
using Vector32 [[gnu::vector_size(32), gnu::aligned(1), gnu::may_alias]] = char;
using Vector64 [[gnu::vector_size(64), gnu::aligned(1), gnu::may_alias]] = char;

[[gnu::target("avx2")]] void copy_32(const void* src, void* dst, std::size_t bytes) noexcept {
  copy_loop<Vector32>(src, dst, bytes);
}
[[gnu::target("avx512f")]] void copy_64(const void* src, void* dst, std::size_t bytes) noexcept {
  copy_loop<Vector64>(src, dst, bytes);
}
#endif

}  // namespace

std::vector<Timing> time_in_turns(std::span<const Contestant> contestants, const TimeBox& box) {
  std::vector<Timing> timings(contestants.size());
  std::vector<std::size_t> calls;
  for (const Contestant& contestant : contestants) calls.push_back(calls_per_round(contestant));
  std::vector<std::vector<double>> samples(contestants.size());
  const auto start = Clock::now();
  for (int round = 0; round < box.most_rounds; ++round) {
    const double elapsed = seconds_since(start);
    const bool enough = round >= box.least_rounds ? elapsed >= box.seconds : elapsed >= 4 * box.seconds;
    if (round > 0 && enough) break;
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      samples[i].push_back(time_calls(contestants[i], calls[i]) / static_cast<double>(calls[i]));
    }
  }
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    timings[i].calls = calls[i] * samples[i].size();
    timings[i].seconds = std::max(median(std::move(samples[i])), 1e-12);
  }
  return timings;
}

void copy_by_memcpy(const void* src, void* dst, std::size_t bytes) noexcept {
  std::memcpy(dst, src, bytes);
  asm volatile("" ::: "memory");
}

Kernel::Function vector_copy_loop() noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return copy_64;
  if (__builtin_cpu_supports("avx2")) return copy_32;
#endif
  return copy_16;
}

}  // namespace castforge::cli
