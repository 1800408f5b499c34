#include "cli/formats/safetensors.hpp"

#include "cli/io/failure.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/unicode.hpp"

namespace castforge::cli {

std::optional<Type> type_of_dtype(std::string_view dtype) {
  const auto type = find_type_in("safetensors", dtype);
  return type && !is_string(*type) ? type : std::nullopt;
}

std::string dtype_of_type(const std::string& file, Type type) {
  const std::string_view dtype = alias(type, "safetensors");
  if (dtype.empty()) {
    throw usage_error(
        text(file, ": a safetensors file cannot hold ", name(type), ", which has no alias of safetensors"));
  }
  return std::string(dtype);
}

SafetensorsSource::SafetensorsSource(InputFile& file, const SafetensorsHeader& header, const SafetensorsEntry& entry,
                                     Type type)
    : file_(file), offset_(header.data_offset() + entry.begin) {
  info_.name = entry.name();
  info_.type = type;
  info_.shape = entry.shape;
  info_.count = entry.count;
}

std::unique_ptr<ElementReader> SafetensorsSource::elements() {
  return std::make_unique<FileElementReader>(file_, offset_, info_.type, info_.count);
}

std::unique_ptr<TextReader> SafetensorsSource::texts() {
  throw bad_file(file_.name(), "a safetensors file holds no strings");
}

void lay_out(const std::string& file, SafetensorsEntry& tensor, int bits, std::uint64_t begin) {
  if (tensor.name_token == kMetadataToken)
    throw bad_file(file, "expected another name of a tensor: under __metadata__ safetensors keep texts about the file");
  if (tensor.shape.size() > kMostSafetensorsExtents) {
    throw bad_file(file, text("tensor ", in_quotes(tensor.name()), ": ", too_many_extents()));
  }
  if (tensor.count % 8 * static_cast<std::uint64_t>(bits) % 8 != 0) {
    throw bad_file(
        file, text("tensor ", in_quotes(tensor.name()), ": safetensors wants elements that fill whole bytes, found ",
                   counted(tensor.count, "element"), " of ", bits, " bits"));
  }
  const auto bytes = packed_bytes(tensor.count, bits);
  if (!bytes || *bytes > static_cast<std::uint64_t>(INT64_MAX) - begin) {
    throw bad_file(file,
                   text("tensor ", in_quotes(tensor.name()), ": shape ", shape_text(tensor.shape), " is too large"));
  }
  tensor.begin = begin;
  tensor.end = begin + *bytes;
}

std::unique_ptr<ElementWriter> start_safetensors(OutputFile& file, const TensorInfo& tensor) {
  // JSON is UTF-8: other bytes would be replaced, and the tensor have another name than it had.
  if (!count_code_points(tensor.name)) {
    throw bad_file(file.name(), text("name: expected UTF-8, found ", in_quotes(tensor.name)));
  }
  const std::string name = json_text(tensor.name.empty() ? "tensor" : tensor.name);
  SafetensorsEntry entry{.name_token = name,
                         .dtype = dtype_of_type(file.name(), tensor.type),
                         .shape = tensor.shape,
                         .count = *tensor.count};
  lay_out(file.name(), entry, safetensors_bits(entry.dtype), 0);
  write_safetensors_header(file, "", 1, [&](std::size_t) { return entry; });
  return std::make_unique<FileElementWriter>(file, tensor.type);
}

}  // namespace castforge::cli
