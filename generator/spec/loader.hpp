// From spec files to the model.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "spec/diagnostics.hpp"
#include "spec/model.hpp"

namespace castforge::spec {

/// Longest spec file that is read; those that people write have some kilobytes.
inline constexpr std::size_t kLargestSpec = std::size_t{16} << 20;

/// A path where no specs can be read: which one, and why.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The contents of a spec file, truncated after kLargestSpec + 1 bytes. Throws Unreadable when it cannot be read or is
/// no regular file.
std::string read_spec(const std::filesystem::path& path);

/// The text of a spec, kept: its file, if it had one, is not read again.
struct SpecText {
  std::filesystem::path path;  // what complaints call it
  std::filesystem::path real;  // which file it is
  std::string made;            // what the template in it is to make
  std::string contents;
  bool good = false;  // loaded before: what contradicts it is at fault
};

/// Reads FILE.json or FILE.json#NAME. Throws Unreadable, filesystem_error.
SpecText text_of_spec(const std::filesystem::path& path);

/// Reads and validates spec files and merges them into one model. Each entry is a JSON file or a folder; of a folder,
/// its own *.json files and those in its subfolders types/, roundings/, opsets/ and systems/ are read; what has such
/// a name and is no file is an error. Files directly in a folder are told apart by content: "kind" is of a type,
/// "carry" of a rounding mode, "opset" of an op-set, "system" of a system of aliases.
/// The same file given twice counts once.
///
/// An op-set that says so (specs/FIELDS.md, "compiled") is left out, or out in part, where its folder is named; a file
/// that is named itself is taken whole. With `opsets`, names of op-sets and families, the first path gives these,
/// whole, and no others. FILE#NAME is the type that the template in FILE makes of the name.
///
/// Op-sets are resolved once (spec/resolve.hpp), so a model that loads has no undecided cell. The first `good` paths
/// are known to be: of an op-set from there only pairs with a type from elsewhere are resolved.
/// `texts` come after the paths, and say themselves whether they are good.
/// Throws SpecError with everything that is wrong, Unreadable when a path cannot be read,
/// std::invalid_argument for an op-set that is wanted and not there.
SpecModel load(const std::vector<std::filesystem::path>& spec_paths, const std::vector<std::string>& opsets = {},
               std::size_t good = 0, const std::vector<SpecText>& texts = {});

}  // namespace castforge::spec
