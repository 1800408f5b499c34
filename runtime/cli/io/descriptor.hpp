// A descriptor that is closed with the scope that it belongs to, and writing to one.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <limits>

namespace castforge::cli {

struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  const int number;  // negative: there is none
};

/// Writes all of the bytes, in as many calls as that takes. False where the system fails; errno says why.
inline bool write_all(int descriptor, const void* bytes, std::size_t length) {
  for (const char* at = static_cast<const char*>(bytes); length != 0;) {
    const ssize_t put = ::write(descriptor, at, std::min<std::size_t>(length, std::numeric_limits<int>::max()));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    at += put;
    length -= static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace castforge::cli
