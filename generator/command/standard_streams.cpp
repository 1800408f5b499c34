#include "command/standard_streams.hpp"

#include <cstdio>
#include <iostream>

namespace castforge::command {

bool flush_standard_output() {
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
}

}  // namespace castforge::command
