// Bytes of unknown number, kept where they can be read at any offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace castforge::cli {

/// A temporary file without a name, in $TMPDIR or /tmp: whatever ends the program, nothing of it stays.
class Spool {
 public:
  /// `name` is what messages call the bytes. Throws an input/output Failure.
  explicit Spool(std::string name);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  void write(const void* src, std::size_t length);
  std::uint64_t size() const { return size_; }

  /// The descriptor, which is the caller's from now on.
  int release();

 private:
  std::string name_, folder_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace castforge::cli
