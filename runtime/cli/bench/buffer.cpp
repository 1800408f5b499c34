#include "cli/bench/buffer.hpp"

#include <sys/mman.h>

#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <string>

namespace castforge::cli {

Buffer::Buffer(std::size_t bytes, std::size_t skew) : size_(bytes), skew_(skew) {
  const std::size_t mapped = bytes + skew + 64;
  void* const memory = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = {static_cast<char*>(memory), Unmap{mapped}};
  std::memset(memory, 1, mapped);
}

void Buffer::Unmap::operator()(char* memory) const { ::munmap(memory, length); }

std::uint64_t available_memory() {
  std::ifstream info("/proc/meminfo");
  for (std::string word; info >> word; info.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    std::uint64_t kilobytes = 0;
    if (word == "MemAvailable:" && info >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace castforge::cli
