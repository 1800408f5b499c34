#include "cli/bench/buffer.hpp"

#include <sys/mman.h>

#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace castforge::cli {

Buffer::Buffer(std::size_t bytes, std::size_t skew) : mapped_(bytes + skew + 64), size_(bytes), skew_(skew) {
  memory_ = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory_ == MAP_FAILED) {
    memory_ = nullptr;
    throw std::bad_alloc();
  }
  std::memset(memory_, 1, mapped_);
}

Buffer::~Buffer() {
  if (memory_ != nullptr) ::munmap(memory_, mapped_);
}

void Buffer::swap(Buffer& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(mapped_, other.mapped_);
  std::swap(size_, other.size_);
  std::swap(skew_, other.skew_);
}

std::uint64_t available_memory() {
  std::ifstream info("/proc/meminfo");
  for (std::string word; info >> word; info.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    std::uint64_t kilobytes = 0;
    if (word == "MemAvailable:" && info >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace castforge::cli
