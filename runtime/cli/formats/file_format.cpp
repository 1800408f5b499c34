#include "cli/formats/file_format.hpp"

#include "cli/io/failure.hpp"

#include <cctype>
#include <optional>

namespace castforge::cli {
namespace {

constexpr FileFormat kFormats[] = {FileFormat::npy, FileFormat::safetensors, FileFormat::pb, FileFormat::raw};

std::optional<FileFormat> find(std::string_view word) {
  for (const FileFormat format : kFormats) {
    if (word == name(format)) return format;
  }
  return std::nullopt;
}

std::string extension(const std::string& path) {
  const std::string base = path.substr(path.rfind('/') + 1);
  const std::size_t dot = base.rfind('.');
  std::string result = dot == std::string::npos ? "" : base.substr(dot + 1);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

std::string_view name(FileFormat format) {
  switch (format) {
    case FileFormat::npy: return "npy";
    case FileFormat::safetensors: return "safetensors";
    case FileFormat::pb: return "pb";
    case FileFormat::raw: break;
  }
  return "raw";
}

FileFormat file_format(const std::string& path, const std::string& word, std::string_view option) {
  if (!word.empty()) {
    if (const auto format = find(word)) return *format;
    throw usage_error(text(option, ": expected npy, safetensors, pb or raw, found ", in_quotes(word)));
  }
  if (path == "-") return FileFormat::raw;
  if (const auto format = find(extension(path))) return *format;
  throw usage_error(text(printable(path), ": expected the extension .npy, .safetensors, .pb or .raw; ", option,
                         " says what a file of another name is"));
}

}  // namespace castforge::cli
