// Removes the unfinished output when the program is interrupted (SIGINT, SIGTERM, SIGHUP).
#pragma once

#include <string>

namespace castforge::cli {

/// One path at a time: a later call replaces it. Installs the signal handlers at the first call.
void remove_when_interrupted(const std::string& path);
void nothing_to_remove();

}  // namespace castforge::cli
