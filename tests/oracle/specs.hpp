// Formats and rounding modes from the JSON files that users write, by a reader of the oracle's own.
//
// Op-sets are not read: the rules of the systems are the oracle's own statement (systems.hpp).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "oracle/convert.hpp"
#include "oracle/format.hpp"
#include "oracle/json.hpp"

namespace castforge::oracle {

/// The format of a type spec. Nothing for strings, which have no codes. Throws std::runtime_error where a field is
/// missing or has a word that the oracle does not know.
std::optional<Format> format_from(const Json& spec);

/// Reads every .json file below the folders. A type or rounding mode that the oracle has already must be the same
/// there; others are made known to codec() and find_rounding(). Throws std::runtime_error, with the file's name. Not
/// thread-safe.
void read_specs(const std::vector<std::filesystem::path>& folders);

}  // namespace castforge::oracle
