// Memory to measure in.
#pragma once

#include <cstddef>
#include <cstdint>

namespace castforge::cli {

/// Bytes whose pages all exist, so that no measurement pays for the first touch.
class Buffer {
 public:
  Buffer() = default;
  /// `skew` bytes beyond a page boundary. Source and destination at the same place of their pages would make
  /// loads look as if they depended on the stores before them.
  Buffer(std::size_t bytes, std::size_t skew);
  ~Buffer();
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }

  void* data() const { return static_cast<char*>(memory_) + skew_; }
  std::size_t size() const { return size_; }

 private:
  void swap(Buffer& other) noexcept;

  void* memory_ = nullptr;
  std::size_t mapped_ = 0, size_ = 0, skew_ = 0;
};

/// Bytes of memory that this machine can give without pushing anything out; 0 where it does not say.
std::uint64_t available_memory();

}  // namespace castforge::cli
