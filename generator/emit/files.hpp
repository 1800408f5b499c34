// All files of generated/, in memory.
#pragma once

#include <map>
#include <string>

#include "driver/catalogue.hpp"
#include "emit/template.hpp"
#include "evidence/evidence.hpp"
#include "evidence/processors.hpp"

namespace castforge::emit {

/// Path below generated/ -> content. Depends on the catalogue, for MANIFEST.tsv on the records of verification, and on
/// families of processors: no dates, no locale, no machine.
using FileSet = std::map<std::string, std::string>;

FileSet emit_all(const driver::Catalogue& catalogue, const evidence::Evidence& evidence,
                 const evidence::Processors& processors, const Templates& templates);

}  // namespace castforge::emit
