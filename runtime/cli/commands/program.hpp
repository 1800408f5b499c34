// The program behind main().
#pragma once

namespace castforge::cli {

/// Parses the command line and does what it says; messages go to standard error. Returns the exit code.
int run_program(int argc, const char* const* argv);

}  // namespace castforge::cli
