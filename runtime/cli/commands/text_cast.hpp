// Casts from and to strings.
#pragma once

#include "cli/commands/cast_job.hpp"
#include "cli/formats/tensor.hpp"
#include "cli/io/input_file.hpp"

namespace castforge::cli {

/// Does the job where the source's type, the wanted type, or both are strings. Returns the number of
/// elements. Throws a bad_data Failure with the index of the element that is no number, and a usage Failure
/// where the op-set does not admit the pair.
std::uint64_t cast_texts(const CastJob& job, const InputFile& file, TensorSource& source);

}  // namespace castforge::cli
