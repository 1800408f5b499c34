// Standard input, output and error of a program that was started without them; whether standard output was written.
#pragma once

namespace castforge::cli {

/// Occupies descriptors 0 to 2 where they are closed, so that no file of ours becomes standard output or error by
/// accident. Reading from or writing to them stays an error. False where that is impossible.
bool reserve_standard_descriptors();

/// Whether all that was printed, by streams or by stdio, has reached standard output.
bool flush_standard_output();

}  // namespace castforge::cli
