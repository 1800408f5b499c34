#include "spec/hex.hpp"

#include <cstdio>

namespace castforge::spec {

std::string hex(std::uint64_t value, int bits) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llX", bits / 4, static_cast<unsigned long long>(value));
  return text;
}

}  // namespace castforge::spec
