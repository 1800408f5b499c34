// The tensors of a file of any format, one after the other.
#pragma once

#include "cli/formats/file_format.hpp"
#include "cli/formats/tensor.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/input_file.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace castforge::cli {

struct ListedTensor {
  std::string_view name;  // empty where the format has none; valid during the visit
  std::string type;       // the library's name, or the file's where it has none
  Shape shape;
  bool fortran_order = false;
  std::optional<std::uint64_t> count;  // nothing for a stream of unknown length
  TensorSource* source = nullptr;      // null: elements of such a type cannot be read; valid during the visit
};

struct TensorListing {
  FileFormat format = FileFormat::raw;
  std::optional<Type> from;          // where the file does not tell; safetensors, onnx: only tensors of that type
  std::vector<std::string> tensors;  // patterns of names; none: all
};

/// Visits the tensors that are listed in the order of the file; of a model, the initializers of its graph. Throws a
/// usage Failure where a pattern matches none, or no tensor is of the only type that is wanted.
/// What is wrong with an array of an archive keeps none of the others from being visited: such bad_data
/// Failures, of reading or of the visit, are returned as one at the end.
std::optional<Failure> for_each_tensor(InputFile& file, const TensorListing& listing,
                                       const std::function<void(const ListedTensor&)>& visit);

}  // namespace castforge::cli
