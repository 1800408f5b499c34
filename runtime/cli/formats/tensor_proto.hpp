// ONNX TensorProto messages, .pb (onnx.proto, message TensorProto).
//
// Elements are read from raw_data or from the typed field of the element type, packed or not; they are
// written as raw_data; strings are in string_data (string_data.hpp). Other fields (name, doc_string,
// unknown ones) pass through unchanged. In models elements may be in another file (onnx_model.hpp).
#pragma once

#include "cli/formats/element_io.hpp"
#include "cli/formats/wire.hpp"

namespace castforge::cli {

/// Where elements are that are in another file, as the message says it.
struct ExternalData {
  std::string location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

enum class IfExternal : std::uint8_t { refuse, allow };

class TensorProtoSource : public TensorSource {
 public:
  /// `from` must agree with the message's data_type. Segmented data are refused, and external ones unless they are
  /// allowed, for a caller who reads them by external().
  TensorProtoSource(InputFile& file, std::optional<Type> from, IfExternal if_external = IfExternal::refuse);
  std::unique_ptr<ElementReader> elements() override;
  std::unique_ptr<TextReader> texts() override;

  /// Copies the fields that hold no elements: those before raw_data in the order of their numbers, or those
  /// after. data_type is replaced by `data_type`.
  void copy_fields(OutputFile& out, bool after_raw_data, std::uint64_t data_type) const;
  std::uint64_t copied_bytes() const { return copied_bytes_; }

  /// The field raw_data, if there is one, and where external data are, if they are.
  const std::optional<WireField>& raw_data() const { return raw_data_; }
  const std::optional<ExternalData>& external() const { return external_; }

 private:
  void read_external(const WireField& entry);
  void check_type(std::uint64_t data_type, std::uint64_t offset, std::optional<Type> from);

  InputFile& file_;
  std::uint64_t size_;
  std::uint64_t copied_bytes_ = 0;
  std::optional<WireField> raw_data_;
  std::optional<ExternalData> external_;
};

/// Adds the extents that one field `dims` of a message has.
void read_dims(InputFile& file, const WireField& field, Shape& shape);

/// What Protocol Buffers allow.
inline constexpr std::uint64_t kLargestTensorProto = (std::uint64_t{1} << 31) - 1;

/// Writes the fields before the elements and returns the number of the element type. `original`, if any, is
/// the message whose other fields are kept. Throws a usage Failure where the format lacks the type.
std::uint64_t write_tensor_proto_head(OutputFile& file, const TensorInfo& tensor, const TensorProtoSource* original);

/// Writes everything before the elements; they follow through the writer returned, whose finish() writes
/// the rest. Throws a Failure where the format lacks the type or the message would exceed 2 GiB.
std::unique_ptr<ElementWriter> start_tensor_proto(OutputFile& file, const TensorInfo& tensor,
                                                  const TensorProtoSource* original);

}  // namespace castforge::cli
