// --shard I/N: one of several parts of the work.
#pragma once

#include <cstddef>
#include <string>

namespace castforge::cli {

struct Part {
  std::size_t index = 0, count = 1;
};

/// "3/16": part 3 of 16, which are 0 to 15. A usage Failure otherwise.
Part part_from(const std::string& given);

}  // namespace castforge::cli
