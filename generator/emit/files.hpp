// All files of generated/, in memory.
#pragma once

#include <map>
#include <string>

#include "driver/catalogue.hpp"
#include "emit/template.hpp"
#include "evidence/evidence.hpp"

namespace castforge::emit {

/// Path below generated/ -> content. Depends on the catalogue and, for MANIFEST.tsv, on the records of verification: no
/// dates, no locale, no machine.
using FileSet = std::map<std::string, std::string>;

FileSet emit_all(const driver::Catalogue& catalogue, const evidence::Evidence& evidence, const Templates& templates);

}  // namespace castforge::emit
