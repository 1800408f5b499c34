#include "cli/bench/thread_team.hpp"

namespace castforge::cli {

ThreadTeam::ThreadTeam(unsigned threads) : threads_(threads) {
  for (unsigned self = 1; self < threads; ++self) {
    others_.emplace_back([this, self](const std::stop_token& stop) { loop(stop, self); });
  }
}

void ThreadTeam::run(std::size_t tasks, ParallelFor::Task task, void* data) {
  const Work work{tasks, task, data};
  // One task is the caller's; waking the others would only cost time.
  if (tasks <= 1 || others_.empty()) {
    for (std::size_t i = 0; i < tasks; ++i) task(data, i);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = work;
    busy_ = static_cast<unsigned>(others_.size());
    ++round_;
  }
  begun_.notify_all();
  do_share(work, 0);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return busy_ == 0; });
}

ParallelFor ThreadTeam::parallel_for() {
  return {.run = [](void* context, std::size_t tasks, ParallelFor::Task task,
                    void* data) { static_cast<ThreadTeam*>(context)->run(tasks, task, data); },
          .context = this};
}

void ThreadTeam::loop(const std::stop_token& stop, unsigned self) {
  std::uint64_t seen = 0;
  for (;;) {
    Work work;
    {
      std::unique_lock lock(mutex_);
      if (!begun_.wait(lock, stop, [&] { return round_ != seen; })) return;
      seen = round_;
      work = work_;
    }
    do_share(work, self);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) ended_.notify_one();
  }
}

void ThreadTeam::do_share(const Work& work, unsigned self) const {
  for (std::size_t i = self; i < work.tasks; i += threads_) work.task(work.data, i);
}

}  // namespace castforge::cli
