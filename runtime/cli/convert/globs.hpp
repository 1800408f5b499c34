// Names of tensors by pattern.
#pragma once

#include <string>

namespace castforge::cli {

/// Whether a name matches a pattern as of a shell: * ? [..]; a dot or slash is a character like others. `?` and `[..]`
/// stand for one byte, of which a letter beyond ASCII has several.
bool matches(const std::string& pattern, const std::string& name);

}  // namespace castforge::cli
