// Work in chunks on several threads, with input and output in order.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace castforge::cli {

/// Steps has a type Chunk, `bool take(Chunk&)`, `void work(Chunk&) const` and `void put(Chunk&)`. Threads take turns at
/// take() and, in the order in which chunks were taken, at put(); they do work() at the same time. A thread that is done
/// with a chunk before its turn leaves it to whichever thread puts the chunk before it, and goes on; there are at most
/// two chunks per thread. take() returns false at the end. The exception of the first step that throws ends the work
/// and comes out of run().
template <class Steps>
class OrderedPipeline {
 public:
  explicit OrderedPipeline(Steps& steps) : steps_(steps) {}

  void run(unsigned threads) {
    most_ = 2 * std::uint64_t{threads};
    {
      std::vector<std::jthread> others;
      for (unsigned i = 1; i < threads; ++i) others.emplace_back([this] { loop(); });
      loop();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  using Chunk = std::unique_ptr<typename Steps::Chunk>;

  void loop() noexcept {
    try {
      for (Chunk chunk; (chunk = spare());) {
        std::uint64_t turn = 0;
        if (!take(*chunk, turn)) break;
        steps_.work(*chunk);
        put(std::move(chunk), turn);
      }
    } catch (...) {
      const std::lock_guard lock(state_);
      if (!failure_) failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  /// A chunk to work with, or none once something has failed.
  Chunk spare() {
    std::unique_lock lock(state_);
    changed_.wait(lock, [&] { return in_use_ < most_ || failure_; });
    if (failure_) return nullptr;
    ++in_use_;
    if (spare_.empty()) return std::make_unique<typename Steps::Chunk>();
    Chunk chunk = std::move(spare_.back());
    spare_.pop_back();
    return chunk;
  }

  bool take(typename Steps::Chunk& chunk, std::uint64_t& turn) {
    const std::lock_guard lock(reading_);
    if (!steps_.take(chunk)) return false;
    turn = taken_++;
    return true;
  }

  void put(Chunk chunk, std::uint64_t turn) {
    std::unique_lock lock(state_);
    ready_.emplace(turn, std::move(chunk));
    if (writing_) return;  // that thread will come to it
    writing_ = true;
    for (auto next = ready_.find(written_); next != ready_.end() && !failure_; next = ready_.find(written_)) {
      Chunk now = std::move(next->second);
      ready_.erase(next);
      lock.unlock();
      steps_.put(*now);  // where it throws, nobody writes any more
      lock.lock();
      ++written_;
      spare_.push_back(std::move(now));
      --in_use_;
      changed_.notify_one();
    }
    writing_ = false;
  }

  Steps& steps_;
  std::uint64_t most_ = 1;  // chunks at a time
  std::mutex reading_;
  std::uint64_t taken_ = 0;  // chunks handed out

  std::mutex state_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Chunk> ready_;  // worked on, by turn
  std::vector<Chunk> spare_;
  std::uint64_t in_use_ = 0;
  std::uint64_t written_ = 0;  // chunks put
  bool writing_ = false;       // some thread is in put()
  std::exception_ptr failure_;
};

}  // namespace castforge::cli
