// Starts an output file of any format that holds one tensor of numbers.
#pragma once

#include "cli/formats/file_format.hpp"
#include "cli/formats/tensor.hpp"
#include "cli/io/output_file.hpp"

namespace castforge::cli {

/// Writes what comes before the elements. `source` is where the tensor comes from, if from a file: formats that keep
/// more than elements keep what it has.
std::unique_ptr<ElementWriter> start_output(FileFormat format, OutputFile& file, const TensorInfo& tensor,
                                            const TensorSource* source = nullptr);

}  // namespace castforge::cli
