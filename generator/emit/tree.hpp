// What the files of generated/ are made of.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/catalogue.hpp"
#include "emit/template.hpp"
#include "evidence/evidence.hpp"
#include "evidence/processors.hpp"

namespace castforge::emit {

/// Path below generated/ -> content.
using FileSet = std::map<std::string, std::string>;

struct Tree {
  const driver::Catalogue& catalogue;
  const evidence::Evidence& evidence;
  const evidence::Processors& processors;
  const Templates& templates;
  std::vector<std::size_t> functions;  // driver::functions of the catalogue's kernels
};

}  // namespace castforge::emit
