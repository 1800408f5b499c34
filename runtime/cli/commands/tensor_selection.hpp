// Which tensors of a safetensors file a cast is about.
#pragma once

#include "cli/formats/safetensors_header.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace castforge::cli {

/// Whether each tensor is to be cast: with patterns (as of a shell: * ? [..]) those whose names match one;
/// with `from` those of that type; with both, those for which both hold; with neither, all of floating
/// type. A usage Failure where a pattern matches no name, or `from` no tensor.
std::vector<bool> select_tensors(const std::string& file, const SafetensorsHeader& header,
                                 const std::vector<std::string>& patterns, std::optional<Type> from);

/// The index of the one of `count` tensors that matches the patterns, or that there is; a usage Failure where that is
/// not one.
std::size_t only_name(const std::string& file, std::size_t count, const std::function<std::string(std::size_t)>& name,
                      const std::vector<std::string>& patterns);

/// The one tensor that matches the patterns, or that the file has, or the only one of those that is of type `from`. A
/// usage Failure where that is not one.
SafetensorsEntry only_tensor(const std::string& file, const SafetensorsHeader& header,
                             const std::vector<std::string>& patterns, std::optional<Type> from);

/// The library's type of a tensor that is to be cast; a bad_data Failure where it has none, or it is not
/// `from`.
Type castable_type(const std::string& file, const SafetensorsEntry& tensor, std::optional<Type> from);

}  // namespace castforge::cli
