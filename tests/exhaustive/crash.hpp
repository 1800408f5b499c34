// The subject that runs now, for a signal handler to name.
#pragma once

#include <cstddef>
#include <string>

namespace castforge::exhaustive {

void running(const std::string& what);
void running(std::size_t count, const char* how);

}  // namespace castforge::exhaustive
