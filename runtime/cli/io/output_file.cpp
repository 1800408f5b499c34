#include "cli/io/output_file.hpp"

#include "cli/io/descriptor.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/interrupt.hpp"
#include "cli/io/words.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace castforge::cli {
namespace {

constexpr std::uint64_t kToDiskAtOnce = 8 << 20;
constexpr std::string_view kTemporaryEnding = ".tmp";

constexpr mode_t kPermissions = 0777;  // setuid, setgid and sticky bits are not for new contents

/// Permissions of a new file. A umask can only be read by setting it, which two threads must not do at once.
mode_t permissions_of_new_file() {
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  const mode_t mask = ::umask(077);
  ::umask(mask);
  return 0666 & ~mask;
}

/// Where an error means no more than that the file system cannot do it.
void sync_folder(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// The file itself where `path` is a symbolic link to one, so that renaming does not replace the link.
std::string without_links(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

/// The folder of a path, ending in a slash where it is named, and the beginning of the names of its temporary files:
/// the name is shortened so that they stay below the usual 255 bytes.
struct TemporaryNames {
  explicit TemporaryNames(const std::string& path) {
    const std::size_t base = path.rfind('/') + 1;  // 0 where there is none
    folder = path.substr(0, base);
    beginning = text(".", path.substr(base, 200), ".");
  }
  std::string shown_folder() const { return folder.empty() ? "." : printable(folder); }
  std::string folder, beginning;
};

/// Of a temporary's name what tells it from others of the same path.
bool is_number_of_writer(std::string_view part) { return part.find_first_not_of("0123456789-") == part.npos; }

/// Locks a new temporary, which says that its writer lives (see sweep_temporaries), and tells whether it is still
/// there: whoever sweeps may have found it before.
bool held(int descriptor) {
  while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
  }
  struct stat status {};
  errno = ENOENT;
  return ::fstat(descriptor, &status) == 0 && status.st_nlink != 0;
}

}  // namespace

void remove_for_good(const std::string& path) {
  if (::unlink(path.c_str()) == 0) return sync_folder(path);
  const int error = errno;
  struct stat status {};
  // A file system that cannot be written to says so of files that are not there, too.
  const bool is_absent = ::lstat(path.c_str(), &status) != 0 && errno == ENOENT;
  if (!is_absent) throw io_error(printable(path), "cannot remove", error);
}

bool is_temporary_name(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(kTemporaryEnding)) return false;
  name.remove_suffix(kTemporaryEnding.size());
  const std::size_t dot = name.rfind('.');
  return dot != 0 && dot + 1 < name.size() && is_number_of_writer(name.substr(dot + 1));
}

void remove_if_abandoned(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  // Its writer holds the lock for as long as it lives. A file system without locks cannot tell.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(descriptor);
}

void sync_file_system(const std::string& folder) {
#ifdef __linux__
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  const int result = ::syncfs(descriptor);
  const int error = errno;
  ::close(descriptor);
  if (result != 0 && error != EINVAL && error != ENOTSUP && error != ENOSYS)
    throw io_error(printable(folder), "cannot write", error);
#else
  static_cast<void>(folder);
  ::sync();
#endif
}

namespace {

/// Removes the temporary files that programs which were killed while they wrote `path` left beside it. Those of a
/// program that lives stay.
void sweep_temporaries(const std::string& path) {
  const TemporaryNames names(path);
  std::error_code error;
  std::vector<std::string> found;
  const std::filesystem::path folder = names.folder.empty() ? "." : names.folder;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const std::size_t ends = names.beginning.size() + kTemporaryEnding.size();
    if (name.size() <= ends || !name.starts_with(names.beginning) || !name.ends_with(kTemporaryEnding)) continue;
    const std::string_view middle = std::string_view(name).substr(names.beginning.size(), name.size() - ends);
    if (is_number_of_writer(middle)) found.push_back(entry.path().string());
  }
  for (const std::string& name : found) remove_if_abandoned(name);
}

/// In a folder with the sticky bit files are replaced by their owners and the folder's alone.
void check_may_be_replaced(const std::string& path, const struct stat& file) {
  const std::string folder = TemporaryNames(without_links(path)).folder;
  struct stat status {};
  if (::stat(folder.empty() ? "." : folder.c_str(), &status) != 0 || (status.st_mode & S_ISVTX) == 0) return;
  const uid_t self = ::geteuid();
  if (self != 0 && self != file.st_uid && self != status.st_uid)
    throw io_error(printable(path), "cannot replace", EPERM);
}

