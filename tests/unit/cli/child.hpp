// The program as a process of its own, where a shell is in the way: signals, closed pipes, limits, memory.
#pragma once

#include "support.hpp"

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace cli_test {

struct End {
  int code = -1;            // the exit code, where no signal ended it
  int signal = 0;           // what ended it
  long peak_kilobytes = 0;  // of its memory
  double cpu_seconds = 0;
};

/// Runs the program in a folder; its standard input is a pipe to which nothing is written until close_input().
class Child {
 public:
  /// `before` runs in the new process, before the program.
  Child(
      const Folder& folder, std::vector<std::string> arguments, const std::function<void()>& before = [] {});
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(int signal_number) const;
  void close_input();
  /// Waits for its end; close_input() first where it reads.
  End wait();

 private:
  pid_t process_ = -1;
  int input_ = -1;
};

}  // namespace cli_test
