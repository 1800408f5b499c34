// Names of tensors by pattern.
#pragma once

#include <string>

namespace castforge::cli {

/// Whether a name matches a pattern as of a shell: * ? [..]; a dot or slash is a character like others.
bool matches(const std::string& pattern, const std::string& name);

}  // namespace castforge::cli
