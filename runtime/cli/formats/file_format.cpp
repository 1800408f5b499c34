#include "cli/formats/file_format.hpp"

#include "cli/io/failure.hpp"
#include "src/user_facing.hpp"

#include <filesystem>
#include <optional>

namespace castforge::cli {
namespace {

constexpr FileFormat kFormats[] = {FileFormat::npy,  FileFormat::npz, FileFormat::safetensors,
                                   FileFormat::onnx, FileFormat::pb,  FileFormat::raw};

constexpr const char* kModelsGoTo = "; `castforge convert` takes ONNX models";

bool is_for(FileFormat format, FileUse use) {
  if (format == FileFormat::onnx) return use == FileUse::look;
  return use != FileUse::write || format != FileFormat::npz;
}

std::optional<FileFormat> find(std::string_view word, FileUse use) {
  for (const FileFormat format : kFormats) {
    if (word == name(format) && is_for(format, use)) return format;
  }
  return std::nullopt;
}

/// "npy, safetensors, pb or raw", each after `prefix`.
std::string list_of_formats(FileUse use, std::string_view prefix) {
  const std::vector<std::string> words = file_format_words(use);
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += text(i == 0 ? "" : i + 1 < words.size() ? ", " : " or ", prefix, words[i]);
  return out;
}

}  // namespace

std::string extension(std::string_view path) {
  const std::string_view base = path.substr(path.rfind('/') + 1);
  const std::size_t dot = base.rfind('.');
  std::string result(dot == std::string_view::npos ? std::string_view() : base.substr(dot + 1));
  for (char& c : result) c = to_lower(c);
  return result;
}

std::string_view name(FileFormat format) {
  switch (format) {
    case FileFormat::npy: return "npy";
    case FileFormat::npz: return "npz";
    case FileFormat::safetensors: return "safetensors";
    case FileFormat::onnx: return "onnx";
    case FileFormat::pb: return "pb";
    case FileFormat::raw: break;
  }
  return "raw";
}

std::vector<std::string> file_format_words(FileUse use) {
  std::vector<std::string> words;
  for (const FileFormat format : kFormats) {
    if (is_for(format, use)) words.emplace_back(name(format));
  }
  return words;
}

FileFormat file_format(const std::string& path, const std::string& word, FileUse use) {
  const char* const option = use == FileUse::write ? "--output-format" : "--input-format";
  if (!word.empty()) {
    if (const auto format = find(word, use)) return *format;
    throw usage_error(text(option, ": expected ", list_of_formats(use, ""), ", found ", in_quotes(word),
                           did_you_mean(word, file_format_words(use))));
  }
  if (path == "-") return FileFormat::raw;
  if (const auto format = find(extension(path), use)) return *format;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (use != FileUse::write && !std::filesystem::exists(status))
    throw io_error(printable(path), "cannot open", error.value());
  if (std::filesystem::is_directory(status)) {
    throw usage_error(text(printable(path), ": expected a file, found a folder",
                           use == FileUse::write ? "" : "; `castforge convert` takes those of checkpoints"));
  }
  throw usage_error(text(printable(path), ": expected the extension ", list_of_formats(use, "."), "; ", option,
                         " says what a file of another name is",
                         use == FileUse::read && extension(path) == "onnx" ? kModelsGoTo : ""));
}

}  // namespace castforge::cli
