// Strings in ONNX TensorProto messages: the field string_data, one entry per element.
#pragma once

#include "cli/formats/tensor_proto.hpp"
#include "cli/formats/text_stream.hpp"

namespace castforge::cli {

class StringDataReader : public TextReader {
 public:
  StringDataReader(InputFile& file, std::uint64_t size, std::uint64_t count)
      : file_(file), fields_(file, 0, size), count_(count) {}

 protected:
  bool next(TextBlock& block) override;

 private:
  InputFile& file_;
  WireFields fields_;
  std::uint64_t count_, done_ = 0;
  std::string bytes_;
};

/// As start_tensor_proto, for strings. Throws a bad_data Failure as soon as the message exceeds 2 GiB.
std::unique_ptr<TextWriter> start_string_data(OutputFile& file, const TensorInfo& tensor,
                                              const TensorProtoSource* original);

}  // namespace castforge::cli
