// An initializer of an ONNX model as a tensor, wherever its elements are: in raw_data, in a typed field, or in another
// file.
#pragma once

#include "cli/formats/onnx_model.hpp"

#include <memory>

namespace castforge::cli {

class OnnxSource : public TensorSource {
 public:
  /// `one`: of the model, which must outlive this; of a type that the library has.
  OnnxSource(const OnnxModel& model, const OnnxInitializer& one);
  std::unique_ptr<ElementReader> elements() override;
  std::unique_ptr<TextReader> texts() override { return tensor_.texts(); }

 private:
  void open_external();

  const OnnxModel& model_;
  const OnnxInitializer& one_;
  InputFile message_;
  TensorProtoSource tensor_;
  std::unique_ptr<InputFile> external_;
};

}  // namespace castforge::cli
