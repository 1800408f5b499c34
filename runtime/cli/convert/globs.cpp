#include "cli/convert/globs.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace castforge::cli {
namespace {

constexpr char kSubstitute = 0x1A;  // the control character of that name

}  // namespace

bool matches(const std::string& pattern, const std::string& name) {
  // Where fnmatch would see their ends.
  if (name.find('\0') != name.npos || pattern.find('\0') != pattern.npos) {
    const auto without_zeros = [](std::string text) {
      std::replace(text.begin(), text.end(), '\0', kSubstitute);
      return text;
    };
    return matches(without_zeros(pattern), without_zeros(name));
  }
  return ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

}  // namespace castforge::cli
