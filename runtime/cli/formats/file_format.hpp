// Which file format a path or an option stands for.
#pragma once

#include <string>
#include <string_view>

namespace castforge::cli {

enum class FileFormat { npy, safetensors, pb, raw };

/// "npy", "safetensors", "pb", "raw"
std::string_view name(FileFormat format);

/// From the option's word, if any, else from the path's extension; "-" is raw. A usage Failure that names
/// `option` where neither tells.
FileFormat file_format(const std::string& path, const std::string& word, std::string_view option);

}  // namespace castforge::cli
