#include "cli/formats/tensor_proto.hpp"

#include "cli/formats/string_data.hpp"
#include "cli/formats/tensor_proto_fields.hpp"
#include "cli/formats/typed_field_reader.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/file_parts.hpp"
#include "cli/io/words.hpp"

#include <limits>

namespace castforge::cli {
namespace {

// More than any tensor has; a bound on memory.
constexpr std::size_t kHighestProtoRank = 1024;
constexpr std::size_t kCopiedTogether = 1 << 16;

/// Where the field data_type of a tensor may be, a whole model has its producer's name, and its graph where integers
/// may be.
constexpr const char* kAsInModel =
    ", as in an ONNX model, which `castforge info` and `castforge convert` take as an .onnx file";

class TensorProtoWriter : public FileElementWriter {
 public:
  TensorProtoWriter(OutputFile& file, const TensorInfo& tensor, const TensorProtoSource* original,
                    std::uint64_t data_type)
      : FileElementWriter(file, tensor.type), file_(file), original_(original), data_type_(data_type) {}

  void finish() override {
    if (original_ != nullptr) original_->copy_fields(file_, true, data_type_);
  }

 private:
  OutputFile& file_;
  const TensorProtoSource* original_;
  std::uint64_t data_type_;
};

}  // namespace

TensorProtoSource::TensorProtoSource(InputFile& file, std::optional<Type> from, IfExternal if_external)
    : file_(file), size_(file.size_for("pb")) {
  std::optional<WireField> data_type, typed_data, location;
  const auto once = [&](std::optional<WireField>& kept, const WireField& field) {
    if (kept) {
      throw bad_byte(file_.name(), field.offset, text(field_name(field.number), ": expected once, found again"));
    }
    kept = field;
  };
  WireFields fields(file, 0, size_);
  for (WireField field; fields.next(field);) {
    switch (field.number) {
      case field::kDims: read_dims(file, field, info_.shape); break;
      case field::kDataType:
        if (field.type == WireType::bytes && if_external == IfExternal::refuse) {
          throw bad_byte(file.name(), field.offset, text("data_type: expected wire type 0, found 2", kAsInModel));
        }
        expect_type(file, field, {WireType::varint});
        once(data_type, field);
        break;
      case field::kName: info_.name = read_wire_text(file, field, "name"); break;
      case field::kRawData:
        expect_type(file, field, {WireType::bytes});
        once(raw_data_, field);
        break;
      case field::kSegment:
        throw bad_byte(file.name(), field.offset, "segment: expected a whole tensor, found a segment of one");
      case field::kExternalData:
        if (if_external == IfExternal::refuse) {
          throw bad_byte(file.name(), field.offset,
                         "external_data: expected the elements in this file, found a reference to another");
        }
        read_external(field);
        break;
      case field::kDataLocation:
        expect_type(file, field, {WireType::varint});
        if (field.value > (if_external == IfExternal::refuse ? 0 : kExternalLocation)) {
          throw bad_byte(file.name(), field.offset,
                         text("data_location: expected 0 (in this file)",
                              if_external == IfExternal::refuse ? "" : " or 1 (in another)", ", found ", field.value));
        }
        location = field;
        break;
      default:
        if (!holds_elements(field.number)) break;
        if (typed_data && typed_data->number != field.number) {
          throw bad_byte(file.name(), field.offset,
                         text("expected elements in ", field_name(typed_data->number), " only, found ",
                              field_name(field.number), " too"));
        }
        if (!typed_data) typed_data = field;
    }
    if (!holds_elements(field.number)) {
      copied_bytes_ += field.payload_offset + field.payload_size - field.offset;
    }
  }

  if (!data_type) {
    const bool is_model = typed_data && typed_data->number == field::kInt64Data && if_external == IfExternal::refuse;
    throw bad_byte(file.name(), size_,
                   text("expected the field data_type, found the end of the message", is_model ? kAsInModel : ""));
  }
  check_type(data_type->value, data_type->offset, from);
  info_.count = element_count(info_.shape);
  const int bits = type_info(info_.type).storage_bits;
  const auto bytes = info_.count ? packed_bytes(*info_.count, bits) : std::nullopt;
  if (!bytes) throw bad_file(file.name(), text("dims ", shape_text(info_.shape), " are too large"));
  const bool is_external = location && location->value == kExternalLocation;
  if (external_ && !is_external) {
    throw bad_file(file.name(), "external_data: expected data_location 1 (in another file) beside it");
  }
  if (is_external && (!external_ || external_->location.empty())) {
    throw bad_byte(file.name(), location->offset, "data_location: expected external_data with a location beside it");
  }
  if (is_external && (raw_data_ || typed_data || is_string(info_.type))) {
    throw bad_byte(file.name(), location->offset,
                   is_string(info_.type) ? "data_location: expected strings in this file, found 1 (in another)"
                                         : "data_location: expected no elements in this file, found some");
  }
  if (is_external && external_->length.value_or(*bytes) != *bytes) {
    throw bad_file(file.name(), text("external_data: expected a length of ", *bytes, " bytes for ", name(info_.type),
                                     " ", shape_text(info_.shape), ", found ", *external_->length));
  }
  if (raw_data_ && typed_data) {
    throw bad_byte(file.name(), typed_data->offset,
                   text("expected elements in raw_data only, found ", field_name(typed_data->number), " too"));
  }
  if (raw_data_ && is_string(info_.type)) {
    throw bad_byte(file.name(), raw_data_->offset, "expected strings in string_data, found raw_data");
  }
  if (raw_data_ && raw_data_->payload_size != *bytes) {
    throw bad_byte(file.name(), raw_data_->payload_offset,
                   text("raw_data: expected ", *bytes, " bytes for ", name(info_.type), " ", shape_text(info_.shape),
                        ", found ", raw_data_->payload_size));
  }
  const std::uint32_t own_field = typed_field_of(info_.type);
  if (typed_data && typed_data->number != own_field) {
    throw bad_byte(file.name(), typed_data->offset,
                   text("expected elements of ", name(info_.type), " in ", field_name(own_field),
                        " or raw_data, found ", field_name(typed_data->number)));
  }
}

void read_dims(InputFile& file, const WireField& field, Shape& shape) {
  expect_type(file, field, {WireType::varint, WireType::bytes});
  const auto add = [&](std::uint64_t offset, std::uint64_t extent) {
    if (extent > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      throw bad_byte(file.name(), offset,
                     text("dims: expected a non-negative extent, found ", static_cast<std::int64_t>(extent)));
    }
    if (shape.size() == kHighestProtoRank) {
      throw bad_byte(file.name(), offset, text("dims: expected at most ", kHighestProtoRank, " extents, found more"));
    }
    shape.push_back(extent);
  };
  if (field.type == WireType::varint) return add(field.payload_offset, field.value);
  WireBytes packed(file, field.payload_offset, field.payload_offset + field.payload_size);
  while (packed.left() != 0) {
    const std::uint64_t offset = packed.offset();
    add(offset, packed.varint());
  }
}

void TensorProtoSource::read_external(const WireField& entry) {
  expect_type(file_, entry, {WireType::bytes});
  constexpr std::uint32_t kKey = 1, kValue = 2;  // of StringStringEntryProto
  std::string key, value;
  WireFields fields(file_, entry.payload_offset, entry.payload_offset + entry.payload_size);
  for (WireField field; fields.next(field);) {
    if (field.number == kKey) key = read_wire_text(file_, field, "key");
    else if (field.number == kValue) value = read_wire_text(file_, field, "value");
  }
  if (!external_) external_.emplace();
  if (key == "location") {
    external_->location = value;
  } else if (key == "offset" || key == "length") {
    const auto number = parse_number<std::uint64_t>(value);
    if (!number) {
      throw bad_byte(file_.name(), entry.offset,
                     text("external_data: ", key, ": expected a number of bytes, found ", in_quotes(value)));
    }
    if (key == "offset") external_->offset = *number;
    else external_->length = number;
  }
}

void TensorProtoSource::check_type(std::uint64_t data_type, std::uint64_t offset, std::optional<Type> from) {
  const auto found = find_type_in("onnx_enum", std::to_string(data_type));
  if (!found) {
    const std::string_view known = uncastable_type(data_type);
    throw bad_byte(file_.name(), offset,
                   text("data_type: expected the number of a known element type, found ",
                        static_cast<std::int64_t>(data_type), known.empty() ? "" : text(" (", known, ")")));
  }
  if (from && *from != *found) {
    throw bad_byte(file_.name(), offset, text("data_type: expected ", name(*from), ", found ", name(*found)));
  }
  info_.type = *found;
}

std::unique_ptr<ElementReader> TensorProtoSource::elements() {
  if (raw_data_) {
    return std::make_unique<FileElementReader>(file_, raw_data_->payload_offset, info_.type, info_.count);
  }
  return std::make_unique<TypedFieldReader>(file_, size_, info_.type, *info_.count);
}

void TensorProtoSource::copy_fields(OutputFile& out, bool after_raw_data, std::uint64_t data_type) const {
  // A message may have millions of small fields: they are read and written many at a time.
  InputFile source(file_.name(), std::make_unique<ReadAhead>(file_));
  std::string together;
  const auto write = [&] {
    out.write(together);
    together.clear();
  };
  WireFields fields(source, 0, size_);
  for (WireField field; fields.next(field);) {
    if (holds_elements(field.number) || (field.number > field::kRawData) != after_raw_data) continue;
    const std::uint64_t end = field.payload_offset + field.payload_size;
    if (field.number == field::kDataType) {
      append_number(together, field::kDataType, data_type);
    } else if (end - field.offset < kCopiedTogether) {
      const std::size_t before = together.size();
      together.resize(before + static_cast<std::size_t>(end - field.offset));
      source.read_exactly(field.offset, together.data() + before, together.size() - before, "the message");
    } else {
      write();
      copy_bytes(file_, field.offset, end, out);
    }
    if (together.size() >= kCopiedTogether) write();
  }
  write();
}

std::unique_ptr<TextReader> TensorProtoSource::texts() {
  return std::make_unique<StringDataReader>(file_, size_, *info_.count);
}

std::uint64_t write_tensor_proto_head(OutputFile& file, const TensorInfo& tensor, const TensorProtoSource* original) {
  const auto data_type = onnx_number(tensor.type);
  if (!data_type) throw usage_error(text(file.name(), ": a TensorProto cannot hold ", name(tensor.type)));
  if (original != nullptr) {
    original->copy_fields(file, false, *data_type);
    return *data_type;
  }
  std::string head, dims;
  for (const std::uint64_t extent : tensor.shape) append_varint(dims, extent);
  if (!dims.empty()) append_bytes(head, field::kDims, dims);
  append_number(head, field::kDataType, *data_type);
  if (!tensor.name.empty()) append_bytes(head, field::kName, tensor.name);
  file.write(head);
  return *data_type;
}

std::unique_ptr<ElementWriter> start_tensor_proto(OutputFile& file, const TensorInfo& tensor,
                                                  const TensorProtoSource* original) {
  const auto bytes = packed_bytes(*tensor.count, type_info(tensor.type).storage_bits);
  const std::uint64_t copied = original == nullptr ? 0 : original->copied_bytes();
  // The rest of the message is a header of a few dozen bytes.
  if (!bytes || *bytes + tensor.name.size() + 16 * tensor.shape.size() + 64 + copied > kLargestTensorProto) {
    throw bad_file(file.name(), text("expected a TensorProto below 2 GiB, found ", name(tensor.type), " ",
                                     shape_text(tensor.shape), "; npy and safetensors have no such limit"));
  }
  const std::uint64_t data_type = write_tensor_proto_head(file, tensor, original);
  std::string tag;
  append_tag(tag, field::kRawData, WireType::bytes);
  append_varint(tag, *bytes);
  file.write(tag);
  return std::make_unique<TensorProtoWriter>(file, tensor, original, data_type);
}

}  // namespace castforge::cli
