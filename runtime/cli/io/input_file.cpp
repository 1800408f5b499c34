#include "cli/io/input_file.hpp"

#include "cli/io/spool.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>
#include <vector>

namespace castforge::cli {

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "standard input" : printable(path)), path_(path) {
  if (path == "-") {
    descriptor_ = STDIN_FILENO;
  } else {
    do {
      descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    } while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) throw io_error(name_, "cannot open", errno);
  }
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || S_ISDIR(status.st_mode)) {
    const int error = S_ISDIR(status.st_mode) ? EISDIR : errno;
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
    throw io_error(name_, "cannot read", error);
  }
  // Standard input may be a file that a shell has already read from: take it as a stream.
  if (S_ISREG(status.st_mode) && path != "-") size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::InputFile(std::string name, std::span<const std::byte> contents)
    : name_(std::move(name)), size_(contents.size()), contents_(contents) {}

InputFile::InputFile(std::string name, Spool& spool) : name_(std::move(name)), size_(spool.size()) {
  descriptor_ = spool.release();
}

InputFile::InputFile(std::string name, std::unique_ptr<Bytes> bytes)
    : name_(std::move(name)), size_(bytes->size()), bytes_(std::move(bytes)) {}

InputFile::~InputFile() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

bool InputFile::reads_file_of(int descriptor) const {
  struct stat own {};
  struct stat other {};
  return ::fstat(descriptor_, &own) == 0 && ::fstat(descriptor, &other) == 0 && S_ISREG(own.st_mode) &&
         own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

std::uint64_t InputFile::size_for(const char* format) const {
  if (!size_) {
    throw usage_error(text(name_, ": ", format, " input must be a regular file; a stream can only be raw, npy or npz"));
  }
  return *size_;
}

void InputFile::spool(std::string_view signature) {
  if (size_) return;
  Spool copy(name_);
  std::vector<char> block(1 << 20);
  std::size_t got = read_at(0, block.data(), signature.size());
  const bool begins = std::string_view(block.data(), got) == signature;
  copy.write(block.data(), got);
  while (begins && (got = read_at(copy.size(), block.data(), block.size())) != 0) copy.write(block.data(), got);
  if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  size_ = copy.size();
  descriptor_ = copy.release();
}

std::size_t InputFile::read_at(std::uint64_t offset, void* dst, std::size_t length) {
  if (!size_ && offset != position_) throw std::logic_error("a stream is read from front to back");
  if (bytes_) return bytes_->read_at(offset, dst, length);
  if (descriptor_ < 0) {
    if (offset >= contents_.size()) return 0;
    const auto part = contents_.subspan(offset, std::min<std::size_t>(length, contents_.size() - offset));
    std::copy(part.begin(), part.end(), static_cast<std::byte*>(dst));
    return part.size();
  }
  std::size_t done = 0;
  while (done < length) {
    const std::size_t most = std::min<std::size_t>(length - done, std::numeric_limits<int>::max());
    char* to = static_cast<char*>(dst) + done;
    const ssize_t got =
        size_ ? ::pread(descriptor_, to, most, static_cast<off_t>(offset + done)) : ::read(descriptor_, to, most);
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR) continue;
      throw io_error(name_, "cannot read", errno);
    }
    done += static_cast<std::size_t>(got);
  }
  if (!size_) position_ = offset + done;
  return done;
}

void InputFile::read_from_disk() {
#ifdef POSIX_FADV_DONTNEED
  ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED);
#endif
}

void InputFile::read_exactly(std::uint64_t offset, void* dst, std::size_t length, const char* what) {
  const std::size_t got = read_at(offset, dst, length);
  if (got != length) {
    throw bad_byte(name_, offset,
                   text("expected ", length, " bytes of ", what, ", found ", got, " before the file ends"));
  }
}

std::string InputFile::read_all(std::string_view what, std::size_t most, ExitCode if_larger) {
  std::string contents(static_cast<std::size_t>(std::min<std::uint64_t>(size_.value_or(most), most)) + 1, '\0');
  std::size_t got = read_at(0, contents.data(), contents.size());
  while (got == contents.size() && got <= most) {  // it has grown, or does not say how large it is
    contents.resize(std::min(2 * got, most) + 1);
    got += read_at(got, contents.data() + got, contents.size() - got);
  }
  contents.resize(got);
  if (got <= most) return contents;
  throw Failure(if_larger, text(name_, ": expected ", what, " of at most ", most, " bytes, found ",
                                size_.value_or(0) > most ? std::to_string(*size_) : "more"));
}

}  // namespace castforge::cli
