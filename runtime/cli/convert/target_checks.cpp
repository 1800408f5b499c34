#include "cli/convert/target_checks.hpp"

#include "cli/convert/convert.hpp"
#include "cli/convert/shard_state.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <set>

namespace castforge::cli {
namespace fs = std::filesystem;
namespace {

void check_paths(const Checkpoint& checkpoint, const std::string& target) {
  std::set<std::string> names = checkpoint.result_names();
  names.insert(kManifest);
  for (const std::string& name : names) {
    const std::string path = (fs::path(target) / name).string();
    checkpoint.check_is_not_read(path);
    check_output_path(path);
    std::error_code none;
    const fs::file_status there = fs::status(path, none);
    if (fs::exists(there) && !fs::is_regular_file(there))
      throw usage_error(text(printable(path), ": expected a regular file or none, found another kind of file"));
  }
  for (const Shard& shard : checkpoint.shards()) check_output_path(state_path(target, shard.name));
}

/// Loaders follow an index that is left of another result; where there is a file model.safetensors they take that and
/// no index; and some take all shards that a folder has. Files that somebody chose come beside others, though.
bool would_mislead(const Checkpoint& checkpoint, const std::string& left) {
  return is_checkpoint_index(left) || (checkpoint.is_folder() && is_safetensors(left));
}

void check_no_other_result(const Checkpoint& checkpoint, const std::string& target) {
  const std::set<std::string> results = checkpoint.result_names();
  std::string others;
  std::size_t count = 0;
  bool misleads = false;
  for (const std::string& name : names_written(target)) {
    std::error_code error;
    const bool is_there = !fs::path(name).has_parent_path() && fs::exists(fs::path(target) / name, error);
    if (!is_there || results.contains(name)) continue;
    misleads = misleads || would_mislead(checkpoint, name);
    if (++count <= kMostNamed) others += text(others.empty() ? "" : ", ", printable(name));
  }
  if (!misleads) return;
  if (count > kMostNamed) others += text(" and ", count - kMostNamed, " more");
  throw usage_error(text(printable(target), ": expected no result of another source, found ", others,
                         " of an earlier conversion: remove what is not needed, or choose another folder"));
}

}  // namespace

void check_target(const Checkpoint& checkpoint, const std::string& target) {
  check_paths(checkpoint, target);
  check_no_other_result(checkpoint, target);
  for (const std::string& folder : {target, state_folder(target)}) {
    if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0 && (errno != ENOENT || folder == target))
      throw io_error(printable(folder), "cannot write", errno);
  }
}

}  // namespace castforge::cli
