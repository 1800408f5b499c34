// A file that appears whole or not at all.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace castforge::cli {

/// Writes to a temporary file in the directory of the destination; commit() renames it into place. Without commit(),
/// and when a signal ends the program, the temporary file is removed. Until then only its owner can read it; commit()
/// gives it the permissions of the file that it replaces, or those of a new file. A file that may not be written is not
/// replaced. A symbolic link is followed and stays. A destination that is no regular file (standard output "-", a
/// device, a pipe) is written directly.
class OutputFile {
 public:
  /// Throws an input/output Failure.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// For messages: the path, control characters as \xNN, or "standard output".
  const std::string& name() const { return name_; }
  std::uint64_t written() const { return written_; }

  void write(const void* src, std::size_t length);
  void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }

  /// `see` gets all bytes from now on, in their order, before they are written.
  void watch(std::function<void(const void*, std::size_t)> see) { see_ = std::move(see); }

  /// Where the bytes are until commit(); empty where they are written directly.
  const std::string& temporary() const { return temporary_; }

  /// Whoever may read the file may execute it too.
  void make_executable() { permissions_ |= (permissions_ & 0444) >> 2; }

  /// Makes the bytes written so far last.
  void sync();

  /// Makes the file visible under its name. Nothing may be written afterwards. `last` says whether it has to survive
  /// the machine's end right after that; where it is `maybe`, the file may then be there, not there, or be damaged.
  enum class Last : std::uint8_t { surely, maybe };
  void commit(Last last = Last::surely);

 private:
  void open_temporary(const std::string& path);
  void start_to_disk();
  void close_and_check();

  int descriptor_ = -1;
  mode_t permissions_ = 0;  // of the file under its name
  std::string name_;
  std::string target_;     // what the temporary file is renamed to; empty where written directly
  std::string temporary_;  // empty once renamed
  std::uint64_t written_ = 0;
  std::uint64_t started_ = 0;  // bytes on their way to the disk
  std::function<void(const void*, std::size_t)> see_;
};

/// Throws an input/output Failure where no file can be written under a path, as an OutputFile would at once: there is a
/// folder, or a link that leads nowhere, or the name is too long.
void check_output_path(const std::string& path);

/// The open descriptor that a path, "-" or one of the system, names. What it leads to is written on from where it
/// stands, as a shell means it that appends to a file or lets several programs write one.
std::optional<int> descriptor_of_output(std::string_view path);

/// Writes all of a file.
void write_file(const std::string& path, std::string_view contents, OutputFile::Last last = OutputFile::Last::surely);

/// Removes a file, if there is one, so that it stays removed whatever happens to the machine.
void remove_for_good(const std::string& path);

/// Whether a file of that name, without its folders, is the temporary one of some output.
bool is_temporary_name(std::string_view name);

/// Removes the temporary file `path` if the program that wrote it was killed.
void remove_if_abandoned(const std::string& path);

/// Makes all that was written to the file system of `folder` last: once, after many files that were committed with
/// `Last::maybe`.
void sync_file_system(const std::string& folder);

}  // namespace castforge::cli
