// Failures: counted, the first ones of each subject printed.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace castforge::exhaustive {

class Report {
 public:
  explicit Report(bool quiet = false) : quiet_(quiet) {}

  /// Starts a new subject; its first few failures will be printed.
  void about(std::string what) {
    what_ = std::move(what);
    printed_ = 0;
  }
  void fail(const std::string& text) {
    ++failures_;
    if (quiet_ || printed_++ >= 6) return;
    std::printf("FAIL %s: %s\n", what_.c_str(), text.c_str());
  }
  std::uint64_t failures() const { return failures_; }

 private:
  bool quiet_;
  std::string what_;
  int printed_ = 0;
  std::uint64_t failures_ = 0;
};

inline std::string hex(std::uint64_t code, int bits) {
  char text[24];
  std::snprintf(text, sizeof text, "%0*llX", (bits + 3) / 4, static_cast<unsigned long long>(code));
  return text;
}

}  // namespace castforge::exhaustive
