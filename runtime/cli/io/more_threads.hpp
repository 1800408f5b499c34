// Threads beside the one that asks for them, as many as the system gives.
#pragma once

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace castforge::cli {

/// What 0 means as a number of threads: one per processor.
inline unsigned threads_or_all(unsigned threads) {
  return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

/// Starts the threads that `work` takes beside the caller's to be done by `count` in all, or fewer where the system
/// gives no more: those that there are do it all.
template <class Work>
void start_more(std::vector<std::jthread>& threads, std::size_t count, const Work& work) {
  threads.reserve(threads.size() + count);  // a thread that is started has its place
  try {
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work);
  } catch (const std::system_error&) {
    return;
  }
}

}  // namespace castforge::cli
