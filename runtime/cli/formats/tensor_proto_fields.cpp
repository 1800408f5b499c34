#include "cli/formats/tensor_proto_fields.hpp"

#include "cli/io/failure.hpp"
#include "cli/io/words.hpp"

#include <string_view>

namespace castforge::cli {
namespace {

/// A type's name in a system whose names are numbers; nothing where it has none, or what is no number: what a user
/// has loaded may say anything.
std::optional<std::uint64_t> alias_number(Type type, std::string_view system) {
  return parse_number<std::uint64_t>(alias(type, system));
}

}  // namespace

std::string field_name(std::uint32_t number) {
  switch (number) {
    case field::kDims: return "dims";
    case field::kDataType: return "data_type";
    case field::kSegment: return "segment";
    case field::kFloatData: return "float_data";
    case field::kInt32Data: return "int32_data";
    case field::kStringData: return "string_data";
    case field::kInt64Data: return "int64_data";
    case field::kName: return "name";
    case field::kRawData: return "raw_data";
    case field::kDoubleData: return "double_data";
    case field::kUint64Data: return "uint64_data";
    case field::kExternalData: return "external_data";
    case field::kDataLocation: return "data_location";
    default: return "field " + std::to_string(number);
  }
}

void expect_type(const InputFile& file, const WireField& found, std::initializer_list<WireType> allowed) {
  for (const WireType type : allowed) {
    if (found.type == type) return;
  }
  throw bad_byte(file.name(), found.offset,
                 text(field_name(found.number), ": expected wire type ", static_cast<int>(*allowed.begin()), ", found ",
                      static_cast<int>(found.type)));
}

bool holds_elements(std::uint32_t number) {
  switch (number) {
    case field::kFloatData:
    case field::kInt32Data:
    case field::kStringData:
    case field::kInt64Data:
    case field::kRawData:
    case field::kDoubleData:
    case field::kUint64Data: return true;
    default: return false;
  }
}

std::optional<std::uint64_t> onnx_number(Type type) { return alias_number(type, "onnx_enum"); }

std::uint64_t onnx_ir_version(Type type) { return alias_number(type, "onnx_ir").value_or(0); }

std::string_view uncastable_type(std::uint64_t data_type) {
  switch (data_type) {
    case 0: return "UNDEFINED";
    case 14: return "COMPLEX64";
    case 15: return "COMPLEX128";
    default: return "";
  }
}

std::uint32_t typed_field_of(Type type) {
  const TypeInfo info = type_info(type);
  if (info.kind == TypeKind::string) return field::kStringData;
  if (info.kind == TypeKind::floating && info.storage_bits == 32) return field::kFloatData;
  if (info.kind == TypeKind::floating && info.storage_bits == 64) return field::kDoubleData;
  if (info.kind == TypeKind::integer && info.storage_bits == 64 && info.is_signed) return field::kInt64Data;
  if (info.kind == TypeKind::integer && info.storage_bits >= 32 && !info.is_signed) {
    return field::kUint64Data;
  }
  return field::kInt32Data;
}

}  // namespace castforge::cli
