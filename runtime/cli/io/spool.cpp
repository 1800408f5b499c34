#include "cli/io/spool.hpp"

#include "cli/io/descriptor.hpp"
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
  if (!write_all(descriptor_, src, length)) {
    throw io_error(name_, text("cannot be kept in ", printable(folder_)), errno);
  }
  size_ += length;
}

int Spool::release() { return std::exchange(descriptor_, -1); }

}  // namespace castforge::cli
