// A file, standard input or bytes in memory, read at offsets. A file is never mapped: one that shrinks meanwhile is an
// error, not a signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace castforge::cli {

class InputFile {
 public:
  /// Opens `path`; "-" is standard input. Throws an input/output Failure.
  explicit InputFile(const std::string& path);
  /// Reads from memory, which must outlive it; `name` is what messages call it.
  InputFile(std::string name, std::span<const std::byte> contents);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// For messages: the path, control characters as \xNN, or "standard input".
  const std::string& name() const { return name_; }

  /// Bytes of a regular file; nothing for a pipe or device, which can only be read from front to back.
  std::optional<std::uint64_t> size() const { return size_; }

  /// Size of a file whose format needs one; a usage Failure for a pipe or device.
  std::uint64_t size_for(const char* format) const;

  /// Reads up to `length` bytes from `offset`, fewer only where the file ends.
  std::size_t read_at(std::uint64_t offset, void* dst, std::size_t length);

  /// Has what is read from now on come from the disk, where it is there already, and not from memory.
  void read_from_disk();

  /// Reads exactly `length` bytes; a file that ends earlier is bad data: `what` was expected there.
  void read_exactly(std::uint64_t offset, void* dst, std::size_t length, const char* what);

 private:
  int descriptor_ = -1;
  std::string name_;
  std::optional<std::uint64_t> size_;
  std::uint64_t position_ = 0;           // of a pipe
  std::span<const std::byte> contents_;  // where there is no file
};

}  // namespace castforge::cli
