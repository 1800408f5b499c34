// The instruction sets that were built, with their kernels.
#pragma once

#include <castforge/status.hpp>
#include <cstddef>
#include <string_view>

#include "src/kernel_function.hpp"
#include "src/ramp_table.hpp"
#include "src/stream_table.hpp"
#include "src/tables.hpp"

namespace castforge {

struct Isa {
  std::string_view name;
  const tables::IsaKernels* kernels;
  const tables::IsaRamps* ramps;
  tables::StreamFn stream;
  bool (*can_run)() noexcept;
  int rank;
  bool usable;  // can_run(), asked once
};

/// The kernel as this instruction set has it.
inline tables::KernelFn kernel_function(const Isa& isa, const tables::Kernel& kernel) noexcept {
  const auto unit = static_cast<std::size_t>(kernel.unit);
  const auto index = static_cast<std::size_t>(&kernel - tables::kKernels);
  return isa.kernels->units[unit][index - static_cast<std::size_t>(tables::kFirstOfUnit[unit])];
}

/// The built instruction sets in rising rank.
const Isa* isa_table(std::size_t& count) noexcept;

/// The instruction set of that name (empty: the active one), or why it cannot be used.
struct IsaChoice {
  Status status;
  const Isa* isa = nullptr;
};
IsaChoice choose_isa(std::string_view name) noexcept;

/// The instruction set of a name that a lookup gave.
const Isa& isa_named(std::string_view name) noexcept;

}  // namespace castforge
