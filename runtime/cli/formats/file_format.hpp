// Which file format a path or an option stands for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace castforge::cli {

enum class FileFormat { npy, npz, safetensors, onnx, pb, raw };

/// Every format can be looked into; not every one is cast, or written.
enum class FileUse { look, read, write };

/// "npy", "npz", "safetensors", "onnx", "pb", "raw"
std::string_view name(FileFormat format);

/// What stands behind the last dot of a path's file name, in small letters.
std::string extension(std::string_view path);

/// The names of all for that use.
std::vector<std::string> file_format_words(FileUse use);

/// From the word of --input-format or --output-format, if any, else from the path's extension; "-" is raw. A usage
/// Failure that names the option where neither tells.
FileFormat file_format(const std::string& path, const std::string& word, FileUse use);

}  // namespace castforge::cli
