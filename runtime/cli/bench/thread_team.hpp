// Threads that share the work of a measurement.
#pragma once

#include <castforge/interface.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace castforge::cli {

/// The calling thread and others that sleep until there is work: created once, because starting a thread takes longer
/// than many a conversion.
class ThreadTeam {
 public:
  /// `threads` counts the calling thread. std::system_error where the system gives no more.
  explicit ThreadTeam(unsigned threads);

  unsigned threads() const { return threads_; }

  /// Calls task(data, i) for every i below `tasks` and returns when all are done. The same thread has the same tasks
  /// every time, so that what a part of the buffers left in its caches is still there at the next call. One call at a
  /// time.
  void run(std::size_t tasks, ParallelFor::Task task, void* data);

  /// The team as `castforge::cast` takes it.
  ParallelFor parallel_for();

 private:
  struct Work {
    std::size_t tasks = 0;
    ParallelFor::Task task = nullptr;
    void* data = nullptr;
  };

  void loop(const std::stop_token& stop, unsigned self);
  void do_share(const Work& work, unsigned self) const;

  unsigned threads_;
  std::mutex mutex_;
  std::condition_variable_any begun_;  // it can be told to stop
  std::condition_variable ended_;
  Work work_;
  std::uint64_t round_ = 0;           // calls of run() so far that needed the others
  unsigned busy_ = 0;                 // others that have not ended this round
  std::vector<std::jthread> others_;  // last: they stop before the rest goes
};

}  // namespace castforge::cli
