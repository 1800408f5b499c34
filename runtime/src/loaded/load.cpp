#include <castforge/load.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <castforge/loadable.hpp>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "src/loaded/file_problem.hpp"
#include "src/loaded/loaded_file.hpp"
#include "src/status_parts.hpp"

namespace castforge {
namespace {

/// An open file, closed with the object.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

/// Not strerror, which follows the locale and may share its text among threads.
const char* why(int error) noexcept {
  switch (error) {
    case ENOENT: return "No such file or directory";
    case ENOTDIR: return "Not a directory";
    case EACCES: return "Permission denied";
    case ELOOP: return "Too many levels of symbolic links";
    case ENAMETOOLONG: return "File name too long";
    case EMFILE:
    case ENFILE: return "Too many open files";
    case EIO: return "Input/output error";
    default: return "the system refuses";
  }
}

/// Appends what the file has from there on, `most` bytes of it at most. False with errno where it cannot be read.
bool append(int file, std::vector<std::byte>& bytes, std::size_t most) {
  std::size_t had = bytes.size();
  const std::size_t end = had + most;
  bytes.resize(end);
  while (had < end) {
    const ssize_t got = ::read(file, bytes.data() + had, end - had);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    had += static_cast<std::size_t>(got);
  }
  bytes.resize(had);
  return true;
}

/// The whole file, or nothing and the reason. Of what does not begin as a .cft file only the beginning.
bool read(const char* path, std::vector<std::byte>& bytes, Status& status) {
  const auto unreadable = [&](const char* why) { status = file_refused(FileProblem::unreadable, 0, why); };
  // A pipe is opened without waiting for a writer, only to be refused.
  const Descriptor file{::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  struct stat about {};
  if (file.number < 0 || ::fstat(file.number, &about) != 0) return unreadable(why(errno)), false;
  if (S_ISDIR(about.st_mode)) return unreadable("it is a folder"), false;
  if (!S_ISREG(about.st_mode)) return unreadable("it is no regular file"), false;
  const auto size = static_cast<std::uint64_t>(about.st_size);
  if (size > loadable::kLargestFile) return unreadable("more than 1 GiB"), false;
  const auto begin = static_cast<std::size_t>(std::min<std::uint64_t>(size, loadable::kHeaderBytes));
  if (!append(file.number, bytes, begin)) return unreadable(why(errno)), false;
  const bool is_cft = bytes.size() >= loadable::kMagic.size() &&
                      std::memcmp(bytes.data(), loadable::kMagic.data(), loadable::kMagic.size()) == 0;
  if (is_cft && !append(file.number, bytes, static_cast<std::size_t>(size) - begin))
    return unreadable(why(errno)), false;
  return true;
}

}  // namespace

Status load(std::span<const std::byte> bytes) noexcept {
  if (bytes.data() == nullptr && !bytes.empty())
    return simple_status(StatusCode::null_pointer, Role::source, bytes.size());
  try {
    Status status;
    std::unique_ptr<LoadedFile> file = read_file(bytes, status);
    return file == nullptr ? status : add_loaded(std::move(file));
  } catch (const std::bad_alloc&) {
    return file_refused(FileProblem::memory);
  }
}

Status load(const char* path) noexcept {
  try {
    Status status;
    std::vector<std::byte> bytes;
    return read(path, bytes, status) ? load(bytes) : status;
  } catch (const std::bad_alloc&) {
    return file_refused(FileProblem::memory);
  }
}

}  // namespace castforge
