// What a shared object of castforge_add_kernels exports, for `castforge --kernels` and add_kernels.
#include <castforge/export.h>
#include <castforge/added_kernels.hpp>

namespace castforge::tables::CASTFORGE_MODULE {
extern const Module kModule;
}

extern "C" CASTFORGE_API const castforge::tables::Module* castforge_kernels(void);
const castforge::tables::Module* castforge_kernels(void) { return &castforge::tables::CASTFORGE_MODULE::kModule; }
