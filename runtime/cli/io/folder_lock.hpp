// One at a time at work in a folder.
#pragma once

#include <string>

namespace castforge::cli {

/// Holds a folder for as long as it lives, among processes that ask for it this way. Whoever has to wait says so on
/// standard error. File systems without locks let everybody in.
class FolderLock {
 public:
  enum class Kind { exclusive, shared };

  /// Makes the folder, and those above it, where they are missing. `work` is what who has to wait is told is being
  /// worked at. Throws Failure where that cannot be.
  FolderLock(const std::string& folder, Kind kind, const std::string& work);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace castforge::cli
