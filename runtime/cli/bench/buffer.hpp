// Memory to measure in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace castforge::cli {

/// Bytes whose pages all exist, so that no measurement pays for the first touch.
class Buffer {
 public:
  Buffer() = default;
  /// `skew` bytes beyond a page boundary. Source and destination at the same place of their pages would make
  /// loads look as if they depended on the stores before them.
  Buffer(std::size_t bytes, std::size_t skew);

  void* data() const { return memory_.get() + skew_; }
  std::size_t size() const { return size_; }

 private:
  struct Unmap {
    std::size_t length;
    void operator()(char* memory) const;
  };
  std::unique_ptr<char, Unmap> memory_;
  std::size_t size_ = 0, skew_ = 0;
};

/// Bytes of memory that this machine can give without pushing anything out; 0 where it does not say.
std::uint64_t available_memory();

}  // namespace castforge::cli
