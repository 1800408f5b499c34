// Times functions that convert or copy, side by side.
#pragma once

#include "cli/bench/copies.hpp"

#include <castforge/interface.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace castforge::cli {

/// One thing to time: run(src, dst, count), or the same of a kernel.
struct Contestant {
  Routine run = nullptr;
  const void* src = nullptr;
  void* dst = nullptr;
  std::size_t count = 0;
  const Kernel* kernel = nullptr;  // in place of `run`, as its users call it: large results go past the caches
  bool wall = false;               // several threads do it, or it is compared with such: the time that passes counts

  void call() const noexcept {
    if (kernel != nullptr) static_cast<void>(kernel->run(src, dst, count));
    else run(src, dst, count);
  }
};

/// How long to go on. At least `least_rounds`, unless one round alone takes four times `seconds`; at most
/// `most_rounds`; in between until the time is up.
struct TimeBox {
  double seconds = 0.04;
  int least_rounds = 3, most_rounds = 51;
};

struct Timing {
  double seconds = 0;      // of this thread, or by the wall clock, for one call: median over the rounds
  std::size_t calls = 0;   // in all rounds
  double cpu_seconds = 0;  // of all threads for one call; `seconds` where only this thread's time counts
};

/// Rounds in which every contestant runs once, or as often as fills about 60 microseconds, in another order each time.
/// Taking turns, they meet the same clock rates, the same neighbours and the same predecessors.
std::vector<Timing> time_in_turns(std::span<const Contestant> contestants, const TimeBox& box);

}  // namespace castforge::cli
