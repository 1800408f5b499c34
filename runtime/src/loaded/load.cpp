#include <castforge/load.hpp>

#include <castforge/loadable.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "src/loaded/file_problem.hpp"
#include "src/loaded/loaded_file.hpp"

namespace castforge {
namespace {

struct Close {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// The whole file, or nothing and the reason.
bool read(const char* path, std::vector<std::byte>& bytes, Status& status) {
  const auto unreadable = [&](const char* why) { status = file_refused(FileProblem::unreadable, 0, why); };
  errno = 0;
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path, "rb"));
  if (file == nullptr) return unreadable(std::strerror(errno)), false;
  for (;;) {
    constexpr std::size_t kPart = std::size_t{1} << 16;
    const std::size_t had = bytes.size();
    bytes.resize(had + kPart);
    const std::size_t got = std::fread(bytes.data() + had, 1, kPart, file.get());
    bytes.resize(had + got);
    if (got == 0) break;
    if (bytes.size() > loadable::kLargestFile) return unreadable("more than 1 GiB"), false;
  }
  if (std::ferror(file.get()) != 0) return unreadable(std::strerror(errno)), false;
  return true;
}

}  // namespace

Status load(std::span<const std::byte> bytes) noexcept {
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
