#include "cli/io/spool.hpp"

#include "cli/io/failure.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace castforge::cli {

Spool::Spool(std::string name) : name_(std::move(name)) {
  const char* const chosen = std::getenv("TMPDIR");
  folder_ = chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
  std::string path = folder_ + "/castforge-" + std::string(6, 'X');  // what mkostemp fills in
  descriptor_ = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor_ < 0) throw io_error(name_, text("cannot be kept in ", printable(folder_)), errno);
  ::unlink(path.c_str());
}

Spool::~Spool() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Spool::write(const void* src, std::size_t length) {
  for (std::size_t done = 0; done < length;) {
    const ssize_t put = ::write(descriptor_, static_cast<const char*>(src) + done, length - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw io_error(name_, text("cannot be kept in ", printable(folder_)), errno);
    done += static_cast<std::size_t>(put);
  }
  size_ += length;
}

int Spool::release() { return std::exchange(descriptor_, -1); }

}  // namespace castforge::cli
