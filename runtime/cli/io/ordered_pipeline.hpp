// Work in chunks on several threads, with input and output in order.
#pragma once

#include "cli/io/more_threads.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace castforge::cli {

/// How many chunks an OrderedPipeline holds at most.
constexpr std::size_t pipeline_chunks(unsigned threads) { return 2 * std::size_t{threads} + 1; }

/// Does the steps of an OrderedPipeline in the calling thread.
template <class Steps>
void run_alone(Steps& steps) {
  for (typename Steps::Chunk chunk; steps.take(chunk);) {
    steps.work(chunk);
    steps.put(chunk);
  }
}

/// Steps has a type Chunk, `bool take(Chunk&)`, `void work(Chunk&) const` and `void put(Chunk&)`. One more thread than
/// asked for does take(), so that reading overlaps the rest even for one; where the system gives none, the calling
/// thread does all. The others do work() at the same time and, in the order in which chunks were taken, put(): a thread
/// that is done with a chunk before its turn leaves it to whichever thread puts the chunk before it, and goes on; there
/// are at most two chunks per thread, and one that is read. take() returns false at the end. The exception of the first
/// step that throws ends the work and comes out of run(); what was taken before take() throws is worked on and put.
template <class Steps>
class OrderedPipeline {
 public:
  explicit OrderedPipeline(Steps& steps) : steps_(steps) {}

  void run(unsigned threads) {
    most_ = pipeline_chunks(threads);
    {
      std::vector<std::jthread> others;
      try {
        others.emplace_back([this] { read(); });
      } catch (const std::system_error&) {
        return run_alone(steps_);
      }
      try {
        start_more(others, threads, [this] { loop(); });
      } catch (...) {  // no memory: the threads that run have to end before this one can
        end_by_failure();
      }
      loop();
    }
    if (failure_) std::rethrow_exception(failure_);
    if (read_failure_) std::rethrow_exception(read_failure_);
  }

 private:
  using Chunk = std::unique_ptr<typename Steps::Chunk>;

  void read() noexcept {
    std::exception_ptr failure;
    try {
      for (Chunk chunk; (chunk = spare()) && steps_.take(*chunk);) {
        const std::lock_guard lock(state_);
        full_.push_back(std::move(chunk));
        to_work_.notify_one();
      }
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(state_);
    read_failure_ = failure;
    ended_ = true;
    to_work_.notify_all();
  }

  void loop() noexcept {
    try {
      std::uint64_t turn = 0;
      for (Chunk chunk; (chunk = next(turn));) {
        steps_.work(*chunk);
        put(std::move(chunk), turn);
      }
    } catch (...) {
      end_by_failure();
    }
  }

  /// Of the exception that is being handled.
  void end_by_failure() {
    const std::lock_guard lock(state_);
    if (!failure_) failure_ = std::current_exception();
    to_read_.notify_all();
    to_work_.notify_all();
  }

  /// A chunk to read into, or none once something has failed.
  Chunk spare() {
    std::unique_lock lock(state_);
    to_read_.wait(lock, [&] { return in_use_ < most_ || failure_; });
    if (failure_) return nullptr;
    ++in_use_;
    if (spare_.empty()) return std::make_unique<typename Steps::Chunk>();
    Chunk chunk = std::move(spare_.back());
    spare_.pop_back();
    return chunk;
  }

  /// A chunk that was read, or none at the end and once something has failed.
  Chunk next(std::uint64_t& turn) {
    std::unique_lock lock(state_);
    to_work_.wait(lock, [&] { return !full_.empty() || ended_ || failure_; });
    if (full_.empty() || failure_) return nullptr;
    Chunk chunk = std::move(full_.front());
    full_.pop_front();
    turn = taken_++;
    return chunk;
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
      to_read_.notify_one();
    }
    writing_ = false;
  }

  Steps& steps_;
  std::uint64_t most_ = 1;  // chunks at a time
  std::mutex state_;
  std::condition_variable to_read_, to_work_;
  std::deque<Chunk> full_;                // read
  std::uint64_t taken_ = 0;               // chunks handed out
  std::map<std::uint64_t, Chunk> ready_;  // worked on, by turn
  std::vector<Chunk> spare_;
  std::uint64_t in_use_ = 0;
  std::uint64_t written_ = 0;  // chunks put
  bool writing_ = false;       // some thread is in put()
  bool ended_ = false;         // nothing more is read
  std::exception_ptr failure_, read_failure_;
};

}  // namespace castforge::cli
