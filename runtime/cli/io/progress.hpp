// A line on the terminal about work that takes a while.
#pragma once

#include <chrono>
#include <cstdint>

namespace castforge::cli {

/// Shows how far the work is once it takes longer than two seconds, and only where standard error is a
/// terminal. The line is removed at the end. Not thread-safe.
class Progress {
 public:
  /// `total` bytes will be read; 0 where that is unknown.
  explicit Progress(std::uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(std::uint64_t bytes);

  /// So many bytes need not be read after all.
  void skip(std::uint64_t bytes) { total_ -= bytes < total_ ? bytes : total_; }

 private:
  using Clock = std::chrono::steady_clock;

  void show(double seconds) const;

  std::uint64_t total_, done_ = 0;
  bool terminal_, shown_ = false;
  Clock::time_point start_, next_;
};

}  // namespace castforge::cli
