#include "cli/io/progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace castforge::cli {
namespace {

constexpr int kBar = 20;  // characters

}  // namespace

Progress::Progress(std::uint64_t total)
    : total_(total),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_(start_ + std::chrono::seconds(2)) {}

Progress::~Progress() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
}

void Progress::advance(std::uint64_t bytes) {
  done_ += bytes;
  if (!terminal_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  show(std::chrono::duration<double>(now - start_).count());
}

void Progress::show(double seconds) const {
  const double megabytes = static_cast<double>(done_) / 1e6;
  if (total_ != 0) {
    const double share = static_cast<double>(done_) / static_cast<double>(total_);
    const int done = static_cast<int>(kBar * (share < 1 ? share : 1));
    std::fprintf(stderr, "\r\033[K[%.*s%*s] %3.0f %% of %.0f MB, %.0f MB/s, %.0f s left", done, "####################",
                 kBar - done, "", 100 * share, static_cast<double>(total_) / 1e6, megabytes / seconds,
                 share > 0 ? seconds / share - seconds : 0.0);
  } else {
    std::fprintf(stderr, "\r\033[K%.0f MB, %.0f MB/s", megabytes, megabytes / seconds);
  }
  std::fflush(stderr);
}

}  // namespace castforge::cli
