// Kernels beside the library's own: formats, rounding modes and op-sets of a user's project, as the CMake function
// castforge_add_kernels builds them.
#pragma once

#include <castforge/export.h>

#include <castforge/status.hpp>
#include <cstddef>
#include <string_view>

namespace castforge {

namespace tables {
struct Module;
}

/// The C function by which a shared object of castforge_add_kernels gives what add_kernels takes:
/// `const castforge::tables::Module* castforge_kernels(void)`.
inline constexpr const char* kKernelsFunction = "castforge_kernels";

/// Adds types, kernels and cells of op-sets to those of the library. From then on every lookup sees them; handles that
/// were looked up before stay as they are, an OpSet among them. All or nothing; thread-safe; what is known already in
/// the same words is skipped, so that adding twice changes nothing. The module is not copied: it has to stay where it
/// is. In a target of castforge_add_kernels this happens before main().
/// kernels_refused: built for another version or library, without one of its instruction sets, or against something
/// that is known by the same name or number.
CASTFORGE_API Status add_kernels(const tables::Module* module) noexcept;

/// What has been added, in that order.
struct AddedKernels {
  std::string_view manifest_hash;
  std::size_t type_count, kernel_count;
};
CASTFORGE_API std::size_t added_kernels_count() noexcept;
/// index < added_kernels_count().
CASTFORGE_API AddedKernels added_kernels(std::size_t index) noexcept;

}  // namespace castforge
