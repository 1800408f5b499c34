// What is in the way of a result in its folder, so that it is said before hours of work.
#pragma once

#include "cli/convert/checkpoint.hpp"

#include <string>

namespace castforge::cli {

/// Throws a Failure where not all files of the result can be written to `target`, a folder that is there: one would
/// take the place of a file of the source or of a folder, its name is too long, the folder cannot be written to. And
/// where files of an earlier conversion of another source would stay, by which loaders would be misled.
void check_target(const Checkpoint& checkpoint, const std::string& target);

}  // namespace castforge::cli