/// What is there under the path of an output; nothing where there is no file yet.
std::optional<struct stat> status_of_output(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) throw io_error(printable(path), "cannot write", EISDIR);
    // Renaming asks for no permission of the file that is replaced.
    if (S_ISREG(status.st_mode) && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0 && errno == EACCES)
      throw io_error(printable(path), "cannot write", EACCES);
    if (S_ISREG(status.st_mode)) check_may_be_replaced(path, status);
    return status;
  }
  const int error = errno;
  // The temporary file's name is shorter: renaming alone would say it, when all the work is done.
  if (error == ENAMETOOLONG) throw io_error(printable(path), "cannot write", error);
  struct stat link {};
  if (::lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode)) {
    throw io_error(printable(path), "cannot follow the symbolic link", error);
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> descriptor_of_output(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    if (const auto number = parse_number<int>(path.substr(folder.size())); number && *number >= 0) return number;
  }
  return std::nullopt;
}

void check_output_path(const std::string& path) { status_of_output(path); }

OutputFile::OutputFile(const std::string& path) : name_(path == "-" ? "standard output" : printable(path)) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  if (const auto open = descriptor_of_output(path)) {
    descriptor_ = ::fcntl(*open, F_DUPFD_CLOEXEC, 3);
    if (descriptor_ < 0) throw io_error(name_, "cannot write", errno);
    return;
  }
  const std::optional<struct stat> there = status_of_output(path);
  if (there && !S_ISREG(there->st_mode)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw io_error(name_, "cannot write", errno);
    return;
  }
  permissions_ = there ? there->st_mode & kPermissions : permissions_of_new_file();
  open_temporary(there ? without_links(path) : path);
  // Where an administrator replaces a user's file it stays the user's; others may not give files away, and keep theirs.
  if (there && ::geteuid() == 0 && ::fchown(descriptor_, there->st_uid, there->st_gid) != 0) errno = 0;
}

void OutputFile::open_temporary(const std::string& path) {
  target_ = path;
  sweep_temporaries(path);
  const TemporaryNames names(path);
  const SignalsHeld until_known;
  for (int attempt = 0;; ++attempt) {
    temporary_ = text(names.folder, names.beginning, ::getpid(), "-", attempt, kTemporaryEnding);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor_ >= 0 && held(descriptor_)) break;
    const int error = errno;
    const bool swept = descriptor_ >= 0;
    if (swept) ::close(descriptor_);
    descriptor_ = -1;
    if ((!swept && error != EEXIST) || attempt == 1000) {
      temporary_.clear();
      // The file itself may well be one that may be written.
      if (!swept && error == EACCES) throw io_error(name_, text("cannot make a file in ", names.shown_folder()), error);
      throw io_error(name_, "cannot write", error);
    }
  }
  remove_when_interrupted(temporary_);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
    nothing_to_remove(temporary_);
  }
}

void OutputFile::write(const void* src, std::size_t length) {
  if (see_) see_(src, length);
  if (!write_all(descriptor_, src, length)) throw io_error(name_, "cannot write", errno);
  written_ += length;
  if (!temporary_.empty() && written_ - started_ >= kToDiskAtOnce) start_to_disk();
}

/// The disk works while the program does, and commit() has less to wait for.
void OutputFile::start_to_disk() {
#ifdef SYNC_FILE_RANGE_WRITE
  ::sync_file_range(descriptor_, static_cast<off_t>(started_), static_cast<off_t>(written_ - started_),
                    SYNC_FILE_RANGE_WRITE);
#endif
  started_ = written_;
}

void OutputFile::sync() {
  int result = 0;
  do {
    result = ::fsync(descriptor_);
  } while (result != 0 && errno == EINTR);
  // Some file systems have no such thing; a full disk may show here first.
  if (result != 0 && errno != EINVAL && errno != ENOTSUP) throw io_error(name_, "cannot write", errno);
}

void OutputFile::close_and_check() {
  if (descriptor_ == STDOUT_FILENO) return;
  const int result = ::close(descriptor_);
  descriptor_ = -1;
  if (result != 0 && errno != EINTR) throw io_error(name_, "cannot write", errno);
}

void OutputFile::commit(Last last) {
  if (temporary_.empty()) return close_and_check();
  // The contents reach the disk before the name does: what a crash leaves is the old file or the new one.
  if (last == Last::surely) sync();
  // File systems that know no permissions refuse; what they show of every file will do.
  if (::fchmod(descriptor_, permissions_) != 0) errno = 0;
  // Closing may fail as writing may, so it comes first; the lock, which says that this writer lives, stays until then.
  const Descriptor lock(::fcntl(descriptor_, F_DUPFD_CLOEXEC, 3));
  if (lock.number < 0) throw io_error(name_, "cannot write", errno);
  close_and_check();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    throw io_error(name_, "cannot rename into place", errno);
  }
  nothing_to_remove(temporary_);
  temporary_.clear();
  if (last == Last::surely) sync_folder(target_);
}

void write_file(const std::string& path, std::string_view contents, OutputFile::Last last) {
  OutputFile file(path);
  file.write(contents);
  file.commit(last);
}

}  // namespace castforge::cli
