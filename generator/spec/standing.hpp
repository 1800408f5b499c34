// What op-sets say of one another: versions of a family, families that are defaults.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spec/diagnostics.hpp"
#include "spec/model.hpp"
#include "spec/read.hpp"

namespace castforge::spec {

/// The number of the file that defines an op-set, -1 where none does: of several the one that is known to be good, as
/// the others are one too many.
int find_file(const std::vector<std::unique_ptr<OpSetFile>>& files, const std::string& family,
              const std::string& version);

/// Reports op-sets that are defined twice.
void report_duplicates(const std::vector<std::unique_ptr<OpSetFile>>& files, Diagnostics& diagnostics);

/// Reports what versions and families cannot say of one another. `linked`: the op-set of each file, null where
/// something was wrong with it.
void check_standing(const std::vector<std::unique_ptr<OpSetFile>>& files, const std::vector<const OpSet*>& linked,
                    Diagnostics& diagnostics);

}  // namespace castforge::spec
