#include "spec/shipped.hpp"

#include <system_error>

namespace castforge::spec {

std::filesystem::path shipped_data(const char* program, const char* source_dir, const char* data_dir) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) self = program;
  const fs::path installed = (self.parent_path() / data_dir).lexically_normal();
  if (fs::exists(installed / "specs", error)) return installed;
  return (self.parent_path() / source_dir).lexically_normal();  // an absolute source_dir stays what it is
}

}  // namespace castforge::spec
