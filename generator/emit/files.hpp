// All files of generated/, in memory.
#pragma once

#include "emit/tree.hpp"

namespace castforge::emit {

/// Depends on the catalogue, for MANIFEST.tsv on the records of verification, and on families of processors: no dates,
/// no locale, no machine.
FileSet emit_all(const driver::Catalogue& catalogue, const evidence::Evidence& evidence,
                 const evidence::Processors& processors, const Templates& templates);

}  // namespace castforge::emit
