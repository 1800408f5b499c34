#include "cli/bench/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numeric>
#include <random>

namespace castforge::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

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
  constexpr double kSampleSeconds = 60e-6, kShortSeconds = 5e-3;
  // The first call brings code and data near, and an interrupt must not decide: the fastest of some, unless they take
  // long.
  double seconds = time_calls(contestant, 1);
  for (int again = 0; again < 3 && seconds < kShortSeconds; ++again) {
    seconds = std::min(seconds, time_calls(contestant, 1));
  }
  return static_cast<std::size_t>(std::clamp(std::ceil(kSampleSeconds / std::max(seconds, 1e-9)), 1.0, 10000.0));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

std::vector<Timing> time_in_turns(std::span<const Contestant> contestants, const TimeBox& box) {
  std::vector<Timing> timings(contestants.size());
  std::vector<std::size_t> calls;
  for (const Contestant& contestant : contestants) calls.push_back(calls_per_round(contestant));
  std::vector<std::vector<double>> samples(contestants.size());
  std::vector<double> cpu_seconds(contestants.size());
  // Each meets the caches as the one before left them, which can cost a tenth where the data just fit: in a new order
  // every round that is nobody's lot.
  std::vector<std::size_t> order(contestants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 shuffler;
  const auto start = Clock::now();
  for (int round = 0; round < box.most_rounds; ++round) {
    const double elapsed = seconds_since(start);
    const bool enough = round >= box.least_rounds ? elapsed >= box.seconds : elapsed >= 4 * box.seconds;
    if (round > 0 && enough) break;
    std::shuffle(order.begin(), order.end(), shuffler);
    for (const std::size_t i : order) {
      // Brings most of the data back; longer calls work on more than caches hold.
      if (calls[i] > 1) contestants[i].call();
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

}  // namespace castforge::cli
