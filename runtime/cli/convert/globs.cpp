#include "cli/convert/globs.hpp"

#include <fnmatch.h>

namespace castforge::cli {

bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

}  // namespace castforge::cli
