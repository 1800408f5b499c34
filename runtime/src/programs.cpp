// Hashes of programs. In a file of its own: who links the library statically and never asks for them gets none of their
// text.
#include <castforge/kernel.hpp>

#include <functional>

#include "src/registry.hpp"

namespace castforge {

namespace tables::library {
extern const char* const kPrograms[];  // as Module::programs
}

namespace {

/// Where the kernel stands among those of a module; kernel_count where it is none of them.
std::size_t place_in(const tables::Module& module, const tables::Kernel* kernel) noexcept {
  const tables::Kernel* const end = module.kernels + module.kernel_count;
  const bool inside = !std::less<>()(kernel, module.kernels) && std::less<>()(kernel, end);
  return inside ? static_cast<std::size_t>(kernel - module.kernels) : module.kernel_count;
}

}  // namespace

std::string_view Kernel::programs() const noexcept {
  const tables::Module& library = tables::library::kModule;
  if (const std::size_t place = place_in(library, table_); place < library.kernel_count)
    return tables::library::kPrograms[place];
  for (const tables::Module* const module : registry().added_modules) {
    if (const std::size_t place = place_in(*module, table_); place < module->kernel_count)
      return module->programs[place];
  }
  return "";  // the kernel is data
}

}  // namespace castforge
