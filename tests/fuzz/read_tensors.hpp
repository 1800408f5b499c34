// For targets whose input is a file with tensors.
#pragma once

#include "cli/formats/file_format.hpp"
#include "cli/io/input_file.hpp"

#include <castforge/interface.hpp>

#include <optional>

namespace castforge::fuzz {

/// Reads every element and text of a file, and writes them in every format. What is refused is none of its business.
/// Returns how many tensors were read to their end.
std::size_t read_tensors(cli::InputFile& file, cli::FileFormat format, std::optional<Type> from);

}  // namespace castforge::fuzz
