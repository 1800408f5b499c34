// Casts tensors of a safetensors file into another such file, which keeps the rest.
#pragma once

#include "cli/commands/cast_job.hpp"
#include "cli/io/input_file.hpp"

namespace castforge::cli {

/// Casts the selected tensors; copies the others and the metadata. Where nothing names the tensors, one
/// that is of the wanted type already and that the op-set has no rule for stays as it is.
void cast_safetensors(const CastJob& job, InputFile& file);

}  // namespace castforge::cli
