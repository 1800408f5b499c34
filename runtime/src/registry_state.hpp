// The registry as those change it who hold the lock of add_kernels.cpp.
#pragma once

#include "src/registry.hpp"

namespace castforge {

/// The code of a module's kernel on its instruction set at index `isa`.
tables::KernelFn function_in(const tables::Module& module, std::size_t isa, std::size_t kernel) noexcept;

/// Makes a registry the newest one, for ever.
void publish(const Registry* next) noexcept;

}  // namespace castforge
