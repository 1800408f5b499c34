#include <castforge/interface.hpp>

#include "src/tables.hpp"

namespace castforge {

const char* version() noexcept { return CASTFORGE_VERSION; }
const char* manifest_hash() noexcept { return tables::library::kModule.manifest; }

}  // namespace castforge
