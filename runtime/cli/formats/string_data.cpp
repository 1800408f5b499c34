#include "cli/formats/string_data.hpp"

#include "cli/formats/tensor_proto_fields.hpp"
#include "cli/io/failure.hpp"

namespace castforge::cli {
namespace {

class StringDataWriter : public TextWriter {
 public:
  StringDataWriter(OutputFile& file, const TensorProtoSource* original, std::uint64_t data_type)
      : file_(file), original_(original), data_type_(data_type) {}

  void write(const TextBlock& block) override {
    entries_.clear();
    for (std::size_t i = 0; i < block.size(); ++i) {
      append_tag(entries_, field::kStringData, WireType::bytes);
      append_varint(entries_, block[i].size());
      entries_ += block[i];
    }
    if (file_.written() + entries_.size() + (original_ == nullptr ? 0 : original_->copied_bytes()) >
        kLargestTensorProto) {
      throw bad_file(file_.name(), "expected a TensorProto below 2 GiB, found more strings");
    }
    file_.write(entries_);
  }

  void finish() override {
    if (original_ != nullptr) original_->copy_fields(file_, true, data_type_);
  }

 private:
  OutputFile& file_;
  const TensorProtoSource* original_;
  std::uint64_t data_type_;
  std::string entries_;
};

}  // namespace

bool StringDataReader::next(TextBlock& block) {
  WireField field;
  do {
    if (!fields_.next(field)) {
      if (done_ == count_) return false;
      throw bad_file(file_.name(), text("string_data: expected ", count_, " entries, found ", done_));
    }
  } while (field.number != field::kStringData);
  expect_bytes(file_.name(), field, "string_data");
  if (done_ == count_) {
    throw bad_byte(file_.name(), field.offset, text("string_data: expected ", count_, " entries, found more"));
  }
  if (field.payload_size > kLongestText) {
    throw bad_byte(file_.name(), field.offset,
                   text("string_data: expected at most ", kLongestText, " bytes, found length ", field.payload_size));
  }
  fields_.read(field, bytes_);
  block.add(bytes_);
  ++done_;
  return true;
}

std::unique_ptr<TextWriter> start_string_data(OutputFile& file, const TensorInfo& tensor,
                                              const TensorProtoSource* original) {
  const std::uint64_t data_type = write_tensor_proto_head(file, tensor, original);
  return std::make_unique<StringDataWriter>(file, original, data_type);
}

}  // namespace castforge::cli
