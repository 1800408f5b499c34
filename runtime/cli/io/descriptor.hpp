// A descriptor that is closed with the scope that it belongs to.
#pragma once

#include <unistd.h>

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

}  // namespace castforge::cli
