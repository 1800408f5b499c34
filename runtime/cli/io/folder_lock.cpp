#include "cli/io/folder_lock.hpp"

#include "cli/io/failure.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

namespace castforge::cli {
namespace {

/// Waits until nobody is in the way.
void wait_for(int descriptor, int operation, const std::string& work) {
  if (::flock(descriptor, operation | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  std::fprintf(stderr, "castforge: %s: another conversion is at work here; this one goes on when it has ended\n",
               printable(work).c_str());
  while (::flock(descriptor, operation) != 0 && errno == EINTR) {
  }
}

/// Is what was opened still what the name stands for? Whoever held it may have removed it.
bool is_still(int descriptor, const std::string& folder) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(folder.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder, Kind kind, const std::string& work) {
  for (;;) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw io_error(printable(folder), "cannot make the folder", error.value());
    descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0 && errno == ENOENT) continue;
    if (descriptor_ < 0) throw io_error(printable(folder), "cannot open the folder", errno);
    wait_for(descriptor_, kind == Kind::exclusive ? LOCK_EX : LOCK_SH, work);
    if (is_still(descriptor_, folder)) return;
    ::close(descriptor_);
  }
}

FolderLock::~FolderLock() { ::close(descriptor_); }

}  // namespace castforge::cli
