#include "cli/formats/output.hpp"

#include "cli/formats/npy.hpp"
#include "cli/formats/safetensors.hpp"
#include "cli/formats/tensor_proto.hpp"

namespace castforge::cli {

std::unique_ptr<ElementWriter> start_output(FileFormat format, OutputFile& file, const TensorInfo& tensor,
                                            const TensorSource* source) {
  switch (format) {
    case FileFormat::npy: return start_npy(file, tensor);
    case FileFormat::pb: return start_tensor_proto(file, tensor, dynamic_cast<const TensorProtoSource*>(source));
    case FileFormat::safetensors: return start_safetensors(file, tensor);
    case FileFormat::npz:   // is read only
    case FileFormat::onnx:  // is looked into only
    case FileFormat::raw: break;
  }
  return std::make_unique<FileElementWriter>(file, tensor.type);
}

}  // namespace castforge::cli
