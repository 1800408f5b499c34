// A file, standard input, bytes in memory or made from those of another file, read at offsets. A file is never mapped:
// one that shrinks meanwhile is an error, not a signal.
#pragma once

#include "cli/io/failure.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace castforge::cli {

class Spool;

/// Bytes that something else than a file has, such as a part of one.
class Bytes {
 public:
  virtual ~Bytes() = default;
  virtual std::uint64_t size() const = 0;
  /// Reads up to `length` bytes from `offset`, fewer only where the bytes, or those that they are made from, end.
  virtual std::size_t read_at(std::uint64_t offset, void* dst, std::size_t length) = 0;
};

class InputFile {
 public:
  /// Opens `path`; "-" is standard input. Throws an input/output Failure.
  explicit InputFile(const std::string& path);
  /// Reads from memory, which must outlive it; `name` is what messages call it.
  InputFile(std::string name, std::span<const std::byte> contents);
  /// Reads what was written to a spool.
  InputFile(std::string name, Spool& spool);
  InputFile(std::string name, std::unique_ptr<Bytes> bytes);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// For messages: the path, control characters as \xNN, or "standard input".
  const std::string& name() const { return name_; }
  /// The path that it was opened by; empty where there was none.
  const std::string& path() const { return path_; }

  /// Whether it reads the regular file that is open as `descriptor`.
  bool reads_file_of(int descriptor) const;

  /// Bytes of a regular file; nothing for a pipe or device, which can only be read from front to back.
  std::optional<std::uint64_t> size() const { return size_; }

  /// Size of a file whose format needs one; a usage Failure for a pipe or device.
  std::uint64_t size_for(const char* format) const;

  /// Has a pipe or device answer at any offset: what it delivers is copied to a temporary file. Only where it begins
  /// with `signature`; otherwise no more is taken from it, and it seems to end there. Then it has a size.
  void spool(std::string_view signature);

  /// Reads up to `length` bytes from `offset`, fewer only where the file ends.
  std::size_t read_at(std::uint64_t offset, void* dst, std::size_t length);

  /// Has what is read from now on come from the disk, where it is there already, and not from memory.
  void read_from_disk();

  /// Reads exactly `length` bytes; a file that ends earlier is bad data: `what` was expected there.
  void read_exactly(std::uint64_t offset, void* dst, std::size_t length, const char* what);

  /// All of a file, which is held in memory; of one that has more than `most` bytes a Failure, "expected WHAT of ...".
  std::string read_all(std::string_view what, std::size_t most, ExitCode if_larger = ExitCode::bad_data);

 private:
  int descriptor_ = -1;
  std::string name_, path_;
  std::optional<std::uint64_t> size_;
  std::uint64_t position_ = 0;           // of a pipe
  std::span<const std::byte> contents_;  // where there is no file
  std::unique_ptr<Bytes> bytes_;         // the same
};

}  // namespace castforge::cli
