#include "cli/io/standard_descriptors.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <initializer_list>
#include <iostream>

namespace castforge::cli {

bool reserve_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    // The lowest free number is this one. Opened for the wrong direction, so that its use still fails.
    const int mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", mode) != descriptor) return false;
  }
  return true;
}

bool flush_standard_output() {
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
}

}  // namespace castforge::cli
