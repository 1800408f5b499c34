// The instruction sets that were built, with their kernels.
#pragma once

#include <castforge/status.hpp>
#include <cstddef>
#include <string_view>

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
