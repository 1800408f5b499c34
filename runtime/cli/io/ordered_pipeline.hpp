// Work in chunks on several threads, with input and output in order.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace castforge::cli {

/// Steps has a type Chunk, `bool take(Chunk&)`, `void work(Chunk&) const` and `void put(Chunk&)`. Threads
/// take turns at take() and, in the order in which chunks were taken, at put(); they do work() at the same
/// time. take() returns false at the end. The exception of the first step that throws ends the work and
/// comes out of run().
template <class Steps>
class OrderedPipeline {
 public:
  explicit OrderedPipeline(Steps& steps) : steps_(steps) {}

  void run(unsigned threads) {
    {
      std::vector<std::jthread> others;
      for (unsigned i = 1; i < threads; ++i) others.emplace_back([this] { loop(); });
      loop();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void loop() noexcept {
    try {
      typename Steps::Chunk chunk;
      std::uint64_t turn = 0;
      while (take(chunk, turn)) {
        steps_.work(chunk);
        if (!put(chunk, turn)) break;
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  bool take(typename Steps::Chunk& chunk, std::uint64_t& turn) {
    const std::lock_guard lock(reading_);
    if (failed() || !steps_.take(chunk)) return false;
    turn = taken_++;
    return true;
  }

  bool put(typename Steps::Chunk& chunk, std::uint64_t turn) {
    std::unique_lock lock(writing_);
    turn_changed_.wait(lock, [&] { return turn == written_ || failure_; });
    if (failure_) return false;
    steps_.put(chunk);
    ++written_;
    turn_changed_.notify_all();
    return true;
  }

  bool failed() {
    const std::lock_guard lock(writing_);
    return failure_ != nullptr;
  }

  void fail(std::exception_ptr failure) noexcept {
    const std::lock_guard lock(writing_);
    if (!failure_) failure_ = std::move(failure);
    turn_changed_.notify_all();
  }

  Steps& steps_;
  std::mutex reading_;
  std::uint64_t taken_ = 0;  // chunks handed out

  std::mutex writing_;
  std::condition_variable turn_changed_;
  std::uint64_t written_ = 0;  // chunks put
  std::exception_ptr failure_;
};

}  // namespace castforge::cli
