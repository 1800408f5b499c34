// Standard output of the program.
#pragma once

namespace castforge::command {

/// Whether all that was printed has reached standard output.
bool flush_standard_output();

}  // namespace castforge::command
