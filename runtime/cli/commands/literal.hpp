// Numbers that someone typed on the command line.
#pragma once

#include <castforge/interface.hpp>
#include <castforge/range.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace castforge::cli {

/// A number as an element of `type`: integers exactly, and within the type's range; decimals rounded once.
/// Without a type an integer (digits with an optional sign) is an int64, or a uint64 where it needs to be,
/// and anything else a float64. A usage Failure that names `option` otherwise.
Scalar literal(const std::string& typed, std::optional<Type> type, std::string_view option);

}  // namespace castforge::cli
