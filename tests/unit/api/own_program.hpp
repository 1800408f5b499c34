// For tests that need a process of their own.
#pragma once

#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

/// The path of the running test program.
inline std::string own_program() {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
  REQUIRE(length > 0);
  return {path.data(), static_cast<std::size_t>(length)};
}
