// A line on the terminal about work that goes in steps.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace castforge::cli {

/// Shows "17 of 529, about 40 s left: WHAT" where standard error is a terminal; the line is removed at the
/// end.
class StepProgress {
 public:
  /// `quiet`: for how long nothing is shown.
  explicit StepProgress(std::chrono::milliseconds quiet = {})
      : terminal_(::isatty(STDERR_FILENO) == 1), next_(start_ + quiet) {}
  ~StepProgress() {
    if (shown_) std::fprintf(stderr, "\r\033[K");
  }
  StepProgress(const StepProgress&) = delete;
  StepProgress& operator=(const StepProgress&) = delete;

  /// Step `index` (from 0) of so many begins.
  void begin(std::size_t index, std::size_t steps, const std::string& what) {
    if (!terminal_) return;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    shown_ = true;
    std::fprintf(stderr, "\r\033[K%zu of %zu", index + 1, steps);
    if (index > 0) {
      const double spent = std::chrono::duration<double>(now - start_).count();
      const double left = spent / static_cast<double>(index) * static_cast<double>(steps - index);
      std::fprintf(stderr, ", about %.0f s left", left);
    }
    std::fprintf(stderr, ": %s", what.c_str());
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_, shown_ = false;
  Clock::time_point start_ = Clock::now(), next_;
};

}  // namespace castforge::cli
