#include "cli/bench/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>

namespace castforge::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double seconds_of(clockid_t clock) {
  std::timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Of one thread the time that it has run: what other programs take from a busy machine does not count. That says
/// nothing of a thread that waits for others, so there it is the time that has passed.
double time_calls(const Contestant& contestant, std::size_t calls) {
  const clockid_t clock = contestant.wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
  const double start = seconds_of(clock);
  for (std::size_t i = 0; i < calls; ++i) contestant.call();
  return seconds_of(clock) - start;
}

std::size_t calls_per_round(const Contestant& contestant) {
  constexpr double kSampleSeconds = 60e-6;
  double seconds = time_calls(contestant, 1);  // brings code and data near
  if (seconds < kSampleSeconds) seconds = std::min(seconds, time_calls(contestant, 1));
  return static_cast<std::size_t>(
      std::clamp(std::ceil(kSampleSeconds / std::max(seconds, 1e-9)), 1.0, 10000.0));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// `Unaligned` holds one vector that may lie anywhere. The barrier keeps the compiler from seeing a memcpy in
// the loop.
template <class Unaligned>
[[gnu::always_inline]] inline void copy_loop(const void* src, void* dst, std::size_t bytes) noexcept {
  const auto* from = static_cast<const char*>(src);
  auto* to = static_cast<char*>(dst);
  std::size_t at = 0;
  for (; at + 4 * sizeof(Unaligned) <= bytes; at += 4 * sizeof(Unaligned)) {
    const auto* s = reinterpret_cast<const Unaligned*>(from + at);
    auto* d = reinterpret_cast<Unaligned*>(to + at);
    const auto first = s[0].vector, second = s[1].vector, third = s[2].vector, fourth = s[3].vector;
    d[0].vector = first;
    d[1].vector = second;
    d[2].vector = third;
    d[3].vector = fourth;
    asm volatile("" ::: "memory");
  }
  if (at < bytes) std::memcpy(to + at, from + at, bytes - at);
}

// A structure keeps the attributes that a template argument would lose.
template <int kBytes>
struct [[gnu::packed, gnu::may_alias]] Unaligned {
  using Vector [[gnu::vector_size(kBytes)]] = char;
  Vector vector;
};

void copy_16(const void* src, void* dst, std::size_t bytes) noexcept {
  copy_loop<Unaligned<16>>(src, dst, bytes);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void copy_32(const void* src, void* dst, std::size_t bytes) noexcept {
  copy_loop<Unaligned<32>>(src, dst, bytes);
}
[[gnu::target("avx512f")]] void copy_64(const void* src, void* dst, std::size_t bytes) noexcept {
  copy_loop<Unaligned<64>>(src, dst, bytes);
}
#endif

}  // namespace

std::vector<Timing> time_in_turns(std::span<const Contestant> contestants, const TimeBox& box) {
  std::vector<Timing> timings(contestants.size());
  std::vector<std::size_t> calls;
  for (const Contestant& contestant : contestants) calls.push_back(calls_per_round(contestant));
  std::vector<std::vector<double>> samples(contestants.size());
  std::vector<double> cpu_seconds(contestants.size());
  const auto start = Clock::now();
  for (int round = 0; round < box.most_rounds; ++round) {
    const double elapsed = seconds_since(start);
    const bool enough = round >= box.least_rounds ? elapsed >= box.seconds : elapsed >= 4 * box.seconds;
    if (round > 0 && enough) break;
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const double cpu_start = contestants[i].wall ? seconds_of(CLOCK_PROCESS_CPUTIME_ID) : 0;
      samples[i].push_back(time_calls(contestants[i], calls[i]) / static_cast<double>(calls[i]));
      if (contestants[i].wall) cpu_seconds[i] += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
    }
  }
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    timings[i].calls = calls[i] * samples[i].size();
    timings[i].seconds = std::max(median(std::move(samples[i])), 1e-12);
    timings[i].cpu_seconds =
        contestants[i].wall ? cpu_seconds[i] / static_cast<double>(timings[i].calls) : timings[i].seconds;
  }
  return timings;
}

void copy_by_memcpy(const void* src, void* dst, std::size_t bytes) noexcept {
  if (bytes != 0) std::memcpy(dst, src, bytes);
  asm volatile("" ::: "memory");
}

Routine vector_copy_loop() noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return copy_64;
  if (__builtin_cpu_supports("avx2")) return copy_32;
#endif
  return copy_16;
}

}  // namespace castforge::cli
