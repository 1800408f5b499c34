// Instruction sets: which ones the library was built for, which this machine can run, which is used.
#pragma once

#include <castforge/export.h>

#include <castforge/status.hpp>
#include <cstddef>
#include <string_view>

namespace castforge {

struct IsaInfo {
  std::string_view name;  // "portable", "avx2", ...
  bool usable;            // processor and operating system support it
  // The instruction set as on which some kernels run here instead, which measurements found to be faster on processors
  // of this family, and how many; empty and 0 where none does.
  std::string_view lesser = {};
  std::size_t lesser_kernels = 0;
};

/// Instruction sets built into the library, the plainest first.
CASTFORGE_API std::size_t isa_count() noexcept;
/// index < isa_count().
CASTFORGE_API IsaInfo isa(std::size_t index) noexcept;

/// The one used where a call names none: CASTFORGE_FORCE_ISA, read once at the first use, else the last
/// usable one. Empty where CASTFORGE_FORCE_ISA names one that cannot be used.
CASTFORGE_API std::string_view active_isa() noexcept;

/// Whether CASTFORGE_FORCE_ISA, if set, can be obeyed; isa_unavailable otherwise, and then every find_kernel
/// fails alike.
CASTFORGE_API Status isa_status() noexcept;

/// Whether the library can run the named instruction set here: ok or isa_unavailable, with the usable ones
/// listed; isa_unavailable for every name, too, where CASTFORGE_FORCE_ISA cannot be obeyed.
CASTFORGE_API Status isa_status(std::string_view name) noexcept;

}  // namespace castforge
